#include "config.h"
#include "analyze/pod/own.h"
#include "analyze/pod/pod.h"
#include "base/robust.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <time.h>

#include <cmocka.h>

#include "../lib/mkpod.h"

struct opened {
	struct dump *d;
	struct steps steps;
	struct pod pod;
};

static void open_pod(struct opened *o, int hosts, const char *topology)
{
	struct pod_options options = { .threads = 2, .topology = topology };
	struct err e = { 0 };

	o->d = pod_load(hosts);
	steps_find(o->d, &o->steps);
	assert_int_equal(pod_build(o->d, &o->steps, &options, &o->pod, &e), 0);
}

static void close_pod(struct opened *o)
{
	pod_free(&o->pod);
	steps_free(&o->steps);
	space_close(o->d);
}

static void cells_are_sums_of_the_ops(void **state)
{
	struct opened o;
	const struct step_core *c;

	(void)state;
	open_pod(&o, 2, NULL);
	assert_int_equal(o.pod.cores.ncores, 4);
	assert_int_equal(o.pod.cores.nsteps, 2);
	c = step_core_at(&o.pod.cores, 3, 1);
	assert_int_equal(c->total, 1000 * POD_US);
	assert_int_equal(c->ps[METRIC_HIGH_FLOPS], 420 * POD_US);
	assert_int_equal(c->ps[METRIC_COLLECTIVES], 192 * POD_US);
	assert_int_equal(c->ps[METRIC_LOW_FLOPS], 100 * POD_US);
	assert_int_equal(c->ps[METRIC_IDLE], 288 * POD_US);
	assert_string_equal(o.pod.device, "TPU v5e");
	assert_string_equal(o.pod.host[1], "w-1");
	close_pod(&o);
}

static void a_straggler_is_who_works_longest(void **state)
{
	struct opened o;
	struct robust r;
	double own[4];

	(void)state;
	open_pod(&o, 2, NULL);
	assert_int_equal(o.pod.step[0].cores, 4);
	assert_float_equal(o.pod.step[0].mean_us, 1000, 1e-9);
	assert_int_equal(o.pod.step[0].straggler, 3);
	/* 0.6745 · 120 us ÷ 0.1 % of 300 us */
	for (size_t i = 0; i < 4; i++)
		own[i] = (double)step_core_at(&o.pod.cores, i, 0)->ps[METRIC_HIGH_FLOPS];
	r = robust_of(own, 4);
	assert_float_equal(robust_z(&r, 420.0 * POD_US), 0.6745 * 120 / 0.3, 1e-6);
	assert_float_equal(robust_z(&r, 300.0 * POD_US), 0, 1e-12);
	assert_float_equal(r.median, 300.0 * POD_US, 1e-6);
	assert_int_equal(step_core_at(&o.pod.cores, 3, 0)->ps[METRIC_HIGH_FLOPS], 420 * POD_US);
	assert_int_equal(step_core_at(&o.pod.cores, 0, 0)->ps[METRIC_HIGH_FLOPS], 300 * POD_US);
	assert_int_equal(step_core_at(&o.pod.cores, 3, 0)->total, 1000 * POD_US);
	close_pod(&o);
}

static void waiting_is_what_others_took_longer(void **state)
{
	const struct pod_collective *c = NULL;
	struct opened o;

	(void)state;
	open_pod(&o, 2, NULL);
	for (size_t i = 0; i < o.pod.ncollectives && !c; i++)
		if (o.pod.collective[i].step == 0 && !strcmp(o.pod.collective[i].name, "all-reduce.1"))
			c = &o.pod.collective[i];
	assert_non_null(c);
	assert_int_equal(c->occurrences, 4);
	assert_float_equal(c->duration_us, (3 * 300 + 180) / 4.0, 1e-9);
	assert_float_equal(c->sync_us, 3 * 120 / 4.0, 1e-9);
	assert_int_equal(c->bytes, 4096);
	assert_string_equal(c->replica_groups, "{0,1}");
	close_pod(&o);
}

