/* Rows of the timeline arranged by the user: pinned, hidden, moved, sorted, filtered; that this is kept when
 * rows are made again and in a session; and the colors. */
#include "config.h"

#include "../lib/mktrace.h"
#include "../lib/mkview.h"
#include "view/timeline/viewport/utc.h"
#include "analyze/device/kinds.h"
#include "base/text/units.h"

#define US PS_PER_US

/* Cores 10 and 2 (the busier one) and a host with threads. */
static struct dump *sample(void)
{
	struct mktrace m = { 0 };

	mk_host(&m, "w-0");
	for (int c = 0; c < 2; c++) {
		mk_plane(&m, c ? "/device:TPU:2" : "/device:TPU:10");
		mk_track(&m, "Steps");
		for (int i = 0; i < 2; i++)
			mk_event(&m, i ? "8" : "7", i * 1000 * US, 900 * US);
		mk_track(&m, "XLA Modules");
		mk_event(&m, "jit_f(1)", 0, 1900 * US);
		mk_track(&m, "XLA Ops");
		mk_event(&m, "fusion.1", 0, (300 + c * 200) * US);
		mk_event(&m, "dot.3", 1000 * US, 100 * US);
		for (int i = 0; i < 3 && !c; i++)
			mk_event(&m, "copy.9", (1200 + 10 * i) * US, 5 * US);
	}
	mk_plane(&m, "/host:CPU");
	mk_track(&m, "main/1");
	mk_event(&m, "Execute", 100 * US, 800 * US);
	mk_track(&m, "pool/1");
	mk_event(&m, "Execute", 100 * US, 80 * US);
	return mk_done(&m);
}

static const char *listed(void)
{
	static char out[2048];
	size_t n = 0;

	out[0] = '\0';
	for (size_t i = 0; i < tl()->scene.rows.nvis; i++) {
		const struct rows_node *v = scene_node(&tl()->scene, i);

		n += (size_t)snprintf(out + n, sizeof out - n, "%s%s%.*s", i ? ", " : "",
		    i == tl()->scene.cursor.row ? ">" : "", (int)v->len, v->name);
	}
	return out;
}

static void go_to(const char *name)
{
	for (size_t i = 0; i < tl()->scene.rows.nvis; i++) {
		const struct rows_node *v = scene_node(&tl()->scene, i);

		if (v->len == strlen(name) && !memcmp(v->name, name, v->len)) {
			tl()->scene.cursor.row = i;
			return;
		}
	}
	fail_msg("no row %s in %s", name, listed());
}

static void pins(void **state)
{
	struct dump *d = sample();

	(void)state;
	view_begin(d, 40, 120, false);
	assert_string_equal(listed(), ">TPU:2, XLA Modules, XLA Ops, TPU:10, w-0, main, pool");
	go_to("XLA Ops");
	act(ACT_PIN);
	assert_string_equal(listed(), ">XLA Ops, TPU:2, XLA Modules, TPU:10, w-0, main, pool");
	go_to("TPU:10");
	act(ACT_PIN);
	assert_string_equal(listed(), "XLA Ops, >TPU:10, TPU:2, XLA Modules, w-0, main, pool");
	act(ACT_TRACK_UP);
	assert_string_equal(listed(), ">TPU:10, XLA Ops, TPU:2, XLA Modules, w-0, main, pool");
	scene_rebuild(&tl()->scene);
	assert_string_equal(listed(), ">TPU:10, XLA Ops, TPU:2, XLA Modules, w-0, main, pool");
	tl()->scene.lay.plot.h = 3; /* more than half of the plot scrolls */
	assert_int_equal(scene_pins(&tl()->scene), 1);
	tl()->scene.cursor.top = 2;
	assert_int_equal(scene_place(&tl()->scene, 0), 0);
	assert_int_equal(scene_place(&tl()->scene, 1), 3);
	go_to("TPU:2"); /* folded: the pinned row stays visible */
	act(ACT_FOLD);
	assert_string_equal(listed(), "TPU:10, XLA Ops, >TPU:2, w-0, main, pool");
	go_to("XLA Ops");
	act(ACT_PIN);
	assert_string_equal(listed(), "TPU:10, >TPU:2, w-0, main, pool");
	view_end();
}

