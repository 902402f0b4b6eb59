#include "config.h"
#include "load/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "../lib/dumpcheck.h"
#include "../lib/sametrack.h"
#include "base/mem.h"

#define EVENTS(text) "{\"traceEvents\":[" text "]}"
#define X(ts, dur, name) \
	"{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":" ts ",\"dur\":" dur ",\"name\":\"" name "\"}"

static struct dump *try_bytes(const void *bytes, size_t n, struct err *err)
{
	struct load_options options = { .threads = 1 };

	return dump_checked(load_memory(bytes, n, "host-7.trace.json", &options, err), NULL);
}

static struct dump *load(const char *text)
{
	struct err err = { 0 };
	struct dump *d = try_bytes(text, strlen(text), &err);

	if (!d)
		fail_msg("%s", err.msg);
	return d;
}

static uint64_t problems(const struct dump *d, enum problem_level level, const char *part)
{
	uint64_t n = 0;

	for (size_t i = 0; i < d->problems->n; i++)
		if (d->problems->v[i].level == level && strstr(d->problems->v[i].text, part))
			n += d->problems->v[i].count;
	return n;
}

static const struct track *track(const struct dump *d, const char *name)
{
	for (size_t i = 0; i < d->trace.ntracks; i++)
		if (!strcmp(strtab_str(&d->str, d->trace.tracks[i].name), name))
			return &d->trace.tracks[i];
	fail_msg("no track %s", name);
	return NULL;
}

static const char *event_name(const struct dump *d, const struct track *t, size_t i)
{
	return strtab_str(&d->str, d->trace.metas[track_meta(t, i)].name);
}

static void expect(const struct dump *d, const struct track *t, size_t i, const char *name, int64_t start,
    int64_t dur)
{
	assert_true(i < t->n);
	assert_string_equal(event_name(d, t, i), name);
	assert_int_equal(track_start(t, i), start);
	assert_int_equal(track_dur(t, i), dur);
}

static void complete_events(void **state)
{
	struct dump *d =
	    load("\xef\xbb\xbf {\"displayTimeUnit\":\"ns\",\"junk\":[{\"traceEvents\":\"]}\"}],"
		 "\"traceEvents\" : [\n"
		 "{\"args\":{\"x\":{\"ts\":99}},\"name\":\"b\\u0041\",\"dur\":\"2.5\",\"tid\":\"2\","
		 "\"pid\":1,\"ts\":10.25,\"ph\":\"X\"}," X("9", "5", "outer") ", " X("3", "NaN",
		     "instant") ",{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":1,\"ts\":2,\"name\":\"last "
				"wins\"},{},\n,{ } , ],"
				" \"more\":1}");
	const struct track *t = track(d, "tid 2");

	(void)state;
	assert_int_equal(d->trace.events, 4);
	expect(d, t, 0, "last wins", 2000000, 0);
	expect(d, t, 1, "instant", 3000000, 0);
	expect(d, t, 2, "outer", 9000000, 5000000);
	expect(d, t, 3, "bA", 10250000, 2500000);
	assert_int_equal(t->depth[3], 1);
	assert_int_equal(problems(d, PROBLEM_NOTE, "empty records"), 2);
	assert_int_equal(dump_status(d), EXIT_OK);
	assert_string_equal(strtab_str(&d->str, d->hosts[0].name), "host-7");
	dump_close(d);
}

static void one_name_however_it_is_escaped(void **state)
{
	struct dump *d = load(EVENTS(X("1", "1", "a/b") "," X("2", "1", "a\\/b") "," X("3", "1",
	    "\\u0061/b") "," X("4", "1", "a\\\\/b")));
	const struct track *t = track(d, "tid 2");

	(void)state;
	assert_int_equal(track_meta(t, 0), track_meta(t, 1));
	assert_int_equal(track_meta(t, 0), track_meta(t, 2));
	assert_int_not_equal(track_meta(t, 0), track_meta(t, 3));
	assert_string_equal(event_name(d, t, 3), "a\\/b");
	assert_int_equal(d->trace.nmetas, 2);
	dump_close(d);
}

static void arrays_alone(void **state)
{
	struct dump *d = load("[" X("1", "2", "a") ",\n" X("2", "1", "b") "\n");

	(void)state;
	assert_int_equal(d->trace.events, 2);
	assert_int_equal(problems(d, PROBLEM_NOTE, "not closed"), 1);
	assert_int_equal(dump_status(d), EXIT_OK);
	dump_close(d);
	d = load("[" X("1", "2", "a") "]");
	assert_int_equal(d->problems->n, 0);
	dump_close(d);
}

