#include "config.h"
#include "analyze/trace/program_runs.h"

#include <stdlib.h>

#include "analyze/trace/clock.h"

struct timed_run {
	strid name;
	int64_t dur, gap; /* gap -1: nothing ran before */
};

VEC_ORDER(by_program, struct timed_run, UP(name) UP(dur));
VEC_ORDER(longest_first, struct program_runs, DOWN(time) UP(name));

struct runs {
	struct timed_run *v;
	size_t n, cap;
};

static void add_core(const struct dump *d, const struct clock_names *names, uint32_t k, struct runs *r)
{
	struct clock_run *v = clock_runs(d, names, k);
	const struct track *t = &d->trace.tracks[k];
	int64_t end = 0;

	for (size_t i = 0; i < t->n; i++) {
		strid name = d->trace.metas[track_meta(t, v[i].event)].name;

		VEC_ADD(r->v, r->n, r->cap,
		    (struct timed_run){ name, v[i].to - v[i].from,
			!i                    ? -1
			    : v[i].from > end ? v[i].from - end
					      : 0 });
		end = i && end > v[i].to ? end : v[i].to;
	}
	free(v);
}

static struct program_runs sum_program(const struct timed_run *v, size_t n)
{
	struct program_runs p = { .name = v->name, .runs = n, .p90 = (double)v[(n * 9 + 9) / 10 - 1].dur };

	for (size_t i = 0; i < n; i++) {
		p.time += (double)v[i].dur;
		p.gaps += v[i].gap >= 0;
		p.gap_time += v[i].gap > 0 ? (double)v[i].gap : 0;
	}
	p.mean = p.time / (double)n;
	p.gap = p.gaps ? p.gap_time / (double)p.gaps : 0;
	return p;
}

struct program_runs *program_runs(const struct dump *d, enum plane_kind kind, const char *host, int core,
    size_t *n)
{
	struct clock_names names = clock_names_of(d);
	struct program_runs *out = NULL;
	struct runs r = { 0 };
	size_t cap = 0;

	*n = 0;
	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];
		bool wanted = p->kind == kind && (core < 0 || p->core == core) &&
		    (!host || (p->host >= 0 && dump_host_is(d, p->host, host)));
		uint32_t k = wanted ? clock_modules(d, i) : UINT32_MAX;

		if (k != UINT32_MAX && d->trace.tracks[k].file >= 0)
			add_core(d, &names, k, &r);
	}
	VEC_SORT(r.v, r.n, by_program);
	for (size_t a = 0, b; a < r.n; a = b) {
		for (b = a; b < r.n && r.v[b].name == r.v[a].name;)
			b++;
		VEC_ADD(out, *n, cap, sum_program(r.v + a, b - a));
	}
	free(r.v);
	VEC_SORT(out, *n, longest_first);
	return out;
}
