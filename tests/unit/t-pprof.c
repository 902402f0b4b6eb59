#include "config.h"
#include "analyze/memprof/pprof.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/pbuild.h"
#include "base/mem.h"
#include "load/load.h"

#define CORPUS "tests/fuzz/corpus/pprof/"

static struct dump *load(const char *name, struct pprof *p)
{
	char *full = xasprintf("%s/" CORPUS "%s", getenv("top_srcdir"), name);
	const char *const paths[] = { full };
	struct err e;
	struct dump *d = load_paths(paths, 1, NULL, NULL, &e);

	free(full);
	assert_non_null(d);
	assert_int_equal(d->files[0].kind, FILE_PPROF);
	assert_int_equal(pprof_build(toolfile_find(d, FILE_PPROF, NULL, NULL), p, &e), 0);
	return d;
}

static int64_t at(const struct table *t, size_t row, const char *column)
{
	const struct cell *c = t->cells + row * t->ncolumns + table_column(t, column);

	assert_int_equal(c->type, CELL_INT);
	return c->u.i;
}

static void text_is(const struct table *t, size_t row, const char *column, const char *want)
{
	const struct cell *c = t->cells + row * t->ncolumns + table_column(t, column);

	if (!want) {
		assert_int_equal(c->type, CELL_NULL);
		return;
	}
	assert_int_equal(c->type, CELL_STR);
	assert_int_equal(c->n, strlen(want));
	assert_memory_equal(c->s, want, c->n);
}

static void devices_have_totals(void **state)
{
	struct pprof p;
	struct dump *d = load("gzip.prof", &p);

	(void)state;
	assert_int_equal(p.devices.nrows, 3);
	text_is(&p.devices, 0, "device", "TPU_0");
	text_is(&p.devices, 0, "kind", "buffer");
	assert_int_equal(at(&p.devices, 0, "bytes"), 6120);
	assert_int_equal(at(&p.devices, 0, "allocations"), 4);
	assert_int_equal(at(&p.devices, 0, "samples"), 3);
	assert_int_equal(at(&p.devices, 1, "bytes"), 4096);
	text_is(&p.devices, 2, "device", NULL);
	assert_int_equal(at(&p.devices, 2, "bytes"), 0);
	assert_int_equal(at(&p.devices, 2, "unknown_allocations"), 3);
	assert_int_equal(facts_number(&p.summary, "bytes"), 10216);
	assert_int_equal(facts_number(&p.summary, "stacks"), 4);
	pprof_free(&p);
	dump_close(d);
}

static void equal_stacks_are_one(void **state)
{
	struct pprof p;
	struct dump *d = load("plain.prof", &p);

	(void)state;
	assert_int_equal(p.stacks.nrows, 4);
	assert_int_equal(at(&p.stacks, 0, "bytes"), 5096);
	assert_int_equal(at(&p.stacks, 0, "allocations"), 3);
	assert_int_equal(at(&p.stacks, 0, "depth"), 3);
	assert_int_equal(at(&p.stacks, 0, "source_line"), 77);
	text_is(&p.stacks, 0, "function", "matmul");
	text_is(&p.stacks, 0, "source_file", "model.py");
	text_is(&p.stacks, 0, "stack", "matmul;train_step;main");
	text_is(&p.stacks, 1, "device", "TPU_1");
	pprof_free(&p);
	dump_close(d);
}

static void the_tree_begins_at_the_root(void **state)
{
	struct pprof p;
	struct dump *d = load("plain.prof", &p);
	size_t n;
	struct pprof_node *t = pprof_tree(&p, SIZE_MAX, &n);

	(void)state;
	assert_int_equal(n, 4);
	assert_string_equal(t[0].function, "main");
	assert_int_equal(t[0].bytes, 10216);
	assert_int_equal(t[0].allocations, 8);
	assert_int_equal(t[0].end, 4);
	assert_string_equal(t[1].function, "train_step");
	assert_int_equal(t[1].bytes, 9192);
	assert_int_equal(t[1].end, 3);
	assert_string_equal(t[2].function, "matmul");
	assert_int_equal(t[2].depth, 2);
	assert_int_equal(t[2].parent, 1);
	assert_string_equal(t[3].function, "init");
	assert_int_equal(t[3].parent, 0);
	free(t);
	t = pprof_tree(&p, 1, &n);
	assert_int_equal(n, 3);
	assert_int_equal(t[0].bytes, 4096);
	free(t);
	pprof_free(&p);
	dump_close(d);
}

