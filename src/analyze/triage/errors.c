#include "config.h"
#include "analyze/triage/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define HEAD_LINES 4
#define HEAD_MAX (16u << 10)
#define BEFORE_MAX 4096u
#define MESSAGE_MAX 400

bool triage_is_oom(const struct triage_work *w, int kind)
{
	switch (kind >= 0 ? w->kinds[kind].special : -1) {
	case KIND_HBM:
	case KIND_VMEM:
	case KIND_SMEM:
	case KIND_SFLAG:
	case KIND_MEMORY:
	case KIND_ALLOC:
	case KIND_LOAD:
	case KIND_SPARSECORE:
	case KIND_GPU:
		return true;
	default:
		return false;
	}
}

/* Errors of which the lines below the first say what it is about: shape, tiling and block; hosts. */
static bool is_told_below(const struct triage_work *w, int kind)
{
	return w->kinds[kind].special == KIND_HANG || !strncmp(w->kinds[kind].name, "mosaic_", 7);
}

/* Sentences of several lines. */
static bool may_go_on(const struct triage_work *w, int kind, struct slice s)
{
	int special = w->kinds[kind].special;

	return is_told_below(w, kind) || slice_ends(slice_trim(s), ":") || triage_is_oom(w, kind) ||
	    special == KIND_HALTED || special == KIND_ABORT || special == KIND_MISMATCH ||
	    special == KIND_VMEM_LIMIT || special == KIND_REMAT;
}

static struct triage_occurrence *triage_occurrence_new(struct triage_work *w, int kind)
{
	struct triage_occurrence *o = xcalloc(1, sizeof *o);

	o->kind = kind;
	o->file = w->nlogs - 1;
	o->line = w->line;
	o->place = w->place;
	o->count = 1;
	o->key = -1;
	for (int i = 0; i < NUM_COUNT; i++)
		o->num[i] = SIZE_NONE;
	*w->queue_end = o;
	w->queue_end = &o->next;
	if (w->record->severity)
		triage_set(o, TEXT_TIME, (struct slice){ w->record->time, strlen(w->record->time) });
	return o;
}

void triage_occurrence_free(struct triage_occurrence *o)
{
	if (!o)
		return;
	if (o->lists != o)
		triage_occurrence_free(o->lists);
	free(o->head);
	free(o->value);
	free(o->buffers);
	free(o->needs);
	usage_report_free(&o->report);
	arena_free(&o->arena);
	free(o);
}

/* Several kinds of memory errors share one sentence.  The memory space, and what was being allocated, tell
 * them apart. */
static void resolve(struct triage_work *w, struct triage_occurrence *o)
{
	static const struct {
		const char *space;
		int kind;
	} spaces[] = { { "hbm", KIND_HBM }, { "vmem", KIND_VMEM }, { "smem", KIND_SMEM },
		{ "sflag", KIND_SFLAG } };
	struct slice head = { o->head, o->head_len };
	const char *space = o->text[TEXT_SPACE];

	if (o->kind == w->special[KIND_MEMORY]) {
		for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
			if (space && !strcmp(space, spaces[i].space))
				o->kind = w->special[spaces[i].kind];
		if (o->head && o->kind == w->special[KIND_VMEM] &&
		    (slice_find(head, "Scoped allocation with size") ||
			slice_find(head, "while allocating on stack for")))
			o->kind = w->special[KIND_SCOPED];
	}
	if (o->kind >= 0 && !o->text[TEXT_SPACE] && *w->kinds[o->kind].space != '-')
		o->text[TEXT_SPACE] = w->kinds[o->kind].space;
}

/* A block without a sentence before it is an error of its own when it says what the program requires, and
 * otherwise a fragment of a list. */
static void resolve_block(struct triage_work *w, struct triage_occurrence *o)
{
	bool list = false;

	/* A list that has only shapes could belong to anything. */
	for (size_t i = 0; i < o->nbuffers; i++)
		list |= o->buffers[i].label || o->buffers[i].allocation;
	if (o->ignored || (!o->requirement && !list)) {
		o->dropped = true;
		return;
	}
	o->kind = w->special[o->requirement ? KIND_MEMORY : KIND_FRAGMENT];
	o->headless = o->requirement;
	if (o->block_space)
		triage_set(o, TEXT_SPACE, (struct slice){ o->block_space, strlen(o->block_space) });
}

