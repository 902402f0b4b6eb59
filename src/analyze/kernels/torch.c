#include "config.h"
#include "analyze/kernels/internal.h"

#include "base/bisect.h"
#include "base/mem.h"

VEC_ORDER(by_place, struct kernel_event, UP(at) UP(track) UP(event));
VEC_ORDER(by_external, struct kernel_external, UP(id) UP(name));

void kernel_events_sort(struct kernel_events *e)
{
	VEC_SORT(e->v, e->n, by_place);
}

static struct kernel_events cpu_ops(const struct dump *d, int file)
{
	const struct trace *tr = &d->trace;
	strid cpu_op = strtab_find(&d->str, "cpu_op", 6);
	struct kernel_events e = { 0 };

	for (uint32_t k = 0; k < tr->ntracks && cpu_op != UINT32_MAX; k++) {
		const struct track *t = &tr->tracks[k];

		for (size_t i = 0; t->file == file && i < t->n; i++)
			if (tr->metas[track_meta(t, i)].category == cpu_op)
				VEC_ADD(e.v, e.n, e.cap,
				    (struct kernel_event){ track_args(t, i), k, (uint32_t)i });
	}
	kernel_events_sort(&e);
	return e;
}

void kernel_externals_read(const struct dump *d, int file, struct kernel_externals *x)
{
	struct kernel_events e = cpu_ops(d, file);
	struct sight s;

	sight_begin(&s, d);
	for (size_t i = 0; i < e.n; i++) {
		const struct track *t = &d->trace.tracks[e.v[i].track];

		sight_read(&s, t, e.v[i].event);
		if (SIGHT_HAS(&s, SIGHT_EXTERNAL))
			VEC_ADD(x->v, x->n, x->cap,
			    (struct kernel_external){ s.whole[SIGHT_EXTERNAL],
				d->trace.metas[track_meta(t, e.v[i].event)].name });
	}
	sight_end(&s);
	free(e.v);
	VEC_SORT(x->v, x->n, by_external);
}

strid kernel_externals_name(const struct kernel_externals *x, int64_t id)
{
	size_t i;

	BISECT(i, x->n, x->v[i].id < id);
	return i < x->n && x->v[i].id == id ? x->v[i].name : 0;
}
