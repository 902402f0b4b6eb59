#include "config.h"
#include "report/reports.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/pod/beside.h"
#include "analyze/pod/links.h"
#include "base/mem.h"
#include "base/text/words.h"
#include "capture/results.h"
#include "report/choose.h"
#include "report/warnings.h"

enum { CORES, CHANNELS, PAIRS, COLLECTIVES, STEPS, OPS, TABLES };

static bool step_is_wanted(const struct pod *p, size_t step, const char *asked)
{
	return !asked || step_cores_is(&p->cores, step, asked);
}

/* Checks --core and --step, also for a profiler's file, which has no planes and no markers. */
static int check_place(const struct pod *p, const struct report_options *o, struct err *e)
{
	struct choices cores = { .n = 0 }, steps = { .n = 0 };
	bool core = o->core < 0, step = !o->step;
	char name[16];

	for (size_t i = 0; i < p->cores.ncores; i++) {
		snprintf(name, sizeof name, "%d", p->cores.core[i].core);
		core |= p->cores.core[i].core == o->core;
		if (!p->cores.core[i].host || !i)
			choices_add(&cores, name);
	}
	for (size_t i = 0; i < p->cores.nsteps; i++) {
		step |= step_is_wanted(p, i, o->step);
		choices_add(&steps, step_cores_label(&p->cores, i));
	}
	snprintf(name, sizeof name, "%d", o->core);
	if (!core)
		return choices_refuse(&cores, "core", name, e);
	return step ? 0 : choices_refuse(&steps, "step", o->step, e);
}

static const char *step_text(const struct pod *p, size_t step, const struct report_options *o)
{
	return o->format == REPORT_TEXT ? step_cores_label(&p->cores, step) : p->cores.step[step].number;
}

struct pod_core_row {
	const struct pod *pod;
	const struct step_core_info *info;
	const struct topology_core *at;
	const struct step_core *times;
	size_t at_step;
	const char *step, *said; /* the bottleneck, by a file; NULL: none */
};

static struct cell bottleneck_of(const struct pod_core_row *r)
{
	if (r->said)
		return cell_strz(r->said);
	return r->pod->cores.no_kinds ? cell_null()
				      : cell_strz(step_metric_info[step_core_bottleneck(r->times)].id);
}

static struct cell time_of(const struct pod_core_row *r, enum step_metric m)
{
	bool known = (m != METRIC_HIGH_FLOPS && m != METRIC_LOW_FLOPS) || !r->pod->cores.no_kinds;

	return known ? cell_num((double)r->times->ps[m] / 1e6) : cell_null();
}

#define SCHEMA cores
#define SCHEMA_ROW struct pod_core_row
#define SCHEMA_DEF "report/tool/pod_cores.def"
#include "result/schema_def.h"

const struct schema pod_cores_schema = {
	SCHEMA_COLUMNS(cores_columns),
	.text =
	    "host chip core core_on_chip x y z step total_us high_flops_us low_flops_us infeed_us outfeed_us "
	    "collectives_us async_collectives_us send_us recv_us host_transfer_us idle_us sparsecore_wait_us "
	    "megacore_wait_us "
	    "crs_us "
	    "bottleneck",
};

static void cores_table(const struct pod *p, const struct report_options *o, struct table *t)
{
	table_begin(t, &pod_cores_schema);
	for (size_t i = 0; i < p->cores.ncores; i++)
		for (size_t s = 0; s < p->cores.nsteps; s++) {
			const struct step_core *v = step_core_at(&p->cores, i, s);

			if ((o->core < 0 || p->cores.core[i].core == o->core) &&
			    step_is_wanted(p, s, o->step) && v->total >= 0)
				table_add(t,
				    &(struct pod_core_row){ p, &p->cores.core[i], &p->topology.core[i], v, s,
					step_text(p, s, o), pod_bottleneck(p, i, s) });
		}
}

struct pod_step_row {
	const struct pod *pod;
	const struct pod_step *of;
	size_t at_step;
	const char *step;
};

static struct cell straggler(const struct pod_step_row *r, struct arena *text)
{
	char *name = r->of->straggler != SIZE_MAX ? pod_core_name(r->pod, r->of->straggler) : NULL;
	struct cell c = arena_cell(text, name);

	free(name);
	return c;
}

#define SCHEMA steps
#define SCHEMA_ROW struct pod_step_row
#define SCHEMA_DEF "report/tool/pod_steps.def"
#include "result/schema_def.h"

const struct schema pod_steps_schema = {
	SCHEMA_COLUMNS(steps_columns),
	.text = "step cores mean_us min_us max_us straggler",
};

static void steps_table_of(const struct pod *p, const struct report_options *o, struct table *t)
{
	table_begin(t, &pod_steps_schema);
	for (size_t i = 0; i < p->cores.nsteps; i++)
		if (step_is_wanted(p, i, o->step))
			table_add(t, &(struct pod_step_row){ p, &p->step[i], i, step_text(p, i, o) });
}

static int64_t chips_of(const struct pod *p)
{
	int64_t *chip = xcalloc(p->cores.ncores + 1, sizeof *chip), n;

	for (size_t i = 0; i < p->cores.ncores; i++)
		chip[i] = p->topology.core[i].chip;
	n = pod_count_chips(p, chip);
	free(chip);
	return n;
}