static void groups_are_written_out(void **state)
{
	const char *const before = pod_groups;
	static const char *const v[][2] = {
		{ "{{0,2},{1,3}}", "{0,2},{1,3}" },
		{ "[2,2]<=[2,2]T(1,0)", "{0,2},{1,3}" },
		{ "mesh['a'=2,'b'=2] {'b'}", "{0,1},{2,3}" },
		{ "mesh['a'=2,'b'=2] {'a'}", "{0,2},{1,3}" },
		{ "mesh['a'=2,'b'=2]{'a'}", "{0,2},{1,3}" },
		{ "mesh['a'=2,'b'=2] {'b','a'}", "{0,2,1,3}" },
		{ "mesh['a'=2,'b'=1,'c'=3] {'a','c'}", "{0,1,2,3,4,5}" },
		{ "mesh['a'=1,'b'=2,'c'=3] {'c'}", "{0,1,2},{3,4,5}" },
		/* what is not read stays as it is */
		{ "mesh['a'=4] {'a':(1)2}", "mesh['a'=4] {'a':(1)2}" },
		{ "mesh['a'=2,'b'=2], device_ids=(3,2,1,0) {'a'}", "mesh['a'=2,'b'=2]" },
		{ "mesh['a'=2] {'x'}", "mesh['a'=2] {'x'}" },
		{ "mesh['a'=2] {'a','a'}", "mesh['a'=2] {'a','a'}" },
		{ "mesh['a'=0] {'a'}", "mesh['a'=0] {'a'}" },
		{ "mesh['a'=70000] {'a'}", "mesh['a'=70000] {'a'}" },
		{ "mesh['a'=300,'b'=300] {'a'}", "mesh['a'=300,'b'=300] {'a'}" },
		{ "mesh['a'=99999999999999999999] {'a'}", "mesh['a'=99999999999999999999] {'a'}" },
		{ "mesh['a'=2] {}", "mesh['a'=2] {}" },
		{ "mesh['a", "mesh['a" },
		{ "mesh['a'=2,", "mesh['a'=2," },
	};

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		const struct pod_collective *c = NULL;
		struct opened o;

		pod_groups = v[i][0];
		open_pod(&o, 2, NULL);
		for (size_t k = 0; k < o.pod.ncollectives && !c; k++)
			if (!strcmp(o.pod.collective[k].name, "all-reduce.1"))
				c = &o.pod.collective[k];
		assert_non_null(c);
		assert_string_equal(c->replica_groups, v[i][1]);
		close_pod(&o);
	}
	pod_groups = before;
}

/* All cores of host 1 work 30 of 100, those of host 0 work 10: its cost is that of the finding. */
static void a_host_that_is_slower(void **state)
{
	struct step_core_info core[] = { { .host = 0 }, { .host = 0, .core = 1 }, { .host = 1 },
		{ .host = 1, .core = 1 } };
	struct step_core v[4];
	struct step_cores c = { .core = core, .ncores = 4, .nsteps = 1, .v = v };
	double own, other;

	(void)state;
	for (int i = 0; i < 4; i++)
		v[i] = (struct step_core){ .total = 100,
			.ps = { [METRIC_HIGH_FLOPS] = i < 2 ? 10 : 30,
			    [METRIC_COLLECTIVES] = i < 2 ? 90 : 70 },
			.sync = 0 };
	assert_float_equal(pod_own_host(&c, 1, &own, &other), 100, 0);
	assert_float_equal(own, 30, 0);
	assert_float_equal(other, 10, 0);
	assert_true(isnan(pod_own_host(&c, 0, &own, &other)));
	v[1].ps[METRIC_HIGH_FLOPS] = 40; /* one of its cores is not slower than all others */
	v[1].ps[METRIC_COLLECTIVES] = 60;
	assert_true(isnan(pod_own_host(&c, 1, &own, &other)));
	core[2].host = core[3].host = 0;
	assert_true(isnan(pod_own_host(&c, 0, &own, &other)));
}

