#include "config.h"
#include "analyze/diff/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/peaks.h"
#include "base/bisect.h"
#include "base/clamp.h"
#include "base/robust.h"

#define KEPT_MADS 5 /* how far from the median a step that is used may be */
#define KEPT_SHARE .02

const struct part_info part_info[PARTS] = {
#define PART(id, name, what) [PART_##id] = { name, what },
#include "analyze/diff/parts.def"
#undef PART
};

const char *side_text(struct side *s, struct slice text)
{
	return arena_strndup(&s->text, text.s, text.n);
}

/* --- which rows are compared --- */

strid side_main_program(const struct dump *d, const char *module)
{
	struct step_programs p;
	size_t n = module ? strlen(module) : 0;

	step_programs(d, PLANE_TPU, &p);
	for (size_t i = 0; module && i < p.n; i++) {
		struct slice name = dump_text(d, p.name[i]);

		if (slice_begins(name, module) && (name.n == n || name.s[n] == '('))
			return p.name[i];
	}
	return !module && p.n ? p.name[0] : UINT32_MAX;
}

static bool is_compared(const struct side_input *in, const struct side_options *o, strid main,
    const struct step *x)
{
	bool several = in->steps->programs.n > 1 || o->module;

	return (o->core < 0 || x->core == o->core) &&
	    (!o->host || dump_host_is(in->dump, x->host, o->host)) &&
	    !(several && in->steps->source == STEPS_MODULES && x->program != main);
}

struct numbered {
	int64_t id;
	size_t cores;
	const struct step *row;
};

VEC_ORDER(by_number, struct numbered, UP(id));

/* The steps that all cores have or, if there is none, all steps. */
static struct numbered *list_steps(const struct side_rows *rows, size_t ncores, size_t *n)
{
	struct numbered *v = NULL;
	size_t cap = 0, k = 0, all = 0;

	*n = 0;
	for (size_t c = 0; c < ncores; c++)
		for (size_t i = 0; i < rows[c].n; i++)
			VEC_ADD(v, *n, cap, (struct numbered){ rows[c].v[i].id, 1, &rows[c].v[i] });
	VEC_SORT(v, *n, by_number);
	for (size_t i = 0; i < *n; i++) {
		if (k && v[k - 1].id == v[i].id)
			v[k - 1].cores++;
		else
			v[k++] = v[i];
	}
	*n = k;
	for (size_t i = 0; i < k; i++)
		all += v[i].cores >= ncores;
	for (size_t i = *n = 0; i < k; i++)
		if (!all || v[i].cores >= ncores)
			v[(*n)++] = v[i];
	return v;
}

/* From the first step of that name to the last; none if no step has the name. */
static void cut_steps(const struct side_options *o, struct numbered *v, size_t *n)
{
	size_t from = o->from ? *n : 0, to = o->to ? 0 : *n;

	for (size_t i = 0; i < *n; i++) {
		if (o->from && from == *n && steps_is(v[i].row, o->from))
			from = i;
		if (o->to && steps_is(v[i].row, o->to))
			to = i + 1;
	}
	*n = to > from ? to - from : 0;
	if (*n)
		memmove(v, v + from, *n * sizeof *v);
}

/* --- their times --- */

static double median_of(const int64_t *v, size_t n, double *room)
{
	for (size_t i = 0; i < n; i++)
		room[i] = (double)v[i];
	return robust_median(room, n);
}

static void choose_used(struct side *s)
{
	double *room = xcalloc(s->nsteps + 1, sizeof *room), mad, limit, sum = 0;

	s->median = median_of(s->step, s->nsteps, room);
	for (size_t i = 0; i < s->nsteps; i++)
		room[i] = fabs((double)s->step[i] - s->median);
	mad = robust_median(room, s->nsteps);
	limit = fmax(KEPT_MADS * mad, KEPT_SHARE * s->median);
	for (size_t i = 0; i < s->nsteps; i++)
		s->nused += s->used[i] = fabs((double)s->step[i] - s->median) <= limit;
	for (size_t i = 0; i < s->nsteps && !s->nused; i++)
		s->used[i] = true;
	s->nused = s->nused ? s->nused : s->nsteps;
	for (size_t i = 0; i < s->nsteps; i++)
		sum += s->used[i] ? (double)s->step[i] : 0;
	s->mean = s->nused ? sum / (double)s->nused : NAN;
	s->nseries = s->nused < SIDE_STEPS ? s->nused : SIDE_STEPS;
	free(room);
}