static void chains_are_joined(void **state)
{
	struct pprof p;
	struct dump *d = load("plain.prof", &p);
	size_t n;
	struct pprof_node *v = pprof_tree(&p, SIZE_MAX, &n);
	struct pprof_node chain[] = { { "main", "/home/me/train.py", 9, 0, UINT32_MAX, 4, 8, 1, 1 },
		{ "jit", "/usr/lib/python3/dist-packages/jax/api.py", 1, 1, 0, 4, 8, 1, 1 },
		{ "fork", "", -1, 2, 1, 4, 8, 1, 1 }, { "leaf", "", -1, 3, 2, 4, 5, 1, 1 } };
	struct table t;

	(void)state;
	assert_int_equal(pprof_join(v, n), n); /* each has bytes of its own */
	free(v);
	/* the user's call stands for those of the library below it; what has bytes of its own is the end */
	assert_int_equal(pprof_join(chain, 4), 2);
	assert_string_equal(chain[0].function, "main");
	assert_int_equal(chain[0].frames, 3);
	assert_string_equal(chain[1].function, "leaf");
	assert_int_equal(chain[1].parent, 0);
	assert_int_equal(chain[1].end, 2);
	pprof_calls_table(&p, SIZE_MAX, chain, 2, &t);
	text_is(&t, 0, "function", "main \xe2\x80\xa6 3 frames");
	text_is(&t, 1, "function", "leaf");
	table_free(&t);
	pprof_free(&p);
	dump_close(d);
}

static double share(const struct table *t, size_t row)
{
	return table_number(t, row, "share");
}

/* Stacks and calls have the same columns; shares are of what is in the table. */
static void tables_of_a_device(void **state)
{
	struct pprof p;
	struct dump *d = load("plain.prof", &p);
	size_t n;
	struct pprof_node *tree = pprof_tree(&p, SIZE_MAX, &n);
	struct table t;

	(void)state;
	assert_float_equal(share(&p.stacks, 0), 5096. / 10216, 1e-9);
	text_is(&p.stacks, 0, "source", "model.py:77");
	pprof_stacks_table(&p, 0, &t);
	assert_int_equal(t.nrows, 2);
	assert_int_equal(at(&t, 1, "rank"), 3);
	assert_float_equal(share(&t, 0) + share(&t, 1), 5096. / 6120 + 1024. / 6120, 1e-9);
	table_free(&t);
	pprof_calls_table(&p, SIZE_MAX, tree, n, &t);
	assert_int_equal(t.nrows, n);
	assert_float_equal(share(&t, 0), 1, 1e-9);
	assert_float_equal(share(&t, 1), 9192. / 10216, 1e-9);
	text_is(&t, 1, "function", "train_step");
	text_is(&t, 1, "source", "train.py:20");
	text_is(&t, 1, "stack", NULL);
	assert_int_equal(at(&t, 2, "depth"), 3);
	assert_int_equal(at(&t, 0, "allocations"), 8);
	table_free(&t);
	free(tree);
	pprof_free(&p);
	dump_close(d);
}

/* Its samples come first and its names last: what is there of it counts, and it is called partial. */
static void a_profile_that_is_cut_off(void **state)
{
	char *full = xasprintf("%s/" CORPUS "plain.prof", getenv("top_srcdir"));
	uint8_t bytes[4096];
	FILE *f = fopen(full, "rb");
	size_t n, opened = 0;

	(void)state;
	assert_non_null(f);
	n = fread(bytes, 1, sizeof bytes, f);
	fclose(f);
	free(full);
	for (size_t cut = n - 1; cut > 0; cut--) {
		struct err e = { .status = 0 };
		struct dump *d = load_memory(bytes, cut, "memory.prof", NULL, &e);
		struct pprof p;

		if (!d) {
			assert_int_equal(e.status, EXIT_NOTHING);
			continue;
		}
		opened++;
		if (!pprof_build(toolfile_find(d, FILE_PPROF, NULL, NULL), &p, &e))
			pprof_free(&p);
		if (d->files[0].partial)
			assert_int_equal(dump_status(d), EXIT_DAMAGED);
		dump_close(d);
	}
	assert_true(opened > n / 2);
}

static void a_profile_of_time_is_refused(void **state)
{
	struct pb type = { 0 }, m = { 0 };
	struct err e = { 0 };
	struct dump *d;

	(void)state;
	pb_u(&type, 1, 1);
	pb_u(&type, 2, 2);
	pb_sub(&m, 1, &type);
	pb_s(&m, 6, "");
	pb_s(&m, 6, "cpu");
	pb_s(&m, 6, "nanoseconds");
	d = load_memory(m.b, m.n, "cpu.prof", NULL, &e);
	assert_null(d);
	assert_int_equal(e.status, EXIT_NOTHING);
	assert_non_null(strstr(e.msg, "profile"));
	pb_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices_have_totals),
		cmocka_unit_test(equal_stacks_are_one),
		cmocka_unit_test(the_tree_begins_at_the_root),
		cmocka_unit_test(chains_are_joined),
		cmocka_unit_test(tables_of_a_device),
		cmocka_unit_test(a_profile_that_is_cut_off),
		cmocka_unit_test(a_profile_of_time_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