static void head_add(struct triage_occurrence *o, struct slice s)
{
	size_t n = s.n < HEAD_MAX ? s.n : HEAD_MAX;

	if (o->head_lines < 0 || o->head_lines > HEAD_LINES)
		return;
	o->head = xrealloc(o->head, o->head_len + n + 2, 1);
	if (o->head_len)
		o->head[o->head_len++] = ' ';
	for (size_t i = 0; i < n; i++)
		o->head[o->head_len++] = s.s[i] ? s.s[i] : ' ';
	o->head[o->head_len] = 0;
	o->head_lines++;
}

static void set_message(struct triage_occurrence *o, struct slice s)
{
	size_t n = 0;

	s = slice_trim(s);
	for (size_t chars = 0; n < s.n; n++) /* never cut inside a UTF-8 character */
		if ((s.s[n] & 0xc0) != 0x80 && ++chars > MESSAGE_MAX)
			break;
	o->text[TEXT_MESSAGE] = NULL;
	triage_set(o, TEXT_MESSAGE, (struct slice){ s.s, n });
}

/* The message goes on in the lines below. */
static void extend_message(struct triage_work *w, struct triage_occurrence *o)
{
	struct slice message = slice_of(o->text[TEXT_MESSAGE]);

	if (o->kind >= 0 && o->head &&
	    (is_told_below(w, o->kind) || (w->kinds[o->kind].special < 0 && slice_ends(message, ":"))))
		set_message(o, (struct slice){ o->head + o->message_at, o->head_len - o->message_at });
}

static void close_occurrence(struct triage_work *w, struct triage_occurrence *o)
{
	struct slice said;

	triage_blocks_end(o);
	if (o->kind < 0)
		resolve_block(w, o);
	else
		triage_fields(w, o);
	resolve(w, o);
	extend_message(w, o);
	if (o->kind >= 0) {
		said = o->head ? (struct slice){ o->head, o->head_len } : slice_of(o->text[TEXT_MESSAGE]);
		o->advice = triage_advice(&o->arena, w->kinds[o->kind].advice, said);
		o->special = triage_advice_is_special(w->kinds[o->kind].advice, said);
	}
	o->truncated = o->truncated || o->report.cut || o->heading ||
	    (o->total && !o->requirement && !o->unknown_program);
	for (size_t i = 0; i < o->nbuffers; i++)
		o->truncated |= o->buffers[i].half ||
		    (!o->buffers[i].closed &&
			(i + 1 == o->nbuffers || o->buffers[i].arguments != o->buffers[i + 1].arguments));
	free(o->head);
	free(o->value);
	o->head = o->value = NULL;
	o->closed = true;
}

static void close_context(struct triage_work *w, struct triage_context *c)
{
	if (!c->open)
		return;
	close_occurrence(w, c->open);
	c->open = NULL;
	w->nopen--;
	triage_merge_queue(w);
}

void triage_close_all(struct triage_work *w)
{
	for (size_t i = 0; i < TRIAGE_CONTEXTS; i++) {
		close_context(w, &w->contexts[i]);
		free(w->contexts[i].before);
		w->contexts[i] = (struct triage_context){ 0 };
	}
	triage_merge_queue(w);
}

static void close_late(struct triage_work *w)
{
	w->until = UINT64_MAX;
	for (size_t i = 0; i < TRIAGE_CONTEXTS; i++) {
		struct triage_context *c = &w->contexts[i];

		if (c->open && c->until <= w->offset)
			close_context(w, c);
		if (c->open && c->until < w->until)
			w->until = c->until;
	}
}

static struct triage_context *find_context(struct triage_work *w, uint64_t key)
{
	for (struct triage_context *c = w->contexts; c < w->contexts + TRIAGE_CONTEXTS; c++)
		if (c->used && c->key == key) {
			c->used = ++w->ticks;
			return c;
		}
	return NULL;
}

static struct triage_context *make_context(struct triage_work *w, uint64_t key)
{
	struct triage_context *there = find_context(w, key), *old = w->contexts;

