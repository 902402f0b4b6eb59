/* Perfetto protobuf traces (*.pftrace, *.perfetto-trace): track descriptors, slices, instants, counters, flows and
 * their annotations, with interned names and clocks of sequences.  What the system recorded (ftrace, samples, process
 * statistics) is counted and not read. */
#include "config.h"

#include "load/perfetto/internal.h"

#include <stdlib.h>
#include <string.h>

#include "load/source/decoder.h"
#include "base/clamp.h"
#include "base/hash.h"
#include "load/source/source.h"

#define CHECK_EACH 8192 /* packets between two looks at progress */
#define FLOWS_MAX 64    /* of one event */

enum pf_type { PF_SLICE_BEGIN = 1, PF_SLICE_END, PF_INSTANT, PF_COUNTER };

struct pf_event {
	uint64_t type, track, name_id, category_id;
	struct slice name, category;
	int64_t delta_us, absolute_us, whole;
	double number;
	bool has_track, has_delta, has_absolute, has_number, legacy;
	uint64_t flow[FLOWS_MAX];
	bool ends[FLOWS_MAX];
	size_t nflows;
};

static void add_flow_id(struct pf_event *e, uint64_t id, bool end)
{
	if (e->nflows < FLOWS_MAX) {
		e->flow[e->nflows] = id;
		e->ends[e->nflows++] = end;
	}
}

static void read_numbers(struct pf_event *e, const struct wire *w)
{
	switch (w->field) {
	case 1:
	case 16:
		*(w->field == 1 ? &e->delta_us : &e->absolute_us) = (int64_t)w->u;
		*(w->field == 1 ? &e->has_delta : &e->has_absolute) = true;
		break;
	case 3:
		e->category_id = e->category_id ? e->category_id : w->u;
		break;
	case 9:
		e->type = w->u;
		break;
	case 10:
		e->name_id = w->u;
		break;
	case 11:
		e->track = w->u;
		e->has_track = true;
		break;
	case 30:
		e->whole = (int64_t)w->u;
		break;
	case 36:
	case 42:
		add_flow_id(e, w->u, w->field == 42);
		break;
	default:
		break;
	}
}

static struct pf_event read_event(struct slice event)
{
	struct wire w = wire_open(event.s, event.n);
	struct pf_event e = { .name = { NULL, 0 } };

	while (wire_next(&w)) {
		if (w.type == 0) {
			read_numbers(&e, &w);
		} else if (w.type == 1 && w.field == 44) {
			e.number = wire_double(&w);
			e.has_number = true;
		} else if (w.type == 1 && (w.field == 47 || w.field == 48)) {
			add_flow_id(&e, w.u, w.field == 48);
		} else if (w.type == 2 && w.field == 23) {
			e.name = wire_text(&w);
		} else if (w.type == 2 && w.field == 22 && !e.category.n) {
			e.category = wire_text(&w);
		}
		e.legacy |= w.field == 6;
	}
	return e;
}

/* What an event is called: its own text, or one that its sequence interned. */
static struct slice text_of(struct pf_reading *r, const struct pf_packet *p, const struct pf_sequence *s,
    struct slice own, enum pf_interned kind, uint64_t id)
{
	uint32_t interned = own.s || !id ? IDMAP_NONE : pf_name(r->f, p->sequence, s->generation, kind, id);

	r->nameless += kind == PF_NAME && !own.s && id && interned == IDMAP_NONE;
	return interned != IDMAP_NONE ? dump_text(r->b.dump, interned)
	    : own.s                   ? own
				      : (struct slice){ "", 0 };
}

static void add_flows(struct pf_reading *r, const struct pf_event *e, uint32_t track, int64_t ts, uint64_t at)
{
	for (size_t i = 0; i < e->nflows; i++) {
		bool began = idmap_get(&r->flows, (int64_t)e->flow[i]) != IDMAP_NONE;

		idmap_put(&r->flows, (int64_t)e->flow[i], 1);
		build_flow(&r->b,
		    &(struct build_flow){ .key = hash_mix(0x7066, e->flow[i]),
			.ts = ts,
			.at = at,
			.track = track,
			.role = e->ends[i] ? FLOW_END
			    : began        ? FLOW_STEP
					   : FLOW_START,
			.bind = FLOW_SELF });
	}
}

