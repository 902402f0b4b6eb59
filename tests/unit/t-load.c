#include "config.h"
#include "load/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "../lib/dumpcheck.h"
#include "../lib/pbuild.h"
#include "../lib/rmtree.h"
#include "base/mem.h"
#include "load/probe/logdir.h"
#include "load/probe/probe.h"

static char *top;

static char *in_top(const char *name) /* one of eight, used in turn */
{
	static char buf[8][1000];
	static int turn;
	char *p = buf[turn++ % 8];

	snprintf(p, sizeof buf[0], "%s/%s", top, name);
	return p;
}

/* Writes a file below the scratch directory, and the directories it lies in. */
static void put(const char *name, const void *bytes, size_t n)
{
	char *path = in_top(name);
	FILE *f;

	for (char *s = path + strlen(top) + 1; (s = strchr(s, '/')); s++) {
		*s = '\0';
		mkdir(path, 0755);
		*s = '/';
	}
	f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

static struct pb xspace(const char *host, int events)
{
	struct pb space = { 0 }, p = pb_plane(1, "/host:CPU"), l = pb_line(1, "python", 0);

	for (int i = 0; i < events; i++) {
		struct pb e = pb_event(1, i * 10, 5);

		pb_sub(&l, 4, &e);
	}
	pb_sub(&p, 3, &l);
	pb_meta(&p, 1, "work", NULL);
	pb_sub(&space, 1, &p);
	if (host)
		pb_s(&space, 4, host);
	return space;
}

static void put_xspace(const char *name, const char *host, int events)
{
	struct pb space = xspace(host, events);

	put(name, space.b, space.n);
	pb_free(&space);
}

static int setup(void **state)
{
	const char *build = getenv("top_builddir");

	(void)state;
	top = build ? xasprintf("%s/tests/scratch/load-XXXXXX", build) : xstrdup("/tmp/load-XXXXXX");
	return mkdtemp(top) ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	rmtree(top);
	free(top);
	return 0;
}

static struct dump *open_one(const char *name, const struct load_options *options, struct err *err)
{
	const char *path = in_top(name);

	return load_paths(&path, 1, options, NULL, err);
}

/* Opens it and returns the number of events; -1 with the message. */
static int64_t events_of(const char *name, const struct load_options *options, char *msg)
{
	struct err err = { .status = 0 };
	struct dump *d = open_one(name, options, &err);
	int64_t n = d ? (int64_t)d->trace.events : -1;

	snprintf(msg, sizeof err.msg, "%s", err.msg);
	if (!d)
		assert_int_equal(err.status, options && options->host ? EXIT_USAGE : EXIT_NOTHING);
	else if (dump_check(d))
		fail_msg("%s", dump_check(d));
	dump_close(d);
	return n;
}

#define MSG char msg[sizeof((struct err *)0)->msg]

static enum file_kind probe(const char *name, const void *bytes, size_t n)
{
	uint8_t *copy = malloc(n ? n : 1);
	size_t ntail = n < 48 ? n : 48;
	enum file_kind kind;

	memcpy(copy, bytes, n);
	kind = probe_kind(name, copy, n, copy + n - ntail, ntail);
	free(copy);
	return kind;
}

static void kinds_of_text(void **state)
{
	static const struct {
		const char *name, *text;
		enum file_kind kind;
	} cases[] = {
		{ "x", "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", FILE_CHROME_JSON },
		{ "x", "\xef\xbb\xbf\n {\"traceEvents\" : [", FILE_CHROME_JSON },
		{ "x", "[ {\"name\":\"a\",\"ph\":\"X\",", FILE_CHROME_JSON },
		{ "x.trace.json", "{\"metadata\":{}", FILE_CHROME_JSON },
		{ "x", "{\"displayTimeUnit\":\"ns\",\"metadata\":{},\"codeLink\":\"\",\"details\":[",
		    FILE_CHROME_JSON },
		{ "x", "{\"heap\":[1,2]}", FILE_JSON },
		{ "x", "[{\"cols\":[", FILE_JSON },
		{ "x", "{\"heapSizes\":[1,2]}", FILE_MEMORY_VIEWER },
		{ "x", "{\"simulated\": true, \"byProgram\" : {", FILE_OP_PROFILE },
		{ "x", "{\"name\":\"byProgram\",\"in\":{\"byProgram\":1},\"s\":\"\\\"byProgram\",",
		    FILE_JSON },
		{ "x", "{\"traceEvents\":[{\"args\":{\"byCategory\":1}}]}", FILE_CHROME_JSON },
		{ "x", "[{},{\"cols\":[{\"id\":\"stepnum\"", FILE_INPUT_PIPELINE },
		{ "x", "[{\"cols\":[{\"id\":\"selfTimePercent\"},{\"id\":\"stepnum\"", FILE_OVERVIEW },
		{ "x", "[{\"cols\":[{\"id\":\"host_or_device\"", FILE_FRAMEWORK_OPS },
		{ "x", "{\"hloInfoMap\":{},\"podStatsSequence\":{", FILE_POD_VIEWER },
		{ "x", "[INFO] starting", FILE_TEXT },
		{ "x", "{ not json", FILE_TEXT },
		{ "x.xplane.pb", "hello, this is text\n", FILE_TEXT },
		{ "x", "HloModule jit_f\n", FILE_HLO_TEXT },
		{ "x", "", FILE_EMPTY },
		{ "x.xplane.pb", "", FILE_EMPTY },
		{ "x",
		    "\x18\x01\x02\x03\x04\x05\x06\x07\xa3\x7f\x4b\x22"
		    "\x09\xed\xf0\x68\x67\xc7\x2e\xd9\x41\x1a\x0d"
		    "brain.Event:2",
		    FILE_TFEVENTS },
		{ "x.xplane.riegeli", "anything", FILE_RIEGELI },
		{ "x", "# text\nnode {\n  name: \"a\"\n", FILE_TF_GRAPH },
		{ "x", "versions: < producer: 1 >", FILE_TF_GRAPH },
		{ "x", "library { function { signature", FILE_TF_GRAPH },
		{ "x", "meta_info_def { tags: \"serve\" }", FILE_TF_GRAPH },
		{ "x", "saved_model_schema_version: 1\n", FILE_SAVED_MODEL },
		{ "x", "node: worker-1 is up\n", FILE_TEXT },
		{ "x", "node { is up }\n", FILE_TEXT },
		{ "x", "versions: 1.2, 1.3\n", FILE_TEXT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(probe(cases[i].name, cases[i].text, strlen(cases[i].text)), cases[i].kind);
}

static void kind_of_xspace(void **state)
{
	struct pb s = xspace(NULL, 100), p, hosts = { 0 };

	(void)state;
	for (size_t n = 20; n < s.n; n++) /* whatever the head holds of it */
		assert_int_equal(probe("x", s.b, n), FILE_XSPACE);
	pb_free(&s);
	p = pb_plane(1, "a name of its own");
	pb_meta(&p, 1, "x", NULL);
	pb_sub(&s, 1, &p);
	assert_int_equal(probe("x", s.b, s.n), FILE_XSPACE);
	pb_free(&s);
	p = pb_plane(1, "only a name");
	pb_sub(&s, 1, &p);
	assert_int_equal(probe("x", s.b, s.n), FILE_UNKNOWN);
	assert_int_equal(probe("x.xplane.pb", s.b, s.n), FILE_XSPACE);
	pb_free(&s);
	pb_s(&hosts, 4, "host");
	assert_int_equal(probe("x.xplane.pb", hosts.b, hosts.n), FILE_XSPACE);
	assert_int_not_equal(probe("x", hosts.b, hosts.n), FILE_XSPACE);
	pb_free(&hosts);
}

/* What a newer profiler may write in front of the planes, and what is wrong but holds nothing, is passed over. */
static void an_xspace_behind_other_fields(void **state)
{
	static const struct {
		uint8_t b[16];
		size_t n;
	} fronts[] = {
		{ { 9 << 3 | 0, 1 }, 2 },
		{ { 9 << 3 | 1, 1, 2 }, 9 },
		{ { 9 << 3 | 2, 3, 0xff, 0, 1 }, 5 },
		{ { 1 << 3 | 0, 1 }, 2 },
		{ { 9 << 3 | 5, 1, 2, 3, 4 }, 5 },
		{ { 9 << 3 | 3, 1 << 3, 1, 9 << 3 | 4 }, 4 },
		{ { 9 << 3 | 4 }, 1 },
	};
	MSG;

	(void)state;
	for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++) {
		struct pb s = { 0 }, plane = xspace("host", 7);

		pb_raw(&s, fronts[i].b, fronts[i].n);
		pb_raw(&s, plane.b, plane.n);
		assert_int_equal(probe("x", s.b, s.n), FILE_XSPACE);
		assert_int_equal(probe("x.xplane.pb", s.b, s.n), FILE_XSPACE);
		put("front.xplane.pb", s.b, s.n);
		assert_int_equal(events_of("front.xplane.pb", NULL, msg), 7);
		put("front.bin", s.b, s.n);
		assert_int_equal(events_of("front.bin", NULL, msg), 7);
		remove(in_top("front.xplane.pb"));
		remove(in_top("front.bin"));
		pb_free(&plane);
		pb_free(&s);
	}
}

/* Valid protobufs of other kinds are not taken for an XSpace. */
static void kinds_of_other_protobufs(void **state)
{
	struct pb m = { 0 }, a = { 0 }, b = { 0 };

	(void)state;
	pb_s(&b, 1, "/device:TPU:0"); /* Device, in a map entry, in a Trace */
	pb_u(&b, 2, 3);
	pb_u(&a, 1, 3);
	pb_sub(&a, 2, &b);
	pb_sub(&m, 1, &a);
	assert_int_equal(probe("x.trace", m.b, m.n), FILE_OLD_TRACE);
	pb_free(&m);

	pb_u(&a, 1, 3); /* TraceEvent alone */
	pb_s(&a, 3, "name");
	pb_u(&a, 9, 12345);
	pb_sub(&m, 4, &a);
	assert_int_equal(probe("x.trace", m.b, m.n), FILE_OLD_TRACE);
	pb_free(&m);

	pb_s(&a, 1, "jit_f"); /* HloProto */
	pb_s(&a, 2, "main.1");
	pb_s(&b, 1, "fused_computation");
	pb_sub(&a, 3, &b);
	pb_sub(&m, 1, &a);
	assert_int_equal(probe("x", m.b, m.n), FILE_HLO_PROTO);
	pb_free(&m);

	pb_u(&a, 1, 1); /* pprof */
	pb_u(&a, 2, 2);
	pb_sub(&m, 1, &a);
	assert_int_equal(probe("x", m.b, m.n), FILE_PPROF);
	pb_free(&m);

	pb_u(&a, 8, 1); /* Perfetto */
	pb_u(&a, 10, 1);
	pb_sub(&m, 1, &a);
	assert_int_equal(probe("x", m.b, m.n), FILE_PERFETTO);
	pb_free(&m);

	pb_s(&a, 1, "node"); /* GraphDef */
	pb_s(&a, 2, "Const");
	pb_s(&b, 1, "T");
	pb_sub(&a, 5, &b);
	pb_sub(&m, 1, &a);
	assert_int_equal(probe("x", m.b, m.n), FILE_TF_GRAPH);
	assert_int_equal(probe("x.xplane.pb", m.b, m.n), FILE_UNKNOWN);
	pb_free(&m);

	pb_s(&a, 1, "node"); /* an attribute that is none */
	pb_s(&a, 2, "Const");
	pb_s(&a, 5, "attr");
	pb_sub(&m, 1, &a);
	assert_int_equal(probe("x", m.b, m.n), FILE_UNKNOWN);
	pb_free(&m);

	pb_s(&b, 1, "f"); /* GraphDef that has only a function */
	pb_sub(&a, 1, &b);
	pb_sub(&b, 1, &a);
	pb_sub(&m, 2, &b);
	assert_int_equal(probe("x", m.b, m.n), FILE_TF_GRAPH);
	pb_free(&m);

	pb_s(&b, 4, "serve"); /* MetaGraphDef; SavedModel */
	pb_s(&b, 5, "2.21.0");
	pb_sub(&a, 1, &b);
	assert_int_equal(probe("x.meta", a.b, a.n), FILE_TF_GRAPH);
	pb_u(&m, 1, 1);
	pb_sub(&m, 2, &a);
	assert_int_equal(probe("x", m.b, m.n), FILE_SAVED_MODEL);
	pb_free(&m);

	pb_s(&a, 1, "only"); /* ends where more is looked for */
	pb_s(&a, 2, "names");
	pb_sub(&m, 1, &a);
	assert_int_equal(probe("x", m.b, m.n), FILE_UNKNOWN);
	pb_free(&m);
}

static void kind_of_trace_table(void **state)
{
	uint8_t b[100] = { 1, 2, 3 };
	static const uint8_t magic[8] = { 0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb };

	(void)state;
	memcpy(b + 92, magic, 8);
	assert_int_equal(probe("x", b, sizeof b), FILE_TRACE_TABLE);
	b[99]++;
	assert_int_equal(probe("x", b, sizeof b), FILE_UNKNOWN);
}

/* A checkpoint lies beside each SavedModel, and is a table, too. */
static void a_checkpoint_is_no_trace_table(void **state)
{
	static const uint8_t header[] = { 0, 0, 6, 8, 1, 0x1a, 2, 8, 1, 0, 0x1c, 0x11, '_', 'C', 'H' };
	uint8_t b[100] = { 0 };
	static const uint8_t magic[8] = { 0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb };

	(void)state;
	memcpy(b, header, sizeof header);
	memcpy(b + 92, magic, 8);
	assert_int_equal(probe("variables.index", b, sizeof b), FILE_UNKNOWN);
	assert_int_equal(probe("x.trie.SSTABLE", b, sizeof b), FILE_TRACE_TABLE);
}

static void a_logdir_gives_its_newest_run(void **state)
{
	struct load_options options = { .run = "run_9" };
	struct err err = { .status = 0 };
	struct dump *d;
	MSG;

	(void)state;
	put_xspace("logdir/plugins/profile/run_9/h.xplane.pb", "h", 9);
	put_xspace("logdir/plugins/profile/run_10/h.xplane.pb", "h", 10);
	put("logdir/plugins/profile/run_11/jit_f(1).hlo_proto.pb", "x", 1);
	put("logdir/events.out", "x", 1);
	d = open_one("logdir", NULL, &err);
	assert_non_null(d);
	assert_int_equal(d->trace.events, 10);
	assert_int_equal(d->nruns, 2);
	assert_int_equal(d->run, 0);
	assert_string_equal(d->runs[0].name, "run_10");
	assert_string_equal(d->runs[1].name, "run_9");
	dump_close(d);
	assert_int_equal(events_of("logdir", &options, msg), 9);
	assert_int_equal(events_of("logdir/plugins/profile", NULL, msg), 10);
	assert_int_equal(events_of("logdir/plugins", NULL, msg), 10);
	assert_int_equal(events_of("logdir/plugins/profile/", &options, msg), 9);
	assert_int_equal(events_of(".", NULL, msg), 10); /* logdirs one level down */
	options.run = "run_1";
	assert_int_equal(events_of("logdir", &options, msg), -1);
	assert_string_equal(msg, "no run run_1; runs: run_10, run_9");
}

static void a_run_folder_knows_its_neighbours(void **state)
{
	struct load_options options = { .run = "run_10" };
	struct err err = { .status = 0 };
	struct dump *d = open_one("logdir/plugins/profile/run_9/", NULL, &err);
	MSG;

	(void)state;
	assert_non_null(d);
	assert_int_equal(d->trace.events, 9);
	assert_int_equal(d->nruns, 2);
	assert_int_equal(d->run, 1);
	dump_close(d);
	assert_int_equal(events_of("logdir/plugins/profile/run_9", &options, msg), 10);
	put_xspace("alone/h.xplane.pb", "h", 4);
	d = open_one("alone", NULL, &err);
	assert_int_equal(d->nruns, 1);
	assert_string_equal(d->runs[0].name, "alone");
	dump_close(d);
	d = open_one("alone/h.xplane.pb", NULL, &err);
	assert_int_equal(d->nruns, 0);
	dump_close(d);
}

static void assert_files(const char *dir, const char *want)
{
	struct logdir ld;
	struct err err = { .status = 0 };
	char names[400] = "";

	assert_int_equal(logdir_find(in_top(dir), NULL, &ld, &err), 0);
	for (size_t i = 0; i < ld.nfiles; i++)
		snprintf(names + strlen(names), sizeof names - strlen(names), "%s ",
		    strrchr(ld.files[i], '/') + 1);
	assert_string_equal(names, want);
	logdir_free(&ld);
}

static void the_best_kind_of_a_run_is_taken(void **state)
{
	(void)state;
	put("best/perfetto_trace.json.gz", "x", 1);
	assert_files("best", "perfetto_trace.json.gz ");
	put("best/.hidden.xplane.pb", "x", 1);
	put("best/h.metadata.SSTABLE", "x", 1);
	put("best/h.trie.SSTABLE", "x", 1);
	assert_files("best", "perfetto_trace.json.gz ");
	put("best/h0.trace.json.gz", "x", 1);
	put("best/h1.trace.json", "x", 1);
	put("best/h1.trace.json.gz", "x", 1);
	assert_files("best", "h0.trace.json.gz h1.trace.json ");
	put("best/h1.xplane.pb", "x", 1);
	put("best/h0.xplane.pb.gz", "x", 1);
	put("best/h1.trace", "x", 1);
	assert_files("best", "h0.xplane.pb.gz h1.xplane.pb ");
	put("best/h0.xplane.pb.zst", "x", 1); /* packed twice */
	put("best/h2.xplane.pb.zst", "x", 1);
	assert_files("best", "h0.xplane.pb.gz h1.xplane.pb h2.xplane.pb.zst ");
	unlink(in_top("best/h0.xplane.pb.zst"));
	unlink(in_top("best/h2.xplane.pb.zst"));
	put("tables/h.SSTABLE.zst", "x", 1); /* a table is read from its end */
	put("tables/h.SSTABLE", "x", 1);
	put("tables/h.metadata.SSTABLE", "x", 1);
	assert_files("tables", "h.SSTABLE ");
	put("tables/h.trace", "x", 1);
	assert_files("tables", "h.trace ");
	put("best/h1.op_profile.json", "x", 1);
	assert_files("best", "h0.xplane.pb.gz h1.xplane.pb ");
}

/* Without XSpaces the results of tools are opened, too, and what is wrong with one is no damage of the
 * capture. */
/* Without a name that tells of a capture, files are looked into, and they are only those that hold one. */
static void a_folder_is_told_by_its_content(void **state)
{
	struct pb s = xspace("host", 3);
	MSG;

	(void)state;
	put("odd/plugins/profile/r/host0.bin", s.b, s.n);
	put("odd/plugins/profile/r/notes", "text", 4);
	put("odd/plugins/profile/r/host0.trie.SSTABLE", s.b, s.n);
	assert_int_equal(events_of("odd", NULL, msg), 3);
	assert_int_equal(events_of("odd/plugins/profile/r", NULL, msg), 3);
	put("odd/plugins/profile/r/host1.xplane.pb", s.b, s.n); /* a name that tells comes first */
	assert_files("odd/plugins/profile/r", "host1.xplane.pb ");
	put("text/notes", "text", 4);
	assert_int_equal(events_of("text", NULL, msg), -1);
	assert_non_null(strstr(msg, "without a capture"));
	pb_free(&s);
	remove(in_top("odd/plugins/profile/r/host1.xplane.pb"));
	remove(in_top("odd/plugins/profile/r/host0.bin"));
}

/* A name that tells of HLO or of a result tells nothing about traces beside it. */
static void a_trace_beside_hlo_is_told_by_its_content(void **state)
{
	char hlo[] = "\x0a\x0a\x0a\x01m\x12\x01"
		     "e\x1a\x02\x0a";
	struct dump *d;

	(void)state;
	put_xspace("beside/host0.bin", "host", 3);
	put("beside/jit_m(1).hlo_proto.pb", hlo, sizeof hlo);
	d = open_one("beside", NULL, NULL);
	assert_non_null(d);
	assert_int_equal(d->trace.events, 3);
	assert_int_equal(d->nmodules, 1);
	dump_close(d);
}

/* As many as there are; only files that are none are looked into up to a limit, and then it is said. */
static void a_folder_of_many_is_told_by_its_content(void **state)
{
	enum { MANY = 120, LIMIT = 100 };
	struct dump *d;
	char name[64];
	MSG;

	(void)state;
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof name, "many/w-%d.digest", i);
		put_xspace(name, strchr(name, 'w'), 1);
	}
	assert_int_equal(events_of("many", NULL, msg), MANY);
	for (int i = 0; i < LIMIT + 2; i++) {
		snprintf(name, sizeof name, "many/v-%d", i);
		put(name, "text", 4);
	}
	put_xspace("many/a.digest", "a", 1);
	d = open_one("many", &(struct load_options){ .host = NULL }, NULL);
	assert_non_null(d);
	assert_int_equal(d->nfiles, 1);
	assert_int_equal(d->problems->n, 1);
	assert_non_null(
	    strstr(d->problems->v[0].text, "files not looked into, as too many here are no captures: 122;"));
	dump_close(d);
}

