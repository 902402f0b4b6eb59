#include "config.h"

#include "base/text/utf8.h"
#include "load/chrome/chrome.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "load/build/loaders.h"
#include "load/source/source.h"

#define ELEMENT_MAX ((size_t)1 << 30) /* longest record that is kept in memory */
#define LOOK_BACK 64                  /* bytes searched backward for a boundary between records */

enum place { WALK_START, WALK_TOP, WALK_SKIPPED, WALK_EVENTS, WALK_FRAMES, WALK_LOST, WALK_END };
enum step { STEP_ON, STEP_MORE, STEP_STOP };

struct walk {
	struct chrome c;
	struct dump *dump;
	struct file *file;
	int index; /* of the file */
	struct progress *progress;
	const char *piece, *p, *end; /* p: the first byte not yet read */
	uint64_t offset;             /* of the piece in the content */
	enum place place;
	struct scan_skip skip;
	bool bare, seen, last; /* bare: just an array; seen: events were found; last: no more pieces */
	uint64_t told;         /* events reported to the progress */

	uint64_t broken, broken_at; /* records that could not be read */
	struct err stream;          /* why the content ends early */
};

static uint64_t offset_of(const struct walk *w, const char *p)
{
	return w->offset + (uint64_t)(p - w->piece);
}

static void tell_progress(struct walk *w)
{
	uint64_t n = w->c.records;

	progress_add(w->progress, 0, n - w->told);
	w->told = n;
}

/* Gets the next piece, with the unread bytes in front.  The piece is at least twice as long as these, so that
 * a long record is not scanned over and over. */
static bool more(struct walk *w)
{
	const uint8_t *piece;
	size_t keep = (size_t)(w->end - w->p), have = keep;

	tell_progress(w);
	while (!w->last) {
		uint64_t offset;
		int64_t n = source_stream_block(w->file->source, have, &piece, &offset, &w->stream);

		if (n <= 0) {
			w->last = true;
			break;
		}
		w->piece = w->p = (const char *)piece;
		w->end = w->p + n;
		w->offset = offset;
		have = (size_t)n;
		if (have > ELEMENT_MAX && w->file->packing) {
			err_set(&w->stream, EXIT_DAMAGED, offset, "a record is longer than %zu MiB",
			    ELEMENT_MAX >> 20);
			w->last = true;
		}
		if (have >= 2 * keep)
			break;
	}
	return have > keep;
}

static enum step start(struct walk *w)
{
	const char *p = scan_space(w->p + utf8_bom(w->p, (size_t)(w->end - w->p)), w->end);

	w->p = p;
	if (p == w->end)
		return STEP_MORE;
	if (*p != '{' && *p != '[')
		return STEP_STOP;
	w->bare = *p == '[';
	w->place = w->bare ? WALK_EVENTS : WALK_TOP;
	w->seen = w->bare;
	w->p++;
	return STEP_ON;
}

static enum step garbage(struct walk *w, const char *at)
{
	if (!w->broken++)
		w->broken_at = offset_of(w, at);
	return STEP_STOP;
}

/* Returns the place of the value after `"key":`; NULL if the piece ends before it, w->p if there is no
 * key. */
static const char *key_at(const struct walk *w, struct slice *key)
{
	const char *p = w->p, *q;

	if (*p != '"')
		return p;
	q = scan_quote(p + 1, w->end);
	if (!q)
		return NULL;
	*key = (struct slice){ p + 1, (size_t)(q - p - 1) };
	q = scan_space(q + 1, w->end);
	if (q == w->end)
		return NULL;
	if (*q != ':')
		return p;
	q = scan_space(q + 1, w->end);
	return q < w->end ? q : NULL;
}

static void separators(struct walk *w)
{
	while (w->p < w->end && (*w->p == ',' || scan_is_space(*w->p)))
		w->p++;
}

static enum step top(struct walk *w)
{
	struct slice key;
	const char *value;

	separators(w);
	if (w->p == w->end)
		return STEP_MORE;
	if (*w->p == '}') {
		w->p++;
		w->place = WALK_END;
		return STEP_ON;
	}
	value = key_at(w, &key);
	if (!value)
		return STEP_MORE;
	if (value == w->p)
		return garbage(w, value);
	if (slice_is(key, "traceEvents") && *value == '[') {
		w->place = WALK_EVENTS;
		w->seen = true;
		value++;
	} else if (slice_is(key, "stackFrames") && *value == '{') {
		w->place = WALK_FRAMES;
		value++;
	} else {
		w->place = WALK_SKIPPED;
		w->skip = (struct scan_skip){ 0 };
	}
	w->p = value;
	return STEP_ON;
}