static void hides(void **state)
{
	struct dump *d = sample();
	uint32_t ops;

	(void)state;
	view_begin(d, 40, 120, false);
	go_to("XLA Ops");
	ops = scene_node(&tl()->scene, tl()->scene.cursor.row)->track;
	act(ACT_HIDE);
	assert_string_equal(listed(), "TPU:2, XLA Modules, >TPU:10, w-0, main, pool");
	go_to("w-0");
	act(ACT_HIDE);
	assert_string_equal(listed(), "TPU:2, XLA Modules, >TPU:10");
	scene_rebuild(&tl()->scene);
	assert_string_equal(listed(), "TPU:2, XLA Modules, >TPU:10");
	assert_true(cursor_go_to_event(&tl()->scene, ops, 0)); /* the target of a jump is shown */
	assert_string_equal(listed(), "TPU:2, XLA Modules, >XLA Ops, TPU:10");
	act(ACT_SHOW_ALL);
	assert_string_equal(listed(), "TPU:2, XLA Modules, >XLA Ops, TPU:10, w-0, main, pool");
	for (int i = 0; i < 20; i++)
		act(ACT_HIDE);
	assert_int_equal(tl()->scene.rows.nvis, 1); /* at least one row is shown */
	view_end();
}

static void order(void **state)
{
	struct dump *d = sample();

	(void)state;
	view_begin(d, 40, 120, false);
	go_to("XLA Ops");
	act(ACT_TRACK_UP);
	assert_string_equal(listed(), "TPU:2, >XLA Ops, XLA Modules, TPU:10, w-0, main, pool");
	act(ACT_TRACK_UP);
	assert_string_equal(app.message, "already the first of its section");
	go_to("TPU:2");
	act(ACT_TRACK_DOWN);
	assert_string_equal(listed(), "TPU:10, >TPU:2, XLA Ops, XLA Modules, w-0, main, pool");
	assert_int_equal(view_timeline.command(&view, "sort", "count"), 0);
	assert_string_equal(listed(), "TPU:10, >TPU:2, XLA Modules, XLA Ops, w-0, main, pool");
	assert_int_equal(view_timeline.command(&view, "sort", "busy"), 0);
	assert_string_equal(listed(), ">TPU:2, XLA Modules, XLA Ops, TPU:10, w-0, main, pool");
	assert_int_equal(view_timeline.command(&view, "sort", "name"), 0); /* 2 before 10 */
	assert_string_equal(listed(), ">TPU:2, XLA Modules, XLA Ops, TPU:10, w-0, main, pool");
	view_timeline.command(&view, "sort", "size");
	assert_true(app.message_error);
	assert_int_equal(view_timeline.command(&view, "nonsense", ""), -1);
	for (uint32_t i = 0; i < tl()->scene.rows.n; i++) /* the tree is consistent */
		assert_true(tl()->scene.rows.v[i].end > i &&
		    (tl()->scene.rows.v[i].parent == ROWS_NONE || tl()->scene.rows.v[i].parent < i));
	view_end();
}