	if (there)
		return there;
	for (struct triage_context *c = w->contexts; c < w->contexts + TRIAGE_CONTEXTS; c++)
		if (c->used < old->used)
			old = c;
	close_context(w, old);
	free(old->before);
	*old = (struct triage_context){ .key = key, .used = ++w->ticks };
	return old;
}

static void keep_open(struct triage_work *w, struct triage_context *c)
{
	w->last_key = c->key;
	c->until = w->offset + TRIAGE_AHEAD;
	if (c->until < w->until)
		w->until = c->until;
}

static uint64_t occurrence_hash(const struct triage_work *w, int kind, struct slice s)
{
	return hash_bytes(hash_bytes(w->record->key + (uint64_t)kind, w->record->time,
			      strlen(w->record->time)),
	    s.s, s.n);
}

/* A record that appears in several log files of one process counts once. */
static bool seen_elsewhere(struct triage_work *w, int kind, struct slice s)
{
	uint64_t h = occurrence_hash(w, kind, s) | 1;
	size_t i;

	if (w->record->format != FORMAT_GLOG && w->record->format != FORMAT_GLOG0)
		return false;
	if (2 * w->nseen >= w->seen_cap) {
		struct triage_seen *old = w->seen;
		size_t cap = w->seen_cap;

		w->seen_cap = cap ? cap * 2 : 64;
		w->seen = xcalloc(w->seen_cap, sizeof *w->seen);
		for (size_t k = 0; k < cap; k++) {
			if (!old[k].hash)
				continue;
			for (i = old[k].hash & (w->seen_cap - 1); w->seen[i].hash;
			     i = (i + 1) & (w->seen_cap - 1))
				;
			w->seen[i] = old[k];
		}
		free(old);
	}
	for (i = h & (w->seen_cap - 1); w->seen[i].hash; i = (i + 1) & (w->seen_cap - 1))
		if (w->seen[i].hash == h)
			return w->seen[i].file != w->nlogs - 1;
	w->seen[i] = (struct triage_seen){ h, w->nlogs - 1 };
	w->nseen++;
	return false;
}

static void open_error(struct triage_work *w, struct triage_context *c, int kind,
    const struct triage_phrase *by, struct slice s)
{
	bool weak = by && by->weak;
	struct triage_occurrence *o = c->open;

	/* its error code came a few lines earlier */
	if (o && o->weak && o->kind == kind && w->place - o->place <= 3) {
		o->line = w->line;
		o->place = w->place;
		o->weak = weak;
		set_message(o, s);
		head_add(o, s);
		return;
	}
	close_context(w, c);
	c->open = o = triage_occurrence_new(w, kind);
	w->nopen++;
	o->weak = weak;
	o->general = by && by->general;
	w->gpu_key = kind == w->special[KIND_GPU] ? c->key : w->gpu_key;
	if (seen_elsewhere(w, kind, s))
		o->count = 0;
	if (c->before && w->place - c->before_place <= 2) {
		triage_code(o, (struct slice){ c->before, c->before_len });
		head_add(o, (struct slice){ c->before, c->before_len });
	}
	set_message(o, s);
	o->message_at = o->head_len + (o->head_len > 0);
	head_add(o, s);
	if (!may_go_on(w, kind, s) && !weak && !o->general)
		o->head_lines = -1;
	keep_open(w, c);
}

static bool line_has(const struct triage_hit *hits, size_t n, int kind)
{
	for (size_t i = 0; i < n; i++)
		if (hits[i].phrase->kind >= 0 && hits[i].phrase->kind == kind)
			return true;
	return false;
}

/* "XRT_TPU_CONFIG" alone, in a line that says that it is missing or wrong */
static bool is_missing(struct slice s, struct slice rest)
{
	static const char *const words[] = { "Error", "rror:", "issing", "ot set", "must ", "ot found",
		"ot configured", "expected" };

	slice_cut(&rest, "XRT_TPU_CONFIG");
	for (size_t i = 0; i < sizeof words / sizeof *words && !slice_begins(rest, "="); i++)
		if (slice_find(s, words[i]))
			return true;
	return false;
}

