#include "config.h"
#include "analyze/account/account.h"

#include <stdlib.h>

#include "analyze/account/differ.h"
#include "analyze/account/why.h"
#include "analyze/device/digest.h"
#include "base/bisect.h"
#include "base/clamp.h"
#include "base/mem.h"
#include "result/table.h"

struct by_id {
	int64_t id;
	size_t step;
};

VEC_ORDER(by_id, struct by_id, UP(id));

static struct by_id *sort_steps(const struct step_cores *c)
{
	struct by_id *v = xcalloc(c->nsteps + 1, sizeof *v);

	for (size_t i = 0; i < c->nsteps; i++)
		v[i] = (struct by_id){ c->step[i].id, i };
	VEC_SORT(v, c->nsteps, by_id);
	return v;
}

/* One row's cell; NULL: there is none. */
static const struct step_core *cell_of(const struct step_cores *c, const struct by_id *v,
    const struct step *s, size_t *core)
{
	size_t at;

	while (*core < c->ncores && (c->core[*core].host != s->host || c->core[*core].core != s->core))
		++*core;
	BISECT(at, c->nsteps, v[at].id < s->id);
	return *core < c->ncores && at < c->nsteps && v[at].id == s->id ? step_core_at(c, *core, v[at].step)
									: NULL;
}

/* Outfeed and host transfers are neither compute nor idle time. */
static void set_times(struct step *s, const struct step_core *x)
{
	s->has_ops = true;
	s->idle = s->dur;
	s->compute = 0;
	s->infeed = x->ps[METRIC_INFEED];
	for (int k = 0; k < METRIC_COUNT; k++) {
		if (k == METRIC_IDLE)
			continue;
		s->idle = sub_clamped(s->idle, x->ps[k]);
		if (k != METRIC_INFEED && k != METRIC_OUTFEED && k != METRIC_HOST_TRANSFER)
			s->compute = add_clamped(s->compute, x->ps[k]);
	}
}

/* Rows are sorted by host and core, as cores are. */
struct account_parts *account_of_rows(const struct dump *d, const struct step_cores *c, struct steps *s)
{
	struct account_parts *parts = xcalloc(s->n + 1, sizeof *parts);
	struct by_id *sorted = sort_steps(c);
	bool digest = digest_count(d);
	size_t core = 0;
	bool ops = false;

	for (size_t i = 0; i < s->n; i++) {
		const struct step_core *x = s->v[i].core >= 0 ? cell_of(c, sorted, &s->v[i], &core) : NULL;
		bool known;

		if (!i || s->v[i].plane != s->v[i - 1].plane)
			ops = step_ops_count(d, s->v[i].plane);
		known = x && x->total >= 0 && (digest || ops);
		if (known)
			set_times(&s->v[i], x);
		parts[i] = known ? account_parts_of(x, 0) : (struct account_parts){ .total = -1, .wait = -1 };
	}
	free(sorted);
	return parts;
}

/* Matmuls are told from other compute of all ops, of some, or of none: what takes time is always there. */
static struct cell part_of(const struct account_row *r, enum time_kind k)
{
	bool told =
	    k == KIND_ANY_COMPUTE ? r->no_kinds : (k != KIND_MATMUL && k != KIND_COMPUTE) || !r->no_kinds;

	if (r->parts->total < 0 || (!told && !r->parts->kind[k]))
		return cell_null();
	return cell_int(r->parts->kind[k]);
}

static struct cell differ_cell(const struct account_row *r, struct arena *text)
{
	char buf[DIFFER_TEXT];

	return r->differ ? arena_cell(text, step_differ_say(r->differ, false, buf, sizeof buf)) : cell_null();
}

static struct cell ops_cell(const struct account_row *r, struct arena *text)
{
	char buf[WHY_TEXT] = "";

	if (r->differ && r->why)
		step_why_say(r->dump, r->why, r->differ->by, WHY_OPS, false, buf, sizeof buf);
	return *buf ? arena_cell(text, buf) : cell_null();
}

#define SCHEMA rows
#define SCHEMA_ROW struct account_row
#define SCHEMA_DEF "analyze/account/rows.def"
#include "result/schema_def.h"

const struct schema account_rows_schema = { SCHEMA_COLUMNS(rows_columns) };

void account_rows_table(const struct dump *d, const struct steps *s, const struct account_parts *parts,
    const size_t *medians, const struct step_why *why, bool labels, struct table *t)
{
	struct step_differ differ;

	bool no_kinds = step_metrics_unknown(d);

	table_begin(t, &account_rows_schema);
	for (size_t i = 0; i < s->n; i++)
		table_add(t,
		    &(struct account_row){ d, &s->v[i], &parts[i], labels, no_kinds,
			account_row_differ(s, parts, medians, i, &differ) ? &differ : NULL,
			why ? &why[i] : NULL });
}
