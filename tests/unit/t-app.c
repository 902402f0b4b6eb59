#include "config.h"

#include "core/app.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "app/internal.h"
#include "base/text/utf8.h"

/* One device with a few ops, one of whose names tries to send escape sequences to the terminal. */
static const char capture[] =
    "{\"traceEvents\":["
    "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"/device:TPU:0\"}},"
    "{\"ph\":\"M\",\"pid\":1,\"tid\":2,\"name\":\"thread_name\",\"args\":{\"name\":\"XLA Ops\"}},"
    "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":10,\"dur\":5,\"name\":\"fusion.1\"},"
    "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":20,\"dur\":7,\"name\":\"copy.2\\u001b[31m\"},"
    "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":30,\"dur\":9,\"name\":\"fusion.3\"}]}";

static struct err err;

static const struct app_options options = {
	.sample = capture,
	.sample_size = sizeof capture - 1,
	.sample_name = "tiny.trace.json",
	.load = { .threads = 1 },
	.colors = -1,
};

/* The frame after the keys, or NULL with err. */
static char *frame(const char *view, const char *keys, int rows, int cols, int colors)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	int status;

	err = (struct err){ .at = ERR_NOWHERE };
	status = app_snapshot(&options, view, keys, rows, cols, colors, SHOT_NONE, f, &err);
	fclose(f);
	if (status == EXIT_OK)
		return text;
	assert_int_equal(status, -1);
	free(text);
	return NULL;
}

static void shows(const char *view, const char *keys, const char *what, bool wanted)
{
	char *text = frame(view, keys, 24, 80, 0);

	if (!text)
		fail_msg("%s: %s", keys, err.msg);
	if (!strstr(text, what) == wanted)
		fail_msg("after %s the screen should%s show \"%s\":\n%s", keys, wanted ? "" : " not", what,
		    text);
	free(text);
}

static void test_every_size_has_its_rows(void **state)
{
	static const int sizes[][2] = { { 1, 1 }, { 2, 300 }, { 5, 20 }, { 7, 39 }, { 8, 40 }, { 10, 40 },
		{ 24, 80 }, { 40, 120 }, { 60, 200 }, { 100, 300 } };
	static const char *const views[] = { "timeline", "files", "findings" };

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
			char *text = frame(views[v], "jjk<PgDn>?<PgDn><Esc>/fus<Enter>v", sizes[i][0],
				 sizes[i][1], 0),
			     *line = text;
			int rows = 0;

			for (char *end; (end = strchr(line, '\n')); line = end + 1, rows++)
				assert_true(utf8_cols(line, (size_t)(end - line)) <= sizes[i][1]);
			assert_int_equal(rows, sizes[i][0]);
			assert_int_equal(*line, 0);
			free(text);
		}
}

/* Tab completes what the capture has. */
static void test_prompts_complete(void **state)
{
	(void)state;
	shows("timeline", "/na<Tab>", "/name~", true);
	shows("timeline", "/name=fu<Tab>", "/name=fusion.", true);
	shows("timeline", "/name=fu<Tab>", "fusion.1 fusion.3", true);
	shows("timeline", "/cat=coll<Tab>", "/cat=collective", true);
	shows("timeline", "/dur>1us track=T<Tab>", "/dur>1us track=TPU:0", true);
	shows("timeline", "&cat=coll<Tab>", "&cat=collective", true);
	shows("hlo_stats", "/zzz<Tab>", "nothing to complete", true);
	shows("files", "E", ">files.csv", true);
	shows("files", "Ex.t", ">x.t", true);
	shows("files", "E<End>x", ">files.csvx", true);
	shows("files", "E/us<Tab>", ">/usr/", true);
	shows("files", ":export /us<Tab>", ":export /usr/", true);
	shows("timeline", "/dur>100<Enter>", "100 has no unit; dur>100us?", true);
	shows("timeline", "/fusion<Enter>/<Up>", "/fusion", true);
	shows("files", ":help<Enter>q:<Up>", ":help", true);
}

