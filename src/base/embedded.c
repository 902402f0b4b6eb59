#include "config.h"
#include "base/embedded.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_MOST (1 << 20) /* bytes of a table of the user */

const struct embedded *embedded_find(const char *name)
{
	for (const struct embedded *e = embedded_files; e->name; e++)
		if (!strcmp(e->name, name))
			return e;
	return NULL;
}

/* The user's own tables, by name; few. */
static struct own_table {
	const char *name;
	char *path;
	struct own_table *next;
} * own_tables;

static struct own_table *own_table(const char *name)
{
	struct own_table *o = own_tables;

	while (o && strcmp(o->name, name))
		o = o->next;
	return o;
}

void embedded_set_own(const char *name, const char *path)
{
	struct own_table *o = own_table(name);

	if (!o) {
		o = xcalloc(1, sizeof *o);
		*o = (struct own_table){ name, NULL, own_tables };
		own_tables = o;
	}
	free(o->path);
	o->path = path ? xstrdup(path) : NULL;
}

const char *embedded_own(const char *name)
{
	const struct own_table *o = own_table(name);

	return o ? o->path : NULL;
}

char *embedded_or_file(struct arena *a, const char *name, const char *path, struct err *e)
{
	const struct embedded *own = embedded_find(name);
	FILE *f = path ? fopen(path, "re") : NULL;
	char *text;
	size_t n;

	if (!path)
		return arena_strndup(a, own ? (const char *)own->bytes : "", own ? own->size : 0);
	if (!f) {
		err_set(e, EXIT_USAGE, ERR_NOWHERE, "%s: %s", path, strerror(errno));
		return NULL;
	}
	text = arena_alloc(a, TABLE_MOST + 1);
	n = fread(text, 1, TABLE_MOST, f);
	if (ferror(f) || fgetc(f) != EOF) {
		err_set(e, EXIT_USAGE, ERR_NOWHERE, "%s: %s", path,
		    ferror(f) ? "cannot be read" : "too large for a table (1 MiB)");
		text = NULL;
	} else {
		text[n] = 0;
	}
	fclose(f);
	return text;
}
