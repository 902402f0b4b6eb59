/* What is shown before the rest of a capture is there takes keys, and where they lead stays when all is there. */
#include "config.h"

#include "app/internal.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../lib/mklevels.h"
#include "view/timeline/internal.h"

#define EVENTS 4000
#define TURNS 20000 /* of at most 20 ms: more is a hang */

/* A terminal of which the test is the user. */
struct screen {
	struct term base;
	struct key keys[8];
	size_t n;
};

static int screen_wait(struct term *t, int fd, int timeout_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	bool key = ((struct screen *)t)->n;

	poll(&p, fd >= 0, key || !timeout_ms ? 0 : timeout_ms < 0 || timeout_ms > 20 ? 20 : timeout_ms);
	return (p.revents ? TERM_FD : 0) | (key ? TERM_KEY : 0);
}

static int screen_key(struct term *t, struct key *key)
{
	struct screen *s = (struct screen *)t;

	if (!s->n)
		return 0;
	*key = s->keys[0];
	memmove(s->keys, s->keys + 1, --s->n * sizeof *s->keys);
	return 1;
}

static void screen_size(struct term *t, int *rows, int *cols)
{
	(void)t;
	*rows = 40;
	*cols = 120;
}

static bool screen_draw(struct term *t, const struct canvas *c, int most)
{
	(void)t;
	(void)c;
	return most < 0;
}

static void screen_nothing(struct term *t)
{
	(void)t;
}

static int screen_clipboard(struct term *t, const char *text, size_t n)
{
	(void)t;
	(void)text;
	return n ? 0 : -1;
}

static const struct term_ops screen_ops = {
	.wait = screen_wait,
	.key = screen_key,
	.size = screen_size,
	.draw = screen_draw,
	.redraw = screen_nothing,
	.suspend = screen_nothing,
	.leave = screen_nothing,
	.back = screen_nothing,
	.clipboard = screen_clipboard,
	.close = screen_nothing,
};

static struct app app;
static struct app_options options;
static struct screen term;
static char *text;
static size_t len;
static int pipe_end;
static const char *path[] = { "t-early-view.fifo" };

/* The core that is only there when all is begins before the others, so that the origin of times is another then. */
static long long ts_of(int core, int i)
{
	return 1700000000000000 + 10 * i - (core == 2 ? 777 : 0);
}

/* Steps, and in each of them ops, on two cores and a host; a later core, which has an op of its own, is only there when
 * all is. */
static void make_text(void)
{
	FILE *f = open_memstream(&text, &len);

	fputs("{\"traceEvents\":[\n", f);
	for (int core = 0; core < 3; core++) {
		fprintf(f,
		    "{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"/"
		    "device:TPU:%d\"}},\n"
		    "{\"ph\":\"M\",\"pid\":%d,\"tid\":2,\"name\":\"thread_name\",\"args\":{\"name\":\"XLA "
		    "Ops\"}},\n",
		    core + 1, core, core + 1);
		for (int i = 0; i < EVENTS; i++) {
			if (i % 100 == 0)
				fprintf(f,
				    "{\"ph\":\"X\",\"pid\":%d,\"tid\":2,\"ts\":%lld,\"dur\":990,\"name\":"
				    "\"while.%d\"},\n",
				    core + 1, ts_of(core, i), i / 100 % 3);
			fprintf(f,
			    "{\"ph\":\"X\",\"pid\":%d,\"tid\":2,\"ts\":%lld,\"dur\":8,\"name\":\"%s.%d\"}"
			    ","
			    "\n",
			    core + 1, ts_of(core, i), core == 2 && i == 50 ? "late" : "fusion", i % 17);
		}
	}
	fputs("{}]}\n", f);
	fclose(f);
}

static void press(const char *keys)
{
	struct key key;

	while (*keys) {
		assert_int_equal(key_parse(&keys, &key), 0);
		term.keys[term.n++] = key;
		app_turn(&app);
	}
}

static void write_part(size_t from, size_t to)
{
	while (from < to) {
		ssize_t n = write(pipe_end, text + from, to - from);

		if (n > 0)
			from += (size_t)n;
		else
			app_turn(&app);
	}
}

static void until(bool (*done)(void))
{
	int turns = 0;

	while (!done() && turns++ < TURNS)
		app_turn(&app);
	assert_true(done());
}

