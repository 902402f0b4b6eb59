#include "config.h"
#include "analyze/pod/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/bisect.h"
#include "base/clamp.h"
#include "base/text/strtab.h"
#include "pod.pb-c.h"

/* cells, one per core and step, that are accepted even if most have no record */
#define FEW_CELLS ((size_t)1 << 18)

/* What one record says of one core in one step, the same for all kinds of files. */
struct record {
	int host, chip, node;
	int64_t key;
	size_t step, order;
	const char *bottleneck; /* "": none is told */
	struct step_core v;
};

struct records {
	struct pod *pod;
	struct strtab hosts, steps; /* names that the pod has; its n-th host or step is entry n + 1 here */
	struct record *v;
	size_t n, cap;
	size_t hosts_cap, steps_cap;
	bool parted; /* compute time is split into high and low FLOPs */
};

static int64_t ps_of(double us)
{
	return us > 0 && us < 4e12 ? llround(us * 1e6) : 0;
}

/* Returns the index of the entry in t, adding it if necessary. */
static size_t nth_of(struct strtab *t, const void *bytes, size_t n, bool *is_new)
{
	uint32_t before = t->n;
	strid id = strtab_add(t, bytes, n);

	*is_new = t->n > before;
	return id - 1;
}

/* The terminating NUL is part of the entry, so that no host is the empty string. */
static int host_of(struct records *r, const char *s, size_t n)
{
	struct pod *p = r->pod;
	bool is_new;
	size_t i = nth_of(&r->hosts, s, n + 1, &is_new);

	if (is_new)
		VEC_ADD(p->host, p->nhosts, r->hosts_cap, arena_strndup(&p->text, s, n));
	return (int)i;
}

static size_t step_of(struct records *r, int64_t number)
{
	struct step_cores *c = &r->pod->cores;
	bool is_new;
	size_t i = nth_of(&r->steps, &number, sizeof number, &is_new);

	if (is_new) {
		VEC_PUSH(c->step, c->nsteps, r->steps_cap);
		memset(&c->step[i], 0, sizeof *c->step);
		c->step[i].id = number;
		snprintf(c->step[i].number, sizeof c->step->number, "%lld", (long long)number);
		c->nsteps++;
	}
	return i;
}

static struct record *add_record(struct records *r, int64_t step)
{
	struct record x = { .chip = -1,
		.node = -1,
		.step = step_of(r, step),
		.order = r->n,
		.bottleneck = "" };

	x.v = (struct step_core){ .sync = -1, .sync_compute = -1, .group = -1 };
	VEC_PUSH(r->v, r->n, r->cap);
	r->v[r->n] = x;
	return &r->v[r->n++];
}

/* ---- old files: metrics are members of the record of a core */

static int64_t us_member(const struct json *j, const char *key, bool *has)
{
	const struct json *v = json_get(j, key);

	*has |= v != NULL;
	return v ? ps_of(json_number(v, 0)) : 0;
}

/* Returns a whole number from 0 to `most`; `otherwise` if the member is missing or anything else. */
static int64_t whole_member(const struct json *j, const char *key, int64_t most, int64_t otherwise)
{
	double v = json_number(json_get(j, key), NAN);

	return v >= 0 && v <= (double)most ? from_double(v) : otherwise;
}

static const char *text_member(struct pod *p, const struct json *j, const char *key)
{
	const struct json *v = json_get(j, key);

	return v && v->type == JSON_STRING ? arena_strndup(&p->text, v->s, v->len) : "";
}

