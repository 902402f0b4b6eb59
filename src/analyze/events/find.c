#include "config.h"

#include "analyze/events/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/mem.h"
#include "base/now.h"

#define NONE UINT32_MAX
#define OCCURS 2 /* a flag in name_hit while events are counted */

static const struct track *track_at(const struct find *f, const struct dump *d, size_t k)
{
	return &d->trace.tracks[f->tracks[k]];
}

static int64_t shift_of(const struct find *f, const struct track *t)
{
	return f->shift ? f->shift[t->plane] : 0;
}

static int64_t time_of(const struct find *f, const struct track *t, size_t i)
{
	return track_start(t, i) + shift_of(f, t);
}

/* Returns the first event of track k that begins at t or later. */
static size_t lower(const struct find *f, const struct dump *d, size_t k, int64_t t)
{
	int64_t shift = shift_of(f, track_at(f, d, k));

	if (__builtin_sub_overflow(t, shift, &t))
		t = shift < 0 ? INT64_MAX : INT64_MIN;
	return track_lower(track_at(f, d, k), t);
}

/* Matches each distinct name once. */
static void match_names(struct find *f, const struct dump *d, const struct regex *regex)
{
	const struct trace *tr = &d->trace;
	uint8_t *seen = xcalloc(d->str.n, 1); /* by strid: 1 = no match, 2 = match */
	struct regex_scratch *scratch = regex_scratch_new(regex);

	for (size_t m = 0; m < tr->nmetas; m++) {
		strid name = tr->metas[m].name;

		if (!seen[name])
			seen[name] = regex_match(regex, scratch, strtab_str(&d->str, name),
					 strtab_len(&d->str, name), NULL, NULL)
			    ? 2
			    : 1;
		f->name_hit[m] = seen[name] == 2;
	}
	regex_scratch_free(scratch);
	free(seen);
}

/* Steps also match by what the screen calls them: "step 103", "run 5". */
static void match_steps(struct find *f, const struct dump *d, const struct regex *regex)
{
	struct regex_scratch *scratch = regex_scratch_new(regex);

	for (size_t k = 0; k < f->ntracks; k++) {
		const struct track *t = track_at(f, d, k);

		for (size_t i = 0; t->role == TRACK_STEPS && i < t->n; i++) {
			struct slice name = dump_text(d, d->trace.metas[track_meta(t, i)].name);
			char label[128];
			int n = snprintf(label, sizeof label, "%s %.*s", t->file < 0 ? "run" : "step",
			    name.n < 100 ? (int)name.n : 100, name.s);

			if (!f->name_hit[track_meta(t, i)])
				f->name_hit[track_meta(t, i)] =
				    regex_match(regex, scratch, label, (size_t)n, NULL, NULL);
		}
	}
	regex_scratch_free(scratch);
}

static void count_track(struct find *f, const struct track *t, size_t k)
{
	size_t nblocks = (t->n + FIND_BLOCK - 1) / FIND_BLOCK;
	uint32_t *before = xrealloc(NULL, nblocks + 1, sizeof *before), hits = 0;
	uint8_t *hit = f->name_hit;

	for (size_t b = 0; b < nblocks; b++) {
		size_t end = t->n - b * FIND_BLOCK < FIND_BLOCK ? t->n : (b + 1) * FIND_BLOCK;

		before[b] = hits;
		for (size_t i = b * FIND_BLOCK; i < end; i++) {
			uint8_t h = hit[track_meta(t, i)];

			hits += h & 1;
			hit[track_meta(t, i)] = h | (uint8_t)(h * OCCURS);
		}
	}
	before[nblocks] = hits;
	f->blocks[k].before = before;
	f->track_hits[k] = hits;
	f->hits += hits;
}

/* Counts the distinct names among the kinds that match and occur. */
static void count_names(struct find *f, const struct dump *d)
{
	const struct trace *tr = &d->trace;
	uint8_t *seen = xcalloc(d->str.n, 1);

	for (size_t m = 0; m < tr->nmetas; m++) {
		if (f->name_hit[m] & OCCURS && !seen[tr->metas[m].name]) {
			seen[tr->metas[m].name] = 1;
			f->names++;
		}
		f->name_hit[m] &= 1;
	}
	free(seen);
}

