#include "config.h"
#include "analyze/llo/internal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

int64_t llo_work(const struct llo_kernel *k)
{
	return k->cycles >= 0 ? k->cycles : k->issue_cycles;
}

/* --- cycles --- */

static void sum_cycles(struct llo_kernel *k)
{
	int64_t work = 0;

	k->issue_cycles = 0;
	for (size_t i = 0; i < (size_t)k->bundles; i++) {
		work = add_clamped(work, mul_clamped(k->cost[i], k->runs[i]));
		k->issue_cycles = add_clamped(k->issue_cycles, k->runs[i]);
	}
	k->cycles = k->aligned ? work : -1;
	k->saturated |= work == INT64_MAX;
	k->time_us = k->chip && k->aligned ? (double)work / (k->chip->ghz * 1000) : NAN;
}

/* --- units --- */

static bool is_part(struct slice name)
{
	return slice_is(name, "VLOAD:FILL") || slice_is(name, "VSTORE:SPILL");
}

static double percent_of(int64_t executed, int64_t capacity, int64_t cycles)
{
	return cycles > 0 && capacity > 0 ? 100.0 * (double)executed / ((double)capacity * (double)cycles)
					  : NAN;
}

static void sum_unit(struct llo_kernel *k, size_t u, const struct llo_matrix *final)
{
	const struct llo_matrix *m = &k->use;
	struct llo_unit_sum *s = &k->unit[u];

	*s = (struct llo_unit_sum){ .name = m->name[u],
		.capacity = m->capacity[u],
		.part = is_part(m->name[u]) };
	for (size_t i = 0; i < m->n; i++) {
		int64_t n = m->use[i * m->nunits + u];

		s->used_cycles += n;
		s->executed = add_clamped(s->executed, mul_clamped(n, k->runs[k->owner[i]]));
	}
	s->used = s->busy = s->full = final->n ? 0 : -1;
	for (size_t i = 0; i < final->n; i++) {
		int64_t n = final->use[i * final->nunits + u];

		s->used += n;
		s->busy += n > 0;
		s->full += s->capacity > 0 && n >= s->capacity;
	}
	s->percent = percent_of(s->executed, s->capacity, llo_work(k));
}

static void sum_units(struct llo_kernel *k, const struct llo_matrix *final)
{
	k->limit_percent = NAN;
	if (!k->rows)
		return;
	k->nunits = k->use.nunits;
	k->unit = xcalloc(k->nunits + 1, sizeof *k->unit);
	for (size_t u = 0; u < k->nunits; u++) {
		sum_unit(k, u, final);
		if (!k->unit[u].part && k->unit[u].percent > 0 && !(k->unit[u].percent <= k->limit_percent)) {
			k->limit = k->unit[u].name;
			k->limit_percent = k->unit[u].percent;
		}
	}
}

int64_t llo_slots(const struct llo_kernel *k, size_t bundle, size_t unit)
{
	int64_t most = 0;
	size_t lo = 0, hi = k->rows ? k->use.n : 0;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (k->owner[mid] < bundle)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; k->rows && lo < k->use.n && k->owner[lo] == bundle; lo++)
		if (k->use.use[lo * k->nunits + unit] > most)
			most = k->use.use[lo * k->nunits + unit];
	return most;
}

static const struct llo_unit_sum *matmul_unit(const struct llo_kernel *k)
{
	for (size_t i = 0; i < k->nunits; i++)
		if (slice_is(k->unit[i].name, "MATMUL") || slice_is(k->unit[i].name, "MXU"))
			return &k->unit[i];
	return NULL;
}

/* --- loops --- */

static void limit_of_loop(struct llo_kernel *k, struct llo_loop *l, const int64_t *executed)
{
	const struct llo_unit_sum *mxu = matmul_unit(k);

	l->limit_percent = l->matmul_percent = NAN;
	for (size_t u = 0; u < k->nunits; u++) {
		double p = percent_of(executed[u], k->unit[u].capacity, l->own_cycles);

		if (&k->unit[u] == mxu)
			l->matmul_percent = p;
		if (k->unit[u].part || !(p > 0) || p <= l->limit_percent)
			continue;
		l->limit = k->unit[u].name;
		l->limit_percent = p;
	}
}

