#include "config.h"

#include "base/text/words.h"
#include "view/timeline/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/device/digest.h"
#include "analyze/idle/idle.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "core/job.h"
#include "core/results.h"

static int text_cols(const char *s)
{
	return utf8_cols(s, strlen(s));
}

/* --- the cursor --- */

/* Columns for such a name: on a narrow screen the module is left out, because all runs have the same. */
static int name_room(const struct timeline *t, const char *name)
{
	const char *of = t->scene.lay.narrow && t->scene.view->cap->steps.source == STEPS_MODULES
	    ? strstr(name, " of ")
	    : NULL;

	return of ? (int)(of - name) : (int)strlen(name);
}

/* "6.204776 ms into step 100". */
static void step_text(const struct timeline *t, char *buf, size_t size)
{
	enum time_unit unit;
	char time[48], name[128];
	int64_t into;

	if (!cursor_step(&t->scene, &into, name, sizeof name))
		return;
	unit = unit_for(into);
	units_time_in(time, sizeof time, into, unit, unit == UNIT_PS ? 0 : unit == UNIT_NS ? 3 : 6);
	if (t->scene.shift.on &&
	    (into == t->scene.cursor.at + t->scene.port.shift || !strcmp(name, t->lineup.name)))
		return; /* the cursor's time already shows it */
	/* what follows does not move with the cursor */
	snprintf(buf, size, "%*s %s into %.*s", t->scene.lay.narrow ? 0 : 10, time,
	    unit_name(unit, scene_ascii(&t->scene)), name_room(t, name), name);
}

/* "digest: coarse, 1,000 buckets of 18.9 us" */
static bool digest_text(const struct timeline *t, char *buf, size_t size)
{
	const struct rows_node *v =
	    t->scene.cursor.row < t->scene.rows.nvis ? scene_node(&t->scene, t->scene.cursor.row) : NULL;
	const struct counter *c =
	    v && rows_shows_counter(v) ? &t->scene.cap->dump->trace.counters[v->counter] : NULL;
	char n[32], bucket[40];

	if (!c || !digest_is_counter(t->scene.cap->dump, c))
		return false;
	units_time_short(bucket, sizeof bucket, digest_bucket(c), scene_ascii(&t->scene));
	if (t->scene.port.c < digest_bucket(c))
		snprintf(buf, size, "digest: buckets of %s, nothing finer", bucket);
	else
		snprintf(buf, size, "digest: coarse, %s buckets of %s", units_count(n, sizeof n, c->n - 1),
		    bucket);
	return true;
}

/* "idle 37.4 µs: launch, PjitFunction(f)", once that is known, on the plain clock */
static bool idle_text(const struct timeline *t, char *buf, size_t size)
{
	const struct rows_node *v =
	    t->scene.cursor.row < t->scene.rows.nvis ? scene_node(&t->scene, t->scene.cursor.row) : NULL;
	const struct plane *p = v ? &t->scene.cap->dump->trace.planes[v->plane] : NULL;
	const struct core_times *times;
	struct slice host = { "", 0 };
	struct idle_moment m;
	char time[40];

	if (!p || p->kind != PLANE_TPU || t->scene.cursor.selected ||
	    t->scene.view->cap->clocks.in_use == CLOCK_DEVICE)
		return false;
	times = result_when_idle(t->scene.view->app, RESULT_CORE_TIMES);
	if (!times || !idle_at(times, p->host, p->core, t->scene.cursor.at, &m) || m.cause == IDLE_UNKNOWN)
		return false;
	if (m.meta != CUT_NONE)
		host = dump_text(times->dump, times->dump->trace.metas[m.meta].name);
	snprintf(buf, size, "idle %s: %s%s%.*s",
	    units_time(time, sizeof time, m.to - m.from, scene_ascii(&t->scene)), idle_cause_id[m.cause],
	    host.n ? ", " : "", (int)(host.n < 60 ? host.n : 60), host.s);
	return true;
}