static void put_tpu(const char *name, const char *host, const char *chip, const char *program)
{
	struct pb space = xspace(host, 1), p = pb_plane(2, "/device:TPU:0");

	if (program)
		pb_meta(&p, 1, program, NULL);
	pb_meta(&p, 2, "%fusion.1 = f32[8](12345)", NULL); /* not a program */
	pb_stat_name(&p, 7, "other");
	pb_stat_name(&p, 8, "device_type_string");
	pb_stat_s(&p, 6, 7, "TPU v9");
	pb_stat_s(&p, 6, 8, chip);
	pb_sub(&space, 1, &p);
	put(name, space.b, space.n);
	pb_free(&space);
}

static size_t more_runs(const char *logdir)
{
	struct dump *d = open_one(logdir, &(struct load_options){ .run = "2026_05_06_04_47_36" }, NULL);
	size_t n;

	assert_non_null(d);
	n = dump_more_runs(d);
	dump_close(d);
	return n;
}

/* Runs of other chips, or of programs of which none is the same, are of another job, whatever their times say. */
static void runs_of_another_job(void **state)
{
	(void)state;
	put_tpu("jobs/plugins/profile/2026_05_06_04_47_36/a.xplane.pb", "a", "TPU v5", "jit_f(1234567)");
	put_tpu("jobs/plugins/profile/2026_05_06_04_47_37/b.xplane.pb", "b", "TPU v4", "jit_f(1234567)");
	assert_int_equal(more_runs("jobs"), 0);
	put_tpu("jobs/plugins/profile/2026_05_06_04_47_38/c.xplane.pb", "c", "TPU v5", "jit_f(7654321)");
	assert_int_equal(more_runs("jobs"), 0);
	put_tpu("jobs/plugins/profile/2026_05_06_04_47_39/d.xplane.pb", "d", "TPU v5", "jit_f(1234567)");
	assert_int_equal(more_runs("jobs"), 1);
	put_tpu("jobs/plugins/profile/2026_05_06_04_47_40/e.xplane.pb", "e", "TPU v5", NULL); /* not known */
	assert_int_equal(more_runs("jobs"), 2);
}