/* Some phrases are an error only together with other words of their sentence. */
bool triage_is_error(const struct triage_work *w, int kind, struct slice s, const struct triage_hit *hits,
    size_t n, size_t at)
{
	struct slice rest = { s.s + at, s.n - at };
	int64_t v;

	switch (w->kinds[kind].special) {
	case KIND_ALLOC:
		return size_read_after(rest, "allocate ", &v) &&
		    (slice_begins(rest, "Attempting") || slice_find(rest, "in memory"));
	case KIND_LOAD:
		return size_read_after(rest, "reserve ", &v);
	case KIND_HBM:
		return slice_begins(rest, "Ran out") ? slice_find(rest, "total memory required") != NULL
						     : slice_find(s, "Hbm usage") != NULL;
	case KIND_MEMORY: /* the SparseCore has a kind of its own */
		return !line_has(hits, n, w->special[KIND_SPARSECORE]) &&
		    (!slice_begins(rest, "would") || slice_find(s, "Allocation (size="));
	case KIND_CHECK:
		return w->record->severity == 'F';
	case KIND_XRT: /* the variable is named by those who set it, too */
		return !slice_begins(rest, "XRT_TPU_CONFIG") || is_missing(s, rest);
	case KIND_SSH:
		return slice_begins(rest, "Could not") || slice_find(s, "connect to host");
	case KIND_OP:
		return slice_find(s, "No registered '") != NULL;
	case KIND_REMAT:
		return slice_find(rest, "by rematerialization") != NULL;
	default:
		return true;
	}
}

static bool is_warning(const struct triage_work *w, int kind)
{
	return !strcmp(w->kinds[kind].severity, "warning");
}

/* Is the line more of the error that is open?  SparseCore errors print the name of the error first and then the
 * sentence that all memory errors share; a halted core says where only in the second line; and the same lines
 * say what a general name stands for. */
static bool is_same_failure(const struct triage_work *w, const struct triage_occurrence *o, int kind,
    const struct triage_phrase *by)
{
	enum { NEAR = 3 };

	if (!o || o->kind < 0 || w->place - o->place > NEAR)
		return false;
	if (kind == o->kind)
		return by->general || (o->weak && is_told_below(w, kind)) ||
		    (kind == w->special[KIND_HALTED] && o->head &&
			!strstr(o->head, "unexpectedly at tag:pc"));
	if (kind == w->special[KIND_MEMORY] && o->kind == w->special[KIND_SPARSECORE])
		return w->place - o->place < NEAR;
	return (by->general || o->general) && !is_warning(w, kind) && !is_warning(w, o->kind);
}

static void take_more(const struct triage_work *w, struct triage_occurrence *o, int kind,
    const struct triage_phrase *by, struct slice s)
{
	if (o->general && !by->general) {
		o->kind = kind;
		o->general = false;
	}
	o->weak = by->weak;
	if (kind == w->special[KIND_HALTED] && kind == o->kind) /* it says where */
		set_message(o, s);
	o->head_lines = o->head_lines < 0 ? 1 : o->head_lines; /* an empty line was between them */
	head_add(o, s);
}

/* Another error of the line says it better. */
static bool is_said_better(const struct triage_work *w, struct slice s, const struct triage_hit *hits,
    size_t n, const struct triage_phrase *by)
{
	for (size_t i = 0; i < n && by->general; i++) {
		const struct triage_phrase *p = hits[i].phrase;

		if (p->kind >= 0 && !p->general && !is_warning(w, p->kind) &&
		    triage_is_error(w, p->kind, s, hits, n, hits[i].at))
			return true;
	}
	return false;
}

/* One phrase of each kind: the first that is an error, or the first that says more than the name. */
static const struct triage_phrase *phrase_of(const struct triage_work *w, struct slice s,
    const struct triage_hit *hits, size_t n, size_t i)
{
	const struct triage_phrase *best = NULL;

	for (size_t k = 0; k < n; k++) {
		const struct triage_phrase *p = hits[k].phrase;

		if (p->kind != hits[i].phrase->kind || !triage_is_error(w, p->kind, s, hits, n, hits[k].at))
			continue;
		if (k < i)
			return NULL;
		best = !best || (best->weak && !p->weak) || (best->general && !p->general) ? p : best;
	}
	return best;
}

