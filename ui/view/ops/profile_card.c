#include "config.h"
#include "view/ops/profile_card.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/ops/roofline.h"
#include "base/clamp.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "core/app.h"
#include "core/source.h"
#include "result/rules.h"
#include "widget/bar.h"
#include "widget/card.h"
#include "widget/text.h"

static struct card_line *add_line(struct ops_card *c, enum card_line_kind kind, const char *label)
{
	VEC_PUSH(c->line, c->n, c->cap);
	c->line[c->n] = (struct card_line){ .kind = kind, .role = ROLE_TEXT, .bar = NAN };
	snprintf(c->line[c->n].label, sizeof c->line->label, "%s", label);
	return &c->line[c->n++];
}

static void add_text(struct ops_card *c, enum card_line_kind kind, enum role role, char *text, int rows)
{
	struct card_line *l = add_line(c, kind, "");

	l->role = role;
	l->text = text;
	l->rows = rows;
	l->full = !rows;
}

static const char *percent_text(double v, char *buf, size_t size)
{
	if (isnan(v))
		snprintf(buf, size, "–");
	else
		snprintf(buf, size, "%.*f %%", v < .1 ? 2 : 1, v * 100);
	return buf;
}

/* --- numbers --- */

static double per_second(double v, int64_t ps)
{
	return ps > 0 ? v / ((double)ps / 1e12) : NAN;
}

static void add_rate(struct ops_card *c, const char *label, double use, double rate, const char *unit)
{
	struct card_line *l = add_line(c, LINE_BAR, label);

	l->bar = isnan(use) ? 0 : use;
	l->role = isnan(use) ? ROLE_DIM : bar_use_role(use);
	if (isnan(use))
		snprintf(l->value, sizeof l->value, "–");
	else
		snprintf(l->value, sizeof l->value, "%.1f %%", use * 100);
	if (!isnan(rate) && rate > 0)
		units_si(l->right, sizeof l->right, rate, unit);
	else
		snprintf(l->right, sizeof l->right, use == 0 && rate == 0 ? "none" : "–");
}

/* Warns about rates above 100 %: the compiler's count is wrong rather than the op fast. */
static void add_warnings(struct ops_card *c, const struct opsum *s, double hbm)
{
	const struct opdb *db = c->s->from.db;
	double peak = db ? db->peaks.bw[PEAK_HBM] * 1e9 : 0;

	if (c->num[OPS_FLOPS] > 1.0005)
		add_text(c, LINE_NOTE, ROLE_WARN,
		    xasprintf("FLOPS are %.0f %% of the peak, more than the chip can do: the "
			      "compiler's count does not match what ran",
			c->num[OPS_FLOPS] * 100),
		    4);
	if (peak > 0 && hbm > peak * 1.0005)
		add_text(c, LINE_NOTE, ROLE_WARN,
		    xasprintf("HBM would be at %.0f %% of its peak: some of these bytes never came from it",
			100 * hbm / peak),
		    4);
	if (db && s->bytes > 0 && !s->has_mem && c->op)
		add_text(c, LINE_NOTE, ROLE_DIM,
		    xstrdup("no memory_access_breakdown: its bytes per memory are unknown"), 2);
	if (c->op && slice_is(c->op->category, "custom-call"))
		add_text(c, LINE_NOTE, ROLE_WARN, xstrdup("FLOPS of a custom call are its author's estimate"),
		    2);
}

/* An op that does not say in which memory its bytes are. */
static bool lacks_spaces(const struct ops_card *c, const struct opsum *s)
{
	return c->s->from.db && c->op && !s->has_mem && s->bytes > 0;
}

/* All its bytes then, as in HLO stats and the timeline. */
static double hbm_of(const struct ops_card *c, const struct opsum *s)
{
	if (lacks_spaces(c, s))
		return s->bytes;
	return c->s->from.db && !isnan(c->num[OPS_HBM]) ? opsum_hbm(s) : c->use.bytes[0];
}

static void add_rates(struct ops_card *c, const struct opsum *s)
{
	const struct opdb *db = c->s->from.db;
	double hbm = per_second(hbm_of(c, s), s->time);
	struct card_line *l;
	const char *by = NULL;
	struct roof roof;

	add_line(c, LINE_BLANK, "");
	add_rate(c, "FLOPS", c->num[OPS_FLOPS], per_second(s->flops, s->time), "FLOP/s");
	add_rate(c, lacks_spaces(c, s) ? "memory" : "HBM", c->num[OPS_HBM], hbm, "B/s");
	for (int i = 1; i < 3; i++) {
		l = add_line(c, LINE_PAIR, i == 1 ? "on-chip read" : "on-chip write");
		if (c->use.bytes[i] > 0)
			units_si(l->right, sizeof l->right, per_second(c->use.bytes[i], s->time), "B/s");
		else
			snprintf(l->right, sizeof l->right, s->has_mem ? "none" : "not in this capture");
	}
	l = add_line(c, LINE_PAIR, "bound by");
	if (db) {
		roof_of(s, &db->peaks, &roof);
		by = roof_bound(&roof, c->op);
	}
	snprintf(l->right, sizeof l->right, "%s", by ? by : "–");
	add_warnings(c, s, hbm);
}

