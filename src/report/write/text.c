#include "config.h"
#include "report/write/internal.h"

#include <ctype.h>
#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "result/cell_text.h"

#define LONGEST 4000 /* bytes of a text that are used */
#define INDENT 2     /* of the lines of a paragraph after the first */

struct text *text_new(FILE *f, int width)
{
	struct text *t = xcalloc(1, sizeof *t);

	t->f = f;
	t->width = width;
	t->ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	return t;
}

void text_free(struct text *t)
{
	if (!t)
		return;
	free(t->sum);
	free(t->layout);
	free(t->at);
	free(t->kept);
	arena_free(&t->strings);
	free(t);
}

const char *text_dot(const struct text *t)
{
	return t->ascii ? " - " : " \xc2\xb7 ";
}

size_t text_looked_at(size_t n)
{
	return n < LONGEST ? n : LONGEST;
}

static void text_put_clean(const struct text *t, const char *s, size_t n)
{
	char buf[LONGEST * 3 + 8];

	fputs(utf8_clean(buf, sizeof buf, s, text_looked_at(n), t->ascii), t->f);
}

void text_put_spaces(const struct text *t, int n)
{
	for (; n > 0; n--)
		putc(' ', t->f);
}

/* Returns the last `cols` columns of a clean text. */
static const char *tail(const char *s, int cols)
{
	const char *end = s + strlen(s);
	int left = utf8_cols(s, (size_t)(end - s));

	while (s < end && left > cols)
		left -= utf8_width(utf8_safe(utf8_next(&s, end)));
	return s;
}

int text_put_cut(const struct text *t, const char *s, size_t n, int width)
{
	char buf[LONGEST * 3 + 8];
	int cols, front;
	size_t head;
	const char *rest;

	utf8_clean(buf, sizeof buf, s, text_looked_at(n), t->ascii);
	cols = utf8_cols(buf, strlen(buf));
	if (cols <= width) {
		fputs(buf, t->f);
		return cols;
	}
	front = strchr(buf, '/') ? (width - 1) / 4 : (width - 1) * 2 / 3;
	head = utf8_fit(buf, strlen(buf), front);
	rest = tail(buf, width - 1 - front);
	fwrite(buf, 1, head, t->f);
	fputs(t->ascii ? "~" : "\xe2\x80\xa6", t->f);
	fputs(rest, t->f);
	return utf8_cols(buf, head) + 1 + utf8_cols(rest, strlen(rest));
}

size_t text_line(const char *s, size_t n, int width)
{
	const char *end = memchr(s, '\n', n);
	size_t fit, at;

	n = end ? (size_t)(end - s) : n;
	fit = utf8_fit(s, n, width > 1 ? width : 1);
	if (fit == n)
		return n;
	for (at = fit; at && s[at] != ' '; at--)
		;
	if (at)
		return at;
	for (at = fit; at && !strchr(",/_-", s[at - 1]); at--) /* a long word */
		;
	return at ? at : fit ? fit : n;
}

void text_begin_paragraph(struct text *t, const char *begin)
{
	t->column = fprintf(t->f, "%s", begin);
}

void text_add_part(struct text *t, const char *s, size_t n, const char *between)
{
	int cols = utf8_cols(s, text_looked_at(n)), gap = utf8_cols(between, strlen(between));

	if (t->width && t->column > INDENT && t->column + gap + cols > t->width) {
		t->column = fprintf(t->f, "\n%*s", INDENT, "") - 1;
	} else {
		fputs(between, t->f);
		t->column += gap;
	}
	t->column += text_put_cut(t, s, n, t->width ? t->width - t->column : LONGEST);
}

void text_title(struct text *t, const char *tool, const char *run, const char *file, size_t nfiles,
    uint64_t bytes)
{
	char size[32], files[40];

	text_begin_paragraph(t, tool);
	if (run) {
		char *part = xasprintf("run %s", run);

		text_add_part(t, part, strlen(part), text_dot(t));
		free(part);
	}
	snprintf(files, sizeof files, "%zu files", nfiles);
	units_bytes(size, sizeof size, (double)bytes);
	text_add_part(t, file ? file : files, strlen(file ? file : files), text_dot(t));
	text_add_part(t, size, strlen(size), text_dot(t));
	putc('\n', t->f);
}

void text_heading(struct text *t, const char *tool, const char *title)
{
	text_begin_paragraph(t, tool);
	text_add_part(t, title, strlen(title), text_dot(t));
	putc('\n', t->f);
}

void text_host(struct text *t, const char *s, size_t n, size_t nth)
{
	if (!nth)
		text_begin_paragraph(t, "hosts");
	text_add_part(t, s, n, "  ");
	t->hosts = true;
}

void text_end_hosts(struct text *t)
{
	if (t->hosts)
		putc('\n', t->f);
}

void text_warning(struct text *t, const char *s)
{
	text_begin_paragraph(t, "!");
	while (*s) { /* word by word */
		size_t n = strcspn(s, " ");

		text_add_part(t, s, n, " ");
		s += n + (s[n] == ' ');
	}
	putc('\n', t->f);
}

#define DURATION_NS "ns of a duration" /* shown in the unit that suits it */