static struct find *find_make(const struct dump *d, const uint32_t *tracks, size_t ntracks)
{
	struct find *f = xcalloc(1, sizeof *f);

	f->name_hit = xcalloc(d->trace.nmetas, 1);
	f->tracks = xrealloc(NULL, ntracks, sizeof *f->tracks);
	if (ntracks)
		memcpy(f->tracks, tracks, ntracks * sizeof *tracks);
	f->ntracks = ntracks;
	for (size_t k = 0; k < ntracks; k++)
		f->total += track_at(f, d, k)->n;
	f->track_hits = xcalloc(ntracks, sizeof *f->track_hits);
	f->blocks = xcalloc(ntracks, sizeof *f->blocks);
	return f;
}

struct find *find_names(const struct dump *d, const struct regex *regex, const uint32_t *tracks,
    size_t ntracks)
{
	struct find *f = find_make(d, tracks, ntracks);

	match_names(f, d, regex);
	match_steps(f, d, regex);
	return f;
}

struct find *find_new(const struct dump *d, const struct regex *regex, const uint32_t *tracks, size_t ntracks,
    struct progress *progress)
{
	struct find *f = find_names(d, regex, tracks, ntracks);

	for (size_t k = 0; k < ntracks; k++) {
		if (progress_canceled(progress)) {
			find_free(f);
			return NULL;
		}
		count_track(f, track_at(f, d, k), k);
		progress_add(progress, 0, track_at(f, d, k)->n);
	}
	count_names(f, d);
	return f;
}

void find_free(struct find *f)
{
	if (!f)
		return;
	for (size_t k = 0; k < f->ntracks; k++) {
		free(f->blocks[k].before);
		if (f->bits)
			free(f->bits[k]);
	}
	free(f->bits);
	free(f->blocks);
	free(f->track_hits);
	free(f->tracks);
	free(f->name_hit);
	free(f);
}

/* --- by a predicate, in slices --- */

struct find *find_begin(const struct dump *d, const uint32_t *tracks, size_t ntracks,
    bool (*track_passes)(void *ctx, uint32_t track), bool (*passes)(void *ctx, uint32_t track, size_t i),
    void *ctx)
{
	struct find *f = find_make(d, tracks, ntracks);

	f->bits = xcalloc(ntracks + 1, sizeof *f->bits);
	f->track_passes = track_passes;
	f->passes = passes;
	f->ctx = ctx;
	return f;
}

/* Fills in the blocks of a track of which no event can match. */
static void pass_over(struct find *f, const struct track *t, size_t k)
{
	f->blocks[k].before = xcalloc((t->n + FIND_BLOCK - 1) / FIND_BLOCK + 1, sizeof *f->blocks[k].before);
	f->looked += t->n;
}

static void look_block(struct find *f, const struct track *t, size_t k, size_t end)
{
	uint32_t *before = f->blocks[k].before;
	uint64_t hits = f->track_hits[k];

	before[f->at / FIND_BLOCK] = (uint32_t)hits;
	f->looked += end - f->at;
	for (; f->at < end; f->at++)
		if (f->passes(f->ctx, f->tracks[k], f->at)) {
			f->bits[k][f->at / 64] |= (uint64_t)1 << f->at % 64;
			f->name_hit[track_meta(t, f->at)] = 1 | OCCURS;
			hits++;
		}
	before[(end + FIND_BLOCK - 1) / FIND_BLOCK] = (uint32_t)hits;
	f->hits += hits - f->track_hits[k];
	f->track_hits[k] = hits;
}

