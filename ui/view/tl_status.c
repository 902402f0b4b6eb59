#include "config.h"

#include "view/tl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/digest.h"
#include "base/units.h"
#include "base/utf8.h"

static const char *name_of(const struct tl *t, const struct track *k, size_t event, int *len)
{
	strid name = t->dump->trace.metas[k->meta[event]].name;
	size_t n = strtab_len(&t->dump->str, name);

	*len = n > 100 ? 100 : (int)n;
	return strtab_str(&t->dump->str, name);
}

static int cols(const char *s)
{
	return utf8_cols(s, strlen(s));
}

/* --- left: the cursor --- */

/* "step 100", "run 50 of jit_f", or whatever else a step is called. */
void tl_step_name(const struct tl *t, uint32_t track, size_t event, char *buf, size_t size)
{
	const struct track *k = tl_track(t, track);
	const struct steps *steps = &t->view->app->steps;
	int len;
	const char *name = name_of(t, k, event, &len);

	if (k->file < 0 && steps->source == STEPS_MODULES)
		snprintf(buf, size, "run %.*s of %.*s", len, name, (int)strcspn(steps->module, "("),
		    steps->module);
	else
		snprintf(
		    buf, size, "%s%.*s", strspn(name, "0123456789") >= (size_t)len ? "step " : "", len, name);
}

/* "6.204776 ms into step 100". */
static void step_text(const struct tl *t, char *buf, size_t size)
{
	uint32_t track = t->cur < t->rows.nvis ? tl_steps_track(t, tl_node_at(t, t->cur)) : TL_NONE;
	enum time_unit unit;
	char time[48], name[128];
	size_t event;
	int64_t at, into;

	*buf = '\0';
	if (track == TL_NONE)
		return;
	at = t->cursor + t->grid.shift - tl_align_shift(t, tl_track(t, track)->plane);
	if (!tl_event_at(t, (struct tl_source){ track, 0, 1 }, at, &event))
		return;
	into = at - tl_track(t, track)->start[event];
	unit = unit_for(into);
	units_time_in(time, sizeof time, into, unit, unit == UNIT_PS ? 0 : unit == UNIT_NS ? 3 : 6);
	tl_step_name(t, track, event, name, sizeof name);
	if (t->align.on && !strcmp(name, t->align.name))
		return;			/* the time of the cursor says it */
	/* what follows keeps its place while the cursor moves */
	snprintf(buf, size, "%*s %s into %s", t->lay.narrow ? 0 : 10, time, unit_name(unit, tl_ascii(t)), name);
}

/* "digest: coarse, 1,000 buckets of 18.9 us" */
static bool digest_text(const struct tl *t, char *buf, size_t size)
{
	const struct tl_node *v = t->cur < t->rows.nvis ? tl_node_at(t, t->cur) : NULL;
	const struct counter *c = v && tl_shows_counter(v) ? &t->dump->trace.counters[v->counter] : NULL;
	char n[32], bucket[40];

	if (!c || !digest_is_counter(t->dump, c))
		return false;
	tl_short_time(bucket, sizeof bucket, digest_bucket(c), tl_ascii(t));
	if (t->grid.c < digest_bucket(c))
		snprintf(buf, size, "digest: nothing finer than buckets of %s", bucket);
	else
		snprintf(buf, size, "digest: coarse, %s buckets of %s", units_count(n, sizeof n, c->n - 1),
		    bucket);
	return true;
}

static void event_text(const struct tl *t, char *buf, size_t size)
{
	struct tl_source s =
	    t->cur < t->rows.nvis ? tl_source_of(tl_node_at(t, t->cur)) : (struct tl_source){ TL_NONE, 0, 1 };
	const char *name;
	size_t event;
	int len;

	*buf = '\0';
	if (t->selected || s.track == TL_NONE || tl_track(t, s.track)->file < 0 ||
	    s.track == tl_steps_track(t, tl_node_at(t, t->cur)) || !tl_event_at(t, s, t->cursor, &event))
		return;
	name = name_of(t, tl_track(t, s.track), event, &len);
	snprintf(buf, size, "%.*s", len, name);
}

/* --- right: zoom and row --- */

/* "TPU:0 XLA Ops". */
static void row_text(const struct tl *t, char *buf, size_t size)
{
	const struct tl_rows *r = &t->rows;
	const struct tl_node *v = t->cur < r->nvis ? tl_node_at(t, t->cur) : NULL, *section = v;

	*buf = '\0';
	if (!v)
		return;
	while (section->parent != TL_NONE && section->kind != TL_DEVICE && section->kind != TL_THREADS)
		section = &r->v[section->parent];
	while (v->kind == TL_ROW || v->kind == TL_LANES)
		v = &r->v[v->parent];
	snprintf(buf, size, "%.*s%s%.*s", (int)(section->len > 40 ? 40 : section->len), section->name,
	    v == section ? "" : " ", v == section ? 0 : (int)(v->len > 40 ? 40 : v->len), v->name);
}

