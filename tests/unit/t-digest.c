#include "config.h"
#include "analyze/device/digest.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkpod.h"
#include "analyze/ops/digest_make.h"
#include "analyze/ops/internal.h"
#include "analyze/ops/opdb.h"
#include "analyze/pod/pod.h"
#include "analyze/trace/clock.h"
#include "base/codec/gzip.h"
#include "load/tool/digest.h"
#include "model/hlo.h"
#include "../lib/mkreport.h"

#define HOSTS 8
#define US 1000000LL

/* A digest of each single host, as users make them. */
static void write_digests(struct dump *d, int hosts, bool gzip, char path[HOSTS][64])
{
	for (int h = 0; h < hosts; h++) {
		struct load_options options = { .threads = 1 };
		struct err e = { 0 };
		const char *capture = d->files[h].path;
		struct dump *one = load_paths(&capture, 1, &options, NULL, &e);
		struct steps steps;
		struct digest_part *part;
		size_t n;
		FILE *f;

		assert_non_null(one);
		assert_int_equal(digest_count(one), 0);
		steps_find(one, &steps);
		part = digest_make(one, &steps, 1, &n);
		assert_int_equal(n, 2);
		snprintf(path[h], sizeof path[h], "digest-%d-%ld.pb.gz", h, (long)getpid());
		f = fopen(path[h], "wb");
		assert_non_null(f);
		assert_int_equal(digest_write(one, part, n, gzip, f, &e), 0);
		fclose(f);
		digest_parts_free(part, n);
		steps_free(&steps);
		dump_close(one);
	}
}

/* The summary and tables of a report: everything after the description of its files. */
static char *report_of(struct dump *d, const char *tool)
{
	struct report_options options = { .format = REPORT_JSON, .core = -1, .top = -1, .threads = 2 };
	struct err e = { 0 };
	char *text = NULL, *at;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert_int_equal(report_dump(d, tool, &options, f, &e), EXIT_OK);
	fclose(f);
	at = strstr(text, "\"summary\"");
	assert_non_null(at);
	memmove(text, at, strlen(at) + 1);
	return text;
}

/* What single ops and events tell, a digest does not have: what runs beside a collective, why a core is idle. */
static void cut_from(char *text, const char *begin, const char *end)
{
	char *from, *to;

	while ((from = strstr(text, begin)) && (to = strstr(from, end)))
		memmove(from, to, strlen(to) + 1);
}

static void numbers_are_those_of_the_captures(void **state)
{
	static const char *const tools[] = { "pod", "steps", "overview", "input_pipeline", "hlo_stats",
		"op_profile", "framework_ops" };
	struct load_options options = { .threads = 2 };
	char path[HOSTS][64];
	const char *paths[HOSTS];
	struct dump *capture, *digest;
	struct err e = { 0 };

	(void)state;
	capture = pod_load(HOSTS);
	write_digests(capture, HOSTS, false, path);
	for (int i = 0; i < HOSTS; i++)
		paths[i] = path[i];
	digest = load_paths(paths, HOSTS, &options, NULL, &e);
	assert_non_null(digest);
	assert_int_equal(digest_count(digest), HOSTS);
	assert_string_equal(file_kind_of(&digest->files[0]), "digest");
	assert_string_equal(digest->files[0].digest_of, capture->files[0].base);
	assert_true(digest->trace.events < capture->trace.events);
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
		char *want = report_of(capture, tools[i]), *got = report_of(digest, tools[i]);

		assert_true(strlen(want) > 200);
		cut_from(want, "; 0 % of the asynchronous ones", "\"");
		cut_from(want, "; cause of ", "\"");
		cut_from(got, "; see collective ", "\""); /* a capture tells the cause instead */
		assert_string_equal(got, want);
		free(want);
		free(got);
	}
	dump_close(digest);
	for (int i = 0; i < HOSTS; i++)
		unlink(path[i]);
	space_close(capture);
}