static void test_ways_between_views(void **state)
{
	(void)state;
	shows("timeline", "", "1 file ", false);
	shows("timeline", "vf", "1 file ", true);
	shows("timeline", "vG<Enter>", "1 file ", true);
	shows("timeline", "v<Esc>", "1 file ", false);
	shows("files", "<Tab><M-3>", "cursor ", true);
	shows("findings", "<S-Tab><Tab>", "1 file ", false);
	shows("findings", "<S-Tab>", "1 file ", true);
	/* pages that share a tab are passed over */
	shows("ops", "<Tab>", "Input wait", true);
	shows("hlo_stats", "<Tab>", "Input wait", true);
	shows("memory", "<Tab><S-Tab>", "No HLO modules", true);
	/* a tab leads to the page that was left there; again: to the view that it is named after */
	shows("hlo_stats", "<M-3><M-4>", "4 HLO ", true);
	shows("hlo_stats", "<M-3>", "4 HLO ", true);
	shows("hlo_stats", "<M-3><S-Tab><Tab><Tab>", "by self", true);
	shows("hlo_stats", "<M-3><M-4><M-4>", "4 Ops", true);
	shows("timeline", ":view files<Enter>", "1 file ", true);
	shows("timeline", ":vi<Tab> fil<Tab><Enter>", "1 file ", true);
	shows("files", "<M-3>", "1 file ", false);
	shows("files", "<M-9>", "no data for the Triage view", true);
	shows("files", "<M-8>", "a trace JSON has no HLO; open the *.xplane.pb", true);
	shows("timeline", "f]X", "a trace JSON has no HLO; open the *.xplane.pb", true);
	shows("files", ":goto 25us<Enter>", "1 file ", false);
	shows("timeline", ":goto 25us<Enter>", "cursor 25.000000 us", true);
	shows("files", ":goto 25us<Enter><BS>", "1 file ", true);
	shows("files", "<BS>", "no earlier position to go back to", true);
	/* where a number has no other meaning it is that of a view; a key without an action says so */
	shows("files", "3", "1 file ", false);
	shows("timeline", "1", "busy", true);
	shows("files", "<F7>", "F7 is not used here; / searches, ? lists the keys", true);
	/* keys that leave go back as long as there is a way back */
	shows("files", ":goto 25us<Enter>q", "1 file ", true);
	shows("files", ":goto 25us<Enter><Esc>", "1 file ", true);
	/* typing filters a menu */
	shows("timeline", "<F2>bookm", "actions: bookm_", true);
	shows("timeline", "<F2>bookm", "Go to a bookmark", true);
	shows("timeline", "<F2>bookm", "Zoom in around", false);
	shows("timeline", "<F2>bookm<BS><BS><BS><BS><BS>", "First event inside", true);
	shows("timeline", "<F2>zzz<Enter>", "none of ", true);
	shows("timeline", "<F2>clock of<Enter>", "Zoom in around", false);
	shows("files", "v/tim<Enter>", "busy", true);
	/* Ctrl-C ends what is open */
	shows("timeline", "?<C-c>", "cursor", true);
	shows("timeline", "v<C-c>", "cursor", true);
	shows("timeline", "/fusion<Enter>L<C-c>", "cursor", true);
}

/* Counts of keys in views where digits do not choose a tool; elsewhere any digit continues a count. */
static void test_counts(void **state)
{
	(void)state;
	shows("timeline", "5", "count 5 ", true);
	shows("timeline", "50", "count 50 ", true);
	shows("timeline", "5<Esc>", "count 5", false);
	shows("timeline", "5<Esc>", "cursor", true);            /* Esc only ends the count */
	shows("timeline", "<Esc><Esc><Esc>?", "Zoom in", true); /* Esc never quits */
	shows("timeline", "<Esc>", "Q quits", true);
	shows("timeline", "5d", "count 5", false);
	shows("timeline", "$", "count: digits", true);
	shows("timeline", "$12", "count 12 ", true);
	shows("timeline", "$99999", "count 999 ", true);
	shows("timeline", "2", "count 2", false); /* chooses a tool at once */
	shows("timeline", "jll", "cursor 20", true);
	shows("timeline", "j$3l", "cursor 30", true);
	shows("timeline", "jl$0l", "cursor 20", true);
	shows("timeline", "j5$3l", "cursor 30", true);
	shows("timeline", ":count<Enter>3", "count 3 ", true);
	shows("timeline", "5/fusion<Enter>", "hit 1 of 2", true);
	shows("timeline", "/fusion<Enter>5n", "hit 2 of 2", true);
	shows("timeline", "0w2d", "count 2", false);
	shows("files", "5", "count 5", false);
}

/* A long message continues on the line of the key bar; nothing of it is lost. */
static void test_long_message(void **state)
{
	(void)state;
	shows("timeline", ":set nosuch<Enter>", " unknown setting 'nosuch'", true);
	shows("timeline", ":set nosuch<Enter>", "fetch.s3\n", true);
	shows("timeline", ":set nosuch<Enter>", "? help", false);
	shows("timeline", ":set nosuch<Enter>:", "Tab complete", true);
	shows("timeline", ":goto op a.name.that.is.longer.than.a.line.of.the.screen.and.has.no.blanks<Enter>",
	    "/ searches for parts of names\n", true);
	shows("timeline", ":view other<Enter>", "? help", true);
}

