#include "config.h"
#include "analyze/steps/steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/steps/groups.h"
#include "analyze/steps/rows.h"
#include "analyze/trace/clock.h"
#include "base/bisect.h"
#include "base/text/digit.h"

enum { LINES_MAX = 32 };

#define MARGIN 50 /* a step may go on behind its last op for so small a part of it */

struct finder {
	const struct dump *d;
	struct steps *s;
	struct groups groups;
	struct clock_names clock;
	size_t cap;
	uint32_t plane, line[LINES_MAX]; /* the lines of modules of a plane */
	size_t nlines;
	uint32_t read_plane;
	int64_t read_until;
	bool read_known;
};

static struct step *add_step(struct finder *f, uint32_t track, size_t event)
{
	const struct track *t = &f->d->trace.tracks[track];
	const struct plane *p = &f->d->trace.planes[t->plane];
	struct step *s;

	VEC_PUSH(f->s->v, f->s->n, f->cap);
	s = &f->s->v[f->s->n++];
	*s = (struct step){ .id = -1,
		.group = -1,
		.host = p->host,
		.plane = t->plane,
		.track = track,
		.event = event,
		.last = event };
	s->core = p->kind == PLANE_TPU ? p->core : -1;
	clock_plain(f->d, t, event, &s->start, &s->dur);
	return s;
}

/* Finds the lines of modules of a plane, once for all of its steps. */
static void find_lines(struct finder *f, uint32_t plane)
{
	const struct trace *t = &f->d->trace;

	if (f->nlines && f->plane == plane)
		return;
	f->plane = plane;
	f->nlines = 0;
	for (uint32_t k = UINT32_MAX;
	     f->nlines < LINES_MAX && (k = trace_track_of(t, plane, k)) < t->ntracks;)
		if (t->tracks[k].role == TRACK_MODULES && t->tracks[k].file >= 0)
			f->line[f->nlines++] = k;
}

/* Returns the ID of the group that an event belongs to, -1 = none.  A step marker takes it from the modules
 * inside it. */
static int64_t linked_id(struct finder *f, const struct step *s)
{
	const struct trace *t = &f->d->trace;
	int64_t id, from, to;

	if (groups_of(&f->groups, s->track, s->event, &id))
		return id;
	if (t->tracks[s->track].role != TRACK_STEPS)
		return -1;
	find_lines(f, s->plane);
	steps_span(s, f->d, &from, &to);
	for (size_t k = 0; k < f->nlines; k++) {
		const struct track *m = &t->tracks[f->line[k]];
		size_t i = track_lower(m, from);

		if (groups_first(&f->groups, f->line[k], &i, &id) && i < m->n && track_start(m, i) < to)
			return id;
	}
	return -1;
}

static bool is_tpu_line(const struct dump *d, const struct track *t, enum track_role role)
{
	return t->role == role && t->file >= 0 && t->n && d->trace.planes[t->plane].kind == PLANE_TPU;
}

int64_t steps_read_until(const struct dump *d, uint32_t plane)
{
	int file = d->trace.planes[plane].file;
	int64_t last = INT64_MIN;

	if (file < 0 || !d->files[file].partial || !file_is_converted(&d->files[file]))
		return INT64_MAX;
	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, plane, k)) < d->trace.ntracks;) {
		const struct track *ops = &d->trace.tracks[k];

		if (ops->role == TRACK_OPS && ops->n && ops->last > last)
			last = ops->last;
	}
	return last;
}

bool steps_is_read(const struct track *t, size_t marker, int64_t until)
{
	return track_end(t, marker) - track_dur(t, marker) / MARGIN <= until;
}

/* Asked for one track after the other, those of a plane mostly together. */
static bool is_read(struct finder *f, const struct track *t, size_t marker)
{
	if (!f->read_known || f->read_plane != t->plane)
		f->read_until = steps_read_until(f->d, t->plane);
	f->read_known = true;
	f->read_plane = t->plane;
	return steps_is_read(t, marker, f->read_until);
}

static void markers_of_steps(struct finder *f)
{
	const struct trace *t = &f->d->trace;

	for (uint32_t k = 0; k < t->ntracks; k++) {
		if (!is_tpu_line(f->d, &t->tracks[k], TRACK_STEPS))
			continue;
		for (size_t i = 0; i < t->tracks[k].n; i++) {
			int64_t offset;
			struct step *s;

			if (!is_read(f, &t->tracks[k], i))
				continue;
			s = add_step(f, k, i);
			clock_pair(f->d, &f->clock, &t->tracks[k], i, &offset, &s->dur);
		}
	}
}