static void begin_and_end(void **state)
{
#define P(ph, ts, rest) "{\"ph\":\"" ph "\",\"pid\":1,\"tid\":2,\"ts\":" ts rest "}"
	/* out of order in the file; one end too many, one missing, one with another name */
	struct dump *d = load(EVENTS(P("B", "20", ",\"name\":\"second\"") "," P("B", "1",
	    ",\"name\":\"outer\"") "," P("B", "2", ",\"name\":\"inner\"") "," P("E", "5", "") "," P("E", "8",
	    ",\"name\":\"wrong\"") "," P("E", "9", "") "," P("i", "30", ",\"name\":\"last\",\"s\":\"t\"")));
	const struct track *t = track(d, "tid 2");

	(void)state;
	expect(d, t, 0, "outer", 1000000, 7000000);
	expect(d, t, 1, "inner", 2000000, 3000000);
	expect(d, t, 2, "second", 20000000, 10000000);
	expect(d, t, 3, "last", 30000000, 0);
	assert_int_equal(problems(d, PROBLEM_NOTE, "begins without an end"), 1);
	assert_int_equal(problems(d, PROBLEM_NOTE, "ends without a begin"), 1);
	assert_int_equal(problems(d, PROBLEM_NOTE, "name differs"), 1);
	dump_close(d);
}

static void asynchronous_events(void **state)
{
#define A(ph, id, name, ts) \
	"{\"ph\":\"" ph "\",\"cat\":\"c\",\"pid\":1,\"id" id ",\"name\":\"" name "\",\"ts\":" ts "}"
	struct dump *d = load(
	    EVENTS(A("b", "\":\"0x10\"", "req", "1") "," A("b", "\":16", "part", "2") "," A("n", "\":\"16\"",
		"tick", "3") "," A("e", "\":16", "part", "4") "," A("e", "\":16", "req", "9") "," A("b",
		"\":17", "req", "5") "," A("e", "\":17", "req", "12") "," A("b", "2\":{\"local\":\"0x1\"}",
		"loc", "1") ",{\"ph\":\"e\",\"cat\":\"c\",\"pid\":2,\"id2\":{\"local\":\"0x1\"},\"name\":"
			    "\"loc\",\"ts\":3}," A("e", "2\":{\"local\":1}", "loc", "7") "," A("S", "\":1",
				"old", "1") "," A("T", "\":1", "old", "2") "," A("F", "\":1", "old", "3")));
	const struct track *t = track(d, "req");

	(void)state;
	assert_int_equal(t->n, 4);
	expect(d, t, 0, "req", 1000000, 8000000);
	expect(d, t, 1, "part", 2000000, 2000000);
	expect(d, t, 2, "tick", 3000000, 0);
	expect(d, t, 3, "req", 5000000, 7000000);
	assert_int_equal(t->nlanes, 2);
	expect(d, track(d, "loc"), 0, "loc", 1000000, 6000000);
	expect(d, track(d, "old"), 0, "old", 1000000, 2000000);
	assert_int_equal(problems(d, PROBLEM_NOTE, "ends without a begin"), 1);
	assert_int_equal(problems(d, PROBLEM_NOTE, "begins without an end"), 0);
	assert_string_equal(strtab_str(&d->str, d->trace.metas[track_meta(t, 0)].category), "c");
	dump_close(d);
}

static void counters(void **state)
{
#define C(rest) "{\"ph\":\"C\",\"pid\":1,\"name\":\"mem\"," rest "}"
	struct dump *d = load(EVENTS(C("\"ts\":5,\"args\":{\"used\":3,\"free\":\"4.5\"}") "," C(
	    "\"ts\":2,\"args\":{"
	    "\"used\":1e1}") "," C("\"ts\":3,\"id\":\"7\",\"args\":{\"value\":-1}") "," C("\"ts\":4,\"args\":"
											  "{\"used\":"
											  "\"many\"}") ","
												       "{\"ph"
												       "\":"
												       "\"C\""
												       ",\"pi"
												       "d\":"
												       "1,"
												       "\"nam"
												       "e\":"
												       "\"HBM"
												       "\","
												       "\"eve"
												       "nt_"
												       "stats"
												       "\":"
												       "\"bw"
												       "\","
												       "\"ent"
												       "ries"
												       "\":[["
												       "1,2],"
												       "[3.5,"
												       "4]]"
												       "}"));
	const struct counter *c = d->trace.counters;

	(void)state;
	assert_int_equal(d->trace.ncounters, 4);
	assert_string_equal(strtab_str(&d->str, c[0].name), "mem");
	assert_string_equal(strtab_str(&d->str, c[0].unit), "used");
	assert_int_equal(c[0].n, 2);
	assert_int_equal(c[0].t[0], 2000000);
	assert_true(c[0].v[0] == 10 && c[0].v[1] == 3 && c[0].min == 3 && c[0].max == 10);
	assert_true(c[1].n == 1 && c[1].v[0] == 4.5);
	assert_string_equal(strtab_str(&d->str, c[2].name), "mem[7]");
	assert_int_equal(c[3].n, 2);
	assert_int_equal(c[3].t[1], 3500000);
	assert_ptr_equal(&d->trace.tracks[c[0].track], track(d, "mem"));
	assert_int_equal(track(d, "mem")->role, TRACK_COUNTERS);
	assert_int_equal(track(d, "mem")->n, 3);
	assert_int_equal(track(d, "HBM")->n, 2);
	assert_int_equal(d->trace.events, 6);
	assert_int_equal(problems(d, PROBLEM_WARN, "not numbers"), 1);
	dump_close(d);
}

