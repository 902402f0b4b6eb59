#include "config.h"
#include "analyze/llo/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/llo.h"

/* --- what must hold (tpuscope(7), LLO DUMPS) --- */

static void add_check(struct llo_kernel *k, const char *name, bool good)
{
	k->check[k->nchecks++] = (struct llo_check){ name, good };
	k->failed += !good;
}

static bool same_order(const struct llo_bundles *a, const struct llo_bundles *b)
{
	size_t i = 0, j = 0;

	for (;;) {
		while (i < a->n && !a->v[i].real)
			i++;
		while (j < b->n && !b->v[j].real)
			j++;
		if (i == a->n || j == b->n)
			return i == a->n && j == b->n;
		if (a->v[i].real != b->v[j].real || a->v[i++].ops != b->v[j++].ops)
			return false;
	}
}

static int unit_named(const struct llo_matrix *m, const char *name)
{
	for (size_t i = 0; i < m->nunits; i++)
		if (slice_is(m->name[i], name))
			return (int)i;
	return -1;
}

static void check_column(struct llo_kernel *k, const struct llo_matrix *m, const char *name,
    enum llo_spill what)
{
	int unit = unit_named(m, name);
	int64_t sum = 0, n = 0;

	if (unit < 0)
		return;
	for (size_t i = 0; i < m->n; i++)
		sum += m->use[i * m->nunits + (size_t)unit];
	for (size_t i = 0; i < k->b.nins; i++)
		n += k->b.ins[i].real && llo_spill_of(&k->b.ins[i]) == what;
	add_check(k, name, sum == n);
}

static void check_bundles(struct llo_kernel *k, const struct llo_texts *t)
{
	bool placed = true;
	struct llo_totals said;

	if (!k->b.n)
		return;
	if (t->schedule.s) {
		llo_read_schedule(t->schedule, &said);
		add_check(k, "total", said.total == k->bundles);
		add_check(k, "empty", said.empty == k->empty);
	}
	for (size_t i = 0; i < k->b.n; i++)
		placed &= k->b.v[i].at_place;
	add_check(k, "addresses", placed);
}

static bool same_units(const struct llo_matrix *a, const struct llo_matrix *b)
{
	if (a->nunits != b->nunits)
		return false;
	for (size_t i = 0; i < a->nunits; i++)
		if (!slice_same(a->name[i], b->name[i]))
			return false;
	return true;
}

/* --- cycles --- */

/* Rows are cycles, whose bundle is the last one that issued. */
static void own_cycles(struct llo_kernel *k, const struct llo_bundles *packed)
{
	uint32_t at = 0;
	bool begun = false;

	k->owner = xcalloc(packed->n + 1, sizeof *k->owner);
	while (at < k->b.n && !k->b.v[at].real)
		at++;
	for (size_t i = 0; i < packed->n; i++) {
		if (packed->v[i].real && begun)
			do
				at++;
			while (at < k->b.n && !k->b.v[at].real);
		begun |= packed->v[i].real > 0;
		k->owner[i] = at;
		k->cost[at]++;
	}
}

static void own_bundles(struct llo_kernel *k)
{
	k->owner = xcalloc((size_t)k->bundles + 1, sizeof *k->owner);
	for (uint32_t i = 0; i < (uint32_t)k->bundles; i++) {
		k->owner[i] = i;
		k->cost[i] = 1;
	}
}

static bool has_real(const struct llo_bundles *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->v[i].real)
			return true;
	return false;
}

/* Takes the rows of cycles where they fit; else those of bundles, and cycles are not known. */
static void find_cycles(struct llo_kernel *k, const struct llo_bundles *packed, struct llo_matrix *use,
    struct llo_matrix *final, bool order)
{
	k->cost = xcalloc((size_t)k->bundles + 1, sizeof *k->cost);
	k->start = xcalloc((size_t)k->bundles + 1, sizeof *k->start);
	k->aligned = order && packed->n && has_real(&k->b) && (!use->n || use->n == packed->n);
	k->cycles_once = k->aligned ? (int64_t)packed->n : use->n ? (int64_t)use->n : -1;
	k->stalls = k->cycles_once >= 0 ? k->cycles_once - k->bundles : -1;
	if (k->aligned)
		own_cycles(k, packed);
	else
		own_bundles(k);
	for (size_t i = 0; i < (size_t)k->bundles; i++)
		k->start[i + 1] = k->start[i] + k->cost[i];
	k->rows = k->aligned ? use->n && same_units(use, final) : final->n == (size_t)k->bundles && final->n;
	if (k->rows && k->aligned) {
		k->use = *use;
		*use = (struct llo_matrix){ .n = 0 };
	} else if (k->rows) {
		k->use = *final;
		k->use.use = xmalloc(final->n * final->nunits * sizeof *final->use + 1);
		memcpy(k->use.use, final->use, final->n * final->nunits * sizeof *final->use);
	}
}