static void sum_own(struct llo_kernel *k, int64_t *executed)
{
	for (size_t i = 0; i < (size_t)k->bundles; i++) {
		struct llo_loop *l = k->inner[i] == LLO_NONE ? NULL : &k->loop[k->inner[i]];

		if (!l)
			continue;
		l->own_cycles = add_clamped(l->own_cycles, mul_clamped(k->cost[i], k->runs[i]));
		l->stalls = add_clamped(l->stalls, mul_clamped(k->cost[i] - (k->cost[i] > 0), k->runs[i]));
	}
	for (size_t i = 0; i < k->use.n; i++) {
		uint32_t b = k->owner[i], in = k->inner[b];

		for (size_t u = 0; in != LLO_NONE && u < k->nunits; u++) {
			int64_t *e = &executed[in * k->nunits + u];

			*e = add_clamped(*e, mul_clamped(k->use.use[i * k->nunits + u], k->runs[b]));
		}
	}
}

static void sum_loops(struct llo_kernel *k)
{
	int64_t *executed = xcalloc(k->nloops * k->nunits + 1, sizeof *executed);
	int64_t *sum = xcalloc((size_t)k->bundles + 1, sizeof *sum);

	for (size_t i = 0; i < (size_t)k->bundles; i++)
		sum[i + 1] = add_clamped(sum[i], mul_clamped(k->cost[i], k->runs[i]));
	sum_own(k, executed);
	for (size_t i = 0; i < k->nloops; i++) {
		struct llo_loop *l = &k->loop[i];

		l->bundles = (int64_t)l->last - l->first + 1;
		l->cycles_once = k->aligned ? k->start[l->last + 1] - k->start[l->first] : -1;
		l->cycles = k->aligned ? sum[l->last + 1] - sum[l->first] : -1;
		l->share = llo_work(k) > 0 ? (double)l->own_cycles / (double)llo_work(k) : NAN;
		limit_of_loop(k, l, executed + i * k->nunits);
		if (!k->aligned)
			l->own_cycles = -1;
	}
	free(executed);
	free(sum);
}

const struct llo_loop *llo_main_loop(const struct llo_kernel *k)
{
	const struct llo_loop *most = NULL;

	for (size_t i = 0; i < k->nloops; i++)
		if (k->loop[i].own_cycles > (most ? most->own_cycles : 0))
			most = &k->loop[i];
	return most;
}

/* --- spills --- */

enum llo_spill llo_spill_of(const struct llo_ins *x)
{
	struct slice t = { x->text, x->n }, word;
	const char *p = slice_find(t, "mem:[#allocation");
	size_t digits = 0;

	if (!p || p - t.s < 4 || p[-2] != '[' || p[-3] != ' ' || (p[-1] != 'v' && p[-1] != 's'))
		return LLO_NO_SPILL;
	t = (struct slice){ p + 16, (size_t)(t.s + t.n - p - 16) };
	while (digits < t.n && isdigit((unsigned char)t.s[digits]))
		digits++;
	t = (struct slice){ t.s + digits, t.n - digits };
	if (!digits || !slice_begins(t, "_spill]"))
		return LLO_NO_SPILL;
	word = (struct slice){ p - 3, 0 };
	while (word.s > x->text && word.s[-1] != ' ')
		word.s--, word.n++;
	if (p[-1] == 'v')
		return slice_find(word, "vst") ? LLO_VMEM_SPILL
		    : slice_find(word, "vld")  ? LLO_VMEM_FILL
					       : LLO_NO_SPILL;
	return slice_ends(word, "sst") ? LLO_SMEM_SPILL
	    : slice_ends(word, "sld")  ? LLO_SMEM_FILL
				       : LLO_NO_SPILL;
}

/* --- lines, opcodes, matmuls --- */

/* What a matmul multiplies: rows of the array in an instruction, by the type; 0: not known. */
static int matmul_rows(struct slice op)
{
	static const struct {
		const char *type;
		int rows;
	} types[] = { { "f32", 8 }, { "bf16", 16 }, { "s8", 32 }, { "u8", 32 }, { "f8e", 32 } };

	for (size_t i = 0; i < op.n; i++)
		for (size_t t = 0; op.s[i] == '.' && t < sizeof types / sizeof *types; t++) {
			struct slice rest = { op.s + i + 1, op.n - i - 1 };

			if (slice_cut(&rest, types[t].type) && (t == 4 || !rest.n || *rest.s == '.'))
				return types[t].rows;
		}
	return 0;
}

static void count_matmul(struct llo_kernel *k, struct slice op, int64_t runs)
{
	int rows = matmul_rows(op);

	k->matmuls++;
	k->matmuls_run = add_clamped(k->matmuls_run, runs);
	if (!rows)
		k->mxu_flops = -1;
	if (k->mxu_flops >= 0)
		k->mxu_flops = add_clamped(k->mxu_flops,
		    mul_clamped(runs, INT64_C(2) * rows * k->chip->side * k->chip->side));
}