/* By name, a track is counted in one go, because it takes about 1 ms per million events. */
static bool more_names(struct find *f, const struct dump *d, int budget_ms, int64_t until)
{
	while (f->at_track < f->ntracks) {
		const struct track *t = track_at(f, d, f->at_track);

		count_track(f, t, f->at_track++);
		f->looked += t->n;
		if (budget_ms >= 0 && now_ms() >= until)
			return f->at_track < f->ntracks;
	}
	return false;
}

int find_more(struct find *f, const struct dump *d, int budget_ms)
{
	int64_t until = now_ms() + budget_ms;

	if (!f->bits && more_names(f, d, budget_ms, until))
		return 1;

	for (; f->at_track < f->ntracks; f->at_track++, f->at = 0) {
		size_t k = f->at_track;
		const struct track *t = track_at(f, d, k);

		if (!f->blocks[k].before) {
			pass_over(f, t, k);
			if (!t->n || (f->track_passes && !f->track_passes(f->ctx, f->tracks[k])))
				continue;
			f->looked -= t->n;
			f->bits[k] = xcalloc(t->n / 64 + 1, sizeof **f->bits);
		}
		while (f->at < t->n) {
			look_block(f, t, k, t->n - f->at < FIND_BLOCK ? t->n : f->at + FIND_BLOCK);
			if (budget_ms >= 0 && now_ms() >= until)
				return 1;
		}
	}
	count_names(f, d);
	return 0;
}

/* --- counting and finding inside a track --- */

/* Counts the hits among the first i events. */
static uint64_t hits_before(const struct find *f, const struct track *t, size_t k, size_t i)
{
	uint64_t n = f->blocks[k].before[i / FIND_BLOCK];

	for (size_t j = i / FIND_BLOCK * FIND_BLOCK; j < i; j++)
		n += find_holds(f, t, k, j);
	return n;
}

/* Returns the event that is hit number n, counted from 0. */
static size_t nth_hit(const struct find *f, const struct track *t, size_t k, uint64_t n)
{
	const uint32_t *before = f->blocks[k].before;
	size_t block, i;

	BISECT(block, (t->n + FIND_BLOCK - 1) / FIND_BLOCK, before[block] <= n);
	block -= block > 0; /* the first has none before it */
	n -= before[block];
	for (i = block * FIND_BLOCK; i + 1 < t->n; i++)
		if (find_holds(f, t, k, i) && !n--)
			break;
	return i;
}

/* --- order over all tracks: by start, then track, then index --- */

struct place {
	int64_t t;
	size_t k, i; /* k: index in find.tracks */
};

static bool earlier(const struct place *a, const struct place *b)
{
	return a->t != b->t ? a->t < b->t : a->k != b->k ? a->k < b->k : a->i < b->i;
}

/* Counts the events of track k that come before a place. */
static size_t events_before(const struct find *f, const struct dump *d, size_t k, const struct place *p)
{
	if (k == p->k)
		return p->i;
	return lower(f, d, k, k < p->k && p->t < INT64_MAX ? p->t + 1 : p->t);
}

/* Returns the place of a position.  A position on a track that is not searched stands for the moment of its
 * begin, and no position stands for t. A moment comes before all events that begin then; *here says that an
 * event at the place itself counts, too. */
static struct place place_of(const struct find *f, const struct dump *d, int64_t t, struct find_pos pos,
    bool *here)
{
	*here = false;
	for (size_t k = 0; k < f->ntracks; k++)
		if (f->tracks[k] == pos.track && pos.i < track_at(f, d, k)->n)
			return (struct place){ time_of(f, track_at(f, d, k), pos.i), k, pos.i };
	*here = true;
	if (pos.track < d->trace.ntracks && pos.i < d->trace.tracks[pos.track].n)
		t = time_of(f, &d->trace.tracks[pos.track], pos.i);
	return (struct place){ t, 0, f->ntracks ? lower(f, d, 0, t) : 0 };
}