/* Runs that jitter on the clock of the host and are regular on that of the device, which only ops tell. */
static void add_runs(struct mkspace *s)
{
	for (int core = 0; core < 2; core++) {
		space_plane(s, 2 + core, core ? "/device:TPU:1" : "/device:TPU:0");
		space_op(s, "fusion.1", "loop fusion", 7, 1);
		space_line(s, 2, "XLA Modules");
		for (int i = 0; i < 5; i++)
			space_event(s, "jit_f(7)", (1000 * i + i % 2 * 90) * US, 700 * US);
		space_line(s, 3, "XLA Ops");
		for (int i = 0; i < 5; i++)
			for (int k = 0; k < 7; k++) {
				space_event(s, "fusion.1", (1000 * i + 100 * k + i % 2 * 90) * US, 100 * US);
				space_pair(s, (1000 * i + 100 * k) * US, 100 * US);
			}
	}
}

/* A copy of what is known of the clocks of all cores. */
static void fit_clocks(const struct dump *d, struct clock_fit *fit, size_t n)
{
	struct clock_names names = clock_names_of(d);

	for (uint32_t i = 0; i < d->trace.nplanes && n; i++)
		if (d->trace.planes[i].kind == PLANE_TPU) {
			assert_true(clock_fit_plane(d, &names, i, fit++));
			n--;
		}
	assert_int_equal(n, 0);
}

static void same_clocks(const struct clock_fit *want, const struct dump *d, size_t n)
{
	struct clock_fit got[4];

	fit_clocks(d, got, n);
	for (size_t i = 0; i < n; i++) {
		assert_true(got[i].differs && got[i].worst > 10 * US);
		assert_true(got[i].worst == want[i].worst && got[i].points == want[i].points);
		assert_true(got[i].shift == want[i].shift && got[i].inliers == want[i].inliers);
		assert_true(got[i].residual == want[i].residual && !(got[i].slope < want[i].slope) &&
		    !(got[i].slope > want[i].slope));
	}
}

static void lengths_of_runs_are_kept(void **state)
{
	static const char *const tools[] = { "pod", "steps", "input_pipeline" };
	struct load_options options = { .threads = 1 };
	struct mkspace s[2] = { 0 };
	struct dump *capture, *digest;
	struct clock_fit fit[4];
	char path[HOSTS][64];
	struct err e = { 0 };

	(void)state;
	for (int h = 0; h < 2; h++) {
		add_runs(&s[h]);
		space_end(&s[h], 0);
		pb_s(&s[h].space, 4, h ? "w-1" : "w-0");
	}
	capture = space_load(s, 2);
	write_digests(capture, 2, false, path);
	digest = load_paths((const char *[]){ path[0], path[1] }, 2, &options, NULL, &e);
	assert_non_null(digest);
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
		char *want = report_of(capture, tools[i]), *got = report_of(digest, tools[i]);

		assert_string_equal(got, want);
		assert_true(strcmp(tools[i], "steps") || strstr(want, "\"steptime_ms_maximum\":1"));
		free(want);
		free(got);
	}
	fit_clocks(capture, fit, 4);
	same_clocks(fit, digest, 4);
	/* each digest counts from its own begin */
	dump_close(digest);
	space_close(capture);
	capture = load_paths((const char *[]){ path[0] }, 1, &options, NULL, &e);
	assert_non_null(capture);
	same_clocks(fit, capture, 2);
	dump_close(capture);
	unlink(path[0]);
	unlink(path[1]);
}