/* Findings that were not computed before are computed first, then the jump is made. */
static void test_next_finding(void **state)
{
	(void)state;
	shows("timeline", "e", "no findings yet", false);
	shows("input", "e", "no findings yet", false);
	shows("input", "e", "no finding has its proof in this view", true);
	shows("input", "ej", "no finding has its proof in this view", false);
}

static void test_commands_answer(void **state)
{
	(void)state;
	shows("files", ":nosuch<Enter>", "unknown command 'nosuch'", true);
	shows("files", ":diff x<Enter>", ":against PATH compares", true);
	shows("files", ":overview<Enter>", ":view overview goes to that view", true);
	/* the next key clears a message */
	shows("files", ":nosuch<Enter>j", "unknown command 'nosuch'", false);
	/* Esc clears a message and does nothing else */
	shows("timeline", ":nosuch<Enter><Esc>vf", "1 file ", true);
	shows("files", ":view nosuch<Enter>", "unknown view 'nosuch'", true);
	shows("files", ":view<Enter>", "view NAME", true);
	shows("files", ":goto soon<Enter>", "'soon' is not a time", true);
	shows("files", ":goto<Enter>", "goto PLACE", true);
	shows("timeline", ":goto 30<Enter>", "30 needs a unit: 30ms", true);
	shows("timeline", ":goto 0<Enter>", "cursor 0 ps", true);
	shows("timeline", ":goto 99s<Enter>", "99s is outside the run, from 0 ps to 39", true);
	shows("timeline", ":goto -1ms<Enter>", "outside the run", true);
	shows("timeline", ":goto op fusion.3<Enter>", "cursor 30.", true);
	shows("timeline", ":goto fusion.3<Enter>", "cursor 30.", true);
	shows("timeline", ":goto op fusion<Enter>", "no event named 'fusion'", true);
	shows("timeline", ":goto step 1<Enter>", "no steps in this capture", true);
	shows("timeline", ":goto 15:03:20<Enter>", "start time of this capture is unknown", true);
	shows("files", ":set clock<Enter>", "device|plain", true);
	shows("files", ":zoom-in<Enter>", "works only in Timeline", true);
	shows("files", ":core<Enter>",
	    "core works only in Overview, Op profile, Tables of ops, Roofline, Input", true);
	shows("files", ":help<Enter>", "Quit", true);
	shows("files", ":view-n<Tab><Enter>", "1 file ", false);
	shows("files", "R", "not a logdir", true);
	shows("files", ":<Up><Up><Down><Tab>", "view set bind unbind", true);
	shows("timeline", ":sort<Enter>", "usage: :sort file|name", true);
	shows("files", ":sort name<Enter>", "sort works only in Timeline", true);
}

/* Tab completes the arguments of a command. */
static void test_completion(void **state)
{
	(void)state;
	shows("timeline", ":sort <Tab>", "file name busy count", true);
	shows("timeline", ":sort b<Tab>", ":sort busy", true);
	shows("files", ":sort b<Tab>", ":sort busy", false);
	shows("timeline", ":color u<Tab>", ":color utilization", true);
	shows("timeline", ":show <Tab>", ":show all", true);
	shows("timeline", ":set th<Tab>d<Tab>", "default16 dark256", true);
	shows("timeline", ":keys az<Tab>", ":keys azerty", true);
	shows("timeline", ":bind timel<Tab>w zoom-o<Tab>", ":bind timeline w zoom-out", true);
	shows("timeline", ":view fil<Tab>", ":view files", true);
	shows("timeline", "Mone place<Enter>:goto o<Tab>", ":goto one place", true);
	/* a completion never ends inside a character */
	shows("timeline", "M\xe2\x82\xac<Enter>jllM\xe2\x82\xad<Enter>:unmark <Tab>", ":unmark    ", true);
}

static void test_bookmarks(void **state)
{
	(void)state;
	shows("timeline", "M", "name of the bookmark", true);
	shows("timeline", "Mhere<Enter>", "bookmark: here", true);
	shows("timeline", "Mhere<Esc>'", "no marks yet", true);
	shows("timeline", "M<Enter>", "bookmark: 10", true);
	shows("timeline", "Mhere<Enter>M", "here removed", true);
	shows("timeline", "Mhere<Enter>'", "a here", true);
	shows("timeline", "Mhere<Enter>:unmark there<Enter>", "no mark or bookmark named 'there'", true);
	shows("timeline", "Mhere<Enter>:unmark here<Enter>'", "no marks yet", true);
}

