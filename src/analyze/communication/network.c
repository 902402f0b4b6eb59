#include "config.h"
#include "analyze/communication/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/clock.h"
#include "base/clamp.h"
#include "base/mem.h"

/* Messages between slices of a job, over the network of the data center: events of hosts whose names begin with
 * "MegaScale:", and all of the planes with that name.  Only what they state is told: how often, how long, how large. */
enum figure { FIGURE_TIME, FIGURE_BYTES, FIGURE_FROM, FIGURE_TO, FIGURES };
static const char *const figures[FIGURES] = { "duration_us", "payload_size_bytes", "dcn_source_slice_id",
	"dcn_destination_slice_id" };

struct message {
	strid label; /* in struct reading: of the collective, or the name of the event */
	uint32_t meta;
	int64_t time;
	int64_t bytes, from, to; /* -1: not stated; from, to: slices */
};

VEC_ORDER(by_label, struct message, UP(label) UP(from) UP(to));

struct reading {
	const struct dump *dump;
	strid figure[FIGURES], label;
	struct strtab labels;
	double v[FIGURES]; /* of an event; -1: not stated */
	strid of;          /* its label; 0: none */
	struct message *message;
	size_t n, cap;
};

static bool take_stat(void *ctx, const struct stat_value *v)
{
	struct reading *r = ctx;

	if (v->name_id == UINT32_MAX)
		return true;
	if (v->name_id == r->label && v->type == STAT_STR)
		r->of = strtab_add(&r->labels, v->s, v->n);
	for (int i = 0; i < FIGURES && v->type <= STAT_INT; i++)
		if (v->name_id == r->figure[i])
			r->v[i] = v->d;
	return true;
}

static int64_t whole(double v, double unit)
{
	return v >= 0 && v * unit < (double)TRACE_TIME_MAX ? (int64_t)(v * unit) : -1;
}

/* An end that states its duration, or an event that has one; a begin alone is no message yet. */
static void take_event(struct reading *r, const struct track *t, size_t i)
{
	struct message m = { .meta = track_meta(t, i) };
	int64_t start;

	clock_plain(r->dump, t, i, &start, &m.time);
	r->of = 0;
	for (int k = 0; k < FIGURES; k++)
		r->v[k] = -1;
	stats_of_event(r->dump, t, i, take_stat, r);
	if (r->v[FIGURE_TIME] >= 0)
		m.time = whole(r->v[FIGURE_TIME], 1e6);
	if (m.time <= 0)
		return;
	m.bytes = whole(r->v[FIGURE_BYTES], 1);
	m.from = whole(r->v[FIGURE_FROM], 1);
	m.to = whole(r->v[FIGURE_TO], 1);
	m.label = r->of;
	if (!r->of) {
		const struct slice name = dump_text(r->dump, r->dump->trace.metas[m.meta].name);

		m.label = strtab_add(&r->labels, name.s, name.n);
	}
	VEC_ADD(r->message, r->n, r->cap, m);
}

static bool is_network(const struct dump *d, const struct plane *p)
{
	return p->kind == PLANE_CUSTOM && slice_has_nocase(dump_text(d, p->name), "megascale");
}

static void take_plane(struct reading *r, uint32_t plane, const uint8_t *sends)
{
	const struct trace *t = &r->dump->trace;
	const bool all = is_network(r->dump, &t->planes[plane]);

	if (!all && (!sends || t->planes[plane].kind != PLANE_HOST))
		return;
	for (uint32_t k = UINT32_MAX; (k = trace_track_of(t, plane, k)) < t->ntracks;)
		for (size_t i = 0; t->tracks[k].file >= 0 && i < t->tracks[k].n; i++)
			if (all || sends[track_meta(&t->tracks[k], i)])
				take_event(r, &t->tracks[k], i);
}

/* By kind of event: is it one of the network?  NULL: none is. */
static uint8_t *find_sends(const struct dump *d)
{
	uint8_t *sends = NULL;

	for (size_t i = 0; i < d->trace.nmetas; i++) {
		if (!slice_begins(dump_text(d, d->trace.metas[i].name), "MegaScale:"))
			continue;
		sends = sends ? sends : xcalloc(d->trace.nmetas, 1);
		sends[i] = 1;
	}
	return sends;
}

enum { PAIRS = 64 }; /* more of them are not told */

/* "{0,1},{1,0}": from which slice to which; sorted */
static const char *slices_of(struct arena *a, const struct message *v, size_t n)
{
	char text[PAIRS * 24] = "";
	size_t len = 0, pairs = 0;

	for (size_t i = 0; i < n; i++) {
		if (v[i].from < 0 || v[i].to < 0)
			return NULL;
		if (i && v[i].from == v[i - 1].from && v[i].to == v[i - 1].to)
			continue;
		if (pairs++ == PAIRS || v[i].from > 999999 || v[i].to > 999999)
			return NULL;
		len += (size_t)snprintf(text + len, sizeof text - len, "%s{%d,%d}", len ? "," : "",
		    (int)v[i].from, (int)v[i].to);
	}
	return arena_strndup(a, text, len);
}

static void add_op(struct communication *c, const struct reading *r, const struct message *v, size_t n)
{
	struct comm_op *o = &c->op[c->nops++];
	const size_t len = strtab_len(&r->labels, v->label);
	int64_t bytes = 0;

	*o = comm_apart((struct slice){ arena_strndup(&c->text, strtab_str(&r->labels, v->label), len), len },
	    v->meta, COMM_DCN, MODE_NETWORK);
	o->groups = slices_of(&c->text, v, n);
	o->axis = "slices";
	o->count = (int64_t)n;
	for (size_t i = 0; i < n; i++) {
		o->wall = add_clamped(o->wall, v[i].time);
		bytes = bytes < 0 || v[i].bytes < 0 ? -1 : add_clamped(bytes, v[i].bytes);
	}
	o->bytes = bytes < 0 ? -1 : bytes / (int64_t)n;
	comm_describe(c, o);
}

/* What one step or core sends is not known. */
void comm_network_find(const struct comm_options *o, struct communication *c)
{
	const struct dump *d = c->dump;
	struct reading r = { .dump = d, .label = strtab_find(&d->str, "dcn_label", 9) };
	uint8_t *sends;

	if (o->step || o->core >= 0)
		return;
	for (int i = 0; i < FIGURES; i++)
		r.figure[i] = strtab_find(&d->str, figures[i], strlen(figures[i]));
	strtab_init(&r.labels);
	sends = find_sends(d);
	for (uint32_t i = 0; i < d->trace.nplanes; i++)
		if (!o->host || dump_host_is(d, d->trace.planes[i].host, o->host))
			take_plane(&r, i, sends);
	VEC_SORT(r.message, r.n, by_label);
	c->op = xrealloc(c->op, c->nops + r.n + 1, sizeof *c->op);
	for (size_t a = 0, b; a < r.n; a = b) {
		for (b = a + 1; b < r.n && r.message[b].label == r.message[a].label;)
			b++;
		add_op(c, &r, &r.message[a], b - a);
	}
	strtab_free(&r.labels);
	free(r.message);
	free(sends);
}
