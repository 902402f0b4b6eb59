#include "config.h"
#include "base/file/embedded.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/infile.h"

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
	char *path, *text;
	struct arena arena;
	struct own_table *next;
} * own_tables;

static struct own_table *own_table(const char *name)
{
	struct own_table *o = own_tables;

	while (o && strcmp(o->name, name))
		o = o->next;
	return o;
}

char *embedded_or_file(struct arena *a, const char *name, const char *path, struct err *e)
{
	const struct embedded *own = embedded_find(name);
	FILE *f = path ? infile_open(path) : NULL;
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

int embedded_set_own(const char *name, const char *path, struct err *e)
{
	struct own_table *o = own_table(name);

	if (!o) {
		o = xcalloc(1, sizeof *o);
		o->name = name;
		o->next = own_tables;
		own_tables = o;
	}
	free(o->path);
	arena_free(&o->arena);
	o->path = path ? xstrdup(path) : NULL;
	o->text = path ? embedded_or_file(&o->arena, name, path, e) : NULL;
	return path && !o->text ? -1 : 0;
}

char *embedded_own(struct arena *a, const char *name, const char **path)
{
	const struct own_table *o = own_table(name);

	if (!o || !o->text)
		return NULL;
	*path = o->path;
	return arena_strndup(a, o->text, strlen(o->text));
}
