#include "config.h"
#include "analyze/overview/internal.h"

#include <math.h>

static const struct overview_part of_file[] = {
	{ KIND_ANY_COMPUTE, { TPU_tcComputeTimeMs } },
	{ KIND_SPARSECORE, { TPU_scv0ComputeTimeMs, TPU_scv0InfeedTimeMs } },
	{ KIND_IO, { TPU_tcInfeedTimeMs, TPU_tcOutfeedTimeMs, TPU_hostTransferTimeMs } },
	{ KIND_IDLE, { TPU_tcIdleTimeMs } },
};

static void make_row(const struct overview *o, size_t row, const struct overview_part *part, size_t n,
    struct account_step *s)
{
	const struct table *t = &o->steps;
	double input = table_num(t, row, o->tpu ? TPU_tcInfeedTimeMs : GENERIC_infeedTimeMs);

	for (size_t k = 0; k < n; k++)
		for (int i = 0; i < 3 && part[k].column[i]; i++)
			s->ms[part[k].kind] += fmax(0, table_num(t, row, part[k].column[i]));
	s->core_time = table_num(t, row, o->tpu ? TPU_stepTimeMs : GENERIC_stepTimeMs);
	s->step = o->longest ? o->longest[row] : s->core_time;
	s->wait = s->overhang = NAN;
	s->wait_min = s->wait_max = s->core_time > 0 ? input / s->core_time : NAN;
}

static void account_of_rows_of(const struct overview *o, struct account *a)
{
	const struct overview_part *part = o->tpu ? of_file : overview_parts;
	size_t n = o->tpu ? sizeof of_file / sizeof *of_file : OVERVIEW_PARTS;
	enum time_kind told[OVERVIEW_PARTS];

	account_begin(a, o->steps.nrows);
	for (size_t k = 0; k < n; k++)
		told[k] = part[k].kind;
	for (size_t i = 0; i < a->nsteps; i++) {
		make_row(o, i, part, n, &a->step_of[i]);
		a->step_of[i].number = overview_step_label(o, &o->steps, i, a->number[i]);
	}
	account_end(a, told, n);
}

void overview_account(const struct overview *o, int core, struct account *a)
{
	bool hidden = !isnan(overview_hidden_input(o));

	if (!o->tpu || o->file) {
		account_of_rows_of(o, a);
		return;
	}
	account_of_cores(&o->cores, o->fed, core, a);
	for (size_t i = 0; i < a->nsteps && i < o->nsteps && core < 0 && !hidden; i++) {
		a->step_of[i].wait_min = o->step[i].infeed_min / 100;
		a->step_of[i].wait_max = o->step[i].infeed_max / 100;
	}
	for (size_t i = 0; i < a->ncores && hidden; i++)
		a->core[i].infeed = NAN;
}