static uint32_t index_of(const struct dump *d, const char *name, uint32_t *event)
{
	for (uint32_t i = 0; i < d->trace.ntracks; i++)
		for (*event = 0; *event < d->trace.tracks[i].n; ++*event)
			if (!strcmp(event_name(d, &d->trace.tracks[i], *event), name))
				return i;
	fail_msg("no event %s", name);
	return 0;
}

static bool has_edge(const struct dump *d, const char *from, const char *to, int category)
{
	struct edge e = { 0 };

	e.src_track = index_of(d, from, &e.src);
	e.dst_track = index_of(d, to, &e.dst);
	for (size_t i = 0; i < d->trace.nedges; i++) {
		const struct edge *x = &d->trace.edges[i];

		if (x->src_track == e.src_track && x->src == e.src && x->dst_track == e.dst_track &&
		    x->dst == e.dst)
			return x->category == category;
	}
	return false;
}

static void flows(void **state)
{
#define T(tid, ts, dur, name, rest) \
	"{\"ph\":\"X\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur ",\"name\":\"" name "\"" rest "}"
#define F(ph, tid, ts, rest) \
	"{\"ph\":\"" ph "\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"pid\":1,\"id\":5,\"tid\":" tid \
	",\"ts\":" ts rest "}"
	struct dump *d = load(EVENTS(F("s", "1", "12", "") "," F("f", "2", "31", "") "," F("f", "2", "25",
	    ",\"bp\":\"e\"") "," F("t", "3", "15", "") "," T("1", "1", "100", "whole", "") "," T("1", "10",
	    "10", "launch", "") "," T("2", "20", "10", "kernel", "") "," T("2", "40", "5", "next",
	    "") "," T("3", "10", "10", "step",
	    "") ",{\"ph\":\"f\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"pid\":1,\"id\":6,\"tid\":1,\"ts\":12}"
		"," T("1", "50", "1", "out",
		    ",\"bind_id\":\"0x99\",\"flow_out\":true,\"cat\":\"tpu_launch\"") "," T("2", "60", "1",
		    "through", ",\"bind_id\":153,\"flow_out\":true,\"flow_in\":true") "," T("2", "60", "1",
		    "twin", "") "," T("3", "70", "1", "in", ",\"bind_id\":153,\"flow_in\":true")));

	(void)state;
	assert_int_equal(d->trace.nedges, 5);
	assert_true(has_edge(d, "launch", "step", 9));
	assert_true(has_edge(d, "step", "kernel", 9));
	assert_true(has_edge(d, "step", "next", 9));
	assert_true(has_edge(d, "out", "through", 12));
	assert_true(has_edge(d, "through", "in", 0));
	for (size_t i = 1; i < d->trace.nedges; i++) {
		const struct edge *a = &d->trace.edges[d->trace.edge_by_dst[i - 1]],
				  *b = &d->trace.edges[d->trace.edge_by_dst[i]];

		assert_true(
		    a->dst_track < b->dst_track || (a->dst_track == b->dst_track && a->dst <= b->dst));
	}
	assert_int_equal(problems(d, PROBLEM_NOTE, "flow records"), 5);
	assert_int_equal(problems(d, PROBLEM_NOTE, "flow ends without a start"), 1);
	dump_close(d);
}

