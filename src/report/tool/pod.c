#include "config.h"
#include "report/reports.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/pod/pod.h"
#include "report/choose.h"
#include "report/parts.h"
#include "report/tool_file.h"
#include "report/warnings.h"

enum { TABLES = 4 };

const char *const pod_table_names[TABLES + 1] = { "cores", "channels", "collectives", "steps" };

static const struct column core_columns[] = {
	{ "host", "host", "", COL_STRING },
	{ "chip", "chip", "", COL_INTEGER },
	{ "core", "core", "", COL_INTEGER },
	{ "core_on_chip", "core on chip", "", COL_INTEGER },
	{ "x", "x", "", COL_INTEGER },
	{ "y", "y", "", COL_INTEGER },
	{ "z", "z", "", COL_INTEGER },
	{ "step", "step", "", COL_STRING },
	{ "total_us", "total", "us", COL_NUMBER },
	{ "high_flops_us", "high flops", "us", COL_NUMBER },
	{ "low_flops_us", "low flops", "us", COL_NUMBER },
	{ "infeed_us", "infeed", "us", COL_NUMBER },
	{ "outfeed_us", "outfeed", "us", COL_NUMBER },
	{ "collectives_us", "collectives", "us", COL_NUMBER },
	{ "send_us", "send", "us", COL_NUMBER },
	{ "recv_us", "recv", "us", COL_NUMBER },
	{ "host_transfer_us", "host transfer", "us", COL_NUMBER },
	{ "idle_us", "idle", "us", COL_NUMBER },
	{ "sparsecore_wait_us", "SC wait", "us", COL_NUMBER },
	{ "megacore_wait_us", "MC wait", "us", COL_NUMBER },
	{ "crs_us", "crs", "us", COL_NUMBER },
	{ "bottleneck", "bottleneck", "", COL_STRING },
};

static const struct column channel_columns[] = {
	{ "step", "step", "", COL_STRING },
	{ "channel_id", "channel", "", COL_STRING },
	{ "src_cores", "from", "", COL_STRING },
	{ "dst_cores", "to", "", COL_STRING },
	{ "bytes", "bytes", "B", COL_INTEGER },
	{ "duration_us", "duration", "us", COL_NUMBER },
	{ "send_delay_us", "send delay", "us", COL_NUMBER },
	{ "occurrences", "count", "", COL_INTEGER },
	{ "hlo_names", "ops", "", COL_STRING },
};

static const struct column collective_columns[] = {
	{ "step", "step", "", COL_STRING },
	{ "name", "name", "", COL_STRING },
	{ "category", "category", "", COL_STRING },
	{ "occurrences", "count", "", COL_INTEGER },
	{ "bytes", "bytes", "B", COL_INTEGER },
	{ "duration_us", "mean", "us", COL_NUMBER },
	{ "sync_us", "waiting", "us", COL_NUMBER },
	{ "replica_groups", "groups", "", COL_STRING },
};

static const struct column step_columns[] = {
	{ "step", "step", "", COL_STRING },
	{ "cores", "cores", "", COL_INTEGER },
	{ "mean_us", "mean", "us", COL_NUMBER },
	{ "min_us", "shortest", "us", COL_NUMBER },
	{ "max_us", "longest", "us", COL_NUMBER },
	{ "straggler", "straggler", "", COL_STRING },
};

static struct cell number_cell(double v)
{
	return isnan(v) ? cell_null() : cell_num(v);
}
static struct cell known(int64_t v)
{
	return v < 0 ? cell_null() : cell_int(v);
}
static struct cell bytes_cell(uint64_t v)
{
	return v ? cell_int((int64_t)v) : cell_null();
}

static bool is_wanted(const struct pod *p, size_t step, const char *asked)
{
	return !asked || step_cores_is(&p->cores, step, asked);
}

/* Of a profiler's file, too, which has no planes and no markers. */
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
		step |= is_wanted(p, i, o->step);
		choices_add(&steps, step_cores_label(&p->cores, i));
	}
	snprintf(name, sizeof name, "%d", o->core);
	if (!core)
		return choices_refuse(&cores, "core", name, e);
	return step ? 0 : choices_refuse(&steps, "step", o->step, e);
}

static struct cell step_cell(const struct pod *p, size_t step, const struct report_options *o)
{
	return cell_strz(
	    o->format == REPORT_TEXT ? step_cores_label(&p->cores, step) : p->cores.step[step].number);
}

static void put_cell(const struct pod *p, const struct report_options *o, size_t core, size_t step,
    struct cell *c)
{
	static const enum step_metric order[] = { METRIC_HIGH_FLOPS, METRIC_LOW_FLOPS, METRIC_INFEED,
		METRIC_OUTFEED, METRIC_COLLECTIVES, METRIC_SEND, METRIC_RECV, METRIC_HOST_TRANSFER,
		METRIC_IDLE, METRIC_SPARSECORE_WAIT, METRIC_MEGACORE_WAIT };
	const struct step_core_info *i = &p->cores.core[core];
	const struct topology_core *at = &p->topology.core[core];
	const struct step_core *v = step_core_at(&p->cores, core, step);
	size_t n = 0;