static enum step skipped(struct walk *w)
{
	const char *q = scan_skip(&w->skip, w->p, w->end);

	w->p = q ? q : w->end;
	if (q)
		w->place = WALK_TOP;
	return q ? STEP_ON : STEP_MORE;
}

/* Reads "id":{"name":"…"}: the stack frames that events name in sf. */
static enum step frames(struct walk *w)
{
	struct slice key, member, name;
	const char *value, *q;
	size_t at = 0;

	separators(w);
	if (w->p == w->end)
		return STEP_MORE;
	if (*w->p == '}') {
		w->p++;
		w->place = WALK_TOP;
		return STEP_ON;
	}
	value = key_at(w, &key);
	if (!value)
		return STEP_MORE;
	q = scan_value(value, w->end);
	if (!q)
		return STEP_MORE;
	if (value == w->p || q == value)
		return garbage(w, value);
	while (scan_member((struct slice){ value, (size_t)(q - value) }, &at, &member, &name))
		if (slice_is(member, "name"))
			idmap_put(&w->c.frames, chrome_key(key), chrome_string(&w->c, name));
	w->p = q;
	return STEP_ON;
}

/* Skips a record that is not valid JSON and searches for the next one. */
static enum step lose(struct walk *w, const char *at)
{
	garbage(w, at);
	w->p = at;
	w->place = WALK_LOST;
	return STEP_ON;
}

/* Whether the brace is part of "},{" and a key follows. */
static bool is_boundary(const struct walk *w, const char *brace)
{
	const char *p = brace, *q = scan_space(brace + 1, w->end);

	while (p > w->piece && scan_is_space(p[-1]))
		p--;
	if (p == w->piece || *--p != ',')
		return false;
	while (p > w->piece && scan_is_space(p[-1]))
		p--;
	return p > w->piece && p[-1] == '}' && q < w->end && *q == '"';
}

static enum step find_record(struct walk *w)
{
	const char *p = w->p;

	while ((p = memchr(p, '{', (size_t)(w->end - p))) != NULL) {
		if (is_boundary(w, p)) {
			w->p = p;
			w->place = WALK_EVENTS;
			return STEP_ON;
		}
		p++;
	}
	if (w->end - w->p > LOOK_BACK)
		w->p = w->end - LOOK_BACK;
	return STEP_MORE;
}

static enum step events(struct walk *w)
{
	struct chrome_record r;

	for (;;) {
		const char *p;

		separators(w);
		if (w->p == w->end)
			return STEP_MORE;
		p = w->p;
		if (*p == ']') {
			w->p++;
			w->place = w->bare ? WALK_END : WALK_TOP;
			return STEP_ON;
		}
		if (*p == '{') {
			switch (chrome_record(&p, w->end, &r)) {
			case RECORD_CUT:
				return STEP_MORE;
			case RECORD_BAD:
				return lose(w, p);
			default:
				r.at = offset_of(w, w->p);
				chrome_event(&w->c, &r);
			}
			if (w->c.restart)
				return STEP_STOP;
		} else {
			const char *q = scan_value(p, w->end);

			if (!q)
				return STEP_MORE;
			if (q == p)
				return lose(w, p);
			w->c.strange++;
			p = q;
		}
		w->p = p;
	}
}

static void walk(struct walk *w)
{
	static enum step (*const step[])(struct walk *) = {
		[WALK_START] = start,
		[WALK_TOP] = top,
		[WALK_SKIPPED] = skipped,
		[WALK_EVENTS] = events,
		[WALK_FRAMES] = frames,
		[WALK_LOST] = find_record,
	};
	enum step next = STEP_MORE;

	while (next != STEP_STOP && w->place != WALK_END) {
		if (next == STEP_MORE && (progress_canceled(w->progress) || !more(w)))
			break;
		next = step[w->place](w);
	}
	tell_progress(w);
}

/* Reads the rest of the file, because damage of compressed data may show only after the end of the JSON. */
static void read_rest(struct walk *w)
{
	const uint8_t *piece;
	uint64_t offset;

	w->piece = w->p = w->end = "";
	while (!progress_canceled(w->progress) &&
	    source_stream_block(w->file->source, 0, &piece, &offset, &w->stream) > 0)
		;
}