static const char *add_program(struct mkspace *s, struct pb *proto)
{
	struct pb module = { 0 }, computation = { 0 }, instruction = { 0 }, buffers = { 0 }, stat;

	pb_s(&instruction, 1, "conv");
	pb_s(&instruction, 2, "convolution");
	pb_s(&instruction, 43, "a configuration that no analysis asks for");
	pb_s(&computation, 1, "main");
	pb_sub(&computation, 2, &instruction);
	pb_s(&module, 1, "jit_step");
	pb_s(&module, 2, "main");
	pb_sub(&module, 3, &computation);
	pb_u(&module, 5, 77);
	pb_sub(proto, 1, &module);
	pb_s(&buffers, 1, "buffers");
	pb_sub(proto, 3, &buffers);
	space_plane(s, 1, "/host:metadata");
	space_kind(s, "jit_step(77)");
	stat = pb_stat(space_name(s->stat, &s->nstats, HLO_STAT));
	pb_bytes(&stat, 6, proto->b, proto->n);
	pb_sub(&s->meta_pb[s->nmetas - 1], 5, &stat);
	return "jit_step";
}

/* A digest keeps programs, stripped and compressed; one on several hosts is listed once. */
static void programs_are_packed(void **state)
{
	struct load_options options = { .threads = 1 };
	struct mkspace *s = calloc(HOSTS, sizeof *s);
	struct pb proto[HOSTS] = { 0 };
	struct dump *capture, *digest;
	const Pb__HloProto *p;
	const char *name = NULL, *paths[HOSTS];
	char path[HOSTS][64];
	struct err e = { 0 };

	(void)state;
	for (int h = 0; h < HOSTS; h++)
		name = add_program(&s[h], &proto[h]);
	pod_hosts(s, HOSTS);
	capture = space_load(s, HOSTS);
	free(s);
	assert_int_equal(capture->nmodules, 1);
	assert_true(capture->modules[0].has_buffers);
	write_digests(capture, HOSTS, true, path);
	for (int i = 0; i < HOSTS; i++)
		paths[i] = path[i];
	digest = load_paths(paths, HOSTS, &options, NULL, &e);
	assert_non_null(digest);
	assert_int_equal(digest->nmodules, 1);
	assert_string_equal(digest->modules[0].name, name);
	assert_int_equal(digest->modules[0].program, 77);
	assert_true(digest->modules[0].has_buffers);
	assert_true(digest->modules[0].len < capture->modules[0].len);
	p = hlo_module_proto(digest, 0, &e);
	assert_non_null(p);
	assert_string_equal(p->hlo_module->computations[0]->instructions[0]->opcode, "convolution");
	dump_close(digest);
	for (int i = 0; i < HOSTS; i++) {
		unlink(path[i]);
		pb_free(&proto[i]);
	}
	space_close(capture);
}

static void packed_bytes(void **state)
{
	const uint8_t text[] = "again and again and again and again";
	size_t packed, n;
	uint8_t *p = gzip_pack(text, sizeof text, &packed), *back;

	(void)state;
	assert_non_null(p);
	assert_true(gzip_is(p, packed));
	assert_false(gzip_is(text, sizeof text));
	back = gzip_unpack(p, packed, 1000, &n);
	assert_non_null(back);
	assert_int_equal(n, sizeof text);
	assert_memory_equal(back, text, n);
	free(back);
	assert_null(gzip_unpack(p, packed, sizeof text - 1, &n));
	assert_null(gzip_unpack(p, packed - 9, 1000, &n));
	p[packed - 5] ^= 1;
	assert_null(gzip_unpack(p, packed, 1000, &n));
	free(p);
}

/* A group, which old messages have, is left out as a whole: half of it would make the rest unreadable. */
static void groups_are_left_out(void **state)
{
	static const uint8_t space[] = { 0x0a, 15, 0x12, 9, '/', 'h', 'o', 's', 't', ':', 'C', 'P', 'U', 0x7b,
		0x08, 1, 0x7c };
	static const uint8_t want[] = { 0x0a, 11, 0x12, 9, '/', 'h', 'o', 's', 't', ':', 'C', 'P', 'U' };
	struct err e = { 0 };
	struct dump *d = load_memory(space, sizeof space, "vm.xplane.pb", NULL, &e);
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	(void)state;
	if (!d)
		fail_msg("%s", e.msg);
	assert_int_equal(digest_write(d, NULL, 0, false, f, &e), 0);
	fclose(f);
	assert_true(n > sizeof want);
	assert_memory_equal(text, want, sizeof want);
	free(text);
	dump_close(d);
}