static void markers_of_modules(struct finder *f)
{
	const struct trace *t = &f->d->trace;
	struct step_programs *programs = &f->s->programs;

	step_programs(f->d, PLANE_TPU, programs);
	for (uint32_t k = 0; k < t->ntracks; k++) {
		const struct track *m = &t->tracks[k];

		for (size_t i = 0; is_tpu_line(f->d, m, TRACK_MODULES) && i < m->n; i++) {
			strid program = t->metas[track_meta(m, i)].name;

			if (step_programs_have(programs, program) && is_read(f, m, i))
				add_step(f, k, i)->program = program;
		}
	}
	if (programs->n > 1)
		snprintf(f->s->module, sizeof f->s->module, "%zu programs", programs->n);
	else
		snprintf(f->s->module, sizeof f->s->module, "%.*s",
		    (int)strtab_len(&f->d->str, programs->name[0]),
		    strtab_str(&f->d->str, programs->name[0]));
}

/* A run lasts until the next one begins, whatever else runs between them. */
static void join_runs(struct steps *s)
{
	for (size_t a = 0, b; a < s->n; a = b) {
		b = steps_core_end(s, a);
		for (size_t i = a; i + 1 < b; i++) {
			s->v[i].to_next = true;
			s->v[i].next = s->v[i + 1].event;
			s->v[i].next_track = s->v[i + 1].track;
			s->v[i].dur = s->v[i + 1].start - s->v[i].start;
		}
	}
}

/* When the step of a core's last run would have ended is not known: it is none, unless it is the only one. */
static void drop_last_runs(struct steps *s)
{
	size_t n = 0;

	for (size_t a = 0, b; a < s->n; a = b) {
		b = steps_core_end(s, a);
		for (size_t i = a; i < b; i++)
			if (s->v[i].to_next || b - a == 1)
				s->v[n++] = s->v[i];
	}
	s->n = n;
}

/* Is it a name like "train 3", or one of PyTorch's, "ProfilerStep#3"? */
static bool is_step_name(const char *s, size_t n)
{
	size_t digits = 0;

	while (digits < n && is_digit(s[n - 1 - digits]))
		digits++;
	if (digits && slice_is((struct slice){ s, n - digits }, "ProfilerStep#"))
		return true;
	return digits && digits < n && s[n - 1 - digits] == ' ' && !memchr(s, '/', n) &&
	    (slice_begins((struct slice){ s, n }, "train") || slice_begins((struct slice){ s, n }, "test"));
}

static void add_host_step(struct finder *f, uint32_t track, size_t event, const struct group *g)
{
	const struct track *t = &f->d->trace.tracks[track];
	struct step *s = add_step(f, track, event);
	strid id = f->d->trace.metas[track_meta(t, event)].name;
	char name[sizeof s->number];
	size_t n;

	if (g)
		n = groups_name(g, f->d, name, sizeof name);
	else
		n = (size_t)snprintf(name, sizeof name, "%.*s", (int)strtab_len(&f->d->str, id),
		    strtab_str(&f->d->str, id));
	n = n < sizeof name ? n : sizeof name - 1;
	memcpy(s->number, name, n + 1);
	s->group = g ? g->id : -1;
	s->name = arena_strndup(&f->s->text, name, n);
	s->name_len = n;
}

static void markers_of_hosts(struct finder *f)
{
	const struct trace *t = &f->d->trace;

	for (size_t i = 0; i < f->groups.n; i++) {
		const struct group *g = &f->groups.v[i];

		if (g->has_number && g->explicit_root)
			add_host_step(f, g->track, g->event, g);
	}
	for (uint32_t k = 0; !f->s->n && k < t->ntracks; k++) {
		const struct track *h = &t->tracks[k];
		int64_t end = INT64_MIN;

		if (h->file < 0 || t->planes[h->plane].kind == PLANE_TPU ||
		    t->planes[h->plane].kind == PLANE_GPU)
			continue;
		for (size_t i = 0; i < h->n; i++) {
			strid name = t->metas[track_meta(h, i)].name;

			if (track_start(h, i) >= end &&
			    is_step_name(strtab_str(&f->d->str, name), strtab_len(&f->d->str, name))) {
				add_host_step(f, k, i, NULL);
				end = track_end(h, i);
			}
		}
	}
}

VEC_ORDER(by_place, struct step, UP(host) UP(core) UP(start) UP(track) UP(event));

static void number_in_lock_step(struct steps *s, size_t a, size_t b, int64_t first)
{
	int64_t id = first;

	for (size_t i = a; i < b; i++) {
		if (i > a && s->v[i].core != s->v[i - 1].core)
			id = first;
		s->v[i].id = id++;
	}
}

/* Merges consecutive markers of a Steps line with one ID into one step; markers without an ID are left
 * out. */
