/* The frame shared by views: positions of table and card at every size, the full card, and that only one
 * sheet has the search. */
#include "config.h"

#include "view/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mkcanvas.h"
#include "view/frames.h"

/* --- layout --- */

static bool is_inside(struct rect in, struct rect r)
{
	return r.w > 0 && r.h > 0 && r.y >= in.y && r.x >= in.x && r.y + r.h <= in.y + in.h &&
	    r.x + r.w <= in.x + in.w;
}

static bool meet(struct rect a, struct rect b)
{
	return a.y < b.y + b.h && b.y < a.y + a.h && a.x < b.x + b.w && b.x < a.x + a.w;
}

static void check_form(const struct frame_form *form, struct rect a)
{
	struct frame_place p = frame_divide(form, a);

	assert_true(is_inside(a, p.main));
	if (p.how == FRAME_NO_CARD)
		return;
	assert_true(is_inside(a, p.card));
	assert_false(meet(p.main, p.card));
	if (p.how == FRAME_BESIDE)
		assert_int_equal(p.main.h, a.h);
	else
		assert_int_equal(p.main.h + p.card.h, a.h);
	/* the table is more important than the card */
	assert_true(p.main.w * p.main.h >= p.card.w * p.card.h);
}

static void every_size_has_its_places(void **state)
{
	(void)state;
	for (size_t i = 0; i < FORM_COUNT; i++) {
		assert_non_null(frame_forms[i].view);
		for (int h = 3; h <= 100; h++)
			for (int w = 20; w <= 300; w++)
				check_form(&frame_forms[i], (struct rect){ 2, 1, h, w });
	}
}

static void a_card_grows_with_the_columns(void **state)
{
	static const int widths[][3] = { { 120, 36, 38 }, { 136, 36, 38 }, { 160, 44, 46 }, { 200, 57, 58 },
		{ 300, 58, 58 } };

	(void)state;
	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		struct rect a = { 2, 0, 50, widths[i][0] };

		assert_int_equal(frame_divide(&frame_forms[FORM_OPS], a).card.w, widths[i][1]);
		assert_int_equal(frame_divide(&frame_forms[FORM_FILES], a).card.w, widths[i][2]);
	}
}

/* --- a view of two sheets --- */

static const struct column columns[] = {
	{ .id = "name", .label = "name", .unit = "", .type = COL_STRING, .width = -8 }
};
static const struct schema schema = { SCHEMA_COLUMNS(columns) };

struct two {
	struct frame frame;
	struct table table[2];
	struct sheet sheet[2];
	size_t at;
};

static struct two two;

static struct sheet *the_sheet(struct view *v)
{
	struct two *t = v->state;

	return &t->sheet[t->at];
}

static bool has_row(struct view *v)
{
	return sheet_row(the_sheet(v)) != SIZE_MAX;
}

static void draw_main(struct view *v, struct canvas *to, struct rect r)
{
	sheet_draw(the_sheet(v), to, r);
}

static int draw_card(struct view *v, struct canvas *to, struct rect r, enum frame_card how)
{
	(void)v;
	canvas_str(to, r.y, r.x, r.w, ROLE_TEXT, 0, "card");
	return how == FRAME_FULL ? r.y + 30 : r.y + 1;
}

static const struct frame_ops ops = { .form = &frame_forms[FORM_OP_TABLE],
	.sheet = the_sheet,
	.main = draw_main,
	.card = draw_card,
	.has_card = has_row };

static const struct view_ops view_ops = { .id = "two", .frame = &ops };
static struct view view = { .ops = &view_ops, .state = &two };

static int begin(void **state)
{
	static const char *const name[2][3] = { { "fusion.1", "copy", "fusion.2" },
		{ "jit(f)", "dot", "add" } };

	(void)state;
	two = (struct two){ .at = 0 };
	for (int k = 0; k < 2; k++) {
		table_begin(&two.table[k], &schema);
		for (int i = 0; i < 3; i++)
			*table_row(&two.table[k]) = cell_str(name[k][i], strlen(name[k][i]));
		sheet_open(&two.sheet[k], &schema, NULL, NULL);
		sheet_set(&two.sheet[k], &two.table[k]);
	}
	return 0;
}

static int end(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		sheet_free(&two.sheet[k]);
		table_free(&two.table[k]);
	}
	return 0;
}

static void a_search_belongs_to_one_sheet(void **state)
{
	struct regex *re = regex_new("fusion|add", REGEX_SMART_CASE, NULL);

	(void)state;
	assert_int_equal(frame_find(&view, re, 0), 2);
	assert_ptr_equal(two.sheet[0].find, re);
	two.at = 1; /* n in the other sheet */
	assert_int_equal(frame_find(&view, re, 1), 1);
	assert_null(two.sheet[0].find);
	assert_ptr_equal(two.sheet[1].find, re);
	two.at = 0; /* ended where it does not stand */
	assert_int_equal(frame_find(&view, NULL, 0), 0);
	assert_null(two.sheet[0].find);
	assert_null(two.sheet[1].find);
	regex_free(re);
}

static void a_filter_belongs_to_the_sheet_shown(void **state)
{
	(void)state;
	assert_int_equal(frame_filter(&view, "zzzz", NULL), 0);
	assert_int_equal(sheet_row(&two.sheet[0]), SIZE_MAX);
	assert_int_equal(frame_act(&view, ACT_OPEN, 1), REACT_REDRAW);
	assert_false(two.frame.full); /* no row, no card */
	two.at = 1;
	assert_int_equal(sheet_row(&two.sheet[1]), 0);
}

static void the_card_opens_scrolls_and_closes(void **state)
{
	(void)state;
	fresh(10, 40);
	view.area = (struct rect){ 0, 0, 10, 40 };
	assert_int_equal(frame_act(&view, ACT_BACK, 1), ACT_PASS);
	frame_act(&view, ACT_OPEN, 1);
	assert_true(two.frame.full);
	frame_draw(&view, &c);
	assert_int_equal(two.frame.lines, 30);
	frame_act(&view, ACT_BOTTOM, 1);
	assert_int_equal(two.frame.scroll, 20);
	assert_int_equal(two.sheet[0].list.at, 0); /* the table does not scroll */
	assert_int_equal(frame_act(&view, ACT_BACK, 1), REACT_REDRAW);
	assert_false(two.frame.full);
	frame_act(&view, ACT_OPEN, 1);
	assert_int_equal(two.frame.scroll, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_size_has_its_places),
		cmocka_unit_test(a_card_grows_with_the_columns),
		cmocka_unit_test_setup_teardown(a_search_belongs_to_one_sheet, begin, end),
		cmocka_unit_test_setup_teardown(a_filter_belongs_to_the_sheet_shown, begin, end),
		cmocka_unit_test_setup_teardown(the_card_opens_scrolls_and_closes, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, canvas_end);
}