static bool is_shown(void)
{
	return app_early_view(&app);
}

static bool is_loaded(void)
{
	return !app.p->loader;
}

static void begin_with(const char *const *paths)
{
	options = (struct app_options){ .paths = paths, .npaths = 1, .load.threads = 1, .colors = -1 };
	term = (struct screen){ .base.ops = &screen_ops };
	app_begin(&app, &options, &term.base, themes[0], &glyphs_ascii);
	app_session_open(&app, false);
	assert_int_equal(app_load(&app), 0);
}

/* Opens the pipe; `keys` are typed before anything came. */
static void begin(const char *keys)
{
	unlink(path[0]);
	assert_int_equal(mkfifo(path[0], 0600), 0);
	pipe_end = open(path[0], O_RDWR | O_NONBLOCK);
	assert_true(pipe_end >= 0);
	begin_with(path);
	press(keys);
	write_part(0, len / 2);
}

static void all_comes(void)
{
	write_part(len / 2, len);
	close(pipe_end);
	until(is_loaded);
}

static void end(void)
{
	app_end(&app);
	unlink(path[0]);
}

struct seen {
	struct ref ref;
	char row[64];
	int64_t start, dur; /* of the selected event */
};

static struct seen seen_in(const struct view *v)
{
	struct seen s = { .ref = v->ops->here(v) };
	const struct scene *sc = scene_of(v);
	int64_t origin = v->cap->dump->origin_ns; /* 0: a table, which has none */
	int64_t by = origin ? (origin - 1700000000000000000) * 1000 : 0;

	snprintf(s.row, sizeof s.row, "%.*s %d", (int)scene_node(sc, sc->cursor.row)->len,
	    scene_node(sc, sc->cursor.row)->name, scene_node(sc, sc->cursor.row)->row);

	if (s.ref.kind == REF_EVENT) {
		s.start = track_start(&v->cap->dump->trace.tracks[s.ref.track], s.ref.event);
		s.dur = track_dur(&v->cap->dump->trace.tracks[s.ref.track], s.ref.event);
		s.start += by;
	}
	s.ref.at += by;
	s.ref.t0 += by;
	s.ref.t1 += by;
	return s;
}

/* The keys lead to the same place as they do when all is there; nothing moves when the rest comes. */
static void check_carried(const char *keys, bool selects)
{
	struct seen early, now;
	struct view *v;
	int64_t origin;

	begin("");
	until(is_shown);
	press(keys);
	early = seen_in(app_early_view(&app));
	origin = app_early_view(&app)->cap->dump->origin_ns;
	assert_int_equal(early.ref.kind, selects ? REF_EVENT : REF_TIME);
	all_comes();
	v = app_here(&app);
	assert_non_null(v);
	assert_string_equal(v->ops->id, "timeline");
	assert_int_equal(app.cap->dump->trace.events, 3 * EVENTS + 3 * EVENTS / 100);
	assert_int_not_equal(app.cap->dump->origin_ns, origin);
	app_draw(&app);
	now = seen_in(v);
	assert_int_equal(now.ref.kind, early.ref.kind);
	if (!scene_of(v)->port.whole) {
		int64_t column = scene_of(v)->port.c;

		assert_int_equal(now.ref.t1 - now.ref.t0, early.ref.t1 - early.ref.t0);
		assert_true(llabs(now.ref.t0 - early.ref.t0) <= column);
	}
	assert_int_equal(now.ref.at, early.ref.at);
	assert_string_equal(now.row, early.row);
	assert_int_equal(now.start, early.start);
	assert_int_equal(now.dur, early.dur);
	end();
}

static void places_stay(void **state)
{
	(void)state;
	check_carried("www", false);
	check_carried("wwwdddsa", false);
	check_carried("jjwl", true);
	check_carried("jjw<Enter>wwlll", true);
	check_carried("jjWW<Enter>u", true);
	check_carried("jjww<Enter>fd", true);
	check_carried("wwdd0jj", false);
	check_carried("zjwww", false);
	check_carried("GWdd<C-u>", false);
	check_carried("jjww<Enter><Esc>d", false);
	check_carried(":goto 5ms<Enter>", false);
	check_carried("wwwww:goto 31.25ms<Enter>d", false);
	check_carried("jj:goto op fusion.7<Enter>", true);
}