/* One core of several: whether it waited for the others is not known. */
static void a_core_alone_met_nobody(void **state)
{
	struct pod_options options = { .threads = 1 };
	struct mkspace s = { 0 };
	struct err e = { 0 };
	struct opened o;
	int64_t chips;

	(void)state;
	pod_core(&s, 0, 0, 4);
	o.d = space_load(&s, 1);
	steps_find(o.d, &o.steps);
	assert_int_equal(pod_build(o.d, &o.steps, &options, &o.pod, &e), 0);
	assert_true(o.pod.ncollectives > 0);
	/* its permute goes around a ring of four */
	assert_int_equal(pod_missing_chips(&o.pod, &chips), 3);
	assert_int_equal(chips, 4);
	for (size_t i = 0; i < o.pod.ncollectives; i++)
		assert_true(isnan(o.pod.collective[i].sync_us));
	close_pod(&o);
}

static void channels_go_from_begin_to_arrival(void **state)
{
	const struct pod_channel *c;
	struct opened o;

	(void)state;
	open_pod(&o, 2, NULL);
	assert_int_equal(o.pod.nchannels, 2);
	c = &o.pod.channel[0];
	assert_int_equal(c->id, 7);
	assert_int_equal(c->nsrc, 4);
	for (uint32_t i = 0; i < 4; i++) {
		assert_int_equal(c->src[i], i);
		assert_int_equal(c->dst[i], (i + 1) % 4);
	}
	assert_int_equal(c->occurrences, 4);
	assert_int_equal(c->bytes, 1024);
	/* 610 … 650 us; the clock of the second host is 1 ns late in both directions */
	assert_float_equal(c->duration_us, 40, 1e-9);
	assert_float_equal(c->send_delay_us, 0, 1e-9);
	assert_string_equal(c->hlo_names, "permute-start,permute-done");
	close_pod(&o);
}

static void a_mesh_can_be_asked_for(void **state)
{
	struct pod_options options = { .topology = "4xq" };
	struct opened o;
	struct pod wrong;
	struct err e = { 0 };

	(void)state;
	open_pod(&o, 2, "4x1");
	assert_int_equal(o.pod.topology.source, TOPOLOGY_USER);
	assert_int_equal(o.pod.topology.core[3].x, 3);
	assert_int_equal(o.pod.warnings.nrows, 0);
	assert_int_equal(pod_build(o.d, &o.steps, &options, &wrong, &e), -1);
	assert_int_equal(e.status, EXIT_USAGE);
	pod_free(&wrong);
	close_pod(&o);
	open_pod(&o, 2, "1x2");
	assert_int_equal(o.pod.topology.source, TOPOLOGY_ASSUMED);
	assert_int_equal(o.pod.warnings.nrows, 2);
	close_pod(&o);
}

static size_t warnings_with(const struct pod *p, const char *text)
{
	size_t n = 0;

	for (size_t i = 0; i < p->warnings.nrows; i++)
		n += memmem(p->warnings.cells[i].s, p->warnings.cells[i].n, text, strlen(text)) != NULL;
	return n;
}

/* A host given twice, one that was traced later, one without its first core: a warning for each. */
static void files_that_do_not_belong_together_are_told(void **state)
{
	struct pod_options options = { .threads = 1 };
	struct mkspace *s = calloc(8, sizeof *s);
	struct err e = { 0 };
	struct steps steps;
	struct dump *d;
	struct pod p;

	(void)state;
	for (int h = 0; h < 4; h++) {
		char name[16];

		pod_core(&s[h], h == 2 ? 9000000 : 0, h == 3 ? 1 : 0, 4);
		if (h == 3)
			pod_core(&s[h], 0, 3, 4);
		space_end(&s[h], 0);
		snprintf(name, sizeof name, "w-%d", h == 1 ? 0 : h);
		pb_s(&s[h].space, 4, name);
	}
	d = space_load(s, 4);
	free(s);
	for (uint32_t i = 0; i < d->trace.nplanes; i++) /* as of traces in JSON, which are no processes */
		if (d->trace.planes[i].file == 1)
			d->trace.planes[i].host = d->files[0].host;
	d->hosts[d->files[0].host].name = d->hosts[d->files[0].host].machine;
	steps_find(d, &steps);
	assert_int_equal(pod_build(d, &steps, &options, &p, &e), 0);
	assert_int_equal(warnings_with(&p, "1 host (w-0) came in several files"), 1);
	assert_int_equal(warnings_with(&p, "1 host (w-2) traced at another time"), 1);
	assert_int_equal(warnings_with(&p, "1 host (w-3) with gaps"), 1);
	assert_int_equal(warnings_with(&p, "other chips"), 0);
	assert_int_equal(p.naparts, 2); /* gaps are no files of another run */
	assert_int_equal(strncmp(p.apart, "1 host (w-0) came in several files", 34), 0);
	pod_free(&p);
	steps_free(&steps);
	space_close(d);
}

