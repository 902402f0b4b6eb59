#include "config.h"
#include "report/blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"

struct block_line {
	struct cell severity, cost, saves, text;
};

#define SCHEMA block
#define SCHEMA_ROW struct block_line
#define SCHEMA_DEF "report/blocks.def"
#include "result/schema_def.h"
static const struct schema block_schema[] = {
	[BLOCKS_BARE] = { SCHEMA_COLUMNS(block_columns), .text = "severity text" },
	[BLOCKS_COSTS] = { SCHEMA_COLUMNS(block_columns), .text = "severity cost text" },
	[BLOCKS_SAVINGS] = { SCHEMA_COLUMNS(block_columns) },
};

void report_blocks_begin(struct table *t, enum blocks_form form)
{
	table_begin(t, &block_schema[form]);
}

static void add_head(struct table *t, struct block_line l)
{
	table_add(t, &l);
}

void report_blocks_head(struct table *t, struct cell severity, struct cell title)
{
	add_head(t, (struct block_line){ severity, cell_null(), cell_null(), title });
}

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

void report_blocks_line(struct table *out, const char *mark, const char *s, size_t n)
{
	char *text = xasprintf("%s%.*s", mark, (int)n, s);
	const struct cell empty = cell_str("", 0);

	add_head(out, (struct block_line){ empty, empty, empty, table_text(out, text) });
	free(text);
}

/* "11.2 %", "≤ 11.2 %", "–": not known */
static struct cell saving_of(const struct table *t, size_t row, struct table *out)
{
	struct cell save = cell_of(t, row, "save_percent"), most = cell_of(t, row, "at_most");
	char text[32] = "       –"; /* all are as wide, so that --top leaves the text where it is */

	if (save.type == CELL_NUM && !isnan(save.u.d))
		snprintf(text, sizeof text, "%s%5.1f %%", most.type == CELL_BOOL && most.u.b ? "≤" : " ",
		    save.u.d);
	return cell_str(table_copy(out, text, strlen(text)), strlen(text));
}

static enum blocks_form form_of(const struct table *t)
{
	for (size_t i = 0; i < t->nrows; i++)
		if (cell_of(t, i, "save_percent").type == CELL_NUM)
			return BLOCKS_SAVINGS;
	return table_column(t, "cost") >= 0 ? BLOCKS_COSTS : BLOCKS_BARE;
}

static void add_paragraphs(struct table *out, const struct cell *text)
{
	const char *end = text->s + text->n;

	for (const char *s = text->s; s < end; s++) {
		const char *stop = memchr(s, '\n', (size_t)(end - s));
		size_t n = (size_t)((stop ? stop : end) - s);

		if (n)
			report_blocks_line(out, "- ", s, n);
		s += n;
	}
}

static void add_block(struct table *out, const struct table *t, size_t row)
{
	struct cell evidence = cell_of(t, row, "evidence"), advice = cell_of(t, row, "advice");

	add_head(out,
	    (struct block_line){ cell_of(t, row, "severity"), cost_of(t, row, out), saving_of(t, row, out),
		cell_of(t, row, "title") });
	if (evidence.type == CELL_STR && evidence.n)
		report_blocks_line(out, "", evidence.s, evidence.n);
	if (advice.type == CELL_STR)
		add_paragraphs(out, &advice);
}

void report_blocks(struct report *r, const char *name, const struct table *t, size_t more)
{
	struct table out;
	char rest[60];

	report_blocks_begin(&out, form_of(t));
	for (size_t i = 0; i < t->nrows; i++)
		add_block(&out, t, i);
	if (more) {
		snprintf(rest, sizeof rest, "and %zu more: without --top all are shown", more);
		report_blocks_line(&out, "", rest, strlen(rest));
	}
	report_whole(r, name, &out);
	table_free(&out);
}