/* A job whose hosts began a few seconds apart lies in two folders: the other one is named. */
static void a_run_in_two_folders(void **state)
{
	struct dump *d;

	(void)state;
	put_xspace("split/plugins/profile/2026_05_06_04_47_36/a.xplane.pb", "a", 3);
	put_xspace("split/plugins/profile/2026_05_06_04_47_38/b.xplane.pb", "b", 3);
	put_xspace("split/plugins/profile/2026_05_06_04_49_38/c.xplane.pb", "c", 3);
	d = open_one("split", &(struct load_options){ .run = "2026_05_06_04_47_38" }, NULL);
	assert_non_null(d);
	assert_int_equal(d->problems->n, 1);
	assert_non_null(strstr(d->problems->v[0].text, "04_47_36"));
	assert_null(strstr(d->problems->v[0].text, "04_49_38"));
	assert_int_equal(dump_more_runs(d), 1);
	for (size_t i = 0; i < d->nruns; i++)
		assert_int_equal(d->runs[i].other_hosts, !strcmp(d->runs[i].name, "2026_05_06_04_47_36"));
	assert_int_equal(dump_status(d), 0);
	dump_close(d);
	put_xspace("split/plugins/profile/2026_05_06_04_49_40/c.xplane.pb", "c",
	    3); /* the same host, again */
	d = open_one("split", NULL, NULL);
	assert_non_null(d);
	assert_int_equal(d->problems->n, 0);
	assert_int_equal(dump_more_runs(d), 0);
	dump_close(d);
	/* two that were started again: only one of them goes with the third */
	put_xspace("split/plugins/profile/2026_05_06_04_47_40/b.xplane.pb", "b", 3);
	d = open_one("split", &(struct load_options){ .run = "2026_05_06_04_47_36" }, NULL);
	assert_non_null(d);
	assert_int_equal(dump_more_runs(d), 1);
	dump_close(d);
}