/* --- all of it --- */

static void count_bundles(struct llo_kernel *k, const struct llo_matrix *final)
{
	k->bundles = (int64_t)(k->b.n ? k->b.n : final->n);
	k->empty = k->instructions = k->b.n ? 0 : -1;
	for (size_t i = 0; i < k->b.n; i++) {
		k->empty += !k->b.v[i].real;
		k->instructions += k->b.v[i].real;
	}
}

static void know_instruction(struct llo_kernel *k, struct slice schedule, bool cut)
{
	bool unnamed = !k->name.n;

	if (unnamed)
		k->name = k->b.name;
	if (k->name.n)
		llo_read_instruction(schedule, k, cut);
	if (!k->opcode.n &&
	    (slice_same(k->b.name, k->name) ||
		(cut && k->b.name.n > k->name.n && !memcmp(k->b.name.s, k->name.s, k->name.n)))) {
		k->opcode = k->b.opcode;
		k->name = k->b.name;
	}
	k->kind = slice_is(k->name, "TLP") || slice_begins(k->name, "<") ? LLO_INFRASTRUCTURE
	    : slice_is(k->target, "tpu_custom_call")                     ? LLO_PALLAS
	    : slice_is(k->opcode, "custom-call")                         ? LLO_CUSTOM_CALL
									 : LLO_XLA;
}

static int64_t ra_cycles(const struct llo_texts *t)
{
	struct llo_totals pre = { -1, -1 }, post = { -1, -1 };

	llo_read_schedule(t->pre, &pre);
	llo_read_schedule(t->post, &post);
	return pre.total >= 0 && post.total >= 0 ? post.total - pre.total : INT64_MIN;
}

void llo_kernel_make(struct llo_kernel *k, const struct llo_texts *t)
{
	struct llo_bundles packed = { .n = 0 };
	struct llo_matrix final, cycle;
	struct llo_regions_text regions = { .n = 0 };
	struct llo_places places;
	size_t loops = 0;
	bool order;

	llo_read_bundles(t->bundles, k, &k->b);
	llo_read_bundles(t->packed, NULL, &packed);
	llo_read_matrix(t->final_use, &final);
	llo_read_matrix(t->cycle_use, &cycle);
	llo_read_regions(t->regions, k, &regions);
	llo_read_chains(t->chains, k);
	count_bundles(k, &final);
	know_instruction(k, t->schedule, k->name.n == LLO_KEY);
	k->ra_cycles = ra_cycles(t);
	if (k->b.n && final.n)
		add_check(k, "rows", final.n == k->b.n && !final.skipped);
	check_bundles(k, t);
	if (packed.n && cycle.n)
		add_check(k, "cycles", packed.n == cycle.n && !cycle.skipped);
	order = packed.n && k->b.n && same_order(&packed, &k->b);
	if (packed.n && k->b.n)
		add_check(k, "order", order);
	for (size_t i = 0; i < k->b.n; i++)
		loops += k->b.v[i].loop;
	if (k->b.n && t->regions.s)
		add_check(k, "loops", loops == regions.n);
	if (k->b.n && final.n) {
		check_column(k, &final, "VSTORE:SPILL", LLO_VMEM_SPILL);
		check_column(k, &final, "VLOAD:FILL", LLO_VMEM_FILL);
	}
	find_cycles(k, &packed, &cycle, &final, order);
	llo_places_make(&k->b, &places);
	llo_loops_make(k, &places, &regions);
	llo_sums_make(k, &places, &final);
	llo_dma_make(k);
	llo_places_free(&places);
	llo_bundles_free(&packed);
	free(final.use);
	free(cycle.use);
	free(regions.trips);
}

void llo_kernel_free(struct llo_kernel *k)
{
	void *const parts[] = { k->owner, k->defined, k->cost, k->start, k->runs, k->inner, k->skipped,
		k->unit, k->loop, k->dma, k->line, k->op, k->chain, k->memory, k->use.use };

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		free(parts[i]);
	llo_bundles_free(&k->b);
	strtab_free(&k->str);
	arena_free(&k->text);
}
