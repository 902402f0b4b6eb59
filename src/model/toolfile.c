#include "config.h"

#include "model/toolfile.h"

#include <string.h>

struct toolfile *toolfile_add(struct dump *d, int file)
{
	VEC_PUSH(d->tools, d->ntools, d->tools_cap);
	d->tools[d->ntools] = (struct toolfile){ .file = file };
	return &d->tools[d->ntools++];
}

void toolfile_free(struct toolfile *t)
{
	arena_free(&t->arena);
	*t = (struct toolfile){ .file = -1 };
}

static bool is_of(const struct dump *d, const struct file *f, const char *host)
{
	return !host || (f->host >= 0 && dump_host_is(d, f->host, host));
}

const struct toolfile *toolfile_find(const struct dump *d, enum file_kind kind, const char *host,
    size_t *more)
{
	const struct toolfile *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < d->ntools; i++) {
		const struct file *f = &d->files[d->tools[i].file];

		if (f->kind != kind || !is_of(d, f, host))
			continue;
		first = first ? first : &d->tools[i];
		n++;
	}
	if (more)
		*more = n ? n - 1 : 0;
	return first;
}

const struct toolfile *toolfile_alone(const struct dump *d, enum file_kind kind, const char *host,
    size_t *more)
{
	if (more)
		*more = 0;
	for (size_t i = 0; i < d->nfiles; i++)
		if (d->files[i].kind == FILE_XSPACE && d->files[i].events)
			return NULL;
	return toolfile_find(d, kind, host, more);
}

const void *toolfile_message(const struct toolfile *t, const ProtobufCMessageDescriptor *d)
{
	return t && t->message && t->message->descriptor == d ? t->message : NULL;
}

static bool is_string(const struct json *j, const char *s)
{
	return j && j->type == JSON_STRING && slice_is((struct slice){ j->s, j->len }, s);
}

static const struct json *children(const struct json *j)
{
	return j && j->type == JSON_ARRAY ? j->child : NULL;
}

int datatable_column(const struct json *table, const char *id)
{
	int n = 0;

	for (const struct json *c = children(json_get(table, "cols")); c; c = c->next, n++)
		if (is_string(json_get(c, "id"), id))
			return n;
	return -1;
}

const struct json *datatable_find(const struct json *j, const char *column)
{
	if (!j || j->type == JSON_OBJECT)
		return datatable_column(j, column) >= 0 ? j : NULL;
	for (const struct json *t = children(j); t; t = t->next)
		if (datatable_column(t, column) >= 0)
			return t;
	return NULL;
}

const struct json *datatable_rows(const struct json *table)
{
	return children(json_get(table, "rows"));
}

const struct json *datatable_cell(const struct json *row, int column)
{
	const struct json *c = children(json_get(row, "c")), *v;

	for (; c && column > 0; column--)
		c = c->next;
	v = c && !column ? json_get(c, "v") : NULL;
	return v && v->type != JSON_NULL ? v : NULL;
}

const struct json *datatable_property(const struct json *table, const char *name)
{
	return json_get(json_get(table, "p"), name);
}