/* Finds the hit of track k that comes next after (or before) a place; false when there is none. */
static bool nearest(const struct find *f, const struct dump *d, size_t k, const struct place *p, bool here,
    int dir, struct place *out)
{
	const struct track *t = track_at(f, d, k);
	size_t n = events_before(f, d, k, p);
	uint64_t hits;

	if (dir > 0 && k == p->k && !here)
		n++;
	hits = hits_before(f, t, k, n);
	if (dir > 0 ? hits == f->track_hits[k] : !hits)
		return false;
	out->k = k;
	out->i = nth_hit(f, t, k, dir > 0 ? hits : hits - 1);
	out->t = time_of(f, t, out->i);
	return true;
}

/* here: an event at the place itself counts, too. */
static struct find_pos step_from(const struct find *f, const struct dump *d, const struct place *p, bool here,
    int dir)
{
	struct place best = { 0, 0, 0 }, at;
	bool any = false;

	for (size_t k = 0; k < f->ntracks; k++) {
		if (!f->track_hits[k] || !nearest(f, d, k, p, here, dir, &at))
			continue;
		if (!any || (dir > 0 ? earlier(&at, &best) : earlier(&best, &at)))
			best = at;
		any = true;
	}
	return any ? (struct find_pos){ f->tracks[best.k], best.i } : (struct find_pos){ NONE, 0 };
}

struct find_pos find_step(const struct find *f, const struct dump *d, int64_t t, struct find_pos from,
    int dir)
{
	bool here;
	struct place p = place_of(f, d, t, from, &here);
	struct find_pos found;

	if (!f->hits)
		return (struct find_pos){ NONE, 0 };
	found = step_from(f, d, &p, here, dir);
	if (found.track != NONE)
		return found;
	if (dir > 0)
		return find_step(f, d, INT64_MIN, (struct find_pos){ NONE, 0 }, dir);
	p = (struct place){ INT64_MAX, f->ntracks, 0 };
	return step_from(f, d, &p, true, dir);
}

uint64_t find_rank(const struct find *f, const struct dump *d, struct find_pos pos)
{
	bool here;
	struct place p = place_of(f, d, 0, pos, &here);
	uint64_t n = 0;

	if (here || !find_holds(f, track_at(f, d, p.k), p.k, p.i))
		return 0;
	for (size_t k = 0; k < f->ntracks; k++)
		if (f->track_hits[k])
			n += hits_before(f, track_at(f, d, k), k, events_before(f, d, k, &p));
	return n + 1;
}

/* --- the strip of hits --- */

/* Counts the hits of one track per column.  Blocks without hits are skipped, and blocks inside one column are
 * added as a whole. */
static void columns_of(const struct find *f, const struct track *t, size_t k, int64_t t0, int64_t step, int n,
    uint32_t *counts)
{
	const uint32_t *before = f->blocks[k].before;
	uint64_t from = (uint64_t)t0, width = (uint64_t)step, column, end;
	size_t i = track_lower(t, t0);

	while (i < t->n) {
		size_t block = i / FIND_BLOCK, next = (block + 1) * FIND_BLOCK;
		uint32_t hits = before[block + 1] - before[block];

		if (next > t->n)
			next = t->n;
		column = ((uint64_t)track_start(t, i) - from) / width;
		if (column >= (uint64_t)n)
			return;
		if (__builtin_mul_overflow(column + 1, width, &end))
			end = UINT64_MAX;
		if (!hits) {
			i = next;
		} else if (i % FIND_BLOCK == 0 && (uint64_t)track_start(t, next - 1) - from < end) {
			counts[column] += hits;
			i = next;
		}
		for (; i < next; i++) {
			if (!find_holds(f, t, k, i))
				continue;
			if ((uint64_t)track_start(t, i) - from >= end)
				break;
			counts[column]++;
		}
	}
}

void find_columns(const struct find *f, const struct dump *d, int64_t t0, int64_t step, int n,
    uint32_t *counts)
{
	memset(counts, 0, (size_t)n * sizeof *counts);
	for (size_t k = 0; k < f->ntracks; k++)
		if (f->track_hits[k])
			columns_of(f, track_at(f, d, k), k, t0 - shift_of(f, track_at(f, d, k)), step, n,
			    counts);
}