static void numbers_survive(void **state)
{
	static const double v[] = { 0, -0.0, 1, 4096, 1e300, -2.5, 0.1 };

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		double back = digest_double(digest_bits(v[i]));

		assert_memory_equal(&back, &v[i], sizeof back);
	}
	assert_true(digest_bits(4096) < 1 << 16);
}

static void a_plane_without_one_is_an_ordinary_plane(void **state)
{
	struct dump *d;

	(void)state;
	d = pod_load(1);
	assert_null(digest_of_plane(d, 0));
	space_close(d);
}

/* One core with the given statistics of a digest. */
static struct dump *load_message(const Pb__DigestPlane *m, const Pb__DigestOps *ops)
{
	uint8_t bytes[2000] = { 0xff, 0xff, 0xff };
	struct mkspace s = { 0 };
	struct pb stat;
	size_t n = 3;

	pod_core(&s, 0, 0, 1);
	space_end(&s, 1);
	if (m)
		n = pb__digest_plane__pack(m, bytes);
	stat = pb_stat(space_name(s.stat, &s.nstats, DIGEST_STAT));
	pb_bytes(&stat, 6, bytes, n);
	pb_sub(&s.plane, 6, &stat);
	n = ops ? pb__digest_ops__pack(ops, bytes) : 0;
	stat = pb_stat(space_name(s.stat, &s.nstats, DIGEST_OPS_STAT));
	pb_bytes(&stat, 6, bytes, n);
	if (ops)
		pb_sub(&s.plane, 6, &stat);
	else
		pb_free(&stat);
	return space_load(&s, 1);
}

/* Garbage, columns that do not match, an unknown version. */
static void a_wrong_message_is_none(void **state)
{
	Pb__DigestPlane m = PB__DIGEST_PLANE__INIT;
	Pb__DigestOps ops = PB__DIGEST_OPS__INIT;
	uint64_t step[] = { 0 };
	uint32_t kind[] = { 0 };

	(void)state;
	m.has_version = true;
	m.step = step;
	m.n_step = 1;
	ops.kind = kind;
	ops.n_kind = 1;
	for (int i = 0; i < 3; i++) {
		struct dump *d;
		struct opdb db;

		m.version = i == 1 ? DIGEST_VERSION : DIGEST_VERSION + 1;
		d = load_message(i ? &m : NULL, &ops);
		assert_null(digest_of_plane(d, 0));
		assert_int_equal(d->files[0].digest, i ? m.version : 0);
		assert_int_equal(digest_count(d), i == 1);
		assert_int_equal(problems_count(d->problems, -1), i == 2);
		/* the plane's own ops are used, because it has some */
		opdb_build(d, &(struct opdb_options){ .core = -1, .threads = 1 }, &db);
		assert_int_equal(db.n, 5);
		opdb_free(&db);
		space_close(d);
	}
}

/* The occupancy: half of the buckets busy, then all; invalid times are ignored. */
static void how_busy_it_was(void **state)
{
	uint8_t busy[] = { 0, 255, 51, 255 };
	Pb__DigestPlane m = PB__DIGEST_PLANE__INIT;

	(void)state;
	m.has_version = m.has_occupancy = m.has_occupancy_ns = true;
	m.has_occupancy_first = m.has_occupancy_last = true;
	m.version = DIGEST_VERSION;
	m.occupancy = (ProtobufCBinaryData){ sizeof busy, busy };
	for (int i = 0; i < 3; i++) {
		const struct counter *c;
		struct dump *d;

		m.occupancy_ns = i == 1 ? INT64_MAX / 2 : 0;
		m.occupancy_first = 1000;
		m.occupancy_last = i == 2 ? 1000 : 5000;
		d = load_message(&m, NULL);
		assert_int_equal(digest_counters(d), i == 0);
		assert_int_equal(digest_counters(d), 0);
		if (!i) {
			c = &d->trace.counters[d->trace.ncounters - 1];
			assert_true(digest_is_counter(d, c));
			assert_int_equal(digest_bucket(c), 1000);
			assert_int_equal(c->n, 5);
			assert_true(digest_busy(c, 0, 1000) < 0 && digest_busy(c, 5000, 9000) < 0);
			assert_float_equal(digest_busy(c, 0, 9000), 2200, 1e-6);
			assert_float_equal(digest_busy(c, 1500, 2500), 500, 1e-6);
			assert_float_equal(digest_busy(c, 3500, 4000), 100, 1e-6);
			assert_float_equal(digest_busy(c, 4999, 5000), 1, 1e-6);
		}
		space_close(d);
	}
}