static void read_old_record(struct records *r, int64_t step, const struct json *j)
{
	static const struct {
		const char *key;
		enum step_metric metric;
	} members[] = {
		{ "highFlopsComputeUs", METRIC_HIGH_FLOPS },
		{ "lowFlopsComputeUs", METRIC_LOW_FLOPS },
		{ "hostInfeedDurationUs", METRIC_INFEED },
		{ "hostOutfeedDurationUs", METRIC_OUTFEED },
		{ "sendDurationUs", METRIC_SEND },
		{ "recvDurationUs", METRIC_RECV },
		{ "bcInfeedWaitDurationUs", METRIC_SPARSECORE_WAIT },
	};
	const struct json *host = json_get(j, "hostName");
	struct record *x = add_record(r, step);
	bool low = false, crs = false, parts = false, any = false;
	int64_t sync, work, rest;

	x->bottleneck = text_member(r->pod, j, "bottleneck");
	x->host = host && host->type == JSON_STRING ? host_of(r, host->s, host->len) : host_of(r, "", 0);
	x->chip = (int)whole_member(j, "chipId", INT32_MAX, -1);
	x->node = (int)whole_member(j, "nodeId", INT32_MAX, -1);
	x->key = j->key ? strtoll(j->key, NULL, 10) : -1;
	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		x->v.ps[members[i].metric] =
		    us_member(j, members[i].key, members[i].metric == METRIC_LOW_FLOPS ? &low : &any);
	sync = us_member(j, "allReduceSyncDurationUs", &parts);
	work = us_member(j, "allReduceComputeDurationUs", &parts);
	x->v.crs = us_member(j, "crsDurationUs", &crs);
	if (!crs)
		x->v.crs = add_clamped(sync, work);
	x->v.ps[METRIC_COLLECTIVES] = x->v.crs;
	if (parts) {
		x->v.sync = sync;
		x->v.sync_compute = work;
	}
	rest = x->v.total = us_member(j, "totalDurationUs", &any);
	for (size_t m = 0; m < METRIC_COUNT; m++)
		rest = sub_clamped(rest, x->v.ps[m]);
	x->v.ps[low ? METRIC_IDLE : METRIC_LOW_FLOPS] = rest > 0 ? rest : 0;
	step_core_kinds(&x->v);
	r->parted = true;
}

static const struct json *items(const struct json *j, enum json_type type)
{
	return j && j->type == type ? j->child : NULL;
}

/* A text that is printed piece by piece and ends up in the arena of the pod. */
struct printed {
	FILE *f; /* NULL: out of memory, the text stays empty */
	char *text;
	size_t n;
};

static const char *keep_printed(struct pod *p, struct printed *t)
{
	const char *kept = "";

	if (t->f && !fclose(t->f))
		kept = arena_strndup(&p->text, t->text, t->n);
	free(t->text);
	return kept;
}

static void print_list(FILE *f, const struct json *list)
{
	for (const struct json *j = items(list, JSON_ARRAY); f && j; j = j->next) {
		if (j->s)
			fwrite(j->s, 1, j->len, f);
		if (j->next)
			putc(',', f);
	}
}

static const char *joined(struct pod *p, const struct json *list)
{
	struct printed t = { .text = NULL };

	t.f = open_memstream(&t.text, &t.n);
	print_list(t.f, list);
	return keep_printed(p, &t);
}

/* Writes groups as "{0,1},{2,3}". */
static const char *groups_text(struct pod *p, const struct json *groups)
{
	struct printed t = { .text = NULL };

	if (!items(groups, JSON_ARRAY))
		return NULL;
	t.f = open_memstream(&t.text, &t.n);
	for (const struct json *g = groups->child; t.f && g; g = g->next) {
		putc('{', t.f);
		print_list(t.f, json_get(g, "replicaIds"));
		fputs(g->next ? "}," : "}", t.f);
	}
	return keep_printed(p, &t);
}

/* Takes the kind of a collective from its name, "all-reduce.36".  The name of a fusion does not say. */
static const char *category_of(struct pod *p, const char *name)
{
	size_t n = strcspn(name, ".");

	return step_metric_of(name, n) == METRIC_COLLECTIVES ? arena_strndup(&p->text, name, n) : NULL;
}

