#include "config.h"
#include "model/hlo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>

#include <cmocka.h>
#include <zlib.h>

#include "../lib/mkhlo.h"
#include "../lib/mkspace.h"
#include "base/codec/pbread.h"
#include "load/load.h"
#include "model/dump.h"

static struct pb module_of(const char *name, int64_t id)
{
	struct pb m = { 0 }, entry = hlo_computation("entry", 1), i = hlo_new("constant.1", "constant", 1);

	pb_s(&m, 1, name);
	pb_s(&m, 2, "entry");
	hlo_add(&entry, i);
	pb_sub(&m, 3, &entry);
	pb_u(&m, 5, (uint64_t)id);
	return m;
}

static struct pb proto_of(const char *name, int64_t id)
{
	struct pb m = module_of(name, id), p = hlo_proto(&m), b = { 0 };

	hlo_buffer(&b, 1, 1, 64, 0);
	pb_sub(&p, 3, &b);
	return p;
}

static struct dump *open_bytes(const struct pb *p, const char *name)
{
	struct err err = { 0 };
	struct dump *d = load_memory(p->b, p->n, name, NULL, &err);

	assert_non_null(d);
	assert_int_equal(d->nfiles, 1);
	assert_int_equal(d->files[0].kind, FILE_HLO_PROTO);
	return d;
}

static void files_are_known_by_content(void **state)
{
	struct pb p = proto_of("jit_f", 12), m = module_of("jit_g", 13);
	struct dump *d = open_bytes(&p, "jit_f(7).hlo_proto.pb");
	struct err err = { 0 };

	(void)state;
	assert_int_equal(d->nmodules, 1);
	assert_string_equal(d->modules[0].name, "jit_f");
	assert_int_equal(d->modules[0].program, 7);
	assert_true(d->modules[0].has_buffers);
	assert_null(d->modules[0].proto);
	assert_string_equal(hlo_module_proto(d, 0, &err)->hlo_module->entry_computation_name, "entry");
	assert_false(d->modules[0].damaged);
	dump_close(d);
	d = open_bytes(&m, "anything.pb");
	assert_true(d->modules[0].bare);
	assert_string_equal(d->modules[0].name, "jit_g");
	assert_int_equal(d->modules[0].program, 13);
	assert_false(d->modules[0].has_buffers);
	assert_int_equal(hlo_module_proto(d, 0, &err)->hlo_module->id, 13);
	dump_close(d);
	pb_free(&p);
	pb_free(&m);
}

static void modules_are_found_by_name_and_id(void **state)
{
	struct pb p = proto_of("jit_f", 12);
	struct dump *d = open_bytes(&p, "jit_f(7).hlo_proto.pb");

	(void)state;
	assert_int_equal(hlo_module_find(d, "jit_f"), 0);
	assert_int_equal(hlo_module_find(d, "jit_f(7)"), 0);
	assert_int_equal(hlo_module_find(d, "7"), 0);
	assert_int_equal(hlo_module_find(d, "jit_f(8)"), -1);
	assert_int_equal(hlo_module_find(d, "jit"), -1);
	assert_int_equal(hlo_module_by_program(d, 7, "jit_f", 5), 0);
	assert_int_equal(hlo_module_by_program(d, 7, "jit_g", 5), -1);
	dump_close(d);
	pb_free(&p);
}

/* Literals (field 8 of instructions) and long backend configs (43) are dropped, everything else stays. */
static void large_parts_are_left_out(void **state)
{
	static char large[100 << 10];
	struct pb m = { 0 }, entry = hlo_computation("entry", 1), i = hlo_new("constant.1", "constant", 5), p;
	struct arena a = { 0 };
	struct err damaged, err = { 0 };
	const Pb__HloProto *h;

	(void)state;
	pb_bytes(&i, 8, large, sizeof large);
	pb_bytes(&i, 43, large, sizeof large);
	pb_s(&i, 28, "target");
	hlo_add(&entry, i);
	i = hlo_new("copy.2", "copy", 6);
	pb_bytes(&i, 43, "{}", 2);
	hlo_add(&entry, i);
	pb_s(&m, 1, "jit_f");
	pb_sub(&m, 3, &entry);
	p = hlo_proto(&m);
	h = pb_read_lean(&pb__hlo_proto__descriptor, &a, p.b, p.n, 64 << 10, &damaged, &err);
	assert_non_null(h);
	assert_int_equal(damaged.status, 0);
	assert_int_equal(h->hlo_module->computations[0]->n_instructions, 2);
	assert_int_equal(h->hlo_module->computations[0]->instructions[0]->backend_config.len, 0);
	assert_int_equal(h->hlo_module->computations[0]->instructions[0]->base.n_unknown_fields, 0);
	assert_string_equal(h->hlo_module->computations[0]->instructions[0]->custom_call_target, "target");
	assert_int_equal(h->hlo_module->computations[0]->instructions[1]->backend_config.len, 2);
	arena_free(&a);
	pb_free(&p);
}

