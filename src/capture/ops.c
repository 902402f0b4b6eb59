#include "config.h"
#include "capture/internal.h"

#include <stdlib.h>

#include "analyze/device/digest.h"
#include "analyze/ops/roofline.h"

static int no_module(const struct result_env *e)
{
	return err_set(e->err, EXIT_USAGE, ERR_NOWHERE,
	    "no ops of module '%s'; give a name, name(id) or id from report op_profile",
	    e->c->scope.op_module);
}

static int pick_module(const struct result_env *e, struct ops_pick *p)
{
	const struct capture_scope *scope = &e->c->scope;

	if (scope->program) {
		p->options.programs = &scope->program;
		p->options.nprograms = 1;
	} else if (scope->op_module) {
		p->options.programs = p->programs =
		    op_programs(e->c->base, scope->op_module, &p->options.nprograms);
		return p->options.nprograms ? 0 : no_module(e);
	}
	return 0;
}

static int pick_step(const struct result_env *e, struct ops_pick *p)
{
	const char *step = e->c->scope.op_step;

	if (!step)
		return 0;
	if (digest_count(e->c->base))
		return err_set(e->err, EXIT_NOTHING, ERR_NOWHERE,
		    "a digest has no ops per step; open the capture itself");
	p->options.windows = p->windows =
	    roof_windows(e->c->base, &p->options, step, &p->options.nwindows, &p->total);
	return p->options.nwindows ? 0
				   : err_set(e->err, EXIT_USAGE, ERR_NOWHERE,
					 "no core has a step '%s'; report steps lists them", step);
}

int ops_pick(const struct result_env *e, struct ops_pick *p)
{
	*p = (struct ops_pick){ .options = { .host = capture_host(e->c),
				    .core = e->c->scope.op_core,
				    .threads = e->c->threads,
				    .progress = e->progress },
		.total = -1 };
	if (!pick_module(e, p) && !pick_step(e, p))
		return 0;
	ops_pick_free(p);
	return -1;
}

void ops_pick_free(struct ops_pick *p)
{
	free(p->programs);
	free(p->windows);
}

int ops_of_scope(const struct result_env *e, struct opdb *db)
{
	const struct capture_scope *scope = &e->c->scope;
	struct ops_pick p;

	if (ops_pick(e, &p))
		return -1;
	opdb_build(e->c->base, &p.options, db);
	if (scope->op_step)
		db->total = p.total;
	ops_pick_free(&p);
	if (scope->op_module && !scope->op_step && !db->n) {
		opdb_free(db);
		return no_module(e);
	}
	return 0;
}