static void results_stand_in_for_xspaces(void **state)
{
	static const char profile[] = "{\"byCategory\":{\"name\":\"x\"}}";
	static const char trace[] =
	    "{\"traceEvents\":[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2,\"name\":\"a\"}]}";
	struct err err = { .status = 0 };
	struct dump *d;

	(void)state;
	put("tools/h.op_profile.json", profile, strlen(profile));
	put("tools/h.m(7).memory_viewer.json.gz", "x", 1);
	put("tools/op_profile.json.md5", "x", 1);
	assert_files("tools", "h.m(7).memory_viewer.json.gz h.op_profile.json ");
	put("tools/h.trace.json", trace, strlen(trace));
	put("tools/h.overview_page.json", "", 0);
	assert_files("tools",
	    "h.trace.json h.m(7).memory_viewer.json.gz h.op_profile.json h.overview_page.json ");
	d = open_one("tools", NULL, &err);
	assert_non_null(d);
	assert_int_equal(d->nfiles, 2);
	assert_int_equal(d->files[1].kind, FILE_OP_PROFILE);
	assert_int_equal(d->ntools, 1);
	assert_int_equal(d->nhosts, 1);
	assert_int_equal(d->problems->n, 2);
	assert_int_equal(dump_status(d), EXIT_OK);
	dump_close(d);
}