static bool is_warm(const int64_t *v, size_t n)
{
	double *room = xcalloc(n + 1, sizeof *room), median = median_of(v, n, room);

	free(room);
	return n < 3 || (double)v[0] <= STEPS_WARM * median;
}

static void make_steps(struct side *s, struct side_rows *rows, const struct side_options *o)
{
	size_t n;
	struct numbered *v = list_steps(rows, s->ncores, &n);

	cut_steps(o, v, &n);
	s->nsteps = n;
	s->step = xcalloc(n + 1, sizeof *s->step);
	s->used = xcalloc(n + 1, sizeof *s->used);
	s->step_name = xcalloc(n + 1, sizeof *s->step_name);
	for (size_t c = 0; c < s->ncores; c++)
		for (size_t i = 0; i < rows[c].n; i++) {
			const struct step *x = &rows[c].v[i];
			size_t at;

			BISECT(at, n, v[at].id < x->id);
			if (at < n && v[at].id == x->id) {
				rows[c].at[i] = at;
				s->step[at] = x->dur > s->step[at] ? x->dur : s->step[at];
				memcpy(s->step_name[at], x->label, sizeof x->label);
			}
		}
	free(v);
	s->warm = is_warm(s->step, n);
}

/* The first step warms up: all rows move down by one. */
static void drop_first(struct side *s, struct side_rows *rows)
{
	for (size_t c = 0; c < s->ncores; c++)
		for (size_t i = 0; i < rows[c].n; i++)
			if (rows[c].at[i] != SIZE_MAX)
				rows[c].at[i] = rows[c].at[i] ? rows[c].at[i] - 1 : SIZE_MAX;
	s->nsteps--;
	memmove(s->step, s->step + 1, s->nsteps * sizeof *s->step);
	memmove(s->step_name, s->step_name + 1, s->nsteps * sizeof *s->step_name);
}

static void make_spread(struct side *s, const struct side_rows *rows)
{
	for (size_t c = 0; c < s->ncores; c++)
		for (size_t i = 0; i < rows[c].n; i++) {
			size_t at = rows[c].at[i];

			if (at != SIZE_MAX && s->used[at])
				s->spread = add_clamped(s->spread, s->step[at] - rows[c].v[i].dur);
		}
}

/* Rows of steps of one host, which are adjacent. */
struct host_rows {
	const struct step *v;
	size_t n;
};

static int by_host_name(const void *a, const void *b, void *ctx)
{
	const struct dump *d = ctx;
	const struct host_rows *x = a, *y = b;
	struct slice p = { "", 0 }, q = p;
	int order;

	if (x->v->host >= 0)
		p = dump_text(d, d->hosts[x->v->host].name);
	if (y->v->host >= 0)
		q = dump_text(d, d->hosts[y->v->host].name);
	order = memcmp(p.s, q.s, p.n < q.n ? p.n : q.n);
	return order ? order : (p.n > q.n) - (p.n < q.n);
}

/* In whatever order the files of hosts were named, their cores are compared with those of the same name. */
static struct host_rows *hosts_of(const struct side_input *in, size_t *n)
{
	const struct steps *s = in->steps;
	struct host_rows *v = NULL;
	size_t cap = 0;

	*n = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (!i || s->v[i].host != s->v[i - 1].host)
			VEC_ADD(v, *n, cap, (struct host_rows){ &s->v[i], 0 });
		v[*n - 1].n++;
	}
	if (*n)
		qsort_r(v, *n, sizeof *v, by_host_name, (void *)in->dump);
	return v;
}

/* Adds a row; those of a host are sorted by core and start. */
static void add_row(struct side *s, struct side_rows **rows, struct step *own, size_t n, size_t cap[2])
{
	if (!n || own[n - 1].host != own[n].host || own[n - 1].core != own[n].core) {
		VEC_PUSH(s->core, s->ncores, cap[0]);
		VEC_ADD(*rows, s->ncores, cap[1], (struct side_rows){ .v = &own[n] });
		s->core[s->ncores - 1] = (struct side_core){ .host = own[n].host, .core = own[n].core };
	}
	(*rows)[s->ncores - 1].n++;
}

