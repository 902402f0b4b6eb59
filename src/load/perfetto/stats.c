#include "config.h"

#include "load/perfetto/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 8 /* of entries in entries */
#define NAME_SIZE 200

struct emitting {
	const struct dump *d;
	const struct pf_file *f;
	uint64_t sequence;
	size_t generation;
	stat_fn *fn;
	void *ctx;
	bool stop;
};

static struct slice interned(const struct emitting *e, enum pf_interned kind, uint64_t id)
{
	uint32_t name = pf_name(e->f, e->sequence, e->generation, kind, id);

	return name == IDMAP_NONE ? (struct slice){ "", 0 } : dump_text(e->d, name);
}

static void emit_value(struct emitting *e, const char *name, struct stat_value v)
{
	v.name = name;
	v.name_len = strlen(name);
	v.name_id = strtab_find(&e->d->str, v.name, v.name_len);
	if (!e->stop)
		e->stop = !e->fn(e->ctx, &v);
}

static struct stat_value text_value(struct slice s)
{
	return (struct stat_value){ .type = STAT_STR, .s = s.s ? s.s : "", .n = s.n };
}

static bool value_of(const struct emitting *e, const struct wire *w, struct stat_value *v)
{
	if (w->type == 0 && w->field == 2) {
		*v = text_value(w->u ? (struct slice){ "true", 4 } : (struct slice){ "false", 5 });
	} else if (w->type == 0 && (w->field == 3 || w->field == 4 || w->field == 7)) {
		*v = (struct stat_value){ .type = w->field == 4 ? STAT_INT : STAT_UINT,
			.u = w->u,
			.i = (int64_t)w->u,
			.d = w->field == 4 ? (double)(int64_t)w->u : (double)w->u };
	} else if (w->type == 1 && w->field == 5) {
		*v = (struct stat_value){ .type = STAT_DOUBLE, .d = wire_double(w) };
	} else if (w->type == 2 && (w->field == 6 || w->field == 9)) {
		*v = text_value(wire_text(w));
		v->type = w->field == 9 ? STAT_JSON : STAT_STR;
	} else if (w->type == 0 && w->field == 17) {
		*v = text_value(interned(e, PF_STRING, w->u));
	} else {
		return false;
	}
	return true;
}

/* DebugAnnotation { name_iid = 1, name = 10, dict_entries = 11, array_values = 12, or a value }: entries of entries are
 * called "outer.inner", and "outer[0]". */
static void annotation(struct emitting *e, struct wire w, const char *outer, int nth, int depth)
{
	struct wire again = w;
	struct slice own = { "", 0 };
	char name[NAME_SIZE];
	struct stat_value v;
	int i = 0;

	while (wire_next(&w))
		if (w.field == 10 && w.type == 2)
			own = wire_text(&w);
		else if (w.field == 1 && w.type == 0)
			own = interned(e, PF_KEY, w.u);
	if (nth >= 0)
		snprintf(name, sizeof name, "%s[%d]", outer, nth);
	else
		snprintf(name, sizeof name, "%s%s%.*s", outer, *outer ? "." : "",
		    (int)(own.n < NAME_SIZE ? own.n : NAME_SIZE), own.s);
	while (!e->stop && wire_next(&again)) {
		if (value_of(e, &again, &v))
			emit_value(e, name, v);
		else if (again.type == 2 && (again.field == 11 || again.field == 12) && depth < DEPTH_MAX)
			annotation(e, wire_open(again.s, again.n), name, again.field == 12 ? i++ : -1,
			    depth + 1);
	}
}

static void event_stats(const struct dump *d, const struct track *t, size_t i, stat_fn *fn, void *ctx)
{
	const struct pf_file *f = d->files[t->file].private;
	struct emitting e = { .d = d, .f = f, .fn = fn, .ctx = ctx };
	uint64_t at = track_args(t, i);
	struct wire packet, w;
	struct pf_packet p;
	uint32_t sequence;

	if (!at || at > f->n)
		return;
	packet = wire_open(f->b + at - 1, f->n - (size_t)at + 1);
	if (!pf_packet(f, &packet, &p))
		return;
	sequence = idmap_get(&f->sequences, (int64_t)p.sequence);
	if (sequence == IDMAP_NONE)
		return;
	e.sequence = p.sequence;
	e.generation = pf_generation(&f->sequence[sequence], at - 1);
	for (w = wire_open(p.event.s, p.event.n); !e.stop && wire_next(&w);)
		if (w.field == 4 && w.type == 2)
			annotation(&e, wire_open(w.s, w.n), "", -1, 0);
}

void pf_free(void *private)
{
	struct pf_file *f = private;

	for (size_t i = 0; i < f->nsequences; i++) {
		free(f->sequence[i].began);
		free(f->sequence[i].clocks);
	}
	free(f->sequence);
	free(f->owned);
	idmap_free(&f->sequences);
	idmap_free(&f->interned);
	free(f);
}

const struct stat_reader pf_stats = { .event = event_stats };
