/* The hits of a search: the longest on all tracks, how they are sorted, what L goes to, what is exported. */
#include "config.h"

#include "../lib/mktrace.h"
#include "../lib/mkview.h"
#include "../lib/mkexport.h"
#include "base/text/units.h"

#define US PS_PER_US

enum { CORES = 3, EVENTS = 700 };

static int64_t length_of(int core, int i)
{
	return (1 + (i * 7919 + core * 104729) % 10007) * PS_PER_NS;
}

/* Three cores, on each 700 copies of up to 10 us and as many dots. */
static struct dump *sample(void)
{
	struct mktrace m = { 0 };
	char name[32];

	mk_host(&m, "w-0");
	for (int core = 0; core < CORES; core++) {
		snprintf(name, sizeof name, "/device:TPU:%d", core);
		mk_plane(&m, name);
		mk_track(&m, "XLA Ops");
		for (int i = 0; i < EVENTS; i++) {
			snprintf(name, sizeof name, "copy.%d", i % 3);
			mk_event(&m, name, i * 30 * US, length_of(core, i));
			mk_event(&m, "dot.1", i * 30 * US + 11 * US, US);
		}
	}
	return mk_done(&m);
}

static int search(const char *text)
{
	struct regex *re = query_regex(text, NULL);
	int hits = view_timeline.find(&view, re, 0);

	finish();
	regex_free(re);
	return hits;
}

static const struct hit_list *list(void)
{
	return &tl()->search.list;
}

static int64_t listed(size_t i)
{
	const struct find_pos *p = sheet_of(&list()->hits, list()->hits.order[i]);

	return track_dur(scene_track(&tl()->scene, p->track), p->i);
}

static int64_t start(size_t i)
{
	const struct find_pos *p = sheet_of(&list()->hits, list()->hits.order[i]);

	return track_start(scene_track(&tl()->scene, p->track), p->i);
}

static int down(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x < y) - (x > y);
}

static void longest_of_all_tracks(void **state)
{
	static int64_t all[CORES * EVENTS];

	(void)state;
	for (int i = 0; i < CORES * EVENTS; i++)
		all[i] = length_of(i / EVENTS, i % EVENTS);
	qsort(all, CORES * EVENTS, sizeof *all, down);
	view_begin(sample(), 40, 120, true);
	assert_int_equal(search("copy"), CORES * EVENTS);
	assert_true(shown("the longest of 2,100 of 4,200 events"));
	assert_int_equal(list()->hits.list.n, HITS_MOST);
	for (size_t i = 0; i < HITS_MOST; i++)
		assert_int_equal(listed(i), all[i]);
	for (int i = 0; i < 5; i++) { /* starting with the longest, whatever row it is on */
		act(ACT_LONGEST);
		assert_int_equal(track_dur(scene_track(&tl()->scene, tl()->scene.cursor.track),
				     tl()->scene.cursor.event),
		    all[i]);
		look();
		assert_int_equal(list()->hits.list.top, 0);
	}
	assert_non_null(strstr(app.message, "next longest of all tracks"));
	view_end();
}

static void order_and_pages(void **state)
{
	(void)state;
	view_begin(sample(), 40, 120, true);
	search("copy.1");
	assert_true(shown("duration ns v"));
	assert_true(shown("copy.1"));
	assert_int_equal(list()->hits.list.top, 0);
	act(ACT_PAGE_DOWN);
	look();
	assert_true(list()->hits.list.top > 5);
	act(ACT_SORT_NEXT); /* start */
	look();
	assert_int_equal(list()->hits.list.top, 0);
	assert_int_equal(start(0), 30 * US);
	act(ACT_SORT_REVERSE);
	look();
	assert_int_equal(start(0), (EVENTS - 3) * 30 * US);
	view_timeline.find(&view, NULL, 0);
	assert_null(list()->hits.table);
	assert_int_equal(search("dot"), CORES * EVENTS); /* all equally long: by track, by time */
	assert_int_equal(listed(0), US);
	view_end();
}

static void has_good_forms(const struct sheet *s)
{
	check_form(s->schema, s->schema->view);
	check_form(s->schema, s->schema->text);
}

static void forms(void **state)
{
	(void)state;
	view_begin(sample(), 40, 120, true);
	has_good_forms(&list()->hits);
	has_good_forms(&list()->names);
	has_good_forms(&tl()->stats.names);
	has_good_forms(&tl()->stats.tracks);
	has_good_forms(&tl()->steps.sheet);
	view_end();
}

/* The export equals what is on the screen. */
static void exports(void **state)
{
	char *text;

	(void)state;
	view_begin(sample(), 40, 120, true);
	search("copy");
	text = exported(&view);
	is_exported(text, "hits", &list()->hits);
	is_exported(text, "hit_names", &list()->names);
	is_exported(text, "names", &tl()->stats.names);
	is_exported(text, "tracks", &tl()->stats.tracks);
	assert_non_null(strstr(text, "\"hits\":2100"));
	assert_string_equal(view_timeline.table(&view), "hits");
	free(text);
	view_end();
}

static void sizes(void **state)
{
	static const int size[][2] = { { 24, 80 }, { 40, 120 }, { 60, 200 } };

	(void)state;
	view_begin(sample(), 40, 120, true);
	search("copy");
	for (int i = 0; i < 3; i++) {
		resize(size[i][0], size[i][1]);
		assert_true(shown("duration us v"));
		assert_true(shown("start us") || shown("start ms"));
		assert_true(shown("track"));
		assert_true(shown("copy.0"));
		assert_true(shown("hits of /copy/"));
	}
	view_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(longest_of_all_tracks),
		cmocka_unit_test(order_and_pages),
		cmocka_unit_test(forms),
		cmocka_unit_test(exports),
		cmocka_unit_test(sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