/* PyTorch: processes have one name, GPUs and streams are numbers, launches are known by their correlation. */
static void torch(void **state)
{
#define G(cat, pid, tid, ts, dur, name, args) \
	"{\"ph\":\"X\",\"cat\":\"" cat "\",\"pid\":" pid ",\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur \
	",\"name\":\"" name "\",\"args\":{" args "}}"
#define N(pid, label) \
	"{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":" pid \
	",\"tid\":0,\"args\":{\"name\":\"python3\"}}," \
	"{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":" pid ",\"tid\":0,\"args\":{\"labels\":\"" label \
	"\"}}"
	struct dump *d = load("{\"schemaVersion\":1,\"traceEvents\":[" N("542", "CPU") "," N("2",
	    "GPU 2") "," N("3", "GPU 3") "," G("cpu_op", "542", "542", "3743411223546.000", "50", "aten::add",
	    "\"External id\":45") "," G("cuda_runtime", "542", "542", "3743411223550.001", "6.5",
	    "hipLaunchKernel",
	    "\"correlation\":7") "," G("kernel", "2", "0", "3743411223560.003", "4.002", "add",
	    "\"device\":2,\"stream\":0,"
	    "\"correlation\":7") "," G("kernel", "2", "0", "3743411223564.005", "1", "other",
	    "\"device\":2,\"correlation\":8") "," G("gpu_user_annotation", "2", "0", "3743411223560.000",
	    "10", "step", "\"External id\":1") ",{\"ph\":\"i\",\"name\":\"[memory]\",\"pid\":542,\"tid\":542,"
					       "\"ts\":3743411223561,\"args\":{\"Total "
					       "Allocated\":4096,\"Device Id\":2,\"Bytes\":64}},"
					       "{\"ph\":\"X\",\"cat\":\"Trace\",\"name\":\"\",\"pid\":\"\","
					       "\"tid\":\"\",\"ts\":3743411223546,\"dur\":1}]}");
	const struct track *t = track(d, "stream 0");
	const struct plane *p = &d->trace.planes[t->plane];

	(void)state;
	assert_string_equal(strtab_str(&d->str, p->name), "GPU 2");
	assert_int_equal(p->kind, PLANE_GPU);
	assert_int_equal(p->core, 2);
	assert_int_equal(d->trace.planes[track(d, "tid 542")->plane].kind, PLANE_HOST);
	assert_int_equal(t->n, 3);
	assert_int_equal(t->depth[0], 0); /* the annotation is around its kernels */
	assert_int_equal(t->depth[1], 1);
	assert_int_equal(track_start(t, 1) - track_start(t, 0), 3000);
	assert_int_equal(track_dur(t, 1), 4002000);
	assert_int_equal(t->depth[2], 1); /* 4.002 us after the first, to the picosecond */
	assert_int_equal(d->trace.nedges, 1);
	assert_true(has_edge(d, "hipLaunchKernel", "add", 9));
	assert_int_equal(problems(d, PROBLEM_NOTE, "flow ends"), 0);
	assert_int_equal(d->trace.ncounters, 1);
	assert_true(d->trace.counters[0].v[0] > 4095);
	assert_string_equal(strtab_str(&d->str, d->trace.counters[0].name), "allocated on GPU 2");
	for (size_t i = 0; i < d->trace.nplanes; i++)
		assert_null(strstr(strtab_str(&d->str, d->trace.planes[i].name), "-"));
	dump_close(d);
}

/* Without metadata, who launches kernels is the host. */
static void torch_without_names(void **state)
{
	struct dump *d = load("{\"schemaVersion\":1,\"traceEvents\":[" G("overhead", "-1", "0", "1", "2",
	    "Buffer", "\"a\":1") "," G("cuda_runtime", "6583", "6583", "3", "5", "cudaLaunchKernel",
	    "\"correlation\":7") "," G("kernel", "0", "7", "9", "4", "add",
	    "\"device\":0,\"stream\":7,\"correlation\":7") "]}");

	(void)state;
	assert_int_equal(d->trace.nplanes, 3);
	assert_int_equal(d->trace.planes[track(d, "tid 6583")->plane].kind, PLANE_HOST);
	assert_int_equal(d->trace.planes[track(d, "stream 7")->plane].kind, PLANE_GPU);
	assert_int_equal(d->trace.planes[track(d, "tid 0")->plane].kind, PLANE_OTHER);
	dump_close(d);
}

/* The category before the last one is not taken for the last one, which is too long to be kept. */
static void torch_after_a_long_category(void **state)
{
	struct dump *d =
	    load("{\"schemaVersion\":1,\"traceEvents\":[" G("cuda_runtime", "6583", "6583", "3", "5", "first",
		"\"correlation\":7") "," G("a category whose name is so long that it is kept nowhere for the "
					   "next event",
		"6583", "6583", "9", "5", "other", "\"a\":1") "," G("cuda_runtime", "6583", "6583", "15", "5",
		"second", "\"correlation\":8") "," G("kernel", "0", "7", "22", "4", "add",
		"\"device\":0,\"stream\":7,\"correlation\":8") "]}");

	(void)state;
	assert_int_equal(d->trace.nedges, 1);
	assert_true(has_edge(d, "second", "add", 9));
	dump_close(d);
}