/* Labels of summary members whose ids are hard to read or do not name their unit. */
static const struct {
	const char *id, *label, *unit;
} known_labels[] = {
	{ "aggDvfsTimeScaleMultiplier", "DVFS time scale", "" },
	{ "bytes", "bytes", "B" },
	{ "cmem_read_ridge_point", "CMEM read ridge point", "FLOP/B" },
	{ "cmem_write_ridge_point", "CMEM write ridge point", "FLOP/B" },
	{ "donatableMib", "could be donated", "MiB" },
	{ "entryComputationName", "entry computation", "" },
	{ "has_cmem", "has CMEM", "" },
	{ "has_merged_vmem", "has merged VMEM", "" },
	{ "hbm_ridge_point", "HBM ridge point", "FLOP/B" },
	{ "kernel_ns", "kernel time", DURATION_NS },
	{ "maybeLiveOutMib", "maybe live out", "MiB" },
	{ "moduleName", "module", "" },
	{ "nonReusableMib", "not reusable", "MiB" },
	{ "peak_bytes", "peak", "B" },
	{ "peak_cmem_read_bw", "peak CMEM read BW", "GiB/s" },
	{ "peak_cmem_write_bw", "peak CMEM write BW", "GiB/s" },
	{ "peak_flop_rate", "peak FLOP rate", "GFLOP/s" },
	{ "peak_hbm_bw", "peak HBM BW", "GiB/s" },
	{ "peak_vmem_read_bw", "peak VMEM read BW", "GiB/s" },
	{ "peak_vmem_write_bw", "peak VMEM write BW", "GiB/s" },
	{ "peakHeapSizePosition", "peak at program point", "" },
	{ "total_bytes", "total", "B" },
	{ "vmem_read_ridge_point", "VMEM read ridge point", "FLOP/B" },
	{ "vmem_write_ridge_point", "VMEM write ridge point", "FLOP/B" },
};

/* Splits "steptime_ms_average" into "steptime average" and ms, "peakHeapMib" into "peak heap" and MiB.
 * Returns the unit. */
static const char *split_unit(const char *id, char *label, size_t size)
{
	static const char *const units[] = { "ps", "ns", "us", "ms", "percent", "fraction", "Mib" };
	const char *unit = "";
	size_t at = 0;

	while (*id && at + 1 < size) {
		size_t n = strcspn(id + 1, "_ABCDEFGHIJKLMNOPQRSTUVWXYZ") + 1;
		bool is_unit = false;

		for (size_t i = 0; i < sizeof units / sizeof *units && !*unit; i++) {
			if (slice_is((struct slice){ id, n }, units[i])) {
				unit = *units[i] == 'M' ? "MiB" : units[i];
				is_unit = true;
			}
		}
		if (!is_unit)
			at += (size_t)snprintf(label + at, size - at, "%s%c%.*s", at ? " " : "",
			    tolower((unsigned char)*id), (int)n - 1, id + 1);
		id += n + (id[n] == '_');
		at = at < size ? at : size - 1;
	}
	label[at] = 0;
	return unit;
}

static const char *label_of(const char *id, char *label, size_t size)
{
	for (size_t i = 0; i < sizeof known_labels / sizeof *known_labels; i++) {
		if (strcmp(id, known_labels[i].id))
			continue;
		snprintf(label, size, "%s", known_labels[i].label);
		return known_labels[i].unit;
	}
	return split_unit(id, label, size);
}

void text_summary(struct text *t, const char *id, const struct cell *c)
{
	char label[64], number[80] = "-";
	const char *unit = label_of(id, label, sizeof label), *value = number;
	size_t n;

	if (c->type == CELL_STR)
		value = c->s;
	else if (c->type == CELL_BOOL)
		value = c->u.b ? "yes" : "no";
	else if (c->type == CELL_INT && !strcmp(unit, DURATION_NS))
		units_time(number, sizeof number, from_double(1e3 * (double)c->u.i), false);
	else if (c->type == CELL_INT)
		number_text(number, sizeof number, (double)c->u.i, unit, true, NUMBER_PRECISE);
	else if (c->type == CELL_NUM && isfinite(c->u.d))
		number_text(number, sizeof number, c->u.d, unit, false, NUMBER_PRECISE);
	n = c->type == CELL_STR ? c->n : strlen(value);
	VEC_PUSH(t->sum, t->nsums, t->sums_cap);
	t->sum[t->nsums].label = arena_strndup(&t->strings, label, strlen(label));
	t->sum[t->nsums++].value = arena_strndup(&t->strings, value, text_looked_at(n));
}

static void put_value(const struct text *t, const char *s, int at)
{
	for (size_t k; *s; s += k + (s[k] == ' ' || s[k] == '\n')) {
		k = text_line(s, strlen(s), t->width ? t->width - at : LONGEST);
		text_put_clean(t, s, k);
		putc('\n', t->f);
		if (s[k])
			text_put_spaces(t, at);
	}
}

void text_end_summary(struct text *t)
{
	int label = 0;

	for (size_t i = 0; i < t->nsums; i++)
		label = (int)strlen(t->sum[i].label) > label ? (int)strlen(t->sum[i].label) : label;
	for (size_t i = 0; i < t->nsums; i++) {
		fprintf(t->f, "%s%-*s  ", i ? "" : "\n", label, t->sum[i].label);
		put_value(t, *t->sum[i].value ? t->sum[i].value : "-", label + TEXT_GAP);
	}
	t->nsums = 0;
}
