#include "config.h"
#include "report/write/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/codec/json.h"
#include "base/text/utf8.h"
#include "result/cell_text.h"

/* What Markdown or the HTML in it could mean stands behind a backslash, or as an entity. */
static void put_escaped(FILE *f, const char *s, size_t n)
{
	const char *end = s + n;

	while (s < end) {
		char out[8];
		uint32_t c = utf8_next(&s, end);

		c = c == '\n' || c == '\t' ? ' ' : utf8_safe(c);
		if (c == '<' || c == '>' || c == '&') {
			fputs(c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;", f);
			continue;
		}
		if (c < 0x80 && strchr("\\`*_{}[]()#!|~$@:", (int)c))
			putc('\\', f);
		fwrite(out, 1, (size_t)utf8_put(out, c), f);
	}
}

void markdown_line(FILE *f, const char *before, const char *text, size_t n)
{
	fputs(before, f);
	put_escaped(f, text, n);
	fputs("\n\n", f);
}

static bool is_number(const struct column *c)
{
	return c->type == COL_INTEGER || c->type == COL_NUMBER;
}

void markdown_table(FILE *f, const char *name, const struct column *c, size_t n)
{
	if (name)
		fprintf(f, "### %s\n\n", name);
	for (size_t i = 0; i < n; i++) {
		fputs("| ", f);
		put_escaped(f, c[i].label, strlen(c[i].label));
		putc(' ', f);
	}
	fputs("|\n", f);
	for (size_t i = 0; i < n; i++)
		fputs(is_number(&c[i]) ? "|--:" : "|---", f);
	fputs("|\n", f);
}

void markdown_row(FILE *f, const struct column *c, size_t n, const struct cell *row)
{
	char text[80];

	for (size_t i = 0; i < n; i++) {
		struct slice s = cell_text(&row[i]);

		fputs("| ", f);
		if (!s.s || is_number(&c[i]))
			s = slice_of(cell_people(text, sizeof text, &row[i], &c[i]));
		put_escaped(f, s.s, s.n);
		putc(' ', f);
	}
	fputs("|\n", f);
}

static void put_cell(struct json_out *j, const struct cell *c)
{
	if (c->type == CELL_INT)
		json_int(j, c->u.i);
	else if (c->type == CELL_NUM)
		json_double(j, c->u.d);
	else if (c->type == CELL_BOOL)
		json_bool(j, c->u.b);
	else if (c->type == CELL_STR)
		json_str(j, c->s, c->n);
	else if (c->type == CELL_OBJ)
		json_raw(j, c->s, c->n);
	else
		json_null(j);
}

void jsonl_row(FILE *f, const char *table, const struct column *c, size_t n, const struct cell *row)
{
	struct json_out *j = json_out_mem();
	size_t len;
	char *text;

	json_obj(j);
	if (table) {
		json_key(j, "table");
		json_strz(j, table);
	}
	for (size_t i = 0; i < n; i++) {
		json_key(j, c[i].id);
		put_cell(j, &row[i]);
	}
	if (!json_out_end(j, &text, &len)) {
		fwrite(text, 1, len, f);
		if (!len || text[len - 1] != '\n')
			putc('\n', f);
		free(text);
	}
}