static size_t merge_linked(struct steps *s, size_t a, size_t b, size_t to)
{
	size_t first = to;

	for (size_t i = a; i < b; i++) {
		struct step *x = &s->v[i], *y = to > first ? &s->v[to - 1] : NULL;

		if (x->id < 0) {
			s->unlinked++;
		} else if (y && y->core == x->core && y->id == x->id) {
			y->dur = x->start + x->dur - y->start;
			y->last = x->event;
		} else {
			s->v[to++] = *x;
		}
	}
	return to;
}

static bool distinct_ids(const struct steps *s, size_t a, size_t b)
{
	for (size_t i = a; i < b; i++)
		if (s->v[i].id < 0 ||
		    (i > a && s->v[i].core == s->v[i - 1].core && s->v[i].id <= s->v[i - 1].id))
			return false;
	return true;
}

/* Returns the first ID after those of the host's own steps.  Converted traces have lost the links between the
 * two, so there both count from 0. */
static int64_t first_free(const struct finder *f, const struct step *s)
{
	int file = f->d->trace.tracks[s->track].file;

	return f->d->files[file].kind == FILE_XSPACE ? (int64_t)groups_count(&f->groups, s->host) : 0;
}

static void number_hosts(struct finder *f)
{
	struct steps *s = f->s;
	size_t to = 0;

	for (size_t a = 0, b; a < s->n; a = b) {
		size_t linked = 0;

		b = steps_host_end(s, a);
		for (size_t i = a; i < b; i++) {
			s->v[i].id = linked_id(f, &s->v[i]);
			linked += s->v[i].id >= 0;
		}
		if (s->source == STEPS_LINE && linked) {
			to = merge_linked(s, a, b, to);
			continue;
		}
		if (s->source == STEPS_LINE)
			number_in_lock_step(s, a, b, first_free(f, &s->v[a]));
		else if (!distinct_ids(s, a, b))
			number_in_lock_step(s, a, b, 0);
		memmove(s->v + to, s->v + a, (b - a) * sizeof *s->v);
		to += b - a;
	}
	s->n = to;
}