/* Each has a value of its own. */
static void every_measure_of_an_op_is_kept(void **state)
{
	struct plane_op want = { .event_flops = 1001, .event_bytes = 1002 }, got = { .program = 0 };
	int64_t number[DIGEST_NUMBERS], k = 0;
	uint64_t amount[DIGEST_AMOUNTS];

	(void)state;
#define WHOLE(m, run) want.sum.m = ++k;
#define AMOUNT(m, run) want.sum.m = (double)++k;
#include "analyze/ops/opsum.def"
	assert_int_equal(k, DIGEST_NUMBERS + DIGEST_AMOUNTS - 2);
	digest_put_op(&want, number, amount);
	digest_take_op(&got, number, amount);
	assert_memory_equal(&got, &want, sizeof got);
	/* a measure beside the table would be in no digest: all else is bytes by space, those of the host, which are
	 * made from these again, flags and the count of cores */
	assert_int_equal(sizeof want.sum, 8 * (k + DIGEST_MEMS + 1) + 8);
}

/* Made from a capture: the busy time is that of the ops, to the resolution of a bucket. */
static void occupancy_of_a_capture(void **state)
{
	struct load_options options = { .threads = 1 };
	char path[HOSTS][64];
	const char *first = path[0];
	struct dump *capture, *digest;
	struct err e = { 0 };

	(void)state;
	capture = pod_load(HOSTS);
	write_digests(capture, HOSTS, true, path);
	digest = load_paths(&first, 1, &options, NULL, &e);
	assert_non_null(digest);
	assert_int_equal(digest_counters(digest), 2);
	for (size_t k = 0; k < capture->trace.ntracks; k++) {
		const struct track *t = &capture->trace.tracks[k];
		const struct counter *c = &digest->trace.counters[digest->trace.ncounters - 2];
		double busy = 0;

		if (t->role != TRACK_OPS || t->plane != 0)
			continue;
		for (size_t i = 0; i < t->n; i++)
			busy += t->depth[i] ? 0 : (double)track_dur(t, i);
		assert_true(busy > 0);
		assert_float_equal(digest_busy(c, INT64_MIN, INT64_MAX) / busy, 1, 0.02);
		/* a single host may have another origin */
		assert_int_equal(c->t[0] + digest->origin_ns * 1000, t->first + capture->origin_ns * 1000);
	}
	dump_close(digest);
	for (int i = 0; i < HOSTS; i++)
		unlink(path[i]);
	space_close(capture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_those_of_the_captures),
		cmocka_unit_test(lengths_of_runs_are_kept),
		cmocka_unit_test(programs_are_packed),
		cmocka_unit_test(packed_bytes),
		cmocka_unit_test(groups_are_left_out),
		cmocka_unit_test(numbers_survive),
		cmocka_unit_test(a_plane_without_one_is_an_ordinary_plane),
		cmocka_unit_test(a_wrong_message_is_none),
		cmocka_unit_test(how_busy_it_was),
		cmocka_unit_test(every_measure_of_an_op_is_kept),
		cmocka_unit_test(occupancy_of_a_capture),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	space_keeps = true;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