static void add_sample(struct pf_reading *r, struct pf_track *t, const struct pf_event *e, int64_t ts,
    uint64_t at)
{
	double v = (e->has_number ? e->number : (double)e->whole) * t->multiplier;
	strid name = t->name ? t->name : r->b.tracks[t->track].t.name;
	uint32_t meta;

	t->value = t->incremental ? t->value + v : v;
	if (t->samples == IDMAP_NONE)
		t->samples = build_counter(&r->b, t->track, t->uuid, name, t->unit);
	meta = build_meta(&r->b, dump_text(r->b.dump, name).s, dump_text(r->b.dump, name).n, 0, false);
	build_event(&r->b, t->track, ts, 0, meta, at);
	build_sample(&r->b, t->samples, ts, t->value);
}

static void add_event(struct pf_reading *r, const struct pf_packet *p, const struct pf_sequence *s,
    const struct pf_event *e, int64_t ns)
{
	int64_t ps, ts = __builtin_mul_overflow(sub_clamped(ns, r->first), 1000, &ps) ? INT64_MAX : ps;
	struct pf_track *t = pf_track(r, e->has_track ? e->track : s->track != PF_NONE ? s->track : 0);
	uint64_t at = p->at + 1;
	struct slice name, category;
	size_t event;

	if (e->type == PF_SLICE_END) {
		build_mark(&r->b.tracks[t->track], ts, UINT32_MAX);
		return;
	}
	if (e->type == PF_COUNTER) {
		add_sample(r, t, e, ts, at);
		return;
	}
	name = text_of(r, p, s, e->name, PF_NAME, e->name_id);
	category = text_of(r, p, s, e->category, PF_CATEGORY, e->category_id);
	event = build_event(&r->b, t->track, ts, 0,
	    build_meta(&r->b, name.s, name.n,
		category.n ? strtab_add(&r->b.dump->str, category.s, category.n) : 0, false),
	    at);
	if (event == SIZE_MAX)
		return;
	if (e->type == PF_SLICE_BEGIN)
		build_mark(&r->b.tracks[t->track], ts, event < UINT32_MAX ? (uint32_t)event : UINT32_MAX);
	add_flows(r, e, t->track, ts, at);
}

/* Times of an event that the packet does not state count in us, from the last one of the sequence. */
static int64_t time_of(struct pf_reading *r, const struct pf_packet *p, struct pf_sequence *s,
    const struct pf_event *e)
{
	int64_t ns;

	if (p->has_ts)
		return pf_time(r, p, s);
	if (e->has_absolute)
		s->legacy_us = e->absolute_us;
	else if (e->has_delta)
		s->legacy_us = add_clamped(s->legacy_us, e->delta_us);
	return __builtin_mul_overflow(s->legacy_us, 1000, &ns) ? INT64_MAX : ns;
}

static void take_event(struct pf_reading *r, const struct pf_packet *p, struct pf_sequence *s)
{
	struct pf_event e = read_event(p->event);
	int64_t ns = time_of(r, p, s, &e);

	if (e.type < PF_SLICE_BEGIN || e.type > PF_COUNTER) {
		r->legacy += r->pass2;
		return;
	}
	if (r->pass2) {
		add_event(r, p, s, &e, ns);
		r->events++;
		return;
	}
	r->first = ns < r->first ? ns : r->first;
	r->last = ns > r->last ? ns : r->last;
}

static void take_packet(struct pf_reading *r, const struct pf_packet *p)
{
	struct pf_sequence *s = pf_sequence(r->f, p->sequence);

	pf_state(r, p, s);
	if (p->thread.n)
		pf_describe_thread(r, p, s);
	if (p->descriptor.n && !r->pass2)
		pf_describe(r, p->descriptor);
	if (p->event.n)
		take_event(r, p, s);
	else if (p->has_ts && (p->clock != PF_NONE || s->clock != PF_NONE))
		pf_time(r, p, s); /* moves a clock that counts on */
	r->others += r->pass2 && p->other && !p->event.n && !p->descriptor.n;
	r->zstd += r->pass2 && p->packed_zstd.n;
}

/* Goes through all packets.  Returns where the bytes become invalid; ERR_NOWHERE: nowhere. */
static uint64_t walk(struct pf_reading *r)
{
	struct wire w = wire_open(r->f->b, r->f->n);
	struct pf_packet p;
	uint64_t n = 0, last = 0;

	for (size_t i = 0; i < r->f->nsequences; i++) {
		struct pf_sequence *s = &r->f->sequence[i];

		s->generation = s->nclocks = 0;
		s->clock = s->track = PF_NONE;
		s->legacy_us = 0;
	}
	memset(r->known, 0, sizeof r->known);
	memset(r->offset, 0, sizeof r->offset);
	while (pf_packet(r->f, &w, &p)) {
		take_packet(r, &p);
		if (++n % CHECK_EACH)
			continue;
		progress_add(r->b.ctx->progress, r->pass2 ? (uint64_t)(w.p - r->f->b) - last : 0,
		    r->pass2 ? CHECK_EACH : 0);
		last = (uint64_t)(w.p - r->f->b);
		if (progress_canceled(r->b.ctx->progress))
			break;
	}
	return w.bad ? (uint64_t)(w.p - r->f->b) : ERR_NOWHERE;
}