/* Wherever the file is cut, what comes before is loaded and the position is reported. */
static void cut_messages_keep_what_is_there(void **state)
{
	struct pb p = proto_of("jit_f", 12);
	struct err damaged, err = { 0 };

	(void)state;
	for (size_t n = 0; n < p.n; n++) {
		struct arena a = { 0 };
		const Pb__HloProto *h =
		    pb_read_lean(&pb__hlo_proto__descriptor, &a, p.b, n, 100, &damaged, &err);

		assert_non_null(h);
		assert_true(damaged.status == 0 || damaged.at == n);
		if (n > 12)
			assert_string_equal(h->hlo_module->name, "jit_f");
		arena_free(&a);
	}
	pb_free(&p);
}

/* The quick check recognizes it, unless fields happen to end where it is cut. */
static void a_cut_is_seen(void **state)
{
	struct pb p = proto_of("jit_f", 12);
	struct hlo_glance g;
	size_t whole = 0;

	(void)state;
	assert_true(hlo_look(p.b, p.n, &g));
	assert_false(g.cut);
	for (size_t n = 12; n < p.n; n++)
		whole += hlo_look(p.b, n, &g) && !g.cut;
	assert_true(whole < 3);
	assert_true(hlo_look(p.b, p.n - 1, &g) && g.cut);
	pb_free(&p);
}

static void put(const char *dir, const char *name, const void *bytes, size_t n, bool gz)
{
	char path[600];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	if (gz) {
		gzFile f = gzopen(path, "wb");

		assert_int_equal(gzwrite(f, bytes, (unsigned)n), n);
		gzclose(f);
	} else {
		FILE *f = fopen(path, "wb");

		assert_int_equal(fwrite(bytes, 1, n, f), n);
		fclose(f);
	}
}

static void drop(const char *dir, const char *const *names)
{
	char path[600];

	for (; *names; names++) {
		snprintf(path, sizeof path, "%s/%s", dir, *names);
		unlink(path);
	}
	rmdir(dir);
}

static void folders_of_dumps_open(void **state)
{
	static const char *const names[] = { "module_0000.jit_f.cl_1.after_optimizations.hlo.pb",
		"module_0000.jit_f.cl_1.oom_intermediate_module.hlo.pb",
		"module_0000.jit_f.cl_1.before_optimizations.hlo.pb",
		"module_0001.jit_g.sm_9.0_gpu_after_optimizations.hlo.pb.gz",
		"module_0002.jit_h.cl_1.after_codegen.hlo.pb", "NO_MODULE.hlo_proto.pb", NULL };
	struct pb p[3] = { proto_of("jit_f", 1), proto_of("jit_g", 2), proto_of("jit_h", 3) };
	const char *dir = "t-hlo-dump";
	struct err err = { 0 };
	struct dump *d;

	(void)state;
	mkdir(dir, 0755);
	for (int i = 0; i < 3; i++)
		put(dir, names[i], p[0].b, p[0].n, false);
	put(dir, names[3], p[1].b, p[1].n, true);
	put(dir, names[4], p[2].b, p[2].n, false);
	put(dir, names[5], "", 0, false);
	d = load_paths(&dir, 1, NULL, NULL, &err);
	assert_non_null(d);
	assert_int_equal(d->nmodules, 3);
	assert_string_equal(d->modules[0].name, "jit_f");
	assert_true(d->modules[0].oom);
	assert_string_equal(d->modules[1].name, "jit_g");
	assert_false(d->modules[1].oom);
	assert_string_equal(hlo_module_proto(d, 1, &err)->hlo_module->name, "jit_g");
	assert_string_equal(d->modules[2].name, "jit_h");
	assert_int_equal(dump_status(d), EXIT_OK);
	dump_close(d);
	drop(dir, names);
	for (int i = 0; i < 3; i++)
		pb_free(&p[i]);
}