/* Every kind of result of a tool: its folder is found, and the host is what it is called by. */
static void results_of_a_host(void **state)
{
	static const char ops[] = "[{\"cols\":[{\"id\":\"host_or_device\"}],\"rows\":[]}]";
	static const char profile[] = "{\"byCategory\":{\"name\":\"x\"}}";
	static const char *const names[] = { "framework_op_stats.json", "framework_op_stats.json.gz",
		"tensorflow_stats.pb", "Framework_Op_Stats.json", "op_profile.json" };
	struct load_options options = { .host = "w-1" };
	struct err err = { .status = 0 };

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *text = i == 4 ? profile : ops;
		char folder[32], a[128], b[128];
		struct dump *d;

		snprintf(folder, sizeof folder, "results%zu", i);
		snprintf(a, sizeof a, "%s/w-0.%s", folder, names[i]);
		snprintf(b, sizeof b, "%s/w-1.%s", folder, names[i]);
		put(a, text, strlen(text));
		put(b, text, strlen(text));
		d = open_one(folder, &options, &err);
		if (!d)
			fail_msg("%s: %s", names[i], err.msg);
		assert_int_equal(d->nfiles, 1);
		assert_int_equal(d->nhosts, 1);
		assert_string_equal(strtab_str(&d->str, d->hosts[0].name), "w-1");
		dump_close(d);
	}
}