static void read_old_links(struct records *r, size_t step, const struct json *s, size_t *cap)
{
	struct pod *p = r->pod;

	for (const struct json *j = items(json_get(s, "allReduceOpDb"), JSON_ARRAY); j; j = j->next) {
		struct pod_collective c = { .step = step, .sync_us = NAN, .name = text_member(p, j, "name") };

		c.category = category_of(p, c.name);
		c.replica_groups = groups_text(p, json_get(j, "replicaGroups"));
		c.bytes = (uint64_t)whole_member(j, "dataSize", INT64_MAX, 0);
		c.occurrences = (uint64_t)whole_member(j, "occurrences", INT64_MAX, 0);
		c.duration_us = json_number(json_get(j, "durationUs"), NAN);
		VEC_ADD(p->collective, p->ncollectives, cap[0], c);
	}
	for (const struct json *j = items(json_get(s, "channelDb"), JSON_ARRAY); j; j = j->next) {
		struct pod_channel c = { .step = step, .id = whole_member(j, "channelId", INT64_MAX, -1) };
		uint32_t *ends = arena_alloc(&p->text, 2 * sizeof *ends);

		/* device numbers for now; resolve_channels() turns them into cores */
		ends[0] = (uint32_t)whole_member(j, "srcCoreId", UINT32_MAX, UINT32_MAX);
		ends[1] = (uint32_t)whole_member(j, "dstCoreId", UINT32_MAX, UINT32_MAX);
		c.src = ends;
		c.dst = ends + 1;
		c.nsrc = c.ndst = 1;
		c.bytes = (uint64_t)whole_member(j, "dataSize", INT64_MAX, 0);
		c.occurrences = (uint64_t)whole_member(j, "occurrences", INT64_MAX, 0);
		c.duration_us = json_number(json_get(j, "durationUs"), NAN);
		c.send_delay_us = json_number(json_get(j, "sendDelayUs"), NAN);
		c.hlo_names = joined(p, json_get(j, "hloNames"));
		VEC_ADD(p->channel, p->nchannels, cap[1], c);
	}
}

static void read_old(struct records *r, const struct json *j)
{
	const struct json *env = json_get(j, "runEnvironment"), *mesh = json_get(env, "topology");
	struct topology *t = &r->pod->topology;
	size_t cap[2] = { 0 };

	for (const struct json *s =
		 items(json_get(json_get(j, "podStatsSequence"), "podStatsMap"), JSON_ARRAY);
	     s; s = s->next) {
		int64_t number = whole_member(s, "stepNum", INT64_MAX, 0);

		for (const struct json *c = items(json_get(s, "podStatsPerCore"), JSON_OBJECT); c;
		     c = c->next)
			read_old_record(r, number, c);
		read_old_links(r, step_of(r, number), s, cap);
	}
	t->x = (int)whole_member(mesh, "xDimension", TOPOLOGY_SIDE_MAX, 0);
	t->y = (int)whole_member(mesh, "yDimension", TOPOLOGY_SIDE_MAX, 0);
	t->z = (int)whole_member(mesh, "zDimension", TOPOLOGY_SIDE_MAX, 0);
	t->z += !t->z; /* files of flat pods may leave out z */
	snprintf(r->pod->device, sizeof r->pod->device, "%s", text_member(r->pod, env, "tpuType"));
	r->pod->batch = whole_member(env, "perCoreBatchSize", INT64_MAX, -1);
	r->pod->batch = r->pod->batch > 0 ? r->pod->batch : -1;
}

/* ---- newer files: each record maps numbers of metrics to times */

/* Maps a name to a metric.  A time in which the device neither computes nor transfers counts as idle. */
static enum step_metric metric_named(const char *name, bool *parted)
{
	static const struct {
		const char *name;
		enum step_metric metric;
	} names[] = {
		{ "High flops compute", METRIC_HIGH_FLOPS },
		{ "Low flops compute", METRIC_LOW_FLOPS },
		{ "Device compute", METRIC_LOW_FLOPS },
		{ "Device to device", METRIC_SEND },
		{ "Device collective communication", METRIC_COLLECTIVES },
		{ "All reduce compute", METRIC_COLLECTIVES },
		{ "All reduce synchronization", METRIC_COLLECTIVES },
		{ "All reduce", METRIC_COLLECTIVES },
		{ "Input", METRIC_INFEED },
		{ "Infeed", METRIC_INFEED },
		{ "Host infeed", METRIC_INFEED },
		{ "Output", METRIC_OUTFEED },
		{ "Outfeed", METRIC_OUTFEED },
		{ "Host outfeed", METRIC_OUTFEED },
		{ "Send", METRIC_SEND },
		{ "Recv", METRIC_RECV },
		{ "Host send", METRIC_HOST_TRANSFER },
		{ "Host recv", METRIC_HOST_TRANSFER },
		{ "SparseCore V0 infeed wait", METRIC_SPARSECORE_WAIT },
		{ "Wait for megacore fusion peer", METRIC_MEGACORE_WAIT },
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcasecmp(names[i].name, name)) {
			*parted |= names[i].metric == METRIC_HIGH_FLOPS;
			return names[i].metric;
		}
	return METRIC_IDLE;
}