static int64_t span_of(const struct view *v)
{
	struct ref r = v->ops->here(v);

	return r.t1 - r.t0;
}

static int64_t early_at(void)
{
	return seen_in(app_early_view(&app)).ref.at;
}

/* A place that is not there yet is said to be so, with how far loading is. */
static void places_so_far(void **state)
{
	int64_t at;

	(void)state;
	begin("");
	until(is_shown);
	press(":goto 12.5ms<Enter>");
	at = early_at();
	press(":goto 90000ms<Enter>");
	assert_non_null(strstr(app.message, "90000ms is outside what is loaded so far, from "));
	press(":goto 12<Enter>");
	assert_non_null(strstr(app.message, "12 needs a unit"));
	assert_true(app.message_error);
	assert_int_equal(early_at(), at);
	press(":goto op late.16<Enter>");
	assert_non_null(strstr(app.message, "no event named 'late.16' so far; loading"));
	assert_false(app.message_error);
	all_comes();
	end();

	begin(":view memory<Enter>"); /* it is not lost, nor what is typed behind it */
	assert_non_null(strstr(app.message, "loading"));
	press(":set<Enter>");
	all_comes();
	assert_string_equal(app_here(&app)->ops->id, "memory");
	assert_null(strstr(app.message, "loading"));
	end();
}

/* Other commands say how far loading is; keys wait for the rest. */
static void commands_say(void **state)
{
	int64_t whole;

	(void)state;
	begin("");
	until(is_shown);
	whole = span_of(app_early_view(&app));
	press(":zoom-in<Enter>");
	assert_true(span_of(app_early_view(&app)) < whole);
	press(":unheard<Enter>");
	assert_non_null(strstr(app.message, "unknown command 'unheard'"));
	press(":view ops<Enter>");
	assert_non_null(strstr(app.message, "':view ops' waits; loading"));
	press("<M-4>ww");
	assert_int_equal(app.p->ntyped, 3);
	all_comes();
	assert_string_equal(app_here(&app)->ops->id, "ops");
	assert_int_equal(app.p->ntyped, 0);
	end();

	begin("");
	until(is_shown);
	press(":quit<Enter>");
	assert_true(app.p->quit);
	close(pipe_end);
	end();
}

static void as_before_without_keys(void **state)
{
	(void)state;
	begin("");
	until(is_shown);
	all_comes();
	assert_int_equal(app_here(&app), &app.views[0]); /* the view to begin with */
	assert_int_equal(app.p->carried.n, 0);
	end();
}

/* What was typed before there was anything waits for it; what it cannot do waits for the rest, with all that
 * follows. */
static void keys_wait(void **state)
{
	int64_t whole, zoomed;

	(void)state;
	begin("");
	until(is_shown);
	whole = span_of(app_early_view(&app));
	press("ww");
	zoomed = span_of(app_early_view(&app));
	assert_true(zoomed < whole);
	press("<M-4>ww");
	assert_int_equal(span_of(app_early_view(&app)), zoomed);
	assert_int_equal(app.p->ntyped, 3);
	all_comes();
	assert_int_equal(app.p->ntyped, 0);
	assert_string_equal(app_here(&app)->ops->title, "Ops");
	end();

	begin("ww");
	assert_int_equal(app.p->ntyped, 2);
	until(is_shown);
	assert_int_equal(app.p->ntyped, 0);
	assert_int_equal(span_of(app_early_view(&app)), zoomed);
	all_comes();
	end();

	begin("w/fusion.3<Enter>ww");
	until(is_shown);
	assert_true(app.p->ntyped > 8);
	all_comes();
	assert_string_equal(app_here(&app)->ops->id, "timeline");
	assert_non_null(app.p->pattern);
	end();
}

/* Esc leaves the selection before it stops the load. */
static void escape(void **state)
{
	(void)state;
	begin("");
	until(is_shown);
	press("jjww<Enter>");
	assert_int_equal(app_early_view(&app)->ops->here(app_early_view(&app)).kind, REF_EVENT);
	press("<Esc>");
	assert_int_equal(app_early_view(&app)->ops->here(app_early_view(&app)).kind, REF_TIME);
	assert_false(loader_canceled(app.p->loader));
	press("<Esc>");
	assert_true(loader_canceled(app.p->loader));
	until(is_loaded);
	assert_true(app.cap->dump->canceled);
	assert_false(app.p->quit);
	close(pipe_end);
	end();

	begin("");
	until(is_shown);
	press("q");
	assert_true(app.p->quit);
	close(pipe_end);
	end();
}