static void count_spill(struct llo_kernel *k, const struct llo_ins *x, int64_t runs)
{
	enum llo_spill s = llo_spill_of(x);
	int space = s == LLO_SMEM_SPILL || s == LLO_SMEM_FILL;

	if (s == LLO_NO_SPILL)
		return;
	if (s == LLO_VMEM_SPILL || s == LLO_SMEM_SPILL) {
		k->spills[space]++;
		k->spills_run[space] = add_clamped(k->spills_run[space], runs);
	} else {
		k->fills[space]++;
		k->fills_run[space] = add_clamped(k->fills_run[space], runs);
	}
}

static void count_instructions(struct llo_kernel *k, struct llo_line *line, struct llo_op *op)
{
	k->mxu_flops = k->chip && k->b.n ? 0 : -1;
	for (size_t i = 0; i < k->b.n; i++) {
		const struct llo_bundle *b = &k->b.v[i];
		double part = b->real ? (double)mul_clamped(k->cost[i], k->runs[i]) / b->real : 0;

		for (uint32_t j = 0; j < b->n; j++) {
			const struct llo_ins *x = &k->b.ins[b->first + j];

			if (!x->real)
				continue;
			line[x->source].instructions++;
			line[x->source].cycles += part;
			op[x->op].count++;
			op[x->op].executed = add_clamped(op[x->op].executed, k->runs[i]);
			count_spill(k, x, k->runs[i]);
			if (slice_begins(llo_string(k, x->op), "vmatmul"))
				count_matmul(k, llo_string(k, x->op), k->runs[i]);
		}
	}
}

struct llo_sorted {
	const struct strtab *str;
	struct llo_line line;
	struct llo_op op;
};

static int by_cycles(const void *a, const void *b)
{
	const struct llo_sorted *x = a, *y = b;

	if (x->line.cycles != y->line.cycles)
		return x->line.cycles < y->line.cycles ? 1 : -1;
	return slice_order(strtab_text(x->str, x->line.source), strtab_text(y->str, y->line.source));
}

static int by_executed(const void *a, const void *b)
{
	const struct llo_sorted *x = a, *y = b;

	if (x->op.executed != y->op.executed)
		return x->op.executed < y->op.executed ? 1 : -1;
	return slice_order(strtab_text(x->str, x->op.op), strtab_text(y->str, y->op.op));
}

static void sum_instructions(struct llo_kernel *k)
{
	struct llo_line *line = xcalloc((size_t)k->str.n + 1, sizeof *line);
	struct llo_op *op = xcalloc((size_t)k->str.n + 1, sizeof *op);
	struct llo_sorted *v = xcalloc((size_t)k->str.n + 1, sizeof *v);

	count_instructions(k, line, op);
	for (uint32_t i = 0; i < k->str.n; i++) {
		line[i].source = op[i].op = i;
		if (line[i].instructions)
			v[k->nlines++] = (struct llo_sorted){ .str = &k->str, .line = line[i] };
	}
	VEC_SORT(v, k->nlines, by_cycles);
	for (size_t i = 0; i < k->nlines; i++)
		line[i] = v[i].line;
	for (uint32_t i = 0; i < k->str.n; i++)
		if (op[i].count)
			v[k->nops++] = (struct llo_sorted){ .str = &k->str, .op = op[i] };
	VEC_SORT(v, k->nops, by_executed);
	for (size_t i = 0; i < k->nops; i++)
		op[i] = v[i].op;
	k->line = line;
	k->op = op;
	free(v);
}

/* --- chains --- */

static void place_chains(struct llo_kernel *k, const struct llo_places *p)
{
	for (size_t i = 0; i < k->nchains; i++) {
		struct llo_chain *c = &k->chain[i];

		if (c->region >= p->n)
			continue;
		c->first = p->start[c->region];
		if (k->aligned && c->first != LLO_NONE && p->end[c->region] != LLO_NONE)
			c->cycles = k->start[p->end[c->region] + 1] - k->start[c->first];
	}
}

const struct llo_chain *llo_main_chain(const struct llo_kernel *k)
{
	const struct llo_loop *l = llo_main_loop(k);

	for (size_t i = 0; i < k->nchains; i++)
		if (k->chain[i].first != LLO_NONE && k->chain[i].cycles > 0 &&
		    (!l || (k->chain[i].first >= l->first && k->chain[i].first <= l->last)))
			return &k->chain[i];
	return NULL;
}

void llo_sums_make(struct llo_kernel *k, const struct llo_places *p, const struct llo_matrix *final)
{
	sum_cycles(k);
	sum_units(k, final);
	sum_loops(k);
	sum_instructions(k);
	place_chains(k, p);
}
