/* Asserts that two tracks have the same events, in the same order. */
#ifndef TESTS_SAMETRACK_H
#define TESTS_SAMETRACK_H

#include "model/trace.h"

static inline void same_events(const struct track *a, const struct track *b)
{
	assert_int_equal(a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		assert_int_equal(track_start(a, i), track_start(b, i));
		assert_int_equal(track_dur(a, i), track_dur(b, i));
		assert_int_equal(track_meta(a, i), track_meta(b, i));
		assert_int_equal(track_args(a, i), track_args(b, i));
		assert_int_equal(a->depth[i], b->depth[i]);
	}
}

#endif