static struct side_rows *find_rows(const struct side_input *in, const struct side_options *o, struct side *s)
{
	strid main = side_main_program(in->dump, o->module);
	struct side_rows *rows = NULL;
	struct step *own = xcalloc(in->steps->n + 1, sizeof *own);
	size_t cap[2] = { 0 }, n = 0, nhosts;
	struct host_rows *host = hosts_of(in, &nhosts);

	for (size_t h = 0; h < nhosts; h++)
		for (size_t i = 0; i < host[h].n; i++) {
			own[n] = host[h].v[i];
			if (is_compared(in, o, main, &own[n]))
				add_row(s, &rows, own, n++, cap);
		}
	free(host);
	for (size_t c = 0; c < s->ncores; c++) {
		int of = s->core[c].host;

		if (of >= 0)
			s->core[c].host_name = side_text(s, dump_text(in->dump, in->dump->hosts[of].name));
		rows[c].at = xmalloc((rows[c].n + 1) * sizeof *rows[c].at);
		memset(rows[c].at, 0xff, rows[c].n * sizeof *rows[c].at);
	}
	if (!s->ncores)
		free(own);
	return rows;
}

static void free_rows(struct side_rows *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(rows[i].at);
	if (n)
		free((struct step *)rows[0].v);
	free(rows);
}

void side_warn(struct side *s, const char *code, const char *text)
{
	VEC_ADD(s->warning, s->nwarnings, s->warnings_cap,
	    (struct side_warning){ code, side_text(s, slice_of(text)) });
}

static void copy_warnings(const struct dump *d, struct side *s)
{
	for (size_t i = 0; i < d->nfiles; i++)
		if (d->files[i].partial)
			side_warn(s, "partial_file", d->files[i].base);
	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		struct peaks peaks;

		if (d->trace.planes[i].kind != PLANE_TPU)
			continue;
		if (peaks_of_plane(d, i, &peaks) && peaks.assumed)
			side_warn(s, "assumed_peaks", peaks.device);
		break;
	}
}

void side_make(const struct side_input *in, const struct side_options *o, struct side *s)
{
	struct side_rows *rows;

	*s = (struct side){ .memory_peak = -1, .mfu = NAN, .hbm = NAN, .median = NAN, .mean = NAN };
	rows = find_rows(in, o, s);
	s->hosts = in->dump->nhosts;
	s->events = in->dump->trace.nplanes > 0;
	s->step_source = steps_source_name(in->steps->source);
	make_steps(s, rows, o);
	if (!s->warm)
		drop_first(s, rows);
	choose_used(s);
	make_spread(s, rows);
	side_program(in, o, s);
	side_scan(in, o, rows, s);
	if (!s->no_ops && (!s->nops || s->core[0].core < 0))
		s->no_ops = "no_ops";
	copy_warnings(in->dump, s);
	free_rows(rows, s->ncores);
}

static void scale_values(int64_t *v, size_t n, double by)
{
	for (size_t i = 0; v && i < n; i++)
		v[i] = from_double((double)v[i] * by);
}

void side_scale(struct side *s, double by)
{
	s->median *= by;
	s->mean *= by;
	scale_values(s->step, s->nsteps, by);
	scale_values(s->idle_step, s->nseries, by);
	scale_values(&s->idle, 1, by);
	scale_values(&s->overhang, 1, by);
	scale_values(&s->spread, 1, by);
	for (size_t i = 0; i < s->ncores; i++)
		scale_values(&s->core[i].busy, 1, by);
	for (size_t i = 0; i < s->nops; i++) {
		scale_values(&s->op[i].self, 1, by);
		scale_values(&s->op[i].wait, 1, by);
		scale_values(s->op[i].step, s->nseries, by);
		scale_values(s->op[i].step_wait, s->nseries, by);
	}
}

void side_free(struct side *s)
{
	for (size_t i = 0; i < s->nops; i++) {
		free(s->op[i].step);
		free(s->op[i].step_wait);
	}
	for (size_t i = 0; i < s->nparameters; i++)
		free(s->parameter[i].dim);
	free(s->step);
	free(s->step_name);
	free(s->used);
	free(s->core);
	free(s->idle_step);
	free(s->op);
	free(s->parameter);
	free(s->buffer);
	free(s->finding);
	free(s->warning);
	table_free(&s->environment);
	arena_free(&s->text);
	*s = (struct side){ 0 };
}
