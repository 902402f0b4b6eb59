/* Every sheet of every view of the sample: what E writes has its columns, with the same ids, labels and units;
 * its first columns have room on screens of all sizes; every form of a frame belongs to a view. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mkexport.h"
#include "app/internal.h"
#include "report/reports.h"
#include "view/frames.h"
#include "view/ops/tables.h"
#include "view/frame.h"

/* Where a view shows which sheet. */
static const struct {
	const char *view, *keys;
} places[] = {
	{ "hlo_stats", "" },
	{ "framework_ops", "" },
	{ "roofline", "t" },
	{ "input", "" },
	{ "memory", "" },
	{ "memory", "u" },
	{ "memory_profile", "" },
	{ "pod", "c" },
	{ "pod", "C" },
	{ "files", "" },
};

static char sample[800];
static struct app app;
static struct term *term;

static void begin(int rows, int cols)
{
	static const struct theme_ground paper = { .colors = 0, .unicode = true };
	static const char *const paths[] = { sample };
	static struct app_options opt;
	struct capture *c;
	struct err err;

	opt = (struct app_options){ .paths = paths, .npaths = 1, .load = { .threads = 1 }, .colors = -1 };
	c = load_now(&opt, &opt.load, NULL, &err);
	assert_non_null(c);
	term = term_null_open(rows, cols);
	app_begin(&app, &opt, term, themes[0], &glyphs_ascii);
	look_open(&app, &paper);
	app_take(&app, c, &err);
	app_settle(&app);
}

static void end(void)
{
	app_end(&app);
	term->ops->close(term);
}

static struct sheet *go(size_t i)
{
	struct view *v = app_view(&app, places[i].view);
	struct key key;

	if (!v)
		return NULL;
	app_switch(&app, (size_t)(v - app.views));
	app_settle(&app);
	for (const char *s = places[i].keys; *s;) {
		assert_int_equal(key_parse(&s, &key), 0);
		app_play_key(&app, key);
	}
	app_draw(&app);
	return v->ops->frame && v->ops->frame->sheet ? v->ops->frame->sheet(v) : NULL;
}

static bool has_column(const char *text, const struct column *c)
{
	char want[400], unit[80];

	snprintf(want, sizeof want, "{\"id\":\"%s\",\"label\":\"%s\",", c->id, c->label);
	snprintf(unit, sizeof unit, "\"unit\":\"%s\"}", c->unit);
	for (const char *at = text; (at = strstr(at, want)); at++)
		if (!strncmp(strstr(at, "\"unit\""), unit, strlen(unit)))
			return true;
	return false;
}

/* Bars show what another column says. */
static int missing_columns(size_t i, const struct sheet *s)
{
	char *text = exported(app_view(&app, places[i].view));
	int bad = 0;

	for (const struct column *c = s->schema->columns; c < s->schema->columns + s->schema->n; c++)
		if (c->show != SHOW_BAR && !has_column(text, c)) {
			print_error("%s %s: %s (%s, %s) is not in the export\n", places[i].view,
			    places[i].keys, c->id, c->label, c->unit);
			bad++;
		}
	free(text);
	return bad;
}

static void exports(void **state)
{
	int bad = 0, sheets = 0;

	(void)state;
	begin(40, 120);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		const struct sheet *s = go(i);

		if (!s)
			continue;
		sheets++;
		bad += missing_columns(i, s);
	}
	end();
	assert_true(sheets > 6);
	assert_int_equal(bad, 0);
}

/* Columns that never give way are there, and none stands outside. */
static void check_widths(size_t i, const struct sheet *s, int cols)
{
	int n = 0;

	for (size_t k = 0; k < s->ncol; k++) {
		n += !s->col[k]->drop && !s->off[k] && s->at[k] >= 0 && s->x[k + 1] <= s->x[k];
		assert_true(s->x[k] >= 0);
	}
	if (s->x[s->ncol] && (n || s->x[s->ncol] > cols + 2)) /* 0: not drawn */
		fail_msg("%s %s at %d columns: %d columns have no room, they end at %d", places[i].view,
		    places[i].keys, cols, n, s->x[s->ncol]);
}

static void widths(void **state)
{
	static const int size[][2] = { { 24, 80 }, { 40, 120 }, { 60, 200 } };

	(void)state;
	for (int k = 0; k < 3; k++) {
		begin(size[k][0], size[k][1]);
		for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
			const struct sheet *s = go(i);

			if (s)
				check_widths(i, s, size[k][1]);
		}
		end();
	}
}

static bool is_listed(const struct schema *s)
{
	for (size_t i = 0; report_schema(i); i++)
		if (report_schema(i) == s)
			return true;
	for (size_t i = 0; view_list[i]; i++)
		for (const struct view_table *t = view_list[i]->tables; t && t->schema; t++)
			if (t->schema == s)
				return true;
	return false;
}

/* --list-columns has the columns of every sheet, and of all that the timeline exports. */
static void columns_are_listed(void **state)
{
	const struct view_table *t;
	char *text, want[80];
	size_t found = 0;

	(void)state;
	begin(40, 120);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		const struct sheet *s = go(i);

		if (s && !is_listed(s->schema))
			fail_msg("the columns of %s %s are not listed", places[i].view, places[i].keys);
	}
	app_switch(&app, (size_t)(app_view(&app, "timeline") - app.views));
	app_settle(&app);
	text = exported(app_view(&app, "timeline"));
	for (t = app_view(&app, "timeline")->ops->tables; t->schema; t++) {
		snprintf(want, sizeof want, "\"%s\":{\n", t->name);
		if (!strstr(text, want)) /* hits: nothing was searched for */
			continue;
		found++;
		for (const struct column *c = t->schema->columns; c < t->schema->columns + t->schema->n; c++)
			assert_true(has_column(strstr(text, want), c));
	}
	assert_int_equal(found, 3);
	free(text);
	end();
}

static void forms_name_columns(void **state)
{
	const struct schema *r;

	(void)state;
	for (size_t i = 0; (r = report_schema(i)); i++) {
		check_form(r, r->view);
		check_form(r, r->text);
	}
	begin(40, 120);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		const struct sheet *s = go(i);

		if (!s)
			continue;
		check_form(s->schema, s->schema->view);
		check_form(s->schema, s->schema->text);
	}
	end();
	check_form(op_form_hlo.schema, op_form_hlo.fields);
	check_form(op_form_framework.schema, op_form_framework.fields);
}

static void frames_are_of_views(void **state)
{
	(void)state;
	for (size_t i = 0; i < FORM_COUNT; i++) {
		size_t v = 0;

		while (view_list[v] && strcmp(view_list[v]->id, frame_forms[i].view))
			v++;
		if (!view_list[v])
			fail_msg("frame %zu is of %s, which is no view", i, frame_forms[i].view);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exports),
		cmocka_unit_test(widths),
		cmocka_unit_test(columns_are_listed),
		cmocka_unit_test(forms_name_columns),
		cmocka_unit_test(frames_are_of_views),
	};
	const char *top = getenv("top_srcdir");

	snprintf(sample, sizeof sample, "%s/data/sample/simulated-v5e-4chip.xplane.pb.gz", top ? top : "..");
	cmocka_set_message_output(CM_OUTPUT_STDOUT);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
