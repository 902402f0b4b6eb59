#include "config.h"
#include "capture/capture.h"

#include <stdlib.h>

#include "analyze/device/digest.h"
#include "analyze/memory/memory.h"
#include "analyze/trace/derive.h"
#include "analyze/trace/prepare.h"
#include "base/mem.h"
#include "base/pool.h"
#include "capture/results.h"

struct capture *capture_new(void)
{
	struct capture *c = xcalloc(1, sizeof *c);

	c->scope = (struct capture_scope){ .host = -1,
		.core = -1,
		.op_core = -1,
		.tf_graph = -1,
		.beside_host = -1,
		.beside_core = -1 };
	c->slot = xcalloc(RESULT_COUNT, sizeof *c->slot);
	return c;
}

struct capture *capture_of(struct dump *d, int threads)
{
	struct capture *c = capture_new();

	c->base = d;
	c->overlay = overlay_new(d, &c->dump);
	c->threads = threads > 0 ? threads : pool_default_threads();
	return c;
}

struct capture *capture_beside(const struct capture *of)
{
	struct capture *c = capture_of(of->base, of->threads);

	c->beside = true;
	return c;
}

const struct steps *capture_steps(struct capture *c)
{
	if (!c->has_steps && c->base)
		steps_find(c->base, &c->steps);
	c->has_steps = true;
	return &c->steps;
}

void capture_prepare(struct capture *c, enum clock_kind clock, struct progress *p)
{
	memory_check_device(c->base);
	progress_what(p, "finding steps");
	capture_steps(c);
	do { /* indexing restarts when canceled: what was read is shown, and that needs the index */
		if (p)
			atomic_store(&p->cancel, false);
		progress_what(p, "indexing");
		prepare(c->base, &c->clocks, clock, c->threads, p);
	} while (progress_canceled(p));
	derive_memory_counters(c->base);
	derive_dropped_counters(c->base);
	digest_counters(c->base);
}

void capture_close(struct capture *c)
{
	if (!c)
		return;
	for (int i = 0; i < RESULT_COUNT; i++) {
		result_free((enum result)i, c->slot[i].value);
		result_free((enum result)i, c->slot[i].old);
	}
	free(c->slot);
	steps_free(&c->steps);
	clock_free(&c->clocks);
	overlay_free(c->overlay);
	if (!c->beside)
		dump_close(c->base);
	free(c);
}

const char *capture_host(const struct capture *c)
{
	const struct dump *d = c->base;

	return d && c->scope.host >= 0 ? strtab_str(&d->str, d->hosts[c->scope.host].name) : NULL;
}

const struct toolfile *capture_file(const struct capture *c, enum file_kind kind, size_t *more)
{
	const struct toolfile *t = toolfile_find(c->base, kind, capture_host(c), more);
	const struct opdb *ops = capture_has(c, RESULT_OPS);

	return t && !ops->n ? t : NULL;
}
