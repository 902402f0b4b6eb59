/* Makes the getters and the columns of one table from its .def file, see schema.h.  To be included once per
 * table, in the .c file that fills it. */
#define SCHEMA_JOIN_(a, b) a##_##b
#define SCHEMA_JOIN(a, b) SCHEMA_JOIN_(a, b)

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
#undef SCHEMA_ROW
#undef SCHEMA_DEF
#undef SCHEMA_JOIN
#undef SCHEMA_JOIN_