/* The metrics of a file, by the number that its records use. */
struct event_metric {
	int32_t id;
	enum step_metric metric;
	bool parts;
	size_t order;
};

struct event_metrics {
	struct event_metric *v;
	size_t n;
};

VEC_ORDER(by_event_id, struct event_metric, UP(id) UP(order));

static struct event_metrics event_metrics_of(Pb__StepBreakdownEvents **events, size_t n)
{
	struct event_metrics m = { .v = xcalloc(n + 1, sizeof *m.v) };

	for (size_t i = 0; i < n; i++) {
		struct event_metric x = { .id = events[i]->id, .order = i };

		if (!events[i]->name)
			continue;
		x.metric = metric_named(events[i]->name, &x.parts);
		m.v[m.n++] = x;
	}
	qsort(m.v, m.n, sizeof *m.v, by_event_id);
	return m;
}

/* Returns the last metric with that number; an unknown number counts as idle time. */
static struct event_metric event_metric_get(const struct event_metrics *m, int32_t id)
{
	const struct event_metric *e;

	BISECT_LAST(e, m->v, m->n, e->id <= id);
	return e && e->id == id ? *e : (struct event_metric){ .metric = METRIC_IDLE };
}

static void read_new_record(struct records *r, int64_t step, int64_t key, const Pb__PodStatsRecord *m,
    const struct event_metrics *metrics)
{
	struct record *x = add_record(r, step);
	const char *host = m->host_name ? m->host_name : "";

	x->host = host_of(r, host, strlen(host));
	x->key = key;
	x->chip = m->chip_id;
	x->node = m->node_id;
	x->bottleneck = m->bottleneck ? m->bottleneck : "";
	x->v.total = ps_of(m->total_duration_us);
	for (size_t i = 0; i < m->n_step_breakdown_us; i++) {
		const Pb__PodStatsRecord__BreakdownEntry *b = m->step_breakdown_us[i];
		struct event_metric e = event_metric_get(metrics, b->key);
		int64_t *sum = &x->v.ps[e.metric];

		r->parted |= e.parts;
		*sum = add_clamped(*sum, ps_of(b->value));
	}
	x->v.crs = x->v.ps[METRIC_COLLECTIVES];
	step_core_kinds(&x->v);
}

static void read_new_links(struct records *r, const Pb__PodStatsMap *m, size_t *cap)
{
	struct pod *p = r->pod;
	size_t step = step_of(r, m->step_num);

	for (size_t i = 0; i < m->n_all_reduce_op_db; i++) {
		const Pb__AllReduceOpInfo *a = m->all_reduce_op_db[i];
		const char *name = a->name ? a->name : "";

		VEC_ADD(p->collective, p->ncollectives, cap[0],
		    (struct pod_collective){ .step = step,
			.name = name,
			.category = category_of(p, name),
			.bytes = a->data_size,
			.occurrences = a->occurrences,
			.duration_us = a->duration_us,
			.sync_us = NAN });
	}
	for (size_t i = 0; i < m->n_channel_db; i++) {
		const Pb__ChannelInfo *c = m->channel_db[i];
		struct printed names = { .text = NULL };

		names.f = open_memstream(&names.text, &names.n);
		for (size_t k = 0; names.f && k < c->n_hlo_names && k < 16; k++)
			fprintf(names.f, "%s%s", k ? "," : "", c->hlo_names[k]);
		VEC_ADD(p->channel, p->nchannels, cap[1],
		    (struct pod_channel){ .id = c->channel_id,
			.step = step,
			.src = c->src_core_ids,
			.nsrc = c->n_src_core_ids,
			.dst = c->dst_core_ids,
			.ndst = c->n_dst_core_ids,
			.bytes = c->data_size,
			.occurrences = c->occurrences,
			.duration_us = c->duration_us,
			.send_delay_us = c->send_delay_us,
			.hlo_names = keep_printed(p, &names) });
	}
}