static void name_steps(struct finder *f)
{
	char name[256];

	for (size_t i = 0; i < f->s->n; i++) {
		struct step *s = &f->s->v[i];
		int64_t id = linked_id(f, s);
		const struct group *g = id < 0 ? NULL : groups_get(&f->groups, s->host, id);

		s->group = id;
		if (!g && f->s->programs.n > 1) {
			const struct slice program = slice_before(dump_text(f->d, s->program), "(");

			s->name = program.s;
			s->name_len = program.n;
		}
		if (!g)
			continue;
		s->name_len = groups_name(g, f->d, name, sizeof name);
		s->name = arena_strndup(&f->s->text, name, s->name_len);
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void label_step(const struct finder *f, struct step *s)
{
	const struct track *t = &f->d->trace.tracks[s->track];
	strid name = f->s->source == STEPS_LINE ? f->d->trace.metas[track_meta(t, s->event)].name : 0;
	size_t n = strtab_len(&f->d->str, name);
	char *end;

	if (n)
		snprintf(s->label, sizeof s->label, "%.*s",
		    (int)(n < sizeof s->label ? n : sizeof s->label - 1), strtab_str(&f->d->str, name));
	else
		memcpy(s->label, s->number, sizeof s->label);
	s->shown = strtoll(s->label, &end, 10);
	if (!*s->label || *end)
		s->shown = s->id;
}

/* A name that all steps share is not a name of any of them. */
static bool are_names(const struct steps *s)
{
	bool several = false;

	for (size_t i = 1; i < s->n; i++) {
		if (strcmp(s->v[i].label, s->v[0].label))
			return true;
		several |= s->v[i].id != s->v[0].id;
	}
	return !several;
}

/* Decides what steps are called, and whether their numbers say which step is meant. */
static void label_steps(struct finder *f)
{
	struct steps *s = f->s;
	const char **label = xcalloc(s->n + 1, sizeof *label);

	for (size_t i = 0; i < s->n; i++) {
		label_step(f, &s->v[i]);
		label[i] = s->v[i].label;
	}
	for (size_t i = 0, n = are_names(s) ? 0 : s->n; i < n; i++) {
		memcpy(s->v[i].label, s->v[i].number, sizeof s->v[i].label);
		s->v[i].shown = s->v[i].id;
	}
	VEC_SORT(label, s->n, by_text);
	for (size_t i = 0; i < s->n; i++) {
		const char *number = s->v[i].number;

		s->v[i].taken =
		    strcmp(number, s->v[i].label) && bsearch(&number, label, s->n, sizeof *label, by_text);
	}
	free(label);
}

static void find_source(struct finder *f)
{
	bool steps = false, modules = false;

	for (size_t k = 0; k < f->d->trace.ntracks; k++) {
		steps |= is_tpu_line(f->d, &f->d->trace.tracks[k], TRACK_STEPS);
		modules |= is_tpu_line(f->d, &f->d->trace.tracks[k], TRACK_MODULES);
	}
	if (steps) {
		f->s->source = STEPS_LINE;
		markers_of_steps(f);
	} else if (modules) {
		f->s->source = STEPS_MODULES;
		markers_of_modules(f);
	} else {
		f->s->source = STEPS_HOST;
		markers_of_hosts(f);
	}
	if (!f->s->n)
		f->s->source = STEPS_NONE;
}

void steps_find(const struct dump *d, struct steps *s)
{
	struct finder f = { .d = d, .s = s, .clock = clock_names_of(d) };

	*s = (struct steps){ .source = STEPS_NONE };
	groups_find(d, &f.groups);
	find_source(&f);
	VEC_SORT(s->v, s->n, by_place);
	if (s->source == STEPS_MODULES)
		join_runs(s);
	if (s->source == STEPS_LINE || s->source == STEPS_MODULES) {
		number_hosts(&f);
		name_steps(&f);
		steps_align(s);
		for (size_t i = 0; i < s->n; i++)
			snprintf(s->v[i].number, sizeof s->v[i].number, "%" PRId64, s->v[i].id);
	}
	if (s->source == STEPS_MODULES) {
		steps_extent(d, s);
		drop_last_runs(s);
	}
	label_steps(&f);
	steps_mark_open(d, s);
	steps_statistics(s);
	free(f.groups.member); /* indices of events, which change with the clock */
	f.groups.member = NULL;
	f.groups.nmembers = 0;
	s->groups = xcalloc(1, sizeof *s->groups);
	*s->groups = f.groups;
}

void steps_free(struct steps *s)
{
	free(s->v);
	if (s->groups)
		groups_free(s->groups);
	free(s->groups);
	arena_free(&s->text);
	*s = (struct steps){ .source = STEPS_NONE };
}

const char *steps_group_label(const struct steps *s, int host, int64_t group)
{
	for (size_t i = 0; i < s->n && group >= 0; i++)
		if (s->v[i].host == host && s->v[i].group == group)
			return s->v[i].label;
	return NULL;
}

bool steps_is(const struct step *s, const char *text)
{
	return !strcmp(text, s->label) || (!s->taken && !strcmp(text, s->number)) ||
	    (s->name && slice_is((struct slice){ s->name, s->name_len }, text));
}

const char *steps_source_name(enum step_source source)
{
	static const char *const
	    names[] = { [STEPS_LINE] = "Steps", [STEPS_MODULES] = "XLA Modules", [STEPS_HOST] = "host" };

	return names[source];
}

void steps_span(const struct step *s, const struct dump *d, int64_t *from, int64_t *to)
{
	const struct track *t = &d->trace.tracks[s->track];

	*from = track_start(t, s->event);
	*to = s->to_next ? track_start(&d->trace.tracks[s->next_track], s->next) : track_end(t, s->last);
}

int64_t steps_plain_end(const struct step *s, const struct dump *d)
{
	int64_t start, dur;

	if (s->to_next)
		clock_plain(d, &d->trace.tracks[s->next_track], s->next, &start, &dur);
	else
		clock_plain(d, &d->trace.tracks[s->track], s->last, &start, &dur);
	return s->to_next ? start : start + dur;
}

/* Returns the first row at or after (host, core). */
static size_t lower(const struct steps *s, int host, int core)
{
	size_t a;

	BISECT(a, s->n, s->v[a].host < host || (s->v[a].host == host && s->v[a].core < core));
	return a;
}

size_t steps_of_core(const struct steps *s, int host, int core, const struct step **first)
{
	size_t a = lower(s, host, core);

	*first = s->n ? s->v + a : NULL;
	return a < s->n && s->v[a].host == host && s->v[a].core == core ? lower(s, host, core + 1) - a : 0;
}

size_t steps_of_plane(const struct steps *s, const struct dump *d, uint32_t plane, const struct step **first)
{
	const struct plane *p = &d->trace.planes[plane];
	size_t n = plane_is_tpu_core(p->kind) ? steps_of_core(s, p->host, p->core, first) : 0, a;

	if (n)
		return n;
	a = lower(s, p->host, INT32_MIN);
	return steps_of_core(s, p->host, a < s->n ? s->v[a].core : -1, first);
}

const struct step *steps_at(const struct steps *s, const struct dump *d, uint32_t plane, int64_t t)
{
	const struct step *v, *last;
	size_t n = steps_of_plane(s, d, plane, &v);
	int64_t from, to;

	BISECT_LAST(last, v, n, (steps_span(last, d, &from, &to), from <= t));
	if (!last)
		return NULL;
	steps_span(last, d, &from, &to);
	return t < to || (t == from && to == from) ? last : NULL;
}