/* "12 × 690.3 µs"; `ps` in all, -1 = not known */
static void runs_text(const struct ops_card *c, int64_t runs, int64_t ps, char *buf, size_t size)
{
	enum time_unit unit = unit_for(ps / runs);
	char count[24], n[24];

	units_count(count, sizeof count, (uint64_t)runs);
	if (ps < 0)
		snprintf(buf, size, "%s", count);
	else
		snprintf(buf, size, "%s %s %s %s", count, c->ascii ? "x" : "×",
		    units_time_in(n, sizeof n, ps / runs, unit, unit > UNIT_PS), unit_name(unit, c->ascii));
}

static void add_numbers(struct ops_card *c)
{
	const struct op_node *x = c->r->node;
	unsigned knows = c->s->tree.profile.knows;
	struct card_line *l;

	l = add_line(c, LINE_PAIR, "time");
	if (knows & KNOWS_TIME)
		units_time(l->value, sizeof l->value, x->sum.time, c->ascii);
	percent_text(c->num[OPS_TIME], l->right, sizeof l->right);
	l = add_line(c, LINE_PAIR, "runs");
	if (knows & KNOWS_COUNT && x->sum.occurrences > 0)
		runs_text(c, x->sum.occurrences, knows & KNOWS_TIME ? x->sum.time : -1, l->right,
		    sizeof l->right);
	else
		snprintf(l->right, sizeof l->right, "–");
	l = add_line(c, LINE_PAIR, "wasted");
	if (knows & KNOWS_TIME && c->num[OPS_TIME] > 0 && !isnan(c->num[OPS_WASTED]))
		units_time(l->value, sizeof l->value,
		    from_double(round(c->num[OPS_WASTED] / c->num[OPS_TIME] * (double)x->sum.time)),
		    c->ascii);
	percent_text(c->num[OPS_WASTED], l->right, sizeof l->right);
	if (x->kind != NODE_IDLE)
		add_rates(c, &x->sum);
}

/* --- layout fit --- */

/* How well a shape or one of its dimensions fills its tiles: red where a buffer would be called padded. */
static enum role fit_role(double share)
{
	return share >= rule_limit(rule_named("padding"), "fit") / 100      ? ROLE_GOOD
	    : share > 1 / rule_limit(rule_named("padded_buffers"), "times") ? ROLE_WARN
									    : ROLE_BAD;
}

static void add_dim(struct ops_card *c, const struct shape_dim *d)
{
	const char *what = d->semantics;
	struct card_line *l;

	if (d->alignment <= 1)
		return;
	if (what && (!strncmp(what, "input ", 6) || !strncmp(what, "output ", 7))) /* "in feature" has room */
		what = strchr(what, ' ') + 1;
	l = add_line(c, LINE_FIT, "");
	if (d->semantics && *d->semantics)
		snprintf(l->label, sizeof l->label, "  %s%s",
		    what == d->semantics       ? ""
			: *d->semantics == 'i' ? "in "
					       : "out ",
		    what);
	else
		snprintf(l->label, sizeof l->label, "  dim %" PRId64, d->index);
	if (d->padded != d->size)
		snprintf(l->value, sizeof l->value, "%" PRId64 "%s%" PRId64, d->size, c->ascii ? "->" : "→",
		    d->padded);
	else
		snprintf(l->value, sizeof l->value, "%" PRId64 " = %" PRId64 " %s %" PRId64, d->size,
		    d->size / d->alignment, c->ascii ? "x" : "×", d->alignment);
	l->bar = d->padded > 0 ? (double)d->size / (double)d->padded : NAN;
	l->role = fit_role(l->bar);
}