static void test_search_prompt(void **state)
{
	(void)state;
	shows("files", "/([<Enter>", "character", true);
	shows("files", "/nothing-like-it<Enter>", "not found", true);
	shows("files", "/tiny<Enter>", "hit 1 of 1", true);
	shows("files", "/tiny<Enter>/<Enter>", "hit 1 of 1", false); /* an empty pattern ends the search */
	shows("files", "/tiny<Enter><Esc>", "hit 1 of 1", false);
	shows("files", "n", "no search yet", true);
	/* smart case: an upper-case letter makes it case-sensitive */
	shows("timeline", "/FUSION<Enter>", "not found", true);
	shows("timeline", "/fusion<Enter>n", "hit 2 of 2", true);
}

static void test_nothing_raw(void **state)
{
	char *text = frame("timeline", "/copy<Enter>", 40, 200, 16);

	(void)state;
	assert_null(strstr(text, "\033[31m"));
	assert_non_null(strstr(text, "[31m"));
	free(text);
}

static bool is_file(const char *path)
{
	FILE *f = fopen(path, "r");

	if (f)
		fclose(f);
	return f;
}

/* An export waits for what its view shows; Esc gives it up. */
static void test_export_waits(void **state)
{
	static const char path[] = "t-app-export.csv";
	struct app_options opt = options;
	struct term *term = term_null_open(24, 80);
	struct capture *c;
	struct app app;

	(void)state;
	remove(path);
	opt.view = "hlo_stats";
	c = load_now(&opt, &opt.load, NULL, &err);
	app_begin(&app, &opt, term, themes[0], &glyphs_ascii);
	app_take(&app, c, NULL);
	app_draw(&app); /* asks for the table */
	app_export(&app, path);
	assert_false(is_file(path));
	assert_int_equal(*app.message, '\0');
	app_action(&app, ACT_BACK, 1);
	assert_string_equal(app.message, "not exported");
	app_export(&app, path);
	assert_false(is_file(path));
	app_settle(&app);
	assert_true(is_file(path));
	assert_non_null(strstr(app.message, "table exported: 3 rows"));
	remove(path);
	app_end(&app);
	term->ops->close(term);
}

/* Where something was before the window changed, a click means nothing until it is drawn again. */
static void test_click_after_resize(void **state)
{
	struct app_options opt = options;
	struct term *term = term_null_open(24, 80), *small = term_null_open(10, 60);
	struct app app;

	(void)state;
	opt.view = "files";
	app_begin(&app, &opt, term, themes[0], &glyphs_ascii);
	app_take(&app, load_now(&opt, &opt.load, NULL, &err), NULL);
	app_settle(&app);
	small->mouse = (struct mouse){ .kind = MOUSE_PRESS, .button = 1, .y = 23, .x = 1 };
	app.p->term = small;
	for (size_t i = 0; i < app.p->nhot; i++)
		if (app.p->hot[i].action == ACT_HELP)
			small->mouse.x = app.p->hot[i].x;
	assert_int_not_equal(small->mouse.x, 1);
	app_key(&app, (struct key){ K_RESIZE, 0 });
	app_key(&app, (struct key){ K_MOUSE, 0 });
	assert_null(app.p->overlay);
	app_end(&app);
	term->ops->close(term);
	small->ops->close(small);
}

static void test_mistakes(void **state)
{
	struct app_options bad = options;
	FILE *f = tmpfile();

	(void)state;
	assert_null(frame("nosuch", "", 24, 80, 0));
	assert_int_equal(err.status, EXIT_USAGE);
	assert_non_null(strstr(err.msg, "views: findings, "));
	assert_null(frame("files", "j<Nokey>", 24, 80, 0));
	assert_int_equal(err.status, EXIT_USAGE);
	assert_non_null(strstr(err.msg, "<Nokey>"));
	bad.sample = "not a capture at all";
	bad.sample_size = 20;
	assert_int_equal(app_snapshot(&bad, "files", "", 24, 80, 0, SHOT_NONE, f, &err), -1);
	assert_int_equal(err.status, EXIT_NOTHING);
	assert_int_equal(ftell(f), 0);
	fclose(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_size_has_its_rows),
		cmocka_unit_test(test_prompts_complete),
		cmocka_unit_test(test_ways_between_views),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_long_message),
		cmocka_unit_test(test_next_finding),
		cmocka_unit_test(test_commands_answer),
		cmocka_unit_test(test_completion),
		cmocka_unit_test(test_bookmarks),
		cmocka_unit_test(test_search_prompt),
		cmocka_unit_test(test_nothing_raw),
		cmocka_unit_test(test_export_waits),
		cmocka_unit_test(test_click_after_resize),
		cmocka_unit_test(test_mistakes),
	};

	return cmocka_run_group_tests_name("app", tests, NULL, NULL);
}