static void hosts(void **state)
{
	struct load_options options = { .host = "hostB" };
	struct err err = { .status = 0 };
	struct dump *d;
	MSG;

	(void)state;
	put_xspace("pod/a.xplane.pb", "hostA", 3);
	put_xspace("pod/hostB.xplane.pb", NULL, 4);
	put_xspace("pod/c.xplane.pb", "hostB", 5);
	d = open_one("pod", NULL, &err);
	assert_int_equal(d->nfiles, 3);
	assert_int_equal(d->nhosts, 3); /* two processes of one host are two */
	assert_int_equal(d->trace.nplanes, 3);
	assert_int_equal(d->files[0].host, 0);
	assert_true(dump_host_is(d, 1, "c") && dump_host_is(d, 1, "hostB"));
	assert_true(dump_host_is(d, 2, "hostB") && !dump_host_is(d, 2, "c"));
	assert_int_equal(d->files[2].events, 4);
	dump_close(d);
	assert_int_equal(events_of("pod", &options, msg), 9);
	options.host = "c";
	assert_int_equal(events_of("pod", &options, msg), 5);
	options.host = "host";
	assert_int_equal(events_of("pod", &options, msg), -1);
	assert_string_equal(msg, "no host host; hosts: hostA, c, hostB");
}

static void an_empty_xspace_is_told(void **state)
{
	char hlo[] = "\x0a\x0a\x0a\x01m\x12\x01"
		     "e\x1a\x02\x0a";
	struct err err = { .status = 0 };
	struct dump *d;
	MSG;

	(void)state;
	put("never/vm.xplane.pb", "", 0);
	assert_int_equal(events_of("never/vm.xplane.pb", NULL, msg), -1);
	assert_non_null(strstr(msg, "the file is empty"));
	assert_int_equal(events_of("never", NULL, msg), -1);
	assert_non_null(strstr(msg, "vm.xplane.pb: the file is empty"));
	/* of programs that were never traced there are the modules: reports of those must work */
	put("never/jit_m(1).hlo_proto.pb", hlo, sizeof hlo);
	d = open_one("never", NULL, &err);
	assert_non_null(d);
	assert_int_equal(d->nmodules, 1);
	assert_int_equal(d->files[0].kind, FILE_XSPACE);
	assert_int_equal(dump_status(d), EXIT_OK);
	assert_int_equal(d->problems->n, 1);
	assert_int_equal(d->problems->v[0].level, PROBLEM_WARN);
	assert_non_null(strstr(d->problems->v[0].text, "the file is empty"));
	dump_close(d);
	/* among others a host is missing */
	put_xspace("never/other.xplane.pb", "other", 3);
	d = open_one("never", NULL, &err);
	assert_non_null(d);
	assert_int_equal(d->nhosts, 2);
	assert_int_equal(dump_status(d), EXIT_DAMAGED);
	assert_int_equal(problems_count(d->problems, -1), 1);
	dump_close(d);
}

static void what_cannot_be_opened_says_why(void **state)
{
	static const struct {
		const char *name, *text, *msg;
	} cases[] = {
		{ "bad/missing", NULL, "no such file or directory" },
		{ "bad/empty", "", "the file is empty" },
		{ "bad/notes.txt", "some notes\n", "text, not a capture; " },
		{ "bad/tool.json", "{\"a\":1}", "JSON, but neither a trace nor a result of a profiler; " },
		{ "bad/x.xplane.riegeli", "x", "Riegeli" },
		{ "bad/bytes", "\x01\x02\x03\xff", "not a known kind of capture; " },
		{ "bad", NULL, "Riegeli" },
		{ "bad/sub", NULL, "a directory without a capture; name a logdir" },
		{ "bad/logdir", NULL, "a logdir without a run" },
		{ "bad/dump", NULL, "an XLA dump without HLO text or protos; add --xla_dump_hlo_as_text" },
	};
	MSG;

	(void)state;
	put("bad/sub/notes", "x", 1);
	put("bad/dump/module_0005.jit_f.cpu_after_optimizations.dot", "digraph", 7);
	put("bad/logdir/plugins/profile/run/notes", "x", 1);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (cases[i].text)
			put(cases[i].name, cases[i].text, strlen(cases[i].text));
		assert_int_equal(events_of(cases[i].name, NULL, msg), -1);
		if (!strstr(msg, cases[i].msg))
			fail_msg("%s: %s", cases[i].name, msg);
	}
}

