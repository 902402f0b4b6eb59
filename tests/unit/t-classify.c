#include "config.h"

#include "analyze/device/classify.h"
#include "analyze/device/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mktrace.h"
#include "base/file/embedded.h"

struct expected {
	const char *plane, *line, *category, *name;
	int class;
};

static const struct expected table[] = {
	/* by category */
	{ "/device:TPU:0", "XLA Ops", "convolution fusion", "fusion.161", CLASS_MATMUL },
	{ "/device:TPU:0", "XLA Ops", "convolution base-dilated", "conv", CLASS_MATMUL },
	{ "/device:TPU:0", "XLA Ops", "output fusion", "fusion.7", CLASS_MATMUL },
	{ "/device:TPU:0", "XLA Ops", "loop fusion", "copy_subtract_fusion.3", CLASS_COMPUTE },
	{ "/device:TPU:0", "XLA Ops", "custom fusion", "scatter_custom_fusion", CLASS_COMPUTE },
	{ "/device:TPU:0", "XLA Ops", "all-reduce fusion", "fusion.8", CLASS_COLLECTIVE },
	{ "/device:TPU:0", "XLA Ops", "all-reduce-scatter fusion", "fusion.9", CLASS_COLLECTIVE },
	{ "/device:TPU:0", "XLA Ops", "collective-permute-done", "x.1", CLASS_COLLECTIVE },
	{ "/device:TPU:0", "XLA Ops", "send-done", "x.2", CLASS_COLLECTIVE },
	{ "/device:TPU:0", "XLA Ops", "host send-done", "x.3", CLASS_IO },
	{ "/device:TPU:0", "XLA Ops", "infeed", "infeed.2", CLASS_IO },
	{ "/device:TPU:0", "XLA Ops", "outfeed", "outfeed.2", CLASS_IO },
	{ "/device:TPU:0", "XLA Ops", "copy-done", "copy-done.2", CLASS_COPY },
	{ "/device:TPU:0", "XLA Ops", "data formatting", "copy.4", CLASS_COPY },
	{ "/device:TPU:0", "XLA Ops", "async-done", "slice-done.5", CLASS_COPY },
	{ "/device:TPU:0", "XLA Ops", "async-done", "all-gather-done.5", CLASS_COLLECTIVE },
	{ "/device:TPU:0", "XLA Ops", "while", "while.38", CLASS_OTHER | META_CONTAINER },
	{ "/device:TPU:0", "XLA Ops", "conditional", "conditional", CLASS_OTHER | META_CONTAINER },
	{ "/device:TPU:0", "XLA Ops", "megacore fusion", "fusion.10", CLASS_OTHER | META_CONTAINER },
	{ "/device:TPU:0", "XLA Ops", "dynamic-update-slice", "dynamic_update_slice.1", CLASS_COMPUTE },
	{ "/device:TPU:0", "XLA Ops", "non-fusion elementwise", "add.3", CLASS_COMPUTE },
	{ "/device:TPU:0", "XLA Ops", "custom-call", "custom-call.3", CLASS_COMPUTE },
	{ "/device:TPU:0", "XLA Ops", "something new", "op.3", CLASS_COMPUTE },
	{ "/device:TPU:0 SparseCore 1", "Sparse Core Ops", "sparsecorev0 infeed wait", "y", CLASS_IO },
	/* without a category, by name */
	{ "/device:TPU:1", "XLA Ops", "", "convolution_add_fusion.12", CLASS_MATMUL },
	{ "/device:TPU:1", "XLA Ops", "", "dot.12", CLASS_MATMUL },
	{ "/device:TPU:1", "XLA Ops", "", "fusion.12", CLASS_COMPUTE },
	{ "/device:TPU:1", "XLA Ops", "", "all-to-all.12", CLASS_COLLECTIVE },
	{ "/device:TPU:1", "XLA Ops", "", "recv.1", CLASS_COLLECTIVE },
	{ "/device:TPU:1", "XLA Ops", "", "while.12", CLASS_OTHER | META_CONTAINER },
	{ "/device:TPU:1", "XLA Ops", "", "whileloop.12", CLASS_COMPUTE },
	{ "/device:TPU:1", "XLA Ops", "", "copy.12", CLASS_COPY },
	{ "/device:TPU:1", "XLA Ops", "", "copyright.12", CLASS_COMPUTE },
	{ "/device:TPU:1", "Async XLA Ops", "", "async-copy.1", CLASS_COPY },
	{ "/device:TPU:1", "XLA TraceMe", "", "barrier-cores", CLASS_WAIT },
	{ "/device:TPU:1", "XLA TraceMe", "", "dependency-wait", CLASS_WAIT },
	{ "/device:GPU:0", "Stream #1", "", "ncclDevKernel_AllReduce", CLASS_COLLECTIVE },
	{ "/device:GPU:0", "Stream #1", "", "MemcpyH2D", CLASS_COPY },
	/* rows that contain others */
	{ "/device:TPU:2", "Steps", "", "100", CLASS_OTHER },
	{ "/device:TPU:2", "XLA Modules", "", "jit_copy(123)", CLASS_OTHER },
	{ "/device:TPU:2", "Framework Name Scope", "", "dot", CLASS_OTHER },
	/* threads */
	{ "/host:CPU", "main/1", "", "PjitFunction(f)", CLASS_HOST },
	{ "/host:CPU", "main/1", "", "copy.12", CLASS_HOST },
	{ "/host:CPU", "main/1", "", "np.asarray(jax.Array)", CLASS_WAIT },
	{ "/host:CPU", "main/1", "", "Acquire semaphore", CLASS_WAIT },
	{ "/host:CPU", "main/1", "", "Release semaphore", CLASS_HOST },
	{ "/host:CPU", "main/1", "", "ReadSyncFlag", CLASS_WAIT },
	{ "/host:CPU", "main/1", "", "WaitForCompletion", CLASS_WAIT },
	{ "/host:CPU", "main/1", "", "ThunkExecutor::Execute (wait for completion)", CLASS_WAIT },
	{ "/host:CPU", "main/1", "", "PjRtFuture::Await", CLASS_WAIT },
	{ "/host:CPU", "main/1", "", "$api.py:12 block_until_ready", CLASS_WAIT },
	{ "Syscalls", "t", "", "futex", CLASS_WAIT },
};