static void event_text(const struct timeline *t, char *buf, size_t size)
{
	struct rows_source s = t->scene.cursor.row < t->scene.rows.nvis
	    ? rows_source(scene_node(&t->scene, t->scene.cursor.row))
	    : (struct rows_source){ ROWS_NONE, 0, 1 };
	const char *name;
	size_t event;
	int len;

	if (t->scene.cursor.selected || s.track == ROWS_NONE || scene_track(&t->scene, s.track)->file < 0 ||
	    s.track == scene_steps_track(&t->scene, scene_node(&t->scene, t->scene.cursor.row)) ||
	    !scene_event_at(&t->scene, s, t->scene.cursor.at, &event))
		return;
	name = scene_event_name(&t->scene, scene_track(&t->scene, s.track), event, &len);
	snprintf(buf, size, "%.*s", len, name);
}

/* The cursor's time on the screen; brief: to the precision of a column. */
static void cursor_text(const struct timeline *t, bool brief, char *buf, size_t size)
{
	char time[64];

	if (brief)
		scene_time_brief(&t->scene, t->scene.cursor.at, time, sizeof time);
	else
		scene_time_dated(&t->scene, t->scene.cursor.at, time, sizeof time);
	if (t->scene.shift.on && !*cursor_tool_name(&t->scene))
		snprintf(buf, size, "%.*s%s %s", name_room(t, t->lineup.name), t->lineup.name,
		    t->scene.cursor.at < 0 ? "" : " +", time);
	else
		snprintf(buf, size, "%s %s%s",
		    *cursor_tool_name(&t->scene) ? cursor_tool_name(&t->scene) : "cursor", time,
		    brief && scene_utc(&t->scene) ? " UTC" : "");
}

/* --- zoom and row --- */

enum { NAME_BYTES = 40 };

/* "TPU:0 XLA Ops". */
static void row_text(const struct timeline *t, char *buf, size_t size)
{
	const struct rows *r = &t->scene.rows;
	const struct rows_node *v = t->scene.cursor.row < r->nvis ? scene_node(&t->scene, t->scene.cursor.row)
								  : NULL,
			       *section = v;

	if (!v)
		return;
	while (section->parent != ROWS_NONE && section->kind != NODE_DEVICE && section->kind != NODE_THREADS)
		section = &r->v[section->parent];
	while (v->kind == NODE_ROW || v->kind == NODE_LANES)
		v = &r->v[v->parent];
	snprintf(buf, size, "%.*s%s%.*s", (int)utf8_head(section->name, section->len, NAME_BYTES),
	    section->name, v == section ? "" : " ",
	    v == section ? 0 : (int)utf8_head(v->name, v->len, NAME_BYTES), v->name);
}

/* --- the line --- */

/* In the order of importance: when there is no room the last ones are dropped, each as a whole. */
enum piece { CURSOR, SAID, STEP, ALIGNED, CLOCK, FILTER, TRACKS, COLORS, ZOOM, COUNT, ROW, EVENT, PIECES };
enum { PIECE_SIZE = 240, FILTER_COLS = 30 };

static const uint8_t on_left[] = { CURSOR, STEP, EVENT },
		     on_right[] = { ALIGNED, COLORS, TRACKS, FILTER, CLOCK, ZOOM, ROW, COUNT, SAID };

static void join_pieces(char (*piece)[PIECE_SIZE], const uint8_t *order, size_t n, int kept, char *out,
    size_t size)
{
	*out = '\0';
	for (size_t i = 0; i < n; i++)
		if (order[i] < kept && *piece[order[i]])
			words_add(out, size, "   ", piece[order[i]]);
}

