#include "config.h"
#include "capture/compare.h"

#include <stdlib.h>

#include "base/mem.h"
#include "capture/results.h"

struct side *capture_side(struct capture *c, const struct side_options *o, struct err *err)
{
	const struct findings *findings = capture_get(c, RESULT_FINDINGS, o->progress, err);
	const struct picked_memory *memory = capture_has(c, RESULT_MEMORY);
	struct side_input in = { .dump = c->base,
		.steps = capture_steps(c),
		.overview = capture_has(c, RESULT_OVERVIEW),
		.findings = findings,
		.memory = memory && memory->module ? &memory->memory : NULL };
	struct side *s;

	if (!findings)
		return NULL;
	s = xcalloc(1, sizeof *s);
	side_make(&in, o, s);
	return s;
}

void capture_side_free(struct side *s)
{
	if (s)
		side_free(s);
	free(s);
}

int capture_diff(const struct side *const *base, size_t nbase, const struct side *const *new, size_t nnew,
    bool sweep, const struct diff_options *o, struct diff *d, struct err *err)
{
	return sweep ? diff_sweep(base[0], new, nnew, o, d, err)
		     : diff_make(base, nbase, new, nnew, o, d, err);
}
