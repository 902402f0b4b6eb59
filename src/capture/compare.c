#include "config.h"
#include "capture/compare.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "capture/internal.h"

/* From what is there of the capture. */
static void make_side(const struct capture *c, const struct findings *f, const struct side_options *o,
    struct side *s)
{
	const struct picked_memory *memory = capture_has(c, RESULT_MEMORY);
	struct side_input in = { .dump = c->base,
		.steps = &c->steps,
		.overview = capture_has(c, RESULT_OVERVIEW),
		.findings = f,
		.memory = memory && memory->module ? &memory->memory : NULL };

	side_make(&in, o, s);
}

struct side *capture_side(struct capture *c, const struct side_options *o, struct err *err)
{
	const struct findings *findings = capture_get(c, capture_soon_findings(c), o->progress, err);
	struct side *s;

	if (!findings)
		return NULL;
	capture_steps(c);
	s = xcalloc(1, sizeof *s);
	make_side(c, findings, o, s);
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

/* --- results --- */

/* The whole capture is compared; findings are of the host that is chosen, so that then they are left out. */
void *result_make_diff(const struct result_env *e)
{
	const struct capture *c = e->c;
	const struct side_options o = { .core = -1, .threads = c->threads, .progress = e->progress };
	const struct diff_options plain = { .margin = NAN, .scale = NAN };
	struct compared *x;
	const struct side *own;

	if (!c->nagainst) {
		err_set(e->err, EXIT_USAGE, ERR_NOWHERE, "there is nothing to compare with");
		return NULL;
	}
	x = xcalloc(1, sizeof *x);
	make_side(c, c->scope.host < 0 ? capture_has(c, capture_soon_findings(c)) : NULL, &o, &x->side);
	x->side.path = c->base->nfiles ? c->base->files[0].path : "";
	own = &x->side;
	if (!diff_make(c->against, c->nagainst, &own, 1, &plain, &x->diff, e->err))
		return x;
	side_free(&x->side);
	free(x);
	return NULL;
}

void result_free_diff(void *p)
{
	struct compared *x = p;

	diff_free(&x->diff);
	side_free(&x->side);
	free(x);
}