static unsigned random_of(unsigned *state, unsigned n)
{
	*state = *state * 1103515245 + 12345;
	return (*state >> 16) % n;
}

static bool is_shown_or_loaded(void)
{
	return is_shown() || is_loaded();
}

static const char *const table_path[] = { "t-early-view.SSTABLE" };
enum { TABLE_EVENTS = 500000 };

static void write_file(const char *name, struct pb *file)
{
	FILE *f = fopen(name, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(file->b, 1, file->n, f), file->n);
	assert_int_equal(fclose(f), 0);
	pb_free(file);
}

static int make_table(void **state)
{
	struct pb table = levels_table(false, TABLE_EVENTS, 40);

	(void)state;
	if (table.n < 8 << 20)
		return -1;
	write_file(table_path[0], &table);
	return 0;
}

static int drop_table(void **state)
{
	(void)state;
	unlink(table_path[0]);
	return 0;
}

/* A table that is read in a moment: as keys come, windows of it are there, or all of it. */
static void any_keys_in_a_table(void **state)
{
	unsigned random = 5;

	(void)state;
	for (int walk = 0; walk < 10; walk++) {
		static const enum action moves[] = { ACT_ZOOM_IN, ACT_ZOOM_IN, ACT_ZOOM_IN_FAST, ACT_ZOOM_OUT,
			ACT_PAN_LEFT, ACT_PAN_RIGHT, ACT_PAN_RIGHT_FAST, ACT_RIGHT, ACT_DOWN, ACT_OPEN,
			ACT_UNDO_VIEW, ACT_FIT };

		begin_with(table_path);
		until(is_shown_or_loaded);
		for (int i = 0; i < 60 && app.p->loader; i++) {
			enum action a = moves[random_of(&random, sizeof moves / sizeof *moves)];

			if (app_early_act(&app, a))
				app_draw(&app);
			app_turn(&app);
		}
		until(is_loaded);
		assert_int_equal(app.cap->dump->trace.events, TABLE_EVENTS);
		app_turn(&app);
		end();
	}
}

/* Any keys, while more and more comes. */
static void any_keys(void **state)
{
	unsigned random = 11;

	(void)state;
	for (int walk = 0; walk < 12; walk++) {
		size_t at = len / 2;

		begin("");
		for (int i = 0; i < 150 && !app.p->quit && app.p->loader; i++) {
			const struct binding *b = &app.keymap.v[random_of(&random, (unsigned)app.keymap.n)];
			bool leaves = b->action == ACT_QUIT || b->action == ACT_BACK ||
			    b->action == ACT_CAPTURE_JOB || b->action == ACT_WATCH_JOB ||
			    b->action == ACT_WATCH_CHIPS || b->action == ACT_SUSPEND;
			size_t to = at + random_of(&random, 4000);

			if (!leaves || !random_of(&random, 8))
				term.keys[term.n++] =
				    b->action == ACT_SUSPEND ? (struct key){ 'w', 0 } : b->key;
			to = to < len - 4 ? to : len - 4;
			write_part(at, to);
			at = to;
			app_turn(&app);
			app_draw(&app);
		}
		if (app.p->loader && !app.p->quit)
			write_part(at, len);
		close(pipe_end);
		for (int i = 0; i < TURNS && app.p->loader && !app.p->quit; i++)
			app_turn(&app);
		for (int i = 0; i < 20 && !app.p->quit; i++)
			app_turn(&app);
		end();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_stay),
		cmocka_unit_test(as_before_without_keys),
		cmocka_unit_test(places_so_far),
		cmocka_unit_test(keys_wait),
		cmocka_unit_test(commands_say),
		cmocka_unit_test(escape),
		cmocka_unit_test(any_keys),
		cmocka_unit_test_setup_teardown(any_keys_in_a_table, make_table, drop_table),
	};
	int failed;

	make_text();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(text);
	return failed;
}