static void filter(void **state)
{
	struct dump *d = sample();
	char text[80];

	(void)state;
	view_begin(d, 40, 120, false);
	arrange_filter(&tl()->scene, "ops");
	assert_string_equal(listed(), ">TPU:2, XLA Ops, TPU:10, XLA Ops");
	arrange_status(&tl()->scene, text, sizeof text);
	assert_string_equal(text, "2 of 6 tracks");
	go_to("TPU:10");
	act(ACT_FOLD); /* can be folded while the filter is on */
	assert_string_equal(listed(), "TPU:2, XLA Ops, >TPU:10");
	arrange_filter(&tl()->scene, "tpu:10 .*mod|pool");
	assert_string_equal(listed(), ">TPU:10, XLA Modules, w-0, pool");
	arrange_filter(&tl()->scene, "([");
	assert_true(app.message_error);
	assert_string_equal(listed(), ">TPU:10, XLA Modules, w-0, pool");
	arrange_filter(&tl()->scene, "nosuch");
	assert_string_equal(app.message, "no track matches nosuch");
	assert_string_equal(listed(), "TPU:2, XLA Modules, XLA Ops, >TPU:10, w-0, main, pool");
	view_end();
}

/* What the answer to a prompt brings into view is computed at once: the union of the threads of a process. */
static void filter_typed(void **state)
{
	(void)state;
	view_begin(sample(), 40, 120, false);
	app.p->term = term_null_open(40, 120);
	act(ACT_FILTER_TRACKS);
	for (const char *s = "main|pool"; *s; s++)
		app_key(&app, (struct key){ (uint32_t)*s, 0 });
	app.p->working = false;
	app_key(&app, (struct key){ K_ENTER, 0 });
	assert_string_equal(listed(), ">w-0, main, pool");
	assert_true(app.p->working);
	app.p->term->ops->close(app.p->term);
	view_end();
}

static void sessions(void **state)
{
	struct dump *d = sample();
	struct kv kv = { 0 }, again = { 0 };
	char before[2048];

	(void)state;
	view_begin(d, 40, 120, false);
	go_to("main");
	act(ACT_PIN);
	go_to("XLA Modules");
	act(ACT_HIDE);
	go_to("TPU:10");
	act(ACT_TRACK_UP);
	arrange_filter(&tl()->scene, "tpu|main");
	snprintf(before, sizeof before, "%s", listed());
	view_timeline.save(&view, &kv);
	view_close();
	view_begin(d, 40, 120, false);
	view_timeline.restore(&view, &kv);
	go_to("TPU:10");
	assert_string_equal(listed(), before);
	view_timeline.save(&view, &again);
	assert_true(kv_same(&kv, &again));
	kv_put(&kv, "pin", "no id"); /* an invalid id is skipped */
	kv_put(&kv, "filter", "([");
	view_timeline.restore(&view, &kv);
	kv_free(&kv);
	kv_free(&again);
	view_end();
}

static void colors(void **state)
{
	struct dump *d = sample();
	const struct track *k;
	uint8_t was[64];
	uint32_t ops;

	(void)state;
	view_begin(d, 40, 120, false);
	go_to("XLA Ops");
	ops = scene_node(&tl()->scene, tl()->scene.cursor.row)->track;
	assert_true(d->trace.nmetas <= sizeof was);
	memcpy(was, d->trace.meta_class, d->trace.nmetas);
	assert_int_equal(colors_set(&tl()->picture.colors, "name"), 0);
	finish();
	k = scene_track(&tl()->scene, ops);
	assert_int_equal(colors_of(&tl()->picture.colors, NULL, k, 0),
	    colors_name_class(&tl()->picture.colors, d->trace.metas[track_meta(k, 0)].name));
	assert_true(colors_of(&tl()->picture.colors, NULL, k, 0) < CLASS_WAIT);
	assert_memory_equal(was, d->trace.meta_class, d->trace.nmetas); /* statistics still count kinds */
	assert_int_equal(colors_set(&tl()->picture.colors, "step"), 0);
	finish();
	assert_int_not_equal(colors_of(&tl()->picture.colors, NULL, k, 0),
	    colors_of(&tl()->picture.colors, NULL, k, 1));
	assert_int_equal(colors_at(&tl()->picture.colors, NULL, 950 * US), CLASS_OTHER); /* between steps */
	act(ACT_COLOR);
	assert_int_equal(tl()->picture.colors.by, COLORS_BY_CATEGORY);
	assert_int_equal(colors_set(&tl()->picture.colors, "utilization"), 0);
	finish();
	for (uint32_t i = 0; i < d->trace.ntracks;
	     i++) /* a host has no FLOP rate: its class does not change */
		if (d->trace.planes[d->trace.tracks[i].plane].kind == PLANE_HOST && d->trace.tracks[i].n)
			assert_int_not_equal(META_CLASS(colors_of(&tl()->picture.colors, NULL,
						 &d->trace.tracks[i], 0)),
			    CLASS_OTHER);
	colors_set(&tl()->picture.colors, "category");
	act(ACT_COLOR); /* no peaks in this capture: no utilization */
	assert_int_equal(tl()->picture.colors.by, COLORS_BY_NAME);
	tl()->picture.colors.by = COLORS_BY_CATEGORY;
	for (int c = 0; c < CLASS_COUNT; c++)
		assert_int_equal(colors_letter(&tl()->picture.colors, c), class_info(c)->letter);
	view_end();
}