static bool is_side(int64_t chips)
{
	return chips > 0 && chips <= TOPOLOGY_SIDE_MAX;
}

static void take_topology(struct topology *t, const Pb__PodViewerTopology *m)
{
	int64_t cores = m->num_cores_per_chip;

	if (!is_side(m->x_dimension) || !is_side(m->y_dimension) || !is_side(m->z_dimension))
		return;
	t->x = (int)m->x_dimension;
	t->y = (int)m->y_dimension;
	t->z = (int)m->z_dimension;
	t->cores_per_chip = cores > 0 && cores < TOPOLOGY_CORES_MAX ? (int)cores : 0;
}

static void read_new(struct records *r, const Pb__PodViewerDatabase *m)
{
	const Pb__PodStatsSequence *s = m->pod_stats_sequence;
	struct event_metrics metrics = event_metrics_of(m->step_breakdown_events, m->n_step_breakdown_events);
	size_t cap[2] = { 0 };

	for (size_t i = 0; s && i < s->n_pod_stats_map; i++) {
		const Pb__PodStatsMap *step = s->pod_stats_map[i];

		for (size_t k = 0; k < step->n_pod_stats_per_core; k++)
			if (step->pod_stats_per_core[k]->value)
				read_new_record(r, step->step_num, step->pod_stats_per_core[k]->key,
				    step->pod_stats_per_core[k]->value, &metrics);
		read_new_links(r, step, cap);
	}
	free(metrics.v);
	if (m->topology)
		take_topology(&r->pod->topology, m->topology);
	snprintf(r->pod->device, sizeof r->pod->device, "%s", m->device_type ? m->device_type : "");
}

static void read_stats(struct records *r, const Pb__PodStatsDatabase *m)
{
	struct event_metrics metrics = event_metrics_of(m->step_breakdown_events, m->n_step_breakdown_events);

	for (size_t i = 0; i < m->n_pod_stats_record; i++)
		read_new_record(r, m->pod_stats_record[i]->step_num, -1, m->pod_stats_record[i], &metrics);
	free(metrics.v);
}

/* ---- from records to cells */

VEC_ORDER(by_core, struct record, UP(host) UP(chip) UP(node) UP(key) UP(step) UP(order));

static bool is_same(const struct record *a, const struct record *b)
{
	return a->host == b->host && a->chip == b->chip && a->node == b->node && a->key == b->key;
}

/* Newer files have chip and node 0 for every core.  With several cores that is no information, so it is
 * dropped. */
static void drop_empty_places(struct records *r)
{
	bool several = false;

	for (size_t i = 0; i < r->n; i++) {
		if (r->v[i].chip > 0 || r->v[i].node > 0)
			return;
		several |= r->v[i].key != r->v[0].key || r->v[i].host != r->v[0].host;
	}
	for (size_t i = 0; i < r->n && several; i++)
		r->v[i].chip = r->v[i].node = -1;
}

static void add_cores(struct records *r)
{
	struct step_cores *s = &r->pod->cores;
	size_t cap = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct record *x = &r->v[i];

		if (i && is_same(x, x - 1))
			continue;
		VEC_PUSH(s->core, s->ncores, cap);
		s->core[s->ncores] = (struct step_core_info){ .host = x->host,
			.plane = UINT32_MAX,
			.chip = x->chip,
			.core_on_chip = x->node,
			.core = (int)(x->key >= 0 && x->key < INT32_MAX ? x->key : (int64_t)s->ncores) };
		s->ncores++;
	}
}

/* Drops all records when nearly every cell would be empty: damaged numbers of cores and steps could take more
 * memory than there is. */