static void damaged(struct walk *w, uint64_t at, const char *what)
{
	w->file->partial = true;
	problem_add(w->dump->problems, PROBLEM_DAMAGE, w->index, at, 1, "%s", what);
}

static void report_end(struct walk *w)
{
	bool clean = scan_space(w->p, w->end) == w->end;

	if (w->dump->canceled)
		return;
	if (w->stream.status)
		damaged(w, w->stream.at, w->stream.msg);
	else if (w->place == WALK_EVENTS && w->bare && clean && !w->broken)
		problem_add(w->dump->problems, PROBLEM_NOTE, w->index, offset_of(w, w->p), 1,
		    "the array of events is not closed");
	else if (w->last && w->place != WALK_END && w->place != WALK_LOST)
		damaged(w, offset_of(w, w->p),
		    clean ? "the file ends before its JSON does" : "the file ends inside a record");
}

static void note(struct walk *w, enum problem_level level, uint64_t n, const char *text)
{
	if (n)
		problem_add(w->dump->problems, level, w->index, ERR_NOWHERE, n, "%s", text);
}

static void report_problems(struct walk *w)
{
	static const struct {
		unsigned char ph;
		const char *what;
	} phases[] = {
		{ 'P', "samples" },
		{ 'N', "object creations" },
		{ 'O', "object snapshots" },
		{ 'D', "object deletions" },
		{ 'v', "memory dumps" },
		{ 'V', "memory dumps" },
		{ '(', "context begins" },
		{ ')', "context ends" },
		{ 'c', "clock syncs" },
		{ 'a', "linked ids" },
		{ '=', "linked ids" },
	};
	const struct chrome *c = &w->c;
	struct problems *p = w->dump->problems;

	if (w->broken) {
		w->file->partial = true;
		problem_add(p, PROBLEM_DAMAGE, w->index, w->broken_at, w->broken,
		    "not JSON, record left out");
	}
	for (int ph = 0; ph < 256; ph++) {
		const char *what = "unknown";

		for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
			if (phases[i].ph == ph)
				what = phases[i].what;
		if (c->ignored[ph])
			problem_add(p, PROBLEM_NOTE, w->index, ERR_NOWHERE, c->ignored[ph],
			    "records of phase %c (%s) ignored", ph > ' ' && ph < 127 ? ph : '?', what);
	}
	note(w, PROBLEM_NOTE, c->empty, "empty records {}");
	note(w, PROBLEM_NOTE, c->flow_records, "flow records");
	note(w, PROBLEM_NOTE, c->no_phase, "records without a phase, handled by their time");
	note(w, PROBLEM_NOTE, c->unclosed, "begins without an end, drawn to the end of the trace");
	note(w, PROBLEM_NOTE, c->unopened, "ends without a begin");
	note(w, PROBLEM_NOTE, c->misnamed, "ends whose name differs from their begin");
	note(w, PROBLEM_WARN, c->no_time, "events without a time");
	note(w, PROBLEM_WARN, c->bad_duration, "durations that are not numbers, shown as 0");
	note(w, PROBLEM_WARN, c->out_of_range, "times too far from all others, moved to the start");
	note(w, PROBLEM_WARN, c->strange, "elements of the array that are not events");
	note(w, PROBLEM_WARN, c->bad_values, "counter values that are not numbers");
}

/* Returns the earliest time, ps since base_us; 0 when there is none. */
static int64_t earliest(const struct chrome *c)
{
	int64_t first = INT64_MAX;

	for (size_t i = 0; i < c->b.ntracks; i++) {
		const struct track *t = &c->b.tracks[i].t;

		for (size_t k = 0; k < t->n; k++)
			if (track_start(t, k) < first)
				first = track_start(t, k);
	}
	return first == INT64_MAX ? 0 : first;
}

/* Moves the events of files loaded before, so that all count from the same origin. */
static void move_origin(struct dump *d, int64_t origin_ns)
{
	int64_t by = (d->origin_ns - origin_ns) * 1000;

	for (size_t i = 0; i < d->trace.ntracks; i++) {
		struct track *t = &d->trace.tracks[i];

		track_shift(t, by);
		if (t->n) {
			t->first = add_clamped(t->first, by);
			t->last = add_clamped(t->last, by);
		}
	}
	for (size_t i = 0; i < d->trace.ncounters; i++)
		for (size_t k = 0; k < d->trace.counters[i].n; k++)
			d->trace.counters[i].t[k] = add_clamped(d->trace.counters[i].t[k], by);
	d->origin_ns = origin_ns;
}