	c[n++] = cell_strz(p->host[i->host]);
	c[n++] = known(i->chip);
	c[n++] = known(i->core);
	c[n++] = known(i->core_on_chip);
	c[n++] = known(at->x);
	c[n++] = known(at->y);
	c[n++] = known(at->z);
	c[n++] = step_cell(p, step, o);
	c[n++] = cell_num((double)v->total / 1e6);
	for (size_t k = 0; k < sizeof order / sizeof *order; k++)
		c[n++] = cell_num((double)v->ps[order[k]] / 1e6);
	c[n++] = cell_num((double)v->crs / 1e6);
	c[n] = cell_strz(step_metric_info[step_core_bottleneck(v)].id);
}

static void cores_table(const struct pod *p, const struct report_options *o, struct table *t)
{
	table_init(t, core_columns, sizeof core_columns / sizeof *core_columns);
	for (size_t i = 0; i < p->cores.ncores; i++)
		for (size_t s = 0; s < p->cores.nsteps; s++)
			if ((o->core < 0 || p->cores.core[i].core == o->core) && is_wanted(p, s, o->step) &&
			    step_core_at(&p->cores, i, s)->total >= 0)
				put_cell(p, o, i, s, table_row(t));
}

/* "host:3", without the host where there is one only */
static char *core_name(const struct pod *p, size_t core)
{
	const struct step_core_info *c = &p->cores.core[core];

	return xasprintf("%s:%d", p->host[c->host], c->core);
}

static struct cell cores_cell(const struct pod *p, struct table *t, const uint32_t *v, size_t n)
{
	char *text = NULL, *one;
	size_t len = 0, size = 0, add;
	struct cell c;

	for (size_t i = 0; i < n; i++) {
		one = p->nhosts > 1 ? core_name(p, v[i]) : xasprintf("%d", p->cores.core[v[i]].core);
		add = strlen(one);
		if (len + add + 2 > size)
			text = xrealloc(text, size = 2 * (len + add + 2), 1);
		if (len)
			text[len++] = ',';
		memcpy(text + len, one, add);
		len += add;
		free(one);
	}
	c = cell_str(table_copy(t, text ? text : "", len), len);
	free(text);
	return c;
}

static void channels_table(const struct pod *p, const struct report_options *o, struct table *t)
{
	table_init(t, channel_columns, sizeof channel_columns / sizeof *channel_columns);
	for (size_t i = 0; i < p->nchannels; i++) {
		const struct pod_channel *v = &p->channel[i];
		struct cell *c;
		char id[32];
		int n = snprintf(id, sizeof id, "%" PRId64, v->id);

		if (!is_wanted(p, v->step, o->step))
			continue;
		c = table_row(t);
		c[0] = step_cell(p, v->step, o);
		c[1] = v->id < 0 ? cell_null() : cell_str(table_copy(t, id, (size_t)n), (size_t)n);
		c[2] = cores_cell(p, t, v->src, v->nsrc);
		c[3] = cores_cell(p, t, v->dst, v->ndst);
		c[4] = bytes_cell(v->bytes);
		c[5] = number_cell(v->duration_us);
		c[6] = number_cell(v->send_delay_us);
		c[7] = cell_int((int64_t)v->occurrences);
		c[8] = cell_strz(v->hlo_names);
	}
}

static void collectives_table(const struct pod *p, const struct report_options *o, struct table *t)
{
	table_init(t, collective_columns, sizeof collective_columns / sizeof *collective_columns);
	for (size_t i = 0; i < p->ncollectives; i++) {
		const struct pod_collective *v = &p->collective[i];
		struct cell *c;

		if (!is_wanted(p, v->step, o->step))
			continue;
		c = table_row(t);
		c[0] = step_cell(p, v->step, o);
		c[1] = cell_strz(v->name);
		c[2] = cell_strz(v->category);
		c[3] = cell_int((int64_t)v->occurrences);
		c[4] = bytes_cell(v->bytes);
		c[5] = number_cell(v->duration_us);
		c[6] = number_cell(v->sync_us);
		c[7] = cell_strz(v->replica_groups);
	}
}