static void utc(void **state)
{
	const int64_t anchor = INT64_C(1790003000000000001); /* 2026-09-21 15:03:20.000000001 */
	struct tick tick[TICKS_MAX];
	struct viewport g;
	static const char *const wrong[] = { "", "15", "25:00", "15:60", "15:03:61", "15:03:20x",
		"15:", "2026-13-01 00:00", "2026-09-22" };
	char buf[64];
	int64_t t;
	int n;

	(void)state;
	assert_string_equal(utc_text(anchor, 0, 12, true, buf, sizeof buf),
	    "2026-09-21 15:03:20.000000001000");
	assert_string_equal(utc_text(anchor, -1001, 12, false, buf, sizeof buf), "15:03:19.999999999999");
	assert_string_equal(utc_text(anchor, 9 * 3600 * PS_PER_S, 0, true, buf, sizeof buf),
	    "2026-09-22 00:03:20");
	viewport_init(&g, 0, 40 * PS_PER_MS, 90);
	assert_int_equal(utc_parse(anchor, 0, PS_PER_S, "15:03:20.5", &t), 0);
	assert_int_equal(t, PS_PER_S / 2 - 1000);
	assert_int_equal(utc_parse(anchor, 0, 24 * 3600 * PS_PER_S, "00:03:20Z", &t), 0); /* the day after */
	assert_int_equal(t, 9 * 3600 * PS_PER_S - 1000);
	assert_int_equal(utc_parse(anchor, 0, 1, "2026-09-22T00:03", &t), 0);
	assert_int_equal(t, (9 * 3600 - 20) * PS_PER_S - 1000);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_int_equal(utc_parse(anchor, 0, 1, wrong[i], &t), -1);
	assert_int_equal(utc_parse(anchor, 0, 1, "9999-12-31 00:00", &t), 0);
	assert_true(t == INT64_MAX);
	n = utc_ticks(&g, anchor, tick, TICKS_MAX);
	assert_true(n > 1);
	assert_string_equal(tick[0].text, "15:03:20.01");
	assert_int_equal(tick[0].t, 10 * PS_PER_MS - 1000);
	for (int i = 1; i < n; i++)
		assert_true(tick[i].x - tick[i - 1].x > (int)strlen(tick[i - 1].text));
}