/* Of a dump without messages its texts are left: of buffers, and of the program. */
static void a_folder_of_the_compilers_texts(void **state)
{
	static const char buffers[] = "BufferAssignment:\n"
				      "allocation 0: size 4096, page 0, parameter 0, shape |f32[1024]| at "
				      "ShapeIndex {}:\n"
				      " value: <1 param.1 @0> (size=4096,offset=0): f32[1024]{0}\n";
	const struct load_options with = { .texts = true };
	struct progress before = { .bytes = 0 }, after = { .bytes = 0 };
	const char *path = in_top("texts");
	struct err err = { .at = ERR_NOWHERE };
	struct dump *d;

	(void)state;
	put("texts/module_0001.f.after_optimizations-buffer-assignment.txt", buffers, sizeof buffers - 1);
	put("texts/module_0001.f.before_optimizations.txt", "HloModule f\n", 12);
	d = open_one("texts", NULL, &err);
	assert_non_null(d);
	assert_int_equal(d->nfiles, 2);
	assert_int_equal(d->files[0].kind, FILE_XLA_DUMP);
	assert_int_equal(d->files[1].kind, FILE_HLO_TEXT);
	dump_close(d);
	d = load_paths(&path, 1, &with, &before, &err);
	assert_non_null(d);
	assert_int_equal(d->nfiles, 2);
	assert_int_equal(d->files[0].kind, FILE_XLA_DUMP);
	assert_int_equal(d->files[1].kind, FILE_HLO_TEXT);
	assert_int_equal(before.total, sizeof buffers - 1 + 12);
	dump_close(d);
	put("texts/sub/out", "it failed\n", 10);
	d = load_paths(&path, 1, &with, &after, &err);
	assert_non_null(d);
	assert_int_equal(d->nfiles,
	    3); /* what a program said that did not compile, and where its memory is */
	assert_string_equal(d->files[2].base, "out");
	assert_int_equal(after.total, sizeof buffers - 1 + 12 + 10);
	assert_int_equal(d->nmodules, 1);
	dump_close(d);
}

static void of_several_paths_the_good_ones_are_shown(void **state)
{
	struct err err = { .status = 0 };
	const char *paths[] = { in_top("several/missing"), in_top("several/a.xplane.pb"),
		in_top("several/dir") };
	struct dump *d;

	(void)state;
	put_xspace("several/a.xplane.pb", "a", 2);
	put_xspace("several/dir/b.xplane.pb", "b", 3);
	d = load_paths(paths, 3, NULL, NULL, &err);
	assert_non_null(d);
	assert_int_equal(d->trace.events, 5);
	assert_int_equal(d->nfiles, 2);
	assert_int_equal(dump_status(d), EXIT_DAMAGED);
	assert_int_equal(d->problems->n, 1);
	assert_non_null(strstr(d->problems->v[0].text, "several/missing: no such file"));
	dump_close(d);
	paths[1] = in_top("several/gone");
	assert_null(load_paths(paths, 2, NULL, NULL, &err));
	assert_non_null(strstr(err.msg, "several/missing: no such file"));
	assert_null(load_paths(paths, 0, NULL, NULL, &err));
	assert_int_equal(err.status, EXIT_USAGE);
}

/* Returns the warning when there is no more than that. */
static const char *warning_of(const struct dump *d)
{
	assert_int_equal(dump_status(d), EXIT_OK);
	assert_int_equal(problems_count(d->problems, -1), d->problems->n);
	return d->problems->n == 1 ? d->problems->v[0].text : d->problems->n ? "several" : "";
}

static void a_file_given_twice_is_read_once(void **state)
{
	struct progress progress = { .bytes = 0 };
	struct err err = { .status = 0 };
	const char *paths[4];
	struct dump *d;

	(void)state;
	put_xspace("twice/a.xplane.pb", "a", 2);
	put_xspace("twice/b.xplane.pb", "b", 3);
	put_xspace("elsewhere/a.xplane.pb", "a", 5);
	paths[0] = in_top("twice/a.xplane.pb");
	paths[1] = in_top("twice");
	paths[2] = in_top("twice/./a.xplane.pb");
	paths[3] = in_top("elsewhere/link.pb");
	assert_int_equal(link(paths[0], paths[3]), 0);
	d = load_paths(paths, 4, NULL, &progress, &err);
	assert_non_null(d);
	assert_int_equal(d->nfiles, 2);
	assert_int_equal(d->trace.events, 5);
	assert_int_equal(progress.bytes, progress.total);
	assert_string_equal(warning_of(d),
	    "named more than once, read once: a.xplane.pb, a.xplane.pb, link.pb");
	dump_close(d);
	/* the same names in different folders are not the same files */
	paths[1] = in_top("elsewhere/a.xplane.pb");
	d = load_paths(paths, 2, NULL, NULL, &err);
	assert_non_null(d);
	assert_int_equal(d->trace.events, 7);
	assert_string_equal(warning_of(d), "");
	dump_close(d);
}

/* What a shell makes of RUN/ and an asterisk is read as RUN is. */
static void of_the_forms_of_a_host_one_is_read(void **state)
{
	static const char trace[] =
	    "{\"traceEvents\":[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2,\"name\":\"a\"}]}";
	static const char profile[] = "{\"byCategory\":{\"name\":\"x\"}}";
	static const char *const others[] = { "forms/h.trace.json", "forms/h.trace.json.gz",
		"forms/h.m(7).op_profile.json", "forms/perfetto_trace.json" };
	struct err err = { .status = 0 };
	const char *paths[8];
	struct dump *d;

	(void)state;
	put_xspace("forms/h.xplane.pb", "h", 4);
	put("forms/h2.trace.json", trace, strlen(trace));
	put("forms2/h.trace.json", trace, strlen(trace));
	for (int i = 0; i < 4; i++)
		put(others[i], i == 2 ? profile : trace, strlen(i == 2 ? profile : trace));
	for (int i = 0; i < 4; i++)
		paths[i] = in_top(others[i]);
	paths[4] = in_top("forms/h.xplane.pb");
	paths[5] = in_top("forms/h2.trace.json");
	paths[6] = in_top("forms2/h.trace.json");
	d = load_paths(paths, 7, NULL, NULL, &err);
	assert_non_null(d);
	assert_int_equal(d->nfiles, 3);
	assert_int_equal(d->ntools, 0);
	assert_int_equal(d->trace.events, 6);
	assert_string_equal(warning_of(d),
	    "left out, as when opening the folder: a better form of their hosts is "
	    "there: h.trace.json, h.trace.json.gz, h.m(7).op_profile.json, perfetto_trace.json");
	dump_close(d);
	/* without the XSpace its results tell what the trace does not */
	d = load_paths(paths, 3, NULL, NULL, &err);
	assert_non_null(d);
	assert_int_equal(d->nfiles, 2);
	assert_int_equal(d->ntools, 1);
	assert_non_null(strstr(warning_of(d), "there: h.trace.json.gz"));
	dump_close(d);
}