static void pair(struct pf_reading *r)
{
	struct build_paired said = { 0 };
	int64_t ps, end = __builtin_mul_overflow(sub_clamped(r->last, r->first), 1000, &ps) ? INT64_MAX : ps;

	for (size_t i = 0; i < r->b.ntracks; i++)
		build_pair(&r->b.tracks[i], end, &said);
	if (said.unclosed)
		problem_add(r->b.dump->problems, PROBLEM_WARN, r->b.file, ERR_NOWHERE, said.unclosed,
		    "slices that do not end in the trace: drawn up to its end");
	if (said.unopened)
		problem_add(r->b.dump->problems, PROBLEM_NOTE, r->b.file, ERR_NOWHERE, said.unopened,
		    "ends of slices that began before the trace");
}

static void report_problems(struct pf_reading *r, uint64_t damaged, const char *why)
{
	struct problems *p = r->b.dump->problems;
	int file = r->b.file;

	if (progress_canceled(r->b.ctx->progress))
		r->b.dump->canceled = r->file->partial = true;
	if (damaged != ERR_NOWHERE)
		problem_add(p, PROBLEM_DAMAGE, file, damaged, 1, "%s", why);
	if (r->lost)
		problem_add(p, PROBLEM_DAMAGE, file, ERR_NOWHERE, r->lost,
		    "packed packets are damaged, or too large");
	if (r->zstd)
		problem_add(p, PROBLEM_DAMAGE, file, ERR_NOWHERE, r->zstd,
		    "packets are packed with zstd, which %s; trace_processor util "
		    "decompress_packets unpacks them",
		    packing_zstd.open ? "is not read within others" : "this build cannot read");
	if (r->others)
		problem_add(p, PROBLEM_NOTE, file, ERR_NOWHERE, r->others,
		    "packets of other data sources (ftrace, samples, statistics) are not read");
	if (r->legacy)
		problem_add(p, PROBLEM_WARN, file, ERR_NOWHERE, r->legacy,
		    "events of the JSON format in packets are not read");
	if (r->nameless)
		problem_add(p, PROBLEM_WARN, file, ERR_NOWHERE, r->nameless,
		    "events whose name was interned in a part that is missing");
	r->file->partial |= damaged != ERR_NOWHERE || r->lost || r->zstd;
}

static void read_all(struct pf_reading *r, uint64_t damaged, const char *why)
{
	uint64_t stopped;

	pf_unpack(r);
	walk(r);
	r->pass2 = true;
	stopped = walk(r);
	pair(r);
	report_problems(r, stopped != ERR_NOWHERE ? stopped : damaged,
	    stopped != ERR_NOWHERE ? "a packet is cut off or damaged" : why);
}

int load_perfetto(struct load_ctx *ctx, int file, struct err *err)
{
	struct pf_reading r = { .file = &ctx->dump->files[file], .first = INT64_MAX, .last = INT64_MIN };
	uint64_t damaged = ERR_NOWHERE, events;
	const uint8_t *bytes;
	size_t n;

	progress_what(ctx->progress, "reading");
	if (!(bytes = source_bytes(r.file->source, &n, &damaged, ctx->progress, err)))
		return -1;
	r.f = xcalloc(1, sizeof *r.f);
	*r.f = (struct pf_file){ .b = bytes, .n = n };
	build_init(&r.b, ctx, file);
	read_all(&r, damaged, damaged != ERR_NOWHERE ? source_why(r.file->source) : "");
	events = r.events;
	if (events)
		build_finish(&r.b, 0);
	build_free(&r.b);
	idmap_free(&r.track_of);
	idmap_free(&r.flows);
	free(r.track);
	if (!events) {
		pf_free(r.f);
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "a Perfetto trace without track events: what the system recorded (ftrace) is not read");
	}
	r.file->private = r.f;
	r.file->free_private = pf_free;
	r.file->stats = &pf_stats;
	return 0;
}