/* Settings that differ from their default. */
static void modes_text(const struct timeline *t, char (*piece)[PIECE_SIZE])
{
	const struct clocks *clocks = &t->scene.view->cap->clocks;

	if (t->scene.shift.on)
		snprintf(piece[ALIGNED], PIECE_SIZE, "aligned");
	if (clocks->any_differs)
		snprintf(piece[CLOCK], PIECE_SIZE, "%s clock",
		    clocks->in_use == CLOCK_DEVICE ? "device" : "plain");
	if (t->filter.match.find) {
		size_t len = strlen(t->filter.match.text);
		bool cut = utf8_cols(t->filter.match.text, len) > FILTER_COLS;

		snprintf(piece[FILTER], PIECE_SIZE, "&%.*s%s",
		    (int)(cut ? utf8_fit(t->filter.match.text, len, FILTER_COLS - 3) : len),
		    t->filter.match.text, cut ? "..." : "");
	}
	arrange_status(&t->scene, piece[TRACKS], PIECE_SIZE);
	if (t->picture.colors.by != COLORS_BY_CATEGORY)
		snprintf(piece[COLORS], PIECE_SIZE, "by %s", colors_name(&t->picture.colors));
}

static void place_text(const struct timeline *t, char (*piece)[PIECE_SIZE])
{
	char time[40], n[32];

	row_text(t, piece[ROW], PIECE_SIZE);
	units_time_short(time, sizeof time, t->scene.port.c, scene_ascii(&t->scene));
	snprintf(piece[ZOOM], PIECE_SIZE, t->scene.lay.narrow ? "%s/column" : "%s per column", time);
	snprintf(piece[COUNT], PIECE_SIZE, "row %zu of %s", t->scene.rows.nvis ? t->scene.cursor.row + 1 : 0,
	    units_count(n, sizeof n, t->scene.rows.nvis));
}

/* Columns of the line, less what the running job and a typed count take. */
static int room_for(const struct timeline *t)
{
	char job[80], count[40];

	jobs_text(t->scene.view->app, job, sizeof job);
	app_count_text(t->scene.view->app, count, sizeof count);
	return t->scene.lay.area.w - 7 - (*job ? text_cols(job) + 3 : 0) -
	    (*count ? text_cols(count) + 3 : 0);
}

/* Columns of the search status, which replaces the left half. */
static int search_cols(const struct view *view)
{
	const struct timeline *t = view->state;
	char text[PIECE_SIZE];

	if (!t->search.pattern)
		return 0;
	timeline_find_status(view, text, sizeof text);
	return text_cols(t->search.pattern) + 5 + text_cols(text);
}

static bool is_busy(const struct timeline *t, char *left, char *right, size_t size)
{
	if (t->scene.cursor.full) {
		int last = details_top(&t->details) + t->scene.lay.area.h - 1;

		snprintf(left, size, "lines %d-%d of %d", details_top(&t->details) + 1,
		    last < t->details.lines ? last : t->details.lines, t->details.lines);
		snprintf(right, size, "Esc returns to the timeline");
		return true;
	}
	if (flows_waits(&t->flows)) {
		snprintf(left, size, "finding flows… any key cancels");
		return true;
	}
	if (t->filter.match.working) {
		snprintf(left, size, "&%.200s: filtering, %d %%", t->filter.match.text,
		    matches_percent(&t->filter.match));
		return true;
	}
	return false;
}