/* Hosts of which the first does not say what chips it has: it is not of another run; who says another kind than those
 * that do is. */
static void chips_that_are_not_stated(void **state)
{
	static const char *const chips[] = { NULL, "TPU v4", "TPU v4", "TPU v6e" };
	struct pod_options options = { .threads = 1 };

	(void)state;
	for (int hosts = 3; hosts <= 4; hosts++) {
		struct mkspace *s = calloc(8, sizeof *s);
		struct err e = { 0 };
		struct steps steps;
		struct dump *d;
		struct pod p;

		for (int h = 0; h < hosts; h++) {
			char name[16];

			pod_chips = chips[h];
			pod_core(&s[h], 0, 0, hosts);
			space_end(&s[h], 0);
			snprintf(name, sizeof name, "w-%d", h);
			pb_s(&s[h].space, 4, name);
		}
		pod_chips = "TPU v5e";
		d = space_load(s, hosts);
		free(s);
		steps_find(d, &steps);
		assert_int_equal(pod_build(d, &steps, &options, &p, &e), 0);
		assert_int_equal(warnings_with(&p, "with other chips than the first"), hosts - 3);
		assert_int_equal(warnings_with(&p, "1 host (w-3) with other chips"), hosts - 3);
		pod_free(&p);
		steps_free(&steps);
		space_close(d);
	}
}

/* The file of an old tool: two chips of two cores, keys with gaps. */
static const char old[] =
    "{\"hloInfoMap\":{},\"podStatsSequence\":{\"podStatsMap\":[{\"stepNum\":9,\"podStatsPerCore\":{"
    "\"1\":{\"chipId\":0,\"nodeId\":0,\"hostName\":\"a\",\"totalDurationUs\":100,\"highFlopsComputeUs\":60,"
    "\"crsDurationUs\":30},"
    "\"103\":{\"chipId\":1,\"nodeId\":1,\"hostName\":\"a\",\"totalDurationUs\":100,\"highFlopsComputeUs\":80,"
    "\"crsDurationUs\":10}},"
    "\"channelDb\":[{\"channelId\":\"5\",\"srcCoreId\":0,\"dstCoreId\":3,\"dataSize\":\"2048\","
    "\"durationUs\":2.5,"
    "\"occurrences\":1,\"hloNames\":[\"send.1\",\"recv-done.2\"]}],\"allReduceOpDb\":[{\"name\":\"all-reduce."
    "4\","
    "\"durationUs\":1.5,\"occurrences\":2,\"dataSize\":\"64\",\"replicaGroups\":[{\"replicaIds\":[\"0\","
    "\"3\"]}]}]}]},"
    "\"runEnvironment\":{\"tpuType\":\"TPU "
    "v3\",\"topology\":{\"xDimension\":\"2\",\"yDimension\":\"1\",\"zDimension\":\"0\"}}}";