void tl_status(const struct view *view, char *left, char *right, size_t size)
{
	const struct tl *t = view->state;
	const struct clocks *clocks = &view->app->clocks;
	char cursor[64], step[240], event[240], zoom[64], row[200], n[64], a[32], time[40];
	const char *clock = clocks->any_differs && clocks->in_use == CLOCK_DEVICE ? "device clock   " : "";
	char tracks[64], origin[sizeof t->align.name + 4] = "cursor";
	bool said, coarse;
	int room = t->lay.area.w - 4;

	if (t->full) {
		int last = t->full_top + t->lay.area.h - 1;

		snprintf(left, size, "lines %d-%d of %d", t->full_top + 1, last < t->full_lines ? last : t->full_lines, t->full_lines);
		snprintf(right, size, "Esc: back to the timeline");
		return;
	}
	if (tl_flow_waits(t)) {
		snprintf(left, size, "The jump follows when arrows are found; any key gives it up");
		return;
	}
	if (t->filter.working) {
		snprintf(left, size, "&%.200s: looking at events, %d %%", t->filter.text, tl_matches_percent(&t->filter));
		return;
	}
	tl_align_enter_row(view->state);
	said = tl_mark_status(t, left, right, size);
	step_text(t, step, sizeof step);
	event_text(t, event, sizeof event);
	if ((coarse = digest_text(t, event, sizeof event)))
		*step = '\0';
	tl_align_leave(view->state);
	if (said)
		return;
	units_time_exact(cursor, sizeof cursor, t->cursor, tl_ascii(t));
	if (tl_utc_on(t)) {
		tl_utc_text(tl_utc_anchor(t->dump), t->cursor, 12, true, cursor, sizeof cursor - 4);
		strcat(cursor, " UTC");
	}
	row_text(t, row, sizeof row);
	if (t->align.on)
		snprintf(origin, sizeof origin, "%s%s", t->align.name, t->cursor < 0 ? "" : " +");
	tl_tracks_status(t, tracks, sizeof tracks);
	tl_short_time(time, sizeof time, t->grid.c, tl_ascii(t));
	snprintf(zoom, sizeof zoom, t->lay.narrow ? "%s/column" : "%s per column", time);
	snprintf(n, sizeof n, "row %zu of %s", t->rows.nvis ? t->cur + 1 : 0,
	    units_count(a, sizeof a, t->rows.nvis));
	for (int drop = 0; ; drop++) {		/* what matters least goes first */
		if (drop == 1)
			*(coarse ? row : event) = '\0';
		if (drop == 2)
			*(coarse ? event : row) = '\0';
		if (drop == 3)
			*step = '\0';
		snprintf(left, size, "%s %s%s%s%s%s", *tl_tool_name(t) ? tl_tool_name(t) : origin, cursor, *step ? "   " : "", step,
		    *event ? "   " : "", event);
		snprintf(right, size, "%s%s%s%s%s   %s", tracks, clock, zoom, *row ? "   " : "", row, n);
		if (cols(left) + cols(right) + 3 <= room || drop == 3)
			return;
	}
}

void tl_find_status(const struct view *view, char *buf, size_t size)
{
	const struct tl *t = view->state;
	char a[32], b[32], c[32];

	*buf = '\0';
	if (t->search.match.working)
		snprintf(buf, size, "searching, %d %%; Esc stops", tl_matches_percent(&t->search.match));
	if (tl_flow_waits(t))
		snprintf(buf, size, "the jump follows when arrows are found; any key gives it up");
	else if (t->search.find)
		snprintf(buf, size, "hit %s of %s   %s %s on all tracks, smart case",
		    units_count(a, sizeof a, t->search.rank), units_count(b, sizeof b, t->search.find->hits),
		    units_count(c, sizeof c, t->search.find->names),
		    t->search.find->names == 1 ? "name" : "names");
}

/* --- title: view of whole, events shown of all --- */

void tl_title_right(const struct view *view, char *buf, size_t size)
{
	const struct tl *t = view->state;
	bool ascii = tl_ascii(t);
	int64_t run = t->grid.last - t->grid.first, span = tl_grid_span(&t->grid);
	enum time_unit unit = unit_for(run);
	char all[40], part[40], shown[120], events[32], total[32];

	units_time_in(all, sizeof all, run, unit, unit == UNIT_PS ? 0 : 3);
	units_time_in(part, sizeof part, span, unit, unit == UNIT_PS ? 0 : 3);
	if (t->grid.whole && !t->lay.narrow && unit > UNIT_NS) {
		char six[40];

		units_time_in(six, sizeof six, run, unit, 6);
		snprintf(shown, sizeof shown, "%.*s %s %s", (int)strlen(six) - 3, six, six + strlen(six) - 3,
		    unit_name(unit, ascii));
	} else if (t->grid.whole) {
		snprintf(shown, sizeof shown, "%s %s", all, unit_name(unit, ascii));
	} else if (span < run / 100) {
		snprintf(shown, sizeof shown, "%s%s of %s %s", t->lay.narrow ? "" : "view ",
		    units_time(part, sizeof part, span, ascii), all, unit_name(unit, ascii));
	} else {
		snprintf(shown, sizeof shown, "%s%s of %s %s", t->lay.narrow ? "" : "view ", part, all,
		    unit_name(unit, ascii));
	}
	units_count(events, sizeof events, t->rows.events);
	units_count(total, sizeof total, t->dump->trace.events);
	if (t->lay.narrow)
		snprintf(buf, size, "%s  %s events", shown, total);
	else
		snprintf(buf, size, "%s   %s of %s events", shown, events, total);
}