static void steps_table_of(const struct pod *p, const struct report_options *o, struct table *t)
{
	table_init(t, step_columns, sizeof step_columns / sizeof *step_columns);
	for (size_t i = 0; i < p->cores.nsteps; i++) {
		const struct pod_step *v = &p->step[i];
		struct cell *c;

		if (!is_wanted(p, i, o->step))
			continue;
		c = table_row(t);
		c[0] = step_cell(p, i, o);
		c[1] = cell_int((int64_t)v->cores);
		c[2] = number_cell(v->mean_us);
		c[3] = number_cell(v->min_us);
		c[4] = number_cell(v->max_us);
		if (v->straggler != SIZE_MAX) {
			char *name = core_name(p, v->straggler);

			c[5] = cell_str(table_copy(t, name, strlen(name)), strlen(name));
			free(name);
		}
	}
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

static int64_t hosts_of(const struct pod *p)
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
	int64_t chips = chips_of(p);

	snprintf(mesh, sizeof mesh, "%dx%dx%d", t->x, t->y, t->z);
	report_sum_str(r, "device_type", *p->device ? p->device : NULL);
	report_sum_str(r, "topology", t->x ? mesh : NULL);
	report_sum_int(r, "cores", (int64_t)p->cores.ncores);
	if (chips >= 0)
		report_sum_int(r, "chips", chips);
	else
		report_sum_num(r, "chips", NAN);
	report_sum_int(r, "hosts", hosts_of(p));
	report_sum_str(r, "metric", metric);
}

static const char *metric_of(const char *asked, struct err *e)
{
	char all[400] = "";

	if (!asked)
		return step_metric_info[METRIC_COLLECTIVES].id;
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		if (!strcmp(asked, step_metric_info[i].id))
			return step_metric_info[i].id;
		snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "",
		    step_metric_info[i].id);
	}
	err_set(e, EXIT_USAGE, ERR_NOWHERE, "--metric %.40s: should be one of %s", asked, all);
	return NULL;
}

static void make_tables(const struct pod *p, const struct report_options *o, struct table *t)
{
	cores_table(p, o, &t[0]);
	channels_table(p, o, &t[1]);
	collectives_table(p, o, &t[2]);
	steps_table_of(p, o, &t[3]);
}

void report_pod_tables(struct report *r, const struct pod *p)
{
	struct report_options all = { .core = -1,
		.top = -1,
		.format = report_for_people(r) ? REPORT_TEXT : REPORT_JSON };
	struct table t[TABLES];

	make_tables(p, &all, t);
	report_warnings(r, &p->warnings);
	put_summary(r, p, step_metric_info[METRIC_COLLECTIVES].id);
	for (int i = 0; i < TABLES; i++) {
		report_whole(r, pod_table_names[i], &t[i]);
		table_free(&t[i]);
	}
}

struct source {
	const struct steps *steps;
	const struct toolfile *file;
	size_t more;
};

static int write_report(struct dump *d, const struct report_options *o, FILE *f, const struct pod *p,
    const struct source *s, struct table *t, const char *metric, struct err *e)
{
	struct report *r;

	if (report_order_tables(o, pod_table_names, (struct table *[]){ t, t + 1, t + 2, t + 3 }, TABLES, 0,
		e))
		return -1;
	r = report_begin(f, o->format, o->width, "pod", d);
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
		    "--core %d picks rows of the table cores: channels, collectives and steps are those of "
		    "all cores",
		    o->core);
	put_summary(r, p, metric);
	for (int i = 0; i < TABLES; i++)
		if (!o->table || !strcmp(o->table, pod_table_names[i]))
			report_whole(r, pod_table_names[i], &t[i]);
	return report_end(r, e);
}

static int build(struct dump *d, const struct report_options *o, struct source *s, struct steps *steps,
    struct pod *p, struct err *e)
{
	struct pod_options options = { .topology = o->topology, .host = o->host, .threads = o->threads };

	s->steps = steps;
	steps_find(d, steps, false);
	s->file = steps->n ? NULL : toolfile_find(d, FILE_POD_VIEWER, o->host, &s->more);
	if (s->file ? pod_from_toolfile(d, s->file, &options, p, e) : pod_build(d, steps, &options, p, e))
		return -1;
	return check_place(p, o, e);
}

int report_pod(struct dump *d, const struct report_options *o, FILE *f, struct err *e)
{
	const char *metric;
	struct source s = { .more = 0 };
	struct table t[TABLES];
	struct steps steps;
	struct pod p;
	int bad;

	if (!(metric = metric_of(o->metric, e)))
		return -1;
	if (o->core >= 0 && o->table && strcmp(o->table, pod_table_names[0]))
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "--core is for the table cores: %s are those of all cores", o->table);
	bad = build(d, o, &s, &steps, &p, e);
	if (!bad) {
		make_tables(&p, o, t);
		bad = write_report(d, o, f, &p, &s, t, metric, e);
		for (int i = 0; i < TABLES; i++)
			table_free(&t[i]);
	}
	pod_free(&p);
	steps_free(&steps);
	return bad ? -1 : EXIT_OK;
}