static void compressed(void **state)
{
	struct pb space = xspace("h", 3000);
	struct err err = { .status = 0 };
	char *path = in_top("h.xplane.pb.gz");
	struct progress progress = { .bytes = 0 };
	struct stat st;
	struct dump *d;
	gzFile f = gzopen(path, "wb");

	(void)state;
	assert_non_null(f);
	gzwrite(f, space.b, (unsigned)space.n);
	gzclose(f);
	d = load_paths((const char *const *)&path, 1, NULL, &progress, &err);
	assert_non_null(d);
	assert_int_equal(d->trace.events, 3000);
	assert_string_equal(d->files[0].packing, "gzip");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(progress.total, st.st_size);
	assert_int_equal(progress.bytes, st.st_size);
	assert_int_equal(progress.events, 3000);
	dump_close(d);
	assert_int_equal(truncate(path, st.st_size / 2), 0);
	d = load_paths((const char *const *)&path, 1, NULL, NULL, &err);
	assert_non_null(d);
	assert_int_equal(dump_status(d), EXIT_DAMAGED);
	assert_int_equal(problems_count(d->problems, -1), 1); /* told once */
	assert_true(d->files[0].partial);
	dump_close(d);
	pb_free(&space);
}

/* By content: the name promises nothing. */
static void packed_with_zstd(void **state)
{
#ifdef HAVE_ZSTD
	struct pb space = xspace("h", 60000);
	size_t bound = ZSTD_compressBound(space.n), n;
	struct progress progress = { .bytes = 0 };
	struct err err = { .status = 0 };
	const char *path = in_top("any name");
	uint8_t *z = malloc(bound);
	struct dump *d;

	(void)state;
	n = ZSTD_compress(z, bound, space.b, space.n, 1);
	assert_false(ZSTD_isError(n));
	put("any name", z, n);
	d = load_paths(&path, 1, NULL, &progress, &err);
	assert_non_null(d);
	assert_int_equal(d->trace.events, 60000);
	assert_string_equal(d->files[0].packing, "zstd");
	assert_int_equal(progress.total, n);
	assert_int_equal(progress.bytes, n);
	dump_close(d);
	put("any name", z, n / 2);
	d = load_paths(&path, 1, NULL, NULL, &err);
	assert_non_null(d);
	assert_int_equal(dump_status(d), EXIT_DAMAGED);
	assert_int_equal(problems_count(d->problems, -1), 1);
	assert_true(d->files[0].partial);
	dump_close(d);
	put("any name", z, 20); /* nothing of the content is there: no empty capture */
	assert_null(load_paths(&path, 1, NULL, NULL, &err));
	assert_non_null(strstr(err.msg, "cut off"));
	free(z);
	pb_free(&space);
#else
	(void)state;
	print_message("built without libzstd\n");
	skip();
#endif
}

static void canceled_and_counted(void **state)
{
	struct progress progress = { .bytes = 0 };
	const char *path = in_top("count.xplane.pb");
	struct err err = { .status = 0 };
	struct stat st;
	struct dump *d;

	(void)state;
	put_xspace("count.xplane.pb", "h", 20000);
	d = load_paths(&path, 1, NULL, &progress, &err);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(progress.bytes, st.st_size);
	assert_int_equal(progress.total, st.st_size);
	assert_int_equal(progress.events, 20000);
	assert_false(d->canceled);
	dump_close(d);
	progress.cancel = true;
	d = load_paths(&path, 1, NULL, &progress, &err);
	assert_non_null(d);
	assert_true(d->canceled);
	assert_true(d->trace.events < 20000);
	assert_null(dump_check(d));
	dump_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_of_text),
		cmocka_unit_test(kind_of_xspace),
		cmocka_unit_test(an_xspace_behind_other_fields),
		cmocka_unit_test(kinds_of_other_protobufs),
		cmocka_unit_test(kind_of_trace_table),
		cmocka_unit_test(a_checkpoint_is_no_trace_table),
		cmocka_unit_test(a_logdir_gives_its_newest_run),
		cmocka_unit_test(a_run_folder_knows_its_neighbours),
		cmocka_unit_test(the_best_kind_of_a_run_is_taken),
		cmocka_unit_test(a_folder_is_told_by_its_content),
		cmocka_unit_test(a_trace_beside_hlo_is_told_by_its_content),
		cmocka_unit_test(a_folder_of_many_is_told_by_its_content),
		cmocka_unit_test(a_run_in_two_folders),
		cmocka_unit_test(runs_of_another_job),
		cmocka_unit_test(results_stand_in_for_xspaces),
		cmocka_unit_test(results_of_a_host),
		cmocka_unit_test(hosts),
		cmocka_unit_test(an_empty_xspace_is_told),
		cmocka_unit_test(what_cannot_be_opened_says_why),
		cmocka_unit_test(a_folder_of_the_compilers_texts),
		cmocka_unit_test(of_several_paths_the_good_ones_are_shown),
		cmocka_unit_test(a_file_given_twice_is_read_once),
		cmocka_unit_test(of_the_forms_of_a_host_one_is_read),
		cmocka_unit_test(compressed),
		cmocka_unit_test(packed_with_zstd),
		cmocka_unit_test(canceled_and_counted),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