static int64_t processes_of(const struct pod *p)
{
	int64_t n = 0;

	for (size_t i = 0; i < p->cores.ncores; i++)
		n += !i || p->cores.core[i].host != p->cores.core[i - 1].host;
	return n;
}

static void put_summary(struct report *r, const struct pod *p, const char *metric)
{
	const struct topology *t = &p->topology;
	char mesh[48];
	int64_t chips = chips_of(p), processes = processes_of(p), machines = (int64_t)pod_machines(p);

	snprintf(mesh, sizeof mesh, "%dx%dx%d", t->x, t->y, t->z);
	report_sum_str(r, "device_type", *p->device ? p->device : NULL);
	report_sum_str(r, "topology", t->x ? mesh : NULL);
	report_sum_int(r, "cores", (int64_t)p->cores.ncores);
	if (chips >= 0)
		report_sum_int(r, "chips", chips);
	else
		report_sum_num(r, "chips", NAN);
	report_sum_int(r, "hosts", processes < machines ? processes : machines);
	if (machines < processes)
		report_sum_int(r, "processes", processes);
	report_sum_str(r, "metric", metric);
	if (p->batch > 0)
		report_sum_int(r, "per_core_batch_size", p->batch);
}

static const char *metric_of(const char *asked, struct err *e)
{
	char all[400] = "";

	if (!asked)
		return step_metric_info[METRIC_COLLECTIVES].id;
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		if (!strcmp(asked, step_metric_info[i].id))
			return step_metric_info[i].id;
		words_add(all, sizeof all, ", ", step_metric_info[i].id);
	}
	err_set(e, EXIT_USAGE, ERR_NOWHERE, "--metric %.40s: must be one of %s", asked, all);
	return NULL;
}

static void make_tables(const struct pod *p, const struct report_options *o, struct table *t)
{
	bool *wanted = xcalloc(p->cores.nsteps + 1, sizeof *wanted), labels = o->format == REPORT_TEXT;

	for (size_t i = 0; i < p->cores.nsteps; i++)
		wanted[i] = step_is_wanted(p, i, o->step);
	cores_table(p, o, &t[CORES]);
	pod_channels_table(p, wanted, labels, &t[CHANNELS], NULL);
	pod_pairs_table(p, wanted, labels, &t[PAIRS]);
	pod_collectives_table(p, wanted, labels, &t[COLLECTIVES], NULL);
	steps_table_of(p, o, &t[STEPS]);
	free(wanted);
}

/* The ops of the core asked for, or of the one with the most own work, beside those of the median core.  Reading them
 * again takes time, so they have to be asked for. */
static void ops_table(struct capture *c, const struct report_options *o, struct table *t)
{
	static const struct pod_beside none = { .core = SIZE_MAX };
	const struct pod_beside *b = &none;

	c->scope.beside_core = o->core;
	if (o->table ? report_is_table(o, "pod", OPS) : o->core >= 0)
		b = capture_get(c, RESULT_POD_BESIDE, NULL, NULL);
	pod_beside_table(b ? b : &none, t);
}

struct source {
	const struct steps *steps;
	const struct toolfile *file;
	size_t more;
};

static int write_report(const struct dump *d, const struct report_options *o, FILE *f, const struct pod *p,
    const struct source *s, struct table *t, const char *metric, struct err *e)
{
	struct report *r;

	if (report_order_tables(o, "pod", (struct table *[]){ t, t + 1, t + 2, t + 3, t + 4, t + 5 }, TABLES,
		0, e))
		return -1;
	r = report_open(o, f, "pod", d);
	if (s->file) {
		report_tool_warnings(r, d, s->file, s->more);
	} else {
		report_dump_warnings(r, d);
		report_steps_warnings(r, s->steps);
		report_clock_warnings(r, d);
	}
	report_warnings(r, &p->warnings);
	if (o->core >= 0)
		report_warning(r,
		    "--core %d selects rows of table cores and the core of table ops; channels, pairs, "
		    "collectives and steps cover all "
		    "cores",
		    o->core);
	put_summary(r, p, metric);
	for (int i = 0; i < TABLES; i++)
		if (o->table ? report_is_table(o, "pod", (size_t)i)
			     : (o->format != REPORT_TEXT || i != PAIRS) && (i != OPS || t[i].nrows))
			report_whole(r, report_table_name("pod", i), &t[i]);
	return report_end(r, e);
}

int report_pod(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const char *metric;
	struct source s = { .more = 0 };
	struct table t[TABLES];
	const struct pod *p;
	int bad;

	if (!(metric = metric_of(o->metric, e)))
		return -1;
	if (o->core >= 0 && o->table && !report_is_table(o, "pod", CORES) && !report_is_table(o, "pod", OPS))
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "--core works only with tables cores and ops; %s covers all cores", o->table);
	s.steps = capture_steps(c);
	s.file = s.steps->n ? NULL : toolfile_find(c->base, FILE_POD_VIEWER, o->host, &s.more);
	c->scope.core = -1; /* --core chooses rows */
	if (!(p = capture_get(c, RESULT_POD, NULL, e)) || check_place(p, o, e))
		return -1;
	make_tables(p, o, t);
	ops_table(c, o, &t[OPS]);
	bad = write_report(c->base, o, f, p, &s, t, metric, e);
	for (int i = 0; i < TABLES; i++)
		table_free(&t[i]);
	return bad ? -1 : EXIT_OK;
}