void timeline_status(const struct view *view, char *left, char *right, size_t size)
{
	struct timeline *t = view->state;
	char piece[PIECES][PIECE_SIZE] = { 0 }, idle[PIECE_SIZE];
	int room = room_for(t), found = search_cols(view), kept = PIECES;
	bool said;

	if (is_busy(t, left, right, size))
		return;
	scene_enter_row(&t->scene);
	if ((said = t->scene.open[PANE_STATS]))
		statistics_status(&t->stats, piece[CURSOR], piece[SAID], PIECE_SIZE);
	if (!said || t->scene.picks.n > 1) /* their pane is open: how far they are apart */
		said |= scene_status(&t->scene, piece[CURSOR], PIECE_SIZE);
	if (!said && counters_here(&t->scene, piece[STEP], PIECE_SIZE)) {
		step_text(t, piece[EVENT], PIECE_SIZE);
	} else if (!said && !digest_text(t, piece[STEP], PIECE_SIZE)) {
		step_text(t, piece[STEP], PIECE_SIZE);
		event_text(t, piece[EVENT], PIECE_SIZE);
		if (!*piece[EVENT] && idle_text(t, idle, sizeof idle)) {
			memcpy(piece[EVENT], piece[STEP], PIECE_SIZE);
			memcpy(piece[STEP], idle, PIECE_SIZE);
		}
	}
	scene_leave(&t->scene);
	if (!said)
		place_text(t, piece);
	modes_text(t, piece);
	for (; kept > CURSOR; kept--)
		for (int brief = 0; brief <= (!said && kept <= ROW); brief++) {
			if (!said)
				cursor_text(t, brief, piece[CURSOR], PIECE_SIZE);
			join_pieces(piece, on_left, sizeof on_left, kept, left, size);
			join_pieces(piece, on_right, sizeof on_right, kept, right, size);
			if ((found ? found : text_cols(left)) + text_cols(right) <= room)
				return;
		}
}

void timeline_find_status(const struct view *view, char *buf, size_t size)
{
	const struct timeline *t = view->state;
	char a[32], b[32], c[32];

	*buf = '\0';
	if (t->search.match.working)
		snprintf(buf, size, "searching, %d %%; Esc stops", matches_percent(&t->search.match));
	if (flows_waits(&t->flows))
		snprintf(buf, size, "finding flows… any key cancels");
	else if (t->search.find)
		snprintf(buf, size, "hit %s of %s   %s %s on all tracks, smart case",
		    units_count(a, sizeof a, t->search.rank), units_count(b, sizeof b, t->search.find->hits),
		    units_count(c, sizeof c, t->search.find->names),
		    t->search.find->names == 1 ? "name" : "names");
}

/* --- title: view of whole, events shown of all --- */

void timeline_title_right(const struct view *view, char *buf, size_t size)
{
	const struct timeline *t = view->state;
	bool ascii = scene_ascii(&t->scene);
	int64_t run = t->scene.port.last - t->scene.port.first, span = viewport_span(&t->scene.port);
	enum time_unit unit = unit_for(run);
	char all[40], part[40], shown[120], events[32], total[32];

	units_time_in(all, sizeof all, run, unit, unit == UNIT_PS ? 0 : 3);
	units_time_in(part, sizeof part, span, unit, unit == UNIT_PS ? 0 : 3);
	if (t->scene.port.whole && !t->scene.lay.narrow && unit > UNIT_NS) {
		char six[40];

		units_time_in(six, sizeof six, run, unit, 6);
		snprintf(shown, sizeof shown, "%.*s %s %s", (int)strlen(six) - 3, six, six + strlen(six) - 3,
		    unit_name(unit, ascii));
	} else if (t->scene.port.whole) {
		snprintf(shown, sizeof shown, "%s %s", all, unit_name(unit, ascii));
	} else if (span < run / 100) {
		snprintf(shown, sizeof shown, "%s%s of %s %s", t->scene.lay.narrow ? "" : "view ",
		    units_time(part, sizeof part, span, ascii), all, unit_name(unit, ascii));
	} else {
		snprintf(shown, sizeof shown, "%s%s of %s %s", t->scene.lay.narrow ? "" : "view ", part, all,
		    unit_name(unit, ascii));
	}
	units_count(events, sizeof events,
	    filter_on(&t->filter) ? t->filter.match.find->hits : t->scene.rows.events);
	units_count(total, sizeof total, t->scene.cap->dump->trace.events);
	if (t->scene.lay.narrow)
		snprintf(buf, size, "%s  %s events", shown, events);
	else
		snprintf(buf, size, "%s   %s of %s events", shown, events, total);
}