static void old_files_give_the_same_pod(void **state)
{
	struct pod_options options = { .threads = 1 };
	struct err e = { 0 };
	struct dump *d = load_memory(old, sizeof old - 1, "a.pod_viewer.json", NULL, &e);
	struct pod p;

	(void)state;
	assert_non_null(d);
	assert_int_equal(pod_from_toolfile(toolfile_find(d, FILE_POD_VIEWER, NULL, NULL), &options, &p, &e),
	    0);
	assert_int_equal(p.cores.ncores, 2);
	assert_int_equal(p.cores.core[1].core, 103);
	assert_string_equal(p.cores.step[0].number, "9");
	assert_int_equal(step_core_at(&p.cores, 0, 0)->ps[METRIC_LOW_FLOPS], 10 * POD_US);
	assert_int_equal(p.topology.source, TOPOLOGY_FILE);
	assert_true(p.topology.x == 2 && p.topology.y == 1 && p.topology.z == 1);
	assert_int_equal(p.topology.core[1].x, 1);
	/* devices are counted two to a chip: 3 is the second core of chip 1 */
	assert_true(p.channel[0].nsrc == 1 && p.channel[0].src[0] == 0 && p.channel[0].dst[0] == 1);
	assert_string_equal(p.channel[0].hlo_names, "send.1,recv-done.2");
	assert_string_equal(p.collective[0].replica_groups, "{0,3}");
	assert_string_equal(p.collective[0].category, "all-reduce");
	assert_true(isnan(p.collective[0].sync_us));
	assert_int_equal(p.step[0].straggler, 1);
	assert_null(pod_bottleneck(&p, 0, 0));
	assert_int_equal(p.batch, -1);
	pod_free(&p);
	dump_close(d);
}

static void pod_of_text(const char *text, size_t n, struct dump **d, struct pod *p)
{
	struct pod_options options = { .threads = 1 };
	struct err e = { 0 };

	*d = load_memory(text, n, "a.pod_viewer.json", NULL, &e);
	assert_non_null(*d);
	assert_int_equal(pod_from_toolfile(toolfile_find(*d, FILE_POD_VIEWER, NULL, NULL), &options, p, &e),
	    0);
}

/* Impossible sizes are unknown, whatever the number. */
static void numbers_out_of_range(void **state)
{
	static const char *const wild[] = { "\"NaN\"", "1e300", "-1e300", "\"Infinity\"", "-1", "1e19",
		"1e12", "4294967295" };
	char text[2000];

	(void)state;
	for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
		const char *v = wild[i];
		struct dump *d;
		struct pod p;
		int n = snprintf(text, sizeof text,
		    "{\"podStatsSequence\":{\"podStatsMap\":[{\"stepNum\":%s,\"podStatsPerCore\":{\"0\":{"
		    "\"hostName\":\"h\",\"chipId\":%s,\"nodeId\":%s,\"totalDurationUs\":%s,"
		    "\"highFlopsComputeUs\":%s,\"allReduceSyncDurationUs\":%s,"
		    "\"allReduceComputeDurationUs\":%s,\"sendDurationUs\":%s}},"
		    "\"channelDb\":[{\"channelId\":%s,\"srcCoreId\":%s,\"dstCoreId\":%s,\"dataSize\":%s,"
		    "\"durationUs\":%s,\"occurrences\":%s}],\"allReduceOpDb\":[{\"name\":\"all-reduce.1\","
		    "\"dataSize\":%s,\"occurrences\":%s}]}]},\"runEnvironment\":{\"topology\":{"
		    "\"xDimension\":%s,\"yDimension\":%s,\"zDimension\":%s}}}",
		    v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v);

		assert_true(n > 0 && (size_t)n < sizeof text);
		pod_of_text(text, (size_t)n, &d, &p);
		assert_int_equal(p.cores.ncores, 1);
		assert_int_equal(p.cores.core[0].chip, -1);
		assert_int_equal(p.cores.core[0].core_on_chip, -1);
		assert_int_equal(p.channel[0].nsrc, 0);
		assert_int_equal(p.topology.source, TOPOLOGY_NONE);
		assert_true(step_core_at(&p.cores, 0, 0)->total >= 0);
		if (*v != '1' && *v != '4') {
			assert_string_equal(p.cores.step[0].number, "0");
			assert_true(p.channel[0].id == -1 && !p.channel[0].bytes);
			assert_true(!p.collective[0].bytes && !p.collective[0].occurrences);
		}
		pod_free(&p);
		dump_close(d);
	}
}

#define MANY 200000

/* The text of a pod with one record, and one more for each i of MANY on request. */
static char *many(const char *head, const char *item, const char *tail, size_t *n)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, n);

	assert_non_null(f);
	fputs(head, f);
	for (int i = 0; i < MANY; i++) {
		fputs(i ? "," : "", f);
		for (const char *s = item; *s; s++)
			*s == '@' ? fprintf(f, "%d", (int)(i * 7919LL % MANY)) : putc(*s, f);
	}
	fputs(tail, f);
	fclose(f);
	return text;
}