static void add_shape(struct ops_card *c, const struct fit_shape *f, bool full)
{
	struct arena a = { 0 };
	const char *text = shape_text(&a, &f->shape);
	struct card_line *l = add_line(c, LINE_PAIR, "");
	size_t first = c->n - 1;

	snprintf(l->label, sizeof l->label, "%.*s", (int)strcspn(text, "{"), text);
	if (f->efficiency >= .9995)
		snprintf(l->right, sizeof l->right, "100 %%");
	else
		percent_text(f->efficiency, l->right, sizeof l->right);
	l->role = isnan(f->efficiency) ? ROLE_DIM : fit_role(f->efficiency);
	for (size_t i = 0; i < f->ndims; i++)
		add_dim(c, &f->dim[i]);
	for (size_t i = first; full && i < c->n; i++)
		c->line[i].full = true;
	arena_free(&a);
}

static bool same_form(const struct fit_shape *a, const struct fit_shape *b)
{
	if (a->shape.type != b->shape.type || a->ndims != b->ndims)
		return false;
	for (size_t i = 0; i < a->ndims; i++)
		if (a->dim[i].size != b->dim[i].size || a->dim[i].padded != b->dim[i].padded ||
		    a->dim[i].index != b->dim[i].index)
			return false;
	return true;
}

/* Arrays of the same form fit the same way, so only the first one is listed. */
static bool said_before(const struct layout_fit *f, size_t at)
{
	if (at != f->main && same_form(&f->v[f->main], &f->v[at]))
		return true;
	for (size_t i = 0; at != f->main && i < at; i++)
		if (same_form(&f->v[i], &f->v[at]))
			return true;
	return false;
}

static const struct layout_fit *fit_of(struct ops_card *c)
{
	struct ops *s = c->v->state;
	const void *of = c->r->part ? (const void *)c->r->part : c->op;

	if (s->fit_of == of)
		return &s->fit;
	layout_fit_free(&s->fit);
	s->fit = (struct layout_fit){ 0 };
	s->fit_of = of;
	if (!s->contents.hlo)
		s->contents.hlo = contents_new(s->contents.d);
	if (c->r->part)
		layout_fit_instruction(s->contents.hlo, c->r->program, c->r->body, c->r->part, &s->fit);
	else
		layout_fit_op(s->contents.d, s->contents.hlo, c->op, &s->fit);
	return &s->fit;
}

static void add_layout(struct ops_card *c)
{
	const struct op_node *x = c->r->node;
	const struct layout_fit *f = c->s->tree.profile.db && (c->op || c->r->part) ? fit_of(c) : NULL;
	size_t shown = 0;

	if (!(f && f->n) && !(x && x->ndims))
		return;
	add_line(c, LINE_BLANK, "");
	snprintf(add_line(c, LINE_HEAD, "LAYOUT FIT")->value, sizeof c->line->value, "%s",
	    c->s->frame.full ? "minor dimension first" : "");
	for (size_t i = 0; x && i < x->ndims; i++)
		add_dim(c, &x->dim[i]);
	for (size_t i = 0; f && i < f->n; i++) { /* the main array, then the others */
		size_t at = !i ? f->main : i <= f->main ? i - 1 : i;

		if (f->v[at].ndims && !said_before(f, at))
			add_shape(c, &f->v[at], shown++ >= FITS);
	}
	if (f && f->more)
		snprintf(add_line(c, LINE_PAIR, "")->label, sizeof c->line->label, "%zu more arrays",
		    f->more);
}

/* --- texts --- */

static void add_head(struct ops_card *c, const char *head)
{
	add_line(c, LINE_BLANK, "");
	add_line(c, LINE_HEAD, head);
}

/* Formats "a/b/c:type" as "a / b / c". */
static char *split_path(struct slice t)
{
	char *out = xmalloc(t.n * 3 + 1);
	size_t n = 0;

	while (t.n && t.s[t.n - 1] == ':')
		t.n--;
	for (size_t i = 0; i < t.n; i++) {
		if (t.s[i] == '/' && n) {
			out[n++] = ' ';
			out[n++] = '/';
			out[n++] = ' ';
		} else {
			out[n++] = t.s[i];
		}
	}
	out[n] = '\0';
	return out;
}

/* The lines around that place, where the file is here. */
static void add_excerpt(struct view *v, struct ops_card *c, const char *source)
{
	char *text = source_excerpt(v->app ? source_map(&v->app->settings) : "", source), *save = NULL;

	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save))
		add_text(c, LINE_TEXT, *line == '>' ? ROLE_TEXT : ROLE_DIM, xstrdup(line), 1);
	free(text);
}