/* A capture contains its modules; the file that was extracted from it is not opened as another one. */
static void modules_of_xspaces_are_listed_once(void **state)
{
	static const char *const names[] = { "h.xplane.pb", "jit_f(7).hlo_proto.pb", NULL };
	const char *dir = "t-hlo-run";
	struct mkspace s = { 0 };
	struct pb p = proto_of("jit_f", 1), q = proto_of("jit_g", 2);
	struct err err = { 0 };
	struct dump *d;

	(void)state;
	space_plane(&s, 2, "/host:metadata");
	space_meta_bytes(&s, "jit_f(7)", "Hlo Proto", p.b, p.n);
	space_meta_bytes(&s, "jit_g(8)", "Hlo Proto", q.b, q.n);
	space_end(&s, 0);
	mkdir(dir, 0755);
	put(dir, names[0], s.space.b, s.space.n, false);
	put(dir, names[1], p.b, p.n, false);
	d = load_paths(&dir, 1, NULL, NULL, &err);
	assert_non_null(d);
	assert_int_equal(d->nmodules, 2);
	assert_int_equal(d->modules[0].origin, HLO_FILE);
	assert_int_equal(d->modules[1].origin, HLO_XSPACE);
	assert_int_equal(d->modules[1].program, 8);
	assert_string_equal(hlo_module_proto(d, 1, &err)->hlo_module->name, "jit_g");
	dump_close(d);
	drop(dir, names);
	pb_free(&s.space);
	pb_free(&p);
	pb_free(&q);
}

static void scoped_memory_is_read_from_backend_configs(void **state)
{
	static const char config[] =
	    "{\"x\":[1],\"used_scoped_memory_configs\":[{\"memory_space\":\"1\",\"offset\":\"0\","
	    "\"size\":\"4096\"},"
	    "{\"memory_space\":0,\"size\":99999},{\"memory_space\":1,\"size\":8192}]}";
	static const char more[] =
	    "{\"used_scoped_memory_configs\":[{\"memory_space\":\"1\",\"size\":\"512\"}]}";
	static char large[100 << 10];
	struct pb m = { 0 }, entry = hlo_computation("entry", 1), i = hlo_new("fusion.1", "fusion", 5), p;
	struct dump *d;

	(void)state;
	memset(large, ' ', sizeof large);
	memcpy(large + sizeof large - sizeof config, config, sizeof config - 1);
	pb_bytes(&i, 43, large, sizeof large); /* too long to keep, but parsed */
	hlo_add(&entry, i);
	i = hlo_new("fusion.2", "fusion", 6);
	pb_s(&i, 43, more);
	hlo_add(&entry, i);
	pb_s(&m, 1, "jit_f");
	pb_sub(&m, 3, &entry);
	p = hlo_proto(&m);
	d = open_bytes(&p, "jit_f(7).hlo_proto.pb");
	assert_int_equal(d->modules[0].scoped, -1);
	hlo_module_scoped(d, 0);
	assert_int_equal(d->modules[0].scoped, 8192);
	dump_close(d);
	pb_free(&p);
	assert_int_equal(hlo_scoped((const uint8_t *)"\"used_scoped_memory_configs\":[{", 31), -1);
	assert_int_equal(hlo_scoped((const uint8_t *)"\"used_scoped_memory_configs\":[]", 31), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_known_by_content),
		cmocka_unit_test(modules_are_found_by_name_and_id),
		cmocka_unit_test(large_parts_are_left_out),
		cmocka_unit_test(cut_messages_keep_what_is_there),
		cmocka_unit_test(a_cut_is_seen),
		cmocka_unit_test(scoped_memory_is_read_from_backend_configs),
		cmocka_unit_test(folders_of_dumps_open),
		cmocka_unit_test(modules_of_xspaces_are_listed_once),
	};

	return cmocka_run_group_tests_name("hlo", tests, NULL, NULL);
}