static void drop_all(struct records *r)
{
	struct pod *p = r->pod;

	table_say(&p->warnings,
	    "the file is damaged: it names %zu cores and %zu steps, but has only %zu steps of a core",
	    p->cores.ncores, p->cores.nsteps, r->n);
	step_cores_free(&p->cores);
	p->nchannels = p->ncollectives = r->n = 0;
}

static void fill_cells(struct records *r)
{
	struct step_cores *s = &r->pod->cores;
	size_t cells;

	drop_empty_places(r);
	VEC_SORT(r->v, r->n, by_core);
	add_cores(r);
	if (!mem_mul(s->ncores, s->nsteps, &cells) || cells / 4 > r->n + FEW_CELLS) {
		drop_all(r);
		return;
	}
	s->v = xrealloc(NULL, cells, sizeof *s->v);
	for (size_t i = 0; i < cells; i++)
		s->v[i] = (struct step_core){ .total = -1, .sync = -1, .sync_compute = -1, .group = -1 };
	r->pod->bottleneck = xcalloc(cells + 1, sizeof *r->pod->bottleneck);
	for (size_t i = 0, core = 0; i < r->n; i++) {
		core += i && !is_same(&r->v[i], &r->v[i - 1]);
		s->v[core * s->nsteps + r->v[i].step] = r->v[i].v;
		if (*r->v[i].bottleneck)
			r->pod->bottleneck[core * s->nsteps + r->v[i].step] = r->v[i].bottleneck;
	}
	s->source = s->nsteps ? STEPS_LINE : STEPS_NONE;
	for (size_t k = 0; k < s->nsteps; k++) {
		s->step[k].everywhere = true;
		for (size_t i = 0; i < s->ncores; i++)
			s->step[k].everywhere &= step_core_at(s, i, k)->total >= 0;
		s->incomplete += !s->step[k].everywhere;
	}
}

/* Turns device numbers of the HLO into cores; devices without a record are left out. */
static void resolve_channels(struct pod *p)
{
	struct pod_devices devices;

	pod_devices_of(p, &devices);
	for (size_t i = 0; i < p->nchannels; i++) {
		struct pod_channel *c = &p->channel[i];
		size_t n = c->nsrc < c->ndst ? c->nsrc : c->ndst, kept = 0;
		uint32_t *both = arena_alloc(&p->text, (2 * n + 1) * sizeof *both);

		for (size_t k = 0; k < n; k++) {
			size_t src = pod_device_core(&devices, c->src[k]),
			       dst = pod_device_core(&devices, c->dst[k]);

			if (src == SIZE_MAX || dst == SIZE_MAX)
				continue;
			both[kept] = (uint32_t)src;
			both[n + kept++] = (uint32_t)dst;
		}
		c->src = both;
		c->dst = both + n;
		c->nsrc = c->ndst = kept;
	}
	free(devices.core);
}

static void read_file(struct records *r, const struct toolfile *f)
{
	const Pb__PodViewerDatabase *viewer = toolfile_message(f, &pb__pod_viewer_database__descriptor);
	const Pb__PodStatsDatabase *stats = toolfile_message(f, &pb__pod_stats_database__descriptor);

	strtab_init(&r->hosts);
	strtab_init(&r->steps);
	if (viewer)
		read_new(r, viewer);
	else if (stats)
		read_stats(r, stats);
	else
		read_old(r, f->json);
	fill_cells(r);
	strtab_free(&r->hosts);
	strtab_free(&r->steps);
	free(r->v);
}

int pod_from_toolfile(const struct toolfile *f, const struct pod_options *o, struct pod *p, struct err *e)
{
	struct records r = { .pod = p };
	int x, y, z;

	pod_begin(p);
	if (o->topology && topology_parse(o->topology, &x, &y, &z, e))
		return -1;
	read_file(&r, f);
	if (r.n && !r.parted)
		table_say(&p->warnings,
		    "the file does not split compute into high and low flops: all of it is shown "
		    "as low flops");
	if (p->topology.x > 0 && p->topology.y > 0)
		p->topology.source = TOPOLOGY_FILE;
	else
		p->topology.x = p->topology.y = p->topology.z = 0;
	pod_place(p, o->topology);
	resolve_channels(p);
	pod_steps(p);
	return 0;
}