static bool take_errors(struct triage_work *w, struct triage_context **c, struct slice s,
    const struct triage_hit *hits, size_t n)
{
	bool any = false;

	/* Take out-of-memory errors last, so that they are still open when their blocks of buffers follow. */
	for (int oom = 0; oom < 2; oom++)
		for (size_t i = 0; i < n; i++) {
			int kind = hits[i].phrase->kind;
			const struct triage_phrase *by;

			if (kind < 0 || triage_is_oom(w, kind) != oom || !(by = phrase_of(w, s, hits, n, i)))
				continue;
			any = true;
			if (is_said_better(w, s, hits, n, by))
				continue;
			if (*c && is_same_failure(w, (*c)->open, kind, by)) {
				take_more(w, (*c)->open, kind, by, s);
				continue;
			}
			if (!*c || (*c)->key != w->record->key)
				*c = make_context(w, w->record->key);
			open_error(w, *c, kind, by, s);
		}
	return any;
}

/* Opens an error for a block without a sentence before it.  Newer libtpu logs such blocks at severity I for
 * every program; those are no errors.  A text without log records has no severity, so it is decided at the
 * end of the file. */
static void open_block(struct triage_work *w, struct triage_context *c, struct slice s)
{
	struct triage_occurrence *o;

	close_context(w, c);
	c->open = o = triage_occurrence_new(w, -1);
	w->nopen++;
	o->ignored = w->record->severity && w->record->severity != 'E' && w->record->severity != 'F';
	o->tentative = !w->record->severity;
	o->head_lines = -1;
	if (!o->ignored && seen_elsewhere(w, -1, s))
		o->count = 0;
	set_message(o, s);
	keep_open(w, c);
}

static bool has_anchor(const struct triage_hit *hits, size_t n, enum triage_anchor anchor)
{
	for (size_t i = 0; i < n; i++)
		if (hits[i].phrase->kind < 0 && hits[i].phrase->anchor == anchor)
			return true;
	return false;
}

static void remember(struct triage_work *w, struct triage_context *c, struct slice s)
{
	c->before_len = s.n < BEFORE_MAX ? s.n : BEFORE_MAX;
	c->before = xrealloc(c->before, c->before_len + 1, 1);
	memcpy(c->before, s.s, c->before_len);
	c->before_place = w->place;
}

static bool is_killed(struct slice s)
{
	return slice_is(s, "Killed");
}

void triage_message(struct triage_work *w, struct slice s, const struct triage_hit *hits, size_t n)
{
	struct triage_context *c;
	struct slice line = slice_trim(s);
	bool block;

	if (w->nopen && w->offset >= w->until)
		close_late(w);
	if (n && has_anchor(hits, n, ANCHOR_LOG))
		triage_record_facts(w, line);
	if (!n && !w->nopen && !is_killed(line))
		return;
	c = find_context(w, w->record->key);
	if (w->bare && !w->record->severity &&
	    w->last_key) /* a continuation line of a message that has the prefix only in its first line */
		c = find_context(w, w->last_key);
	/* each line of the map of a GPU's memory is a record from another place in the source */
	if (w->gpu_key && (!c || !c->open) && triage_is_gpu_line(line))
		c = find_context(w, w->gpu_key);
	block = triage_is_block(line);
	if (!block && n && take_errors(w, &c, s, hits, n))
		return;
	if (is_killed(line) && w->special[KIND_HOST_OOM] >= 0) {
		c = make_context(w, w->record->key);
		open_error(w, c, w->special[KIND_HOST_OOM], NULL, s);
		return;
	}
	if (block && n && has_anchor(hits, n, ANCHOR_BLOCK) &&
	    (!c || !c->open || !triage_block_line(w, c->open, line))) {
		c = make_context(w, w->record->key);
		open_block(w, c, line);
		triage_block_line(w, c->open, line);
		return;
	}
	if (!block && n && has_anchor(hits, n, ANCHOR_BEFORE))
		remember(w, make_context(w, w->record->key), line);
	if (!c || !c->open || (block && n && has_anchor(hits, n, ANCHOR_BLOCK)))
		return;
	if (triage_block_line(w, c->open, line)) {
		c->open->head_lines = -1;
		keep_open(w, c);
	} else if (!line.n) {
		c->open->head_lines = -1;
	} else if (c->open->head_lines > 0) {
		head_add(c->open, line);
	}
}