static void metadata(void **state)
{
#define M(rest) "{\"ph\":\"M\"," rest "}"
	struct dump *d = load(EVENTS(
	    "{\"ph\":\"X\",\"pid\":3,\"tid\":9,\"ts\":1,\"name\":\"op\","
	    "\"args\":{\"hlo_category\":\"convolution\",\"long_name\":\"%op = f32\"}},"
	    "{\"ph\":\"X\",\"pid\":3,\"tid\":8,\"ts\":1,\"name\":\"op\"},{\"ph\":\"X\","
	    "\"pid\":\"main\","
	    "\"tid\":\"work \\\"er\\\"\",\"ts\":1,\"name\":\"py\",\"cat\":\"a,b\"}," M(
		"\""
		"pi"
		"d"
		"\""
		":3"
		","
		"\""
		"na"
		"me"
		"\""
		":"
		"\""
		"pr"
		"oc"
		"es"
		"s_"
		"na"
		"me"
		"\""
		","
		"\""
		"ar"
		"gs"
		"\""
		":{"
		"\""
		"na"
		"me"
		"\""
		":"
		"\""
		"w-"
		"1 "
		"/d"
		"ev"
		"ic"
		"e:"
		"TP"
		"U:"
		"4"
		"\""
		"}") "," M("\"pid\":3,\"tid\":9,\"name\":\"thread_name\",\"args\":{\"name\":\"XLA "
			   "Ops\"}") "," M("\"pid\":3,\"name\":\"process_sort_index\",\"args\":{"
					   "\"sort_index\":5}") "," M("\"pid\":\"main\",\"name\":"
								      "\"process_sort_index\","
								      "\"args\":{\"sort_index\":\"-"
								      "2\"}") "," M("\"pid\":3,"
										    "\"tid\":9,"
										    "\"name\":"
										    "\"thread_sort_"
										    "index\","
										    "\"args\":{"
										    "\"sort_index\":"
										    "2}") "," M("\"pi"
												"d\":"
												"3,"
												"\"ti"
												"d\":"
												"8,"
												"\"na"
												"me\""
												":\"t"
												"hrea"
												"d_"
												"sort"
												"_ind"
												"ex\""
												",\"a"
												"rgs"
												"\":{"
												"\"so"
												"rt_"
												"inde"
												"x\":"
												"1}") "," M("\"pid\":3,\"name\":\"process_labels\",\"args\":{\"labels\":\"l\"}") "," M("\"pid\":99,\"tid\":1,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":1}")));
	const struct plane *p = d->trace.planes;
	const struct evmeta *m = &d->trace.metas[track_meta(track(d, "XLA Ops"), 0)];
	char label[10];

	(void)state;
	assert_int_equal(d->trace.nplanes, 2);
	assert_string_equal(strtab_str(&d->str, p[0].name), "main");
	assert_string_equal(strtab_str(&d->str, p[1].name), "/device:TPU:4");
	assert_int_equal(p[1].kind, PLANE_TPU);
	assert_int_equal(p[1].core, 4);
	assert_int_equal(p[1].id, 3);
	assert_string_equal(strtab_str(&d->str, d->hosts[p[1].host].name), "w-1");
	assert_string_equal(strtab_str(&d->str, d->hosts[p[0].host].name), "host-7");
	assert_int_equal(d->trace.ntracks, 3);
	assert_string_equal(strtab_str(&d->str, d->trace.tracks[0].name), "work \"er\"");
	assert_string_equal(strtab_str(&d->str, d->trace.tracks[1].name), "tid 8");
	assert_int_equal(d->trace.tracks[2].role, TRACK_OPS);
	assert_int_equal(d->trace.tracks[2].id, 9);
	assert_string_equal(strtab_str(&d->str, m->category), "convolution");
	assert_int_equal(m->full_len, 9);
	assert_memory_equal(m->full, "%op = f32", 9);
	assert_string_equal(strtab_str(&d->str,
				d->trace.metas[track_meta(track(d, "work \"er\""), 0)].category),
	    "a,b");
	assert_true(stat_plane_str(d, 1, "process_labels", label, sizeof label));
	assert_string_equal(label, "l");
	dump_close(d);
}

static void what_is_not_drawn_is_counted(void **state)
{
	struct dump *d = load(EVENTS(X("1", "1",
	    "a") ",{\"ph\":\"P\",\"ts\":1},{\"ph\":\"P\",\"ts\":1},{\"ph\":\"(\",\"ts\":1},{\"ph\":\"long\","
		 "\"ts\":1},5,\"s\",[1],null,"
		 "{\"pid\":1,\"tid\":2,\"name\":\"no phase\",\"ts\":4,\"dur\":2},{\"ph\":\"X\","
		 "\"pid\":1,\"tid\":2,\"name\":\"no time\",\"dur\":2},{\"foo\":1}," X("-5", "-1",
		     "neg") "," X("9", "NaN", "b") "," X("9", "\"long\"", "c")));
	const struct track *t = track(d, "tid 2");

	(void)state;
	assert_int_equal(problems(d, PROBLEM_NOTE, "phase P (samples)"), 2);
	assert_int_equal(problems(d, PROBLEM_NOTE, "phase ("), 1);
	assert_int_equal(problems(d, PROBLEM_NOTE, "unknown"), 1);
	assert_int_equal(problems(d, PROBLEM_NOTE, "without a phase"), 1);
	assert_int_equal(problems(d, PROBLEM_WARN, "not events"), 5);
	assert_int_equal(problems(d, PROBLEM_WARN, "without a time"), 1);
	assert_int_equal(problems(d, PROBLEM_WARN, "durations that are not numbers"), 2);
	assert_int_equal(problems(d, PROBLEM_WARN, "clipped"), 1);
	assert_int_equal(t->untimed, 1);
	assert_int_equal(t->agg[0].dur, 2000000);
	expect(d, t, 0, "neg", -5000000, 0);
	expect(d, t, 2, "no phase", 4000000, 2000000);
	assert_int_equal(d->trace.events, 6);
	assert_int_equal(d->files[0].events, 6);
	dump_close(d);
}

static void epoch_times_are_relative(void **state)
{
	struct dump *d = load(EVENTS(X("1732100000000002.5", "1", "b") "," X("1732100000000000.1234", "9",
	    "a") "," X("0", "1",
	    "stray") ",{\"ph\":\"C\",\"pid\":1,\"name\":\"c\",\"ts\":1732100000000003,\"args\":{\"v\":1}}"));
	const struct track *t = track(d, "tid 2");

	(void)state;
	assert_int_equal(d->origin_ns, INT64_C(1732100000000000123));
	expect(d, t, 0, "a", 400, 9000000);
	assert_int_equal(d->trace.counters[0].t[0], 2877000);
	assert_int_equal(problems(d, PROBLEM_WARN, "too far"), 1);
	dump_close(d);
	/* the unusual order: it comes first */
	d = load(EVENTS(
	    X("5", "1", "stray") "," X("1732100000000002", "1", "b") "," X("1732100000000004", "1", "c")));
	t = track(d, "tid 2");
	assert_int_equal(d->origin_ns, INT64_C(1732100000000002000));
	expect(d, t, 2, "c", 2000000, 1000000);
	assert_int_equal(problems(d, PROBLEM_WARN, "too far"), 1);
	dump_close(d);
	/* counted from the start of the machine */
	d = load(EVENTS(X("900000000000", "1", "a")));
	assert_int_equal(d->origin_ns, 0);
	expect(d, track(d, "tid 2"), 0, "a", INT64_C(900000000000000000), 1000000);
	dump_close(d);
	/* from day 12 on times look like an epoch: the first one is zero then */
	d = load(EVENTS(X("1000000000000", "1", "a") "," X("1000000000001", "1", "b")));
	assert_int_equal(d->origin_ns, INT64_C(1000000000000000));
	expect(d, track(d, "tid 2"), 1, "b", 1000000, 1000000);
	dump_close(d);
}

static void absurd_numbers(void **state)
{
	struct dump *d = load(EVENTS(X("1e999", "1", "a") "," X("99999999999999999999999", "1",
	    "b") "," X("1", "1e300", "c") "," X("2", "99999999999999999", "d") "," X("9223372036854775807",
	    "1", "e") "," X("-9223372036854775807", "-9223372036854775807", "f")));
	char digits[3000];
	char *text;

	(void)state;
	assert_int_equal(d->trace.events, 6);
	dump_close(d);
	memset(digits, '7', sizeof digits - 1);
	digits[sizeof digits - 1] = '\0';
	text = xasprintf("[{\"ph\":\"X\",\"pid\":%s,\"tid\":%s,\"ts\":%s,\"dur\":0.%s,\"name\":\"x\","
			 "\"id\":%s}]",
	    digits, digits, digits, digits, digits);
	d = load(text);
	assert_int_equal(d->trace.events, 1);
	dump_close(d);
	free(text);
}

static void damage_leaves_the_rest(void **state)
{
	struct dump *d = load(EVENTS(
	    X("1", "1", "a") ",{\"ph\":\"X\",\"name\":\"quo\"te\",\"ts\":3,\"dur\":1}," X("5", "1", "b")));

	(void)state;
	assert_int_equal(d->trace.events, 2);
	assert_int_equal(problems(d, PROBLEM_DAMAGE, "not JSON"), 1);
	assert_int_equal(d->problems->v[0].at,
	    strlen("{\"traceEvents\":[" X("1", "1", "a") ",{\"ph\":\"X\",\"name\":\"quo\""));
	assert_true(d->files[0].partial);
	assert_int_equal(dump_status(d), EXIT_DAMAGED);
	dump_close(d);
	d = load("{\"traceEvents\":[" X("1", "1", "a") ",{\"ph\":\"X\",\"ts\":1");
	assert_int_equal(d->trace.events, 1);
	assert_int_equal(problems(d, PROBLEM_DAMAGE, "inside a record"), 1);
	assert_int_equal(d->problems->v[0].at, strlen("{\"traceEvents\":[" X("1", "1", "a") ","));
	dump_close(d);
	d = load("{\"traceEvents\":[" X("1", "1", "a"));
	assert_int_equal(problems(d, PROBLEM_DAMAGE, "before its JSON does"), 1);
	dump_close(d);
}

static void every_truncation_is_survived(void **state)
{
	static const char text[] = "{\"stackFrames\":{\"1\":{\"name\":\"f\"}},\"traceEvents\":[" X("1", "1",
	    "a") ",{\"ph\":\"C\",\"pid\":1,\"ts\":1.5,\"name\":\"c\","
		 "\"args\":{\"v\":\"\\u0031\"}}"
		 ",{\"ph\":\"b\",\"id\":\"0x1\",\"ts\":1,\"name\":\"\\\\\"}," X("2", "1e-3",
		     "b") "],\"x\":[1,{}]}";
	size_t opened = 0;

	(void)state;
	for (size_t n = 0; n < sizeof text; n++) {
		struct err err = { 0 };
		char *exact = malloc(n ? n : 1);
		struct dump *d;

		memcpy(exact, text, n);
		d = try_bytes(exact, n, &err);
		assert_true(d ? dump_status(d) == (n == sizeof text - 1 ? EXIT_OK : EXIT_DAMAGED)
			      : err.status == EXIT_NOTHING);
		opened += d != NULL;
		dump_close(d);
		free(exact);
	}
	assert_true(opened > 100);
}

static void not_a_trace(void **state)
{
	static const char *const texts[] = { "{\"a\":{\"traceEvents\":[]}}", "{\"traceEvents\":5}", "[]",
		"[{\"cols\":[],\"rows\":[]}]", "[1,2]", "{}" };

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct err err = { 0 };
		struct dump *d = try_bytes(texts[i], strlen(texts[i]), &err);

		if (d)
			fail_msg("%s was taken", texts[i]);
		assert_int_equal(err.status, EXIT_NOTHING);
		if (!strstr(err.msg, "JSON, but n") && !strstr(err.msg, "capture; ") &&
		    !strstr(err.msg, "named like"))
			fail_msg("%s: %s", texts[i], err.msg);
	}
}

static void hostile_shapes(void **state)
{
	enum { DEPTH = 300000, TIDS = 150000 };
	size_t cap = TIDS * 64 + DEPTH * 2 + 1000, n;
	char *text = malloc(cap);
	struct dump *d;

	(void)state;
	n = (size_t)sprintf(text,
	    "{\"traceEvents\":[{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":1,\"name\":\"deep\",\"args\":");
	memset(text + n, '[', DEPTH);
	memset(text + n + DEPTH, ']', DEPTH);
	n += DEPTH * 2;
	n += (size_t)sprintf(text + n, "}");
	for (int i = 0; i < TIDS; i++)
		n += (size_t)sprintf(text + n,
		    ",{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"name\":\"t\"}", i + 10, i);
	strcpy(text + n, "]}");
	assert_true(n < cap);
	d = load(text);
	assert_int_equal(d->trace.events, TIDS + 1);
	assert_true(d->trace.ntracks < TIDS);
	assert_int_equal(problems(d, PROBLEM_WARN, "share one track"), TIDS + 2 - (int)d->trace.ntracks);
	dump_close(d);
	free(text);
}

static bool append_stat(void *ctx, const struct stat_value *v)
{
	char *out = ctx, *end = out + strlen(out);

	end += sprintf(end, "%.*s=", (int)v->name_len, v->name);
	if (v->type == STAT_DOUBLE)
		sprintf(end, "%.17g;", v->d);
	else if (v->type == STAT_UINT)
		sprintf(end, "u%llu;", (unsigned long long)v->u);
	else if (v->type == STAT_INT)
		sprintf(end, "%lld;", (long long)v->i);
	else
		sprintf(end, "%s%.*s;", v->type == STAT_JSON ? "json:" : "", (int)v->n, v->s);
	return strcmp(out, "stop=1;") != 0;
}

static void args_are_decoded(void **state)
{
	struct dump *d =
	    load("{\"stackFrames\":{\"7\":{\"name\":\"%long\\n\"}},"
		 "\"traceEvents\":[{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":2,\"name\":\"a\","
		 "\"cat\":\"k\",\"sf\":7,\"args\":"
		 "{\"i\":-5,\"u\":18446744073709551615,\"f\":2.5e1,\"s\":\"a\\tb\",\"n\":\"12\","
		 "\"o\":{\"x\":[1]},\"b\":true,\"k\\u0041\":0},\"tts\":3},"
		 "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":5,\"name\":\"b\",\"args\":\"text\"},{\"ph\":\"X\","
		 "\"pid\":1,\"tid\":2,\"ts\":6,\"name\":\"c\",\"args\":{\"stop\":1,\"x\":2}}]}");
	const struct track *t = track(d, "tid 2");
	char out[1000] = "";
	int64_t start, dur;

	(void)state;
	stats_of_event(d, t, 0, append_stat, out);
	assert_string_equal(out,
	    "cat=k;long_name=%long\n;i=-5;u=u18446744073709551615;f=25;s=a\tb;n=12;"
	    "o=json:{\"x\":[1]};b=true;kA=0;tts=3;");
	*out = '\0';
	stats_of_event(d, t, 1, append_stat, out);
	assert_string_equal(out, "args=text;");
	*out = '\0';
	stats_of_event(d, t, 2, append_stat, out);
	assert_string_equal(out, "stop=1;");
	assert_memory_equal(d->trace.metas[track_meta(t, 0)].full, "%long\n", 6);
	assert_true(d->files[0].stats->plain(d, t, 0, &start, &dur));
	assert_true(start == 1000000 && dur == 2000000);
	((struct track *)(uintptr_t)t)->device_clock = true; /* force it to be read again from the file */
	assert_true(d->files[0].stats->plain(d, t, 0, &start, &dur));
	assert_true(start == 1000000 && dur == 2000000);
	dump_close(d);
}

static char *large_trace(size_t *n)
{
	enum { SIZE = 6 << 20 };
	char *text = malloc(SIZE + 200000), *p = text;
	uint32_t random = 1;

	p += sprintf(p, "{\"traceEvents\":[");
	for (int i = 0; p < text + SIZE; i++) {
		random = random * 1103515245 + 12345;
		p += sprintf(p,
		    "%s{\"ph\":\"X\","
		    "\"pid\":%u,\"tid\":%u,\"ts\":%d.%03u,\"dur\":%u,\"name\":\"n%u\","
		    "\"args\":{\"i\":%d,\"pad\":\"",
		    i ? ",\n" : "", random >> 30, random >> 28 & 3, i, random >> 20 & 511, random >> 22 & 63,
		    random >> 24 & 15, i);
		memset(p, "x{\"\\"[random >> 20 & 1], random >> 16 & 127);
		p += random >> 16 & 127;
		if (i == 9000) { /* longer than the room before a block */
			memset(p, 'y', 150000);
			p += 150000;
		}
		p += sprintf(p, "\"}}");
	}
	p += sprintf(p, "]}");
	*n = (size_t)(p - text);
	return text;
}

static uint8_t *gzipped(const char *text, size_t n, size_t *out)
{
	z_stream z = { 0 };
	uint8_t *b = malloc(n + 1000);

	assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	memcpy(&z.next_in, &text, sizeof z.next_in);
	z.avail_in = (uInt)n;
	z.next_out = b;
	z.avail_out = (uInt)(n + 1000);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	*out = (size_t)z.total_out;
	deflateEnd(&z);
	return b;
}

static bool take_i(void *ctx, const struct stat_value *v)
{
	bool is_i = v->name_len == 1 && *v->name == 'i' && (v->type == STAT_INT || v->type == STAT_UINT);

	if (is_i)
		*(int64_t *)ctx = v->i;
	return !is_i;
}

static void a_compressed_trace_is_the_same(void **state)
{
	size_t n, packed_n;
	char *text = large_trace(&n);
	uint8_t *packed = gzipped(text, n, &packed_n);
	struct err err = { 0 };
	struct dump *a = try_bytes(text, n, &err), *b = try_bytes(packed, packed_n, &err);
	uint64_t events;

	(void)state;
	assert_non_null(a);
	assert_non_null(b);
	assert_true(a->trace.events > 20000);
	assert_int_equal(a->trace.ntracks, b->trace.ntracks);
	events = a->trace.events;
	for (size_t k = 0; k < a->trace.ntracks; k++) {
		const struct track *s = &a->trace.tracks[k], *t = &b->trace.tracks[k];

		same_events(s, t);
		for (size_t j = 0; j < t->n; j += 97) {
			int64_t i = -1, other = -2;

			stats_of_event(a, s, j, take_i, &i);
			stats_of_event(b, t, j, take_i, &other);
			assert_int_equal(i, other);
			assert_int_equal(track_start(t, j) / 1000000, i);
		}
	}
	dump_close(a);
	dump_close(b);
	/* cut off: what came before is kept */
	b = try_bytes(packed, packed_n / 2, &err);
	assert_non_null(b);
	assert_true(b->trace.events > 5000 && b->files[0].partial);
	assert_int_equal(dump_status(b), EXIT_DAMAGED);
	assert_int_equal(problems(b, PROBLEM_DAMAGE, "cut off"), 1);
	dump_close(b);
	/* after the end of the JSON, too */
	b = try_bytes(packed, packed_n - 3, &err);
	assert_non_null(b);
	assert_int_equal(b->trace.events, events);
	assert_true(b->files[0].partial);
	assert_int_equal(problems(b, PROBLEM_DAMAGE, "cut off"), 1);
	dump_close(b);
	free(packed);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(complete_events),
		cmocka_unit_test(one_name_however_it_is_escaped),
		cmocka_unit_test(arrays_alone),
		cmocka_unit_test(begin_and_end),
		cmocka_unit_test(asynchronous_events),
		cmocka_unit_test(counters),
		cmocka_unit_test(flows),
		cmocka_unit_test(torch),
		cmocka_unit_test(torch_without_names),
		cmocka_unit_test(torch_after_a_long_category),
		cmocka_unit_test(metadata),
		cmocka_unit_test(what_is_not_drawn_is_counted),
		cmocka_unit_test(epoch_times_are_relative),
		cmocka_unit_test(absurd_numbers),
		cmocka_unit_test(damage_leaves_the_rest),
		cmocka_unit_test(every_truncation_is_survived),
		cmocka_unit_test(not_a_trace),
		cmocka_unit_test(hostile_shapes),
		cmocka_unit_test(args_are_decoded),
		cmocka_unit_test(a_compressed_trace_is_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
