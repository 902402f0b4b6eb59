#include "config.h"

#include "analyze/tf/shown.h"

#include <stdio.h>
#include <string.h>

static int make_all(const struct dump *d, int graph, struct tf_shown *s)
{
	const struct tf_graph *g = graph >= 0 && (size_t)graph < d->ngraphs
	    ? &d->graphs[graph]
	    : tf_analysis_pick_any(d, NULL, &s->err);

	if (!g || tf_analysis_make(g, &s->a, &s->err))
		return -1;
	if (tf_tree_make(&s->a.compat, &s->tree, &s->err) || tf_links_make(&s->a.nodes, &s->links, &s->err))
		return -1;
	return 0;
}

void tf_shown_make(const struct dump *d, int graph, struct tf_shown *s)
{
	*s = (struct tf_shown){ 0 };
	if (make_all(d, graph, s)) {
		struct err err = s->err;

		tf_shown_free(s);
		s->err = err;
	}
}

void tf_lines_make(const struct tf_shown *s, bool series, struct tf_lines *l)
{
	*l = (struct tf_lines){ .err = s->err };
	if (!l->err.status && !tf_rows_make(&s->a.compat, &s->tree, series, &l->rows, &l->err))
		tf_rows_table(&s->a.compat, &s->tree, &l->rows, &l->table);
}

void tf_lines_free(struct tf_lines *l)
{
	table_free(&l->table);
	tf_rows_free(&l->rows);
	*l = (struct tf_lines){ 0 };
}

void tf_shown_free(struct tf_shown *s)
{
	tf_links_free(&s->links);
	tf_tree_free(&s->tree);
	if (s->a.graph)
		tf_analysis_free(&s->a);
	*s = (struct tf_shown){ 0 };
}

char *tf_shown_path(const struct tf_shown *s, uint32_t line, char *buf, size_t size)
{
	size_t at = size - 1;

	buf[at] = 0;
	for (; line && line != UINT32_MAX; line = s->tree.v[line].parent) {
		const struct tf_scope *x = &s->tree.v[line];
		size_t more = (size_t)x->name_len + (x->strict ? 2 : 0), between = at + 1 < size;

		if (more + between + 4 > at) {
			at -= 3;
			memcpy(buf + at, "…", 3);
			break;
		}
		if (between)
			buf[--at] = '/';
		at -= more;
		if (x->strict) {
			buf[at] = '(';
			buf[at + more - 1] = ')';
		}
		memcpy(buf + at + x->strict, x->name, x->name_len);
	}
	memmove(buf, buf + at, size - at);
	return buf;
}
