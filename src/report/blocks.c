#include "config.h"
#include "report/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"

static const struct column severity = { "severity", "", "", COL_STRING };
static const struct column finding = { "text", "finding", "", COL_STRING };
static const struct column price = { "cost", "cost", "", COL_STRING };

static struct cell cell_of(const struct table *t, size_t row, const char *id)
{
	int k = table_column(t, id);

	return k < 0 ? cell_null() : t->cells[row * t->ncolumns + (size_t)k];
}

static struct cell cost_of(const struct table *t, size_t row, struct table *out)
{
	struct cell cost = cell_of(t, row, "cost"), kind = cell_of(t, row, "cost_kind");
	char text[32];

	if (kind.type != CELL_STR || cost.type != CELL_NUM)
		return cell_str("", 0);
	if (kind.n == 1) /* "B" */
		units_bytes(text, sizeof text, cost.u.d);
	else
		snprintf(text, sizeof text, "%.1f %%", cost.u.d * 100);
	return cell_str(table_copy(out, text, strlen(text)), strlen(text));
}

/* Adds a row that holds only text. */
static void add_line(struct table *out, const char *mark, const char *s, size_t n)
{
	char *text = xasprintf("%s%.*s", mark, (int)n, s);
	struct cell *c = table_row(out);
	size_t k = 0;

	for (; k + 1 < out->ncolumns; k++)
		c[k] = cell_str("", 0);
	c[k] = cell_str(table_copy(out, text, strlen(text)), strlen(text));
	free(text);
}

static void add_paragraphs(struct table *out, const struct cell *text)
{
	const char *end = text->s + text->n;

	for (const char *s = text->s; s < end; s++) {
		const char *stop = memchr(s, '\n', (size_t)(end - s));
		size_t n = (size_t)((stop ? stop : end) - s);

		if (n)
			add_line(out, "- ", s, n);
		s += n;
	}
}

static void add_block(struct table *out, const struct table *t, size_t row)
{
	struct cell evidence = cell_of(t, row, "evidence"), advice = cell_of(t, row, "advice"),
		    *c = table_row(out);

	*c++ = cell_of(t, row, "severity");
	if (out->ncolumns == 3)
		*c++ = cost_of(t, row, out);
	*c = cell_of(t, row, "title");
	if (evidence.type == CELL_STR && evidence.n)
		add_line(out, "", evidence.s, evidence.n);
	if (advice.type == CELL_STR)
		add_paragraphs(out, &advice);
}

void report_blocks(struct report *r, const char *name, const struct table *t, size_t more)
{
	bool costs = table_column(t, "cost") >= 0;
	const struct column columns[] = { severity, costs ? price : finding, finding };
	struct table out;
	char rest[60];

	table_init(&out, columns, costs ? 3 : 2);
	for (size_t i = 0; i < t->nrows; i++)
		add_block(&out, t, i);
	if (more) {
		snprintf(rest, sizeof rest, "and %zu more: without --top all are shown", more);
		add_line(&out, "", rest, strlen(rest));
	}
	report_whole(r, name, &out);
	table_free(&out);
}