/* Returns what to subtract from the times, which count from base_us.  Times since 1970 become relative to the
 * first of them, or to the origin of the files before. */
static int64_t shift_of(struct walk *w)
{
	struct dump *d = w->dump;
	int64_t first = earliest(&w->c), base_ns = w->c.base_us * 1000, first_ns, apart;

	if (!w->c.base_us)
		return 0;
	first_ns = base_ns + (first >= 0 ? first / 1000 : -((-first + 999) / 1000));
	if (first_ns < CHROME_EPOCH_US * 1000 && w->c.base_us <= CHROME_SPAN_US)
		return -base_ns * 1000;
	apart = d->origin_ns - first_ns;
	if (d->origin_ns && apart > 0 && apart < CHROME_SPAN_US * 1000)
		move_origin(d, first_ns);
	else if (!d->origin_ns)
		d->origin_ns = first_ns;
	else if (apart < -CHROME_SPAN_US * 1000 || apart >= CHROME_SPAN_US * 1000)
		return (first_ns - base_ns) * 1000;
	return (d->origin_ns - base_ns) * 1000;
}

static void keep_for_stats(struct walk *w)
{
	struct chrome_file *f = xcalloc(1, sizeof *f);
	const struct build *b = &w->c.b;

	f->frames = w->c.frames;
	memset(&w->c.frames, 0, sizeof w->c.frames);
	for (size_t i = 0; i < b->nprocs; i++)
		if (b->procs[i].labels && (b->procs[i].used || b->procs[i].name))
			idmap_put(&f->labels, b->procs[i].plane, b->procs[i].labels);
	w->file->private = f;
	w->file->free_private = chrome_file_free;
	w->file->stats = &chrome_stats;
}

static void chrome_free(struct chrome *c)
{
	build_free(&c->b);
	idmap_free(&c->frames);
	free(c->frames_wanted);
	free(c->async);
}

static void open_walk(struct walk *w, struct load_ctx *ctx, int file, int64_t base_us)
{
	*w = (struct walk){
		.dump = ctx->dump,
		.file = &ctx->dump->files[file],
		.index = file,
		.progress = ctx->progress,
	};
	build_init(&w->c.b, ctx, file);
	w->c.base_us = base_us;
	w->c.based = base_us;
	w->piece = w->p = w->end = "";
}

static int no_trace(const struct walk *w, struct err *err)
{
	if (w->stream.status)
		return err_set(err, EXIT_NOTHING, w->stream.at, "%s", w->stream.msg);
	if (w->place == WALK_START)
		return err_set(err, EXIT_NOTHING, offset_of(w, w->p), "not JSON");
	if (w->bare)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "JSON, but not a trace: its array has no events (\"ph\")");
	return err_set(err, EXIT_NOTHING, w->broken ? w->broken_at : ERR_NOWHERE,
	    "JSON, but not a trace: it has no \"traceEvents\"");
}

int load_chrome_json(struct load_ctx *ctx, int file, struct err *err)
{
	struct walk w;
	int64_t base_us = 0;
	bool again;

	progress_what(ctx->progress, "reading");
	do {
		open_walk(&w, ctx, file, base_us);
		if (source_stream_start(w.file->source, ctx->progress, err))
			return -1;
		walk(&w);
		again = w.c.restart;
		base_us = w.c.base_us;
		if (progress_canceled(ctx->progress))
			ctx->dump->canceled = w.file->partial = true;
		else if (!again && (!w.seen || (w.bare && !w.c.records))) {
			no_trace(&w, err);
			source_stream_stop(w.file->source);
			chrome_free(&w.c);
			return -1;
		}
		if (again) {
			source_stream_stop(w.file->source);
			chrome_free(&w.c);
			ctx->dump->trace.nmetas = w.c.b.meta0;
		}
	} while (again);
	if (w.place == WALK_END && w.file->packing && !w.last)
		read_rest(&w);
	report_end(&w);
	source_stream_stop(w.file->source);
	chrome_pairs(&w.c);
	chrome_frames(&w.c);
	report_problems(&w);
	build_finish(&w.c.b, shift_of(&w));
	keep_for_stats(&w);
	chrome_free(&w.c);
	return 0;
}
