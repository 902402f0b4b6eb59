#include "config.h"
#include "view/llo/llo.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "widget/fields.h"

enum { LABEL = 12 };

/* What decides the kernel, in its sentences. */
static void put_kernel(struct pen *p, const struct llo_kernel *k)
{
	const char *about;
	char buf[400];

	pen_name(p, k->name);
	p->label = LABEL;
	for (size_t i = 0; llo_said(k, i, &about, buf, sizeof buf); i++)
		pen_field(p, about, !strcmp(about, "checks") && k->failed ? ROLE_WARN : ROLE_TEXT, buf);
	if (k->fingerprint.n)
		pen_fmt(p, ROLE_DIM, "print %.*s", (int)(k->fingerprint.n < 12 ? k->fingerprint.n : 12),
		    k->fingerprint.s);
}

/* The bundle that defines what an instruction of this one uses. */
static bool defined_at(const struct llo_kernel *k, struct slice operand, size_t *bundle)
{
	strid name = strtab_find(&k->str, operand.s, operand.n);
	uint32_t at = name && name != UINT32_MAX ? k->defined[name] : 0;
	size_t lo = 0, hi = k->b.n;

	while (at && hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (k->b.v[mid].first < at)
			lo = mid;
		else
			hi = mid;
	}
	*bundle = lo;
	return at > 0;
}

/* "%v3 of 0x1c": where the operands come from, the first few. */
static void put_operands(struct pen *p, const struct llo_kernel *k, const struct llo_ins *x)
{
	enum { OPERANDS_MOST = 4 };
	struct slice t = { x->text, x->n };
	const char *at = slice_find(t, " = ");
	int n = 0;

	at = at ? at : t.s;
	for (; at < t.s + t.n && n < OPERANDS_MOST; at++) {
		struct slice operand = { at, 0 };
		size_t bundle;

		while (
		    *at == '%' && operand.n < (size_t)(t.s + t.n - at) && !memchr(" ,)]", at[operand.n], 4))
			operand.n++;
		if (operand.n && defined_at(k, operand, &bundle)) {
			pen_fmt(p, ROLE_DIM, "  %.*s of 0x%zx", (int)operand.n, operand.s, bundle);
			n++;
		}
		at += operand.n ? operand.n - 1 : 0;
	}
}

/* The whole text of a bundle, with what its instructions use. */
static void put_bundle(struct pen *p, const struct llo_kernel *k, size_t row)
{
	const struct llo_bundle *b = row < k->b.n ? &k->b.v[row] : NULL;

	if (row >= (size_t)k->bundles)
		return;
	pen_fmt(p, ROLE_BOLD, "bundle 0x%zx", row);
	if (k->aligned)
		pen_fmt(p, ROLE_TEXT, "%lld cycle%s: %d issued, %lld stalls", (long long)k->cost[row],
		    k->cost[row] == 1 ? "" : "s", k->cost[row] > 0,
		    (long long)(k->cost[row] > 0 ? k->cost[row] - 1 : 0));
	pen_fmt(p, ROLE_TEXT, "runs %lld time%s%s", (long long)k->runs[row], k->runs[row] == 1 ? "" : "s",
	    k->skipped[row] ? ", at most: branches jump over it" : "");
	for (size_t u = 0; k->rows && u < k->nunits; u++) {
		int64_t used = llo_slots(k, row, u);

		if (used && !k->unit[u].part)
			pen_fmt(p, ROLE_TEXT, "%s %-8.*s %lld of %lld", llo_unit_letter(k, u),
			    (int)k->unit[u].name.n, k->unit[u].name.s, (long long)used,
			    (long long)k->unit[u].capacity);
	}
	for (uint32_t i = 0; b && i < b->n; i++) {
		const struct llo_ins *x = &k->b.ins[b->first + i];

		pen_text(p, 0, x->real ? ROLE_TEXT : ROLE_DIM, (struct slice){ x->text, x->n }, 4);
		if (x->source)
			pen_path(p, llo_string(k, x->source));
		put_operands(p, k, x);
	}
}

static void put_row(struct pen *p, const struct table *t, size_t row)
{
	p->label = 22;
	pen_row(p, t, row, "!kernel_id", true);
}

int llo_view_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct llo_view *s = v->state;
	const struct llo_kernel *k = llo_view_kernel(s);
	size_t row = s->page == LLO_PAGE_KERNEL ? 0 : sheet_row(&s->sheet[s->page]);
	struct pen p = { .c = c, .r = r, .y = r.y };

	if (!k || row == SIZE_MAX)
		return r.y;
	if (how == FRAME_BELOW)
		p.y = card_rule(c, r, r.y, "schedule, not a measurement", "Enter: all of it");
	else
		pen_fmt(&p, ROLE_DIM, "schedule, not a measurement");
	if (s->page == LLO_PAGE_BUNDLES)
		put_bundle(&p, k, row);
	else if (s->page == LLO_PAGE_KERNELS || s->page == LLO_PAGE_KERNEL)
		put_kernel(&p, k);
	else
		put_row(&p, &s->table[s->page], row);
	return p.y;
}