static void add_from(struct view *v, struct ops_card *c, struct slice path, struct slice source)
{
	char *text;

	if (!path.n && !source.n)
		return;
	add_head(c, "FROM");
	if (path.n)
		add_text(c, LINE_TEXT, ROLE_TEXT, split_path(path), FROM_ROWS);
	if (!source.n)
		return;
	text = xstrndup(source.s, source.n);
	add_text(c, LINE_TEXT, ROLE_TEXT, xstrdup(text_short_path(text)), 1);
	add_excerpt(v, c, text);
	if (strcmp(text, text_short_path(text)))
		add_text(c, LINE_TEXT, ROLE_TEXT, text, 0);
	else
		free(text);
}

static void add_hlo(struct ops_card *c, struct slice expression, struct slice stack)
{
	char *full, *line;

	if (expression.n) {
		full = xstrndup(expression.s, expression.n);
		add_head(c, "HLO");
		add_text(c, LINE_TEXT, ROLE_TEXT, text_short_hlo(full), HLO_ROWS);
		add_head(c, "FULL HLO");
		c->line[c->n - 1].full = c->line[c->n - 2].full = true;
		add_text(c, LINE_TEXT, ROLE_TEXT, full, 0);
	}
	if (!stack.n)
		return;
	add_head(c, "STACK");
	c->line[c->n - 1].full = c->line[c->n - 2].full = true;
	full = xstrndup(stack.s, stack.n);
	for (char *save = NULL, *s = full; (line = strtok_r(s, "\n", &save)); s = NULL)
		add_text(c, LINE_TEXT, ROLE_TEXT, xstrdup(line), 0);
	free(full);
}

/* An instruction inside a fusion has no times of its own. */
static void add_part(struct view *v, struct ops_card *c)
{
	const Pb__OpMetadata *m = c->r->part->metadata;
	const char *path = m && m->op_name ? m->op_name : "";
	char *source = m && m->source_file && *m->source_file
	    ? xasprintf("%s:%d", m->source_file, m->source_line)
	    : xstrdup("");

	add_text(c, LINE_NOTE, ROLE_DIM, xstrdup("no performance data: it runs as part of the fusion"), 3);
	add_layout(c);
	add_from(v, c, (struct slice){ path, strlen(path) }, (struct slice){ source, strlen(source) });
	free(source);
}

void ops_view_card_make(struct view *v, struct ops_card *c)
{
	const struct ops *s = v->state;
	const struct op_node *x;

	*c = (struct ops_card){ .v = v, .s = s, .r = ops_view_row(s), .ascii = v->app->glyphs->ascii };
	if (!c->r || !(x = c->r->node))
		return;
	ops_view_row_name(s, v->cap->dump, c->r, c->name, sizeof c->name);
	c->op = c->r->more ? NULL : x->op;
	if (c->r->part) {
		snprintf(c->gloss, sizeof c->gloss, "%s in a fusion",
		    c->r->part->opcode ? c->r->part->opcode : "");
		add_part(v, c);
		return;
	}
	ops_view_numbers(&s->tree, x, s->o.dvfs, c->num);
	opprofile_use(&s->tree.profile, x, &c->use);
	if (c->op)
		snprintf(c->gloss, sizeof c->gloss, "%.*s%s",
		    (int)(c->op->category.n < 60 ? c->op->category.n : 60), c->op->category.s,
		    x->kind == NODE_DUPLICATES ? ", duplicates" : "");
	else if (x->kind == NODE_IDLE || c->r->more)
		snprintf(c->gloss, sizeof c->gloss, c->r->more ? "sum" : "no op ran");
	else
		snprintf(c->gloss, sizeof c->gloss, "%s",
		    x->kind == NODE_PROGRAM        ? "program"
			: x->kind == NODE_CATEGORY ? "category"
						   : "framework name");
	if (x->kind == NODE_PART)
		add_text(c, LINE_NOTE, ROLE_DIM,
		    xstrdup("no performance data: it runs as part of the fusion"), 3);
	else
		add_numbers(c);
	add_layout(c);
	if (c->op) {
		add_from(v, c, c->op->provenance, c->op->source);
		add_hlo(c, c->op->expression, c->op->stack);
	}
}

void ops_view_card_free(struct ops_card *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->line[i].text);
	free(c->line);
}

void ops_view_card_text(struct view *v, FILE *out)
{
	struct ops_card k;

	ops_view_card_make(v, &k);
	fprintf(out, "%s\n%s\n", k.name, k.gloss);
	for (size_t i = 0; i < k.n; i++) {
		const struct card_line *l = &k.line[i];

		if (l->text)
			fprintf(out, "%s\n", l->text);
		else if (l->kind == LINE_BLANK || l->kind == LINE_HEAD)
			fprintf(out, "%s\n", l->label);
		else
			fprintf(out, "%-20s %16s %18s\n", l->label, l->value, l->right);
	}
	ops_view_card_free(&k);
}