/* With hundreds of thousands of replicas, cores, hosts or steps, the time grows in proportion. */
static void large_files_take_no_time(void **state)
{
	static const char *const part[][3] = {
		{ "{\"podStatsSequence\":{\"podStatsMap\":[{\"allReduceOpDb\":[{\"name\":\"all-reduce.4\","
		  "\"replicaGroups\":[{\"replicaIds\":[",
		    "\"@\"", "]}]}]}]}}" },
		{ "{\"podStatsSequence\":{\"podStatsMap\":[{\"allReduceOpDb\":[{\"name\":\"all-reduce.4\","
		  "\"replicaGroups\":[",
		    "{\"replicaIds\":[@]}", "]}]}]}}" },
		{ "{\"podStatsSequence\":{\"podStatsMap\":[{\"podStatsPerCore\":{",
		    "\"@\":{\"hostName\":\"h@\",\"chipId\":@,\"nodeId\":0}", "}}]},\"runEnvironment\":{}}" },
		{ "{\"podStatsSequence\":{\"podStatsMap\":[{\"podStatsPerCore\":{",
		    "\"@\":{\"hostName\":\"h\",\"chipId\":@,\"nodeId\":0}", "}}]},\"runEnvironment\":{}}" },
		{ "{\"podStatsSequence\":{\"podStatsMap\":[",
		    "{\"stepNum\":@,\"podStatsPerCore\":{\"0\":{\"hostName\":\"h\"}}}",
		    "]},\"runEnvironment\":{}}" },
		{ "{\"podStatsSequence\":{\"podStatsMap\":[",
		    "{\"stepNum\":@,\"podStatsPerCore\":{\"@\":{\"hostName\":\"h\"}}}",
		    "]},\"runEnvironment\":{}}" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
		clock_t from = clock();
		struct dump *d;
		struct pod p;
		size_t n;
		char *text = many(part[i][0], part[i][1], part[i][2], &n);
		int64_t all;

		pod_of_text(text, n, &d, &p);
		pod_missing_chips(&p, &all);
		if ((clock() - from) / CLOCKS_PER_SEC > 5)
			fail_msg("%d of %s take %ld s", MANY, part[i][1], (clock() - from) / CLOCKS_PER_SEC);
		assert_int_equal(p.ncollectives, i < 2);
		assert_int_equal(p.cores.ncores, i == 2 || i == 3 ? MANY : i == 4);
		assert_int_equal(p.cores.nsteps, i < 2 || i == 2 || i == 3 ? 1 : i == 4 ? MANY : 0);
		/* cells for all cores in all steps would not fit in memory */
		if (i == 5)
			assert_non_null(strstr(p.warnings.cells[0].s, "file is damaged"));
		pod_free(&p);
		dump_close(d);
		free(text);
	}
}

/* PodStatsDatabase: a record, and a name of the breakdown. */
static void stats_record(struct pb *file, int chip, int node, int step, double compute, double crs)
{
	struct pb record = { 0 };

	pb_s(&record, 1, "a");
	pb_u(&record, 2, (uint64_t)chip);
	pb_u(&record, 3, (uint64_t)node);
	pb_u(&record, 4, (uint64_t)step);
	pb_double(&record, 5, 100);
	pb_s(&record, 14, "High flops compute");
	for (int i = 0; i < 2; i++) {
		struct pb entry = { 0 };

		pb_u(&entry, 1, (uint64_t)i + 1);
		pb_double(&entry, 2, i ? crs : compute);
		pb_sub(&record, 19, &entry);
	}
	pb_sub(file, 1, &record);
}

/* What an old file says itself is kept; who waits in sends and receives is no straggler. */
static void old_files_keep_what_they_say(void **state)
{
	static const char text[] =
	    "{\"podStatsSequence\":{\"podStatsMap\":[{\"stepNum\":9,\"podStatsPerCore\":{"
	    "\"1\":{\"chipId\":0,\"nodeId\":0,\"hostName\":\"a\",\"totalDurationUs\":100,"
	    "\"highFlopsComputeUs\":50,"
	    "\"sendDurationUs\":10,\"recvDurationUs\":30,\"bottleneck\":\"Send and Recv\"},"
	    "\"3\":{\"chipId\":0,\"nodeId\":1,\"hostName\":\"a\",\"totalDurationUs\":100,"
	    "\"highFlopsComputeUs\":70,"
	    "\"crsDurationUs\":30}}}]},"
	    "\"runEnvironment\":{\"tpuType\":\"TPU v3\",\"perCoreBatchSize\":8}}";
	struct pod_options options = { .threads = 1 };
	struct err e = { 0 };
	struct dump *d = load_memory(text, sizeof text - 1, "a.pod_viewer.json", NULL, &e);
	struct pod p;

	(void)state;
	assert_non_null(d);
	assert_int_equal(pod_from_toolfile(toolfile_find(d, FILE_POD_VIEWER, NULL, NULL), &options, &p, &e),
	    0);
	assert_string_equal(pod_bottleneck(&p, 0, 0), "Send and Recv");
	assert_null(pod_bottleneck(&p, 1, 0));
	assert_int_equal(p.batch, 8);
	assert_int_equal(p.step[0].straggler, 1);
	pod_free(&p);
	dump_close(d);
}

static void stats_of_an_old_tool(void **state)
{
	static const char *const names[] = { "High flops compute", "All reduce" };
	struct pod_options options = { .threads = 1 };
	struct err e = { 0 };
	struct pb file = { 0 };
	struct dump *d;
	struct pod p;

	(void)state;
	for (int step = 3; step < 5; step++)
		for (int core = 0; core < 4; core++)
			stats_record(&file, core / 2, core % 2, step, core == 2 ? 90 : 60,
			    core == 2 ? 5 : 35);
	for (int i = 0; i < 2; i++) {
		struct pb name = { 0 };

		pb_u(&name, 1, (uint64_t)i + 1);
		pb_s(&name, 2, names[i]);
		pb_sub(&file, 4, &name);
	}
	d = load_memory(file.b, file.n, "a.pod_stats.pb", NULL, &e);
	assert_non_null(d);
	assert_int_equal(d->files[0].kind, FILE_POD_VIEWER);
	assert_int_equal(pod_from_toolfile(toolfile_find(d, FILE_POD_VIEWER, NULL, NULL), &options, &p, &e),
	    0);
	assert_int_equal(p.cores.ncores, 4);
	assert_int_equal(p.cores.nsteps, 2);
	assert_string_equal(p.cores.step[1].number, "4");
	assert_int_equal(p.cores.core[3].chip, 1);
	assert_int_equal(p.cores.core[3].core_on_chip, 1);
	assert_int_equal(step_core_at(&p.cores, 2, 1)->total, 100 * POD_US);
	assert_int_equal(step_core_at(&p.cores, 2, 1)->ps[METRIC_HIGH_FLOPS], 90 * POD_US);
	assert_int_equal(step_core_at(&p.cores, 0, 0)->ps[METRIC_COLLECTIVES], 35 * POD_US);
	assert_int_equal(p.step[0].straggler, 2);
	pod_free(&p);
	dump_close(d);
	pb_free(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_are_sums_of_the_ops),
		cmocka_unit_test(a_straggler_is_who_works_longest),
		cmocka_unit_test(a_host_that_is_slower),
		cmocka_unit_test(waiting_is_what_others_took_longer),
		cmocka_unit_test(groups_are_written_out),
		cmocka_unit_test(a_core_alone_met_nobody),
		cmocka_unit_test(channels_go_from_begin_to_arrival),
		cmocka_unit_test(a_mesh_can_be_asked_for),
		cmocka_unit_test(files_that_do_not_belong_together_are_told),
		cmocka_unit_test(chips_that_are_not_stated),
		cmocka_unit_test(old_files_give_the_same_pod),
		cmocka_unit_test(numbers_out_of_range),
		cmocka_unit_test(large_files_take_no_time),
		cmocka_unit_test(old_files_keep_what_they_say),
		cmocka_unit_test(stats_of_an_old_tool),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
