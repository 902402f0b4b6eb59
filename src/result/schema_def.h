/* Makes the getters and the columns of one table from its .def file, see schema.h.  To be included once per
 * table, in the .c file that fills it.  Where SCHEMA_FOLDER is defined, the .def file lies there under the name of the
 * table unless SCHEMA_DEF says otherwise, and SCHEMA_ROW is that of all tables of the folder. */
#define SCHEMA_JOIN_(a, b) a##_##b
#define SCHEMA_JOIN(a, b) SCHEMA_JOIN_(a, b)
#ifndef SCHEMA_DEF
#define SCHEMA_PATH_(path) #path
#define SCHEMA_PATH(path) SCHEMA_PATH_(path)
/* clang-format off */
#define SCHEMA_DEF SCHEMA_PATH(SCHEMA_FOLDER/SCHEMA.def)
/* clang-format on */
#endif

#define COLUMN(id, type, unit, label, title, width, drop, show, value, meaning) \
	static struct cell SCHEMA_JOIN(SCHEMA, get_##id)(const void *row, struct arena *text) \
	{ \
		SCHEMA_ROW const *r = row; \
\
		(void)r; \
		(void)text; \
		return value; \
	}
#include SCHEMA_DEF
#undef COLUMN

#define COLUMN(id, type, unit, label, title, width, drop, show, value, meaning) \
	{ #id, label, unit, COL_##type, title, width, drop, SHOW_##show, SCHEMA_JOIN(SCHEMA, get_##id), \
		meaning },
static const struct column SCHEMA_JOIN(SCHEMA, columns)[] = {
#include SCHEMA_DEF
};
#undef COLUMN

#undef SCHEMA
#ifndef SCHEMA_FOLDER
#undef SCHEMA_ROW
#endif
#undef SCHEMA_DEF
#undef SCHEMA_JOIN
#undef SCHEMA_JOIN_
#undef SCHEMA_PATH
#undef SCHEMA_PATH_