#define N (sizeof table / sizeof *table)

static void rules(void **state)
{
	struct mktrace m = { 0 };
	uint32_t meta[N];
	struct dump *d;

	(void)state;
	for (size_t i = 0; i < N; i++) {
		mk_plane(&m, table[i].plane);
		mk_track(&m, table[i].line);
		meta[i] = mk_meta(&m, table[i].name);
		mk_event(&m, table[i].name, 0, 1);
		m.d->trace.metas[meta[i]].category = strtab_addz(&m.d->str, table[i].category);
	}
	d = mk_done(&m);
	for (size_t i = 0; i < N; i++)
		if (d->trace.meta_class[meta[i]] != table[i].class)
			fail_msg("%s, %s, %s: 0x%x instead of 0x%x", table[i].plane, table[i].category,
			    table[i].name, d->trace.meta_class[meta[i]], table[i].class);
	dump_close(d);
}

/* Event kinds of a Chrome trace do not belong to a plane: the class depends on where they are used. */
static void kinds_without_a_plane(void **state)
{
	static const struct {
		const char *plane, *line, *name;
		int class;
	} use[] = {
		{ "/device:TPU:0", "XLA Ops", "dot.1", CLASS_MATMUL },
		{ "/host:CPU", "python", "dot.2", CLASS_HOST },
		{ "/device:TPU:0", "XLA Modules", "dot.3", CLASS_OTHER },
		/* the same kind of event as the first */
		{ "/device:TPU:0", "XLA Modules", "dot.1", CLASS_MATMUL },
	};
	struct mktrace m = { 0 };
	struct dump *d;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		uint32_t plane = mk_plane(&m, use[i].plane);

		mk_track(&m, use[i].line);
		m.plane = UINT32_MAX;
		mk_event(&m, use[i].name, 0, 1);
		m.plane = plane;
	}
	d = mk_done(&m);
	assert_int_equal(d->trace.nmetas, 3);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(d->trace.meta_class[track_meta(&d->trace.tracks[i], 0)], use[i].class);
	dump_close(d);
}

/* Every line of the table is a rule: five columns of known words. */
static void the_table_is_sound(void **state)
{
	static const char *const words[] = {
		" device host any ",
		" category name ",
		" exact prefix suffix contains ",
		NULL,
		" matmul compute copy collective io host wait other other+container ",
	};
	const struct embedded *e = embedded_find("classes.tsv");
	const char *p, *end;
	size_t rules_seen = 0;

	(void)state;
	assert_non_null(e);
	p = (const char *)e->bytes;
	end = p + e->size;
	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));

		assert_non_null(eol);
		for (int c = 0; *p != '#' && c < 5; c++) {
			const char *tab = c < 4 ? memchr(p, '\t', (size_t)(eol - p)) : eol;
			char word[64] = " ";

			assert_non_null(tab);
			assert_in_range(tab - p, 1, sizeof word - 3);
			memcpy(word + 1, p, (size_t)(tab - p));
			strcat(word, " ");
			assert_true(!words[c] || strstr(words[c], word));
			p = c < 4 ? tab + 1 : p;
			rules_seen += c == 4;
		}
		p = eol + 1;
	}
	assert_true(rules_seen > 50);
}

/* Every class has its word, letter and name once; ops have the kinds that come first. */
static void kinds_of_time(void **state)
{
	(void)state;
	for (int a = 0; a < CLASS_COUNT; a++) {
		const struct kind_info *x = class_info(a);

		assert_true(*x->id && *x->name && *x->short_name && x->letter > ' ');
		for (int b = 0; b < a; b++) {
			assert_int_not_equal(kind_of_class(a), kind_of_class(b));
			assert_int_not_equal(x->letter, class_info(b)->letter);
			assert_string_not_equal(x->name, class_info(b)->name);
		}
	}
	assert_ptr_equal(class_info(CLASS_COUNT), class_info(CLASS_OTHER));
	assert_int_equal(kind_of_op(CLASS_MATMUL, true), KIND_MATMUL);
	assert_int_equal(kind_of_op(CLASS_MATMUL, false),
	    KIND_ANY_COMPUTE); /* of a fusion only the name is known */
	assert_int_equal(kind_of_op(CLASS_COPY, false), KIND_COPY);
	assert_int_equal(kind_of_op(CLASS_OTHER | META_CONTAINER, true), KIND_COMPUTE);
	assert_int_equal(kind_of_op(CLASS_WAIT, true), KIND_COMPUTE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules),
		cmocka_unit_test(kinds_without_a_plane),
		cmocka_unit_test(the_table_is_sound),
		cmocka_unit_test(kinds_of_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