/* Two hosts, the clock of the second 300 us ahead; its step is drawn where the first one's is. */
static void aligned(void **state)
{
	struct mktrace m = { 0 };
	struct dump *d;
	uint32_t ops;

	(void)state;
	for (int h = 0; h < 2; h++) {
		mk_host(&m, h ? "w-1" : "w-0");
		for (int c = 0; c < 2; c++) {
			mk_plane(&m, c ? "/device:TPU:1" : "/device:TPU:0");
			mk_track(&m, "Steps");
			mk_event(&m, "7", (1000 + h * 300) * US, 900 * US);
			mk_track(&m, "XLA Ops");
			mk_event(&m, "dot.3", (1000 + h * 300) * US, (400 + h * c * 200) * US);
			mk_event(&m, "all-reduce.1", (1600 + h * 300) * US, 300 * US);
		}
	}
	d = mk_done(&m);
	view_begin(d, 40, 120, false);
	assert_int_equal(tl()->lineup.host[1].offset, 300 * US);
	tl()->scene.cursor.at = 1100 * US;
	act(ACT_ALIGN);
	assert_true(tl()->scene.shift.on && scene_shifts(&tl()->scene));
	assert_int_equal(tl()->lineup.shift[1], -300 * US);
	assert_int_equal(tl()->lineup.n, 4);
	assert_int_equal(tl()->lineup.slowest, 3);
	assert_true(tl()->lineup.straggler);
	assert_int_equal(tl()->lineup.core[3].own, 600 * US);
	assert_int_equal(tl()->lineup.core[3].collective, 300 * US);
	assert_int_equal(tl()->scene.cursor.at, 100 * US); /* times count from the aligned step */
	for (size_t i = 0; i < tl()->scene.rows.nvis; i++) /* a core of the second host */
		if (d->trace.planes[scene_node(&tl()->scene, i)->plane].host == 1 &&
		    scene_node(&tl()->scene, i)->kind == NODE_DEVICE)
			tl()->scene.cursor.row = i;
	act(ACT_FOLD);
	ops = scene_node(&tl()->scene, tl()->scene.cursor.row)->track;
	assert_true(cursor_go_to_event(&tl()->scene, ops, 1));
	assert_int_equal(tl()->scene.cursor.at, 600 * US); /* on the screen; 1900 in the file */
	assert_int_equal(tl()->scene.port.shift, 0);
	act(ACT_ALIGN);
	assert_false(tl()->scene.shift.on);
	view_end();
}

/* Four hosts of two cores, of which one takes half as long again: it is marked before anybody aligns hosts. */
static void straggler(void **state)
{
	struct mktrace m = { 0 };

	(void)state;
	for (int h = 0; h < 4; h++) {
		mk_host(&m, &"w-0\0w-1\0w-2\0w-3"[4 * h]);
		for (int c = 0; c < 2; c++) {
			mk_plane(&m, c ? "/device:TPU:1" : "/device:TPU:0");
			mk_track(&m, "Steps");
			for (int i = 0; i < 3; i++)
				mk_event(&m, &"7\0008\0009"[2 * i], i * 1000 * US, 900 * US);
			mk_track(&m, "XLA Ops");
			for (int i = 0; i < 3; i++) {
				int64_t own = h == 2 && c == 1 ? 600 : 400 + h;
				uint32_t wait;

				mk_event(&m, "dot.3", i * 1000 * US, own * US);
				mk_event(&m, "all-reduce.1", (i * 1000 + own) * US, (900 - own) * US);
				wait = mk_meta(&m, "all-reduce.1");
				m.d->trace.metas[wait].category = strtab_addz(&m.d->str, "all-reduce");
			}
		}
	}
	view_begin(mk_done(&m), 40, 120, false);
	assert_false(shown("slowest")); /* nobody has waited for the findings */
	result_get(&app, RESULT_FINDINGS);
	finish();
	assert_int_equal(tl()->lineup.slow_host, 2);
	assert_int_equal(tl()->lineup.slow_core, 1);
	assert_true(shown("TPU:1 ! slowest"));
	assert_true(shown("w-2 ! TPU:1"));
	view_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pins),
		cmocka_unit_test(hides),
		cmocka_unit_test(order),
		cmocka_unit_test(filter),
		cmocka_unit_test(filter_typed),
		cmocka_unit_test(sessions),
		cmocka_unit_test(colors),
		cmocka_unit_test(utc),
		cmocka_unit_test(aligned),
		cmocka_unit_test(straggler),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
