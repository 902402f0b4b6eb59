/* Asserts that two windows have the same sums of names, in the same order. */
#ifndef TESTS_SAMENAMES_H
#define TESTS_SAMENAMES_H

#include "analyze/interval/window.h"

static inline void same_names(const struct window *a, const struct window *b)
{
	assert_int_equal(a->nnames, b->nnames);
	for (size_t i = 0; i < a->nnames; i++) {
		const struct window_name *x = &a->names[i], *y = &b->names[i];

		assert_int_equal(x->name, y->name);
		assert_int_equal(x->class, y->class);
		assert_int_equal(x->count, y->count);
		assert_int_equal(x->cut, y->cut);
		assert_int_equal(x->total, y->total);
		assert_int_equal(x->self, y->self);
		assert_int_equal(x->min, y->min);
		assert_int_equal(x->max, y->max);
		assert_int_equal(x->p50, y->p50);
		assert_int_equal(x->p99, y->p99);
		assert_int_equal(x->track, y->track);
		assert_int_equal(x->longest, y->longest);
		assert_int_equal(x->met, y->met);
	}
}

#endif
