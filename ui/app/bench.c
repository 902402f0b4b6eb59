#include "config.h"
#include "app/bench.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "analyze/events/find.h"
#include "analyze/interval/window.h"
#include "analyze/trace/derive.h"
#include "analyze/trace/prepare.h"
#include "app/internal.h"
#include "base/codec/json.h"
#include "base/now.h"
#include "base/sort.h"

/* Keys of a typical session from three positions: the whole run, zooming in step by step with pans and moves
 * in between, and out again. */
static const char *const script[] = {
	"0",
	"wdwdjwdwawdwwdjwdwdwawdwdwdwawdwdwlwdwdwawdwdwldwdwawdwdw",
	"DDDDAAAA",
	"sasdsasdsjsasdsasdsasdsasdsasdsasds",
	"0",
	"WdddWaaajWdddjWddWaaWdd",
	"SkSkSkS",
	"0",
	"}f}f}f{f",
	"zwzwzwzw",
	"0",
	"ddddwwwwwwwwddddddddjjjjjjjjaaaaaaaa",
	"Zwwddaass",
	"Z0",
};

/* ms since the last lap */
static double lap_ms(int64_t *at)
{
	int64_t began = *at;

	*at = now_us();
	return (double)(*at - began) / 1e3;
}

enum { VIEWS_MAX = 32 };

struct times {
	double load, index, first, p50, p99, search, area, rss;
	size_t frames;
	struct {
		const char *id;
		double p50, p99;
	} view[VIEWS_MAX];
	size_t nviews;
};

static double one_frame(struct app *app)
{
	int64_t t = 0;

	lap_ms(&t);
	app_flush(app);
	app_draw(app);
	app->p->term->ops->draw(app->p->term, &app->p->canvas, 0);
	return lap_ms(&t);
}

static void percentiles(double *ms, size_t n, double *p50, double *p99)
{
	qsort(ms, n, sizeof *ms, sort_by_double);
	*p50 = ms[(n + 1) / 2 - 1];
	*p99 = ms[(n * 99 + 99) / 100 - 1];
}

/* Moves through the other views, once what they show is computed. */
static void walk_views(struct app *app, struct times *out)
{
	static const char keys[] = "jjjjkkllhhGjgkjjjjjjjjjjGkkkkg";
	double ms[4 * sizeof keys];

	for (size_t i = 0; i < app->nviews && out->nviews < VIEWS_MAX; i++) {
		size_t n = 0;

		if (!strcmp(app->views[i].ops->id, "timeline"))
			continue;
		app_switch(app, i);
		app_settle(app);
		for (int round = 0; round < 4; round++)
			for (const char *s = keys; *s; s++) {
				app_key(app, (struct key){ .code = (uint32_t)(unsigned char)*s });
				ms[n++] = one_frame(app);
			}
		out->view[out->nviews].id = app->views[i].ops->id;
		percentiles(ms, n, &out->view[out->nviews].p50, &out->view[out->nviews].p99);
		out->nviews++;
	}
}

static void walk_timeline(struct app *app, struct times *out)
{
	double ms[1024] = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < sizeof script / sizeof *script; i++)
		for (const char *s = script[i]; *s && n < sizeof ms / sizeof *ms; s++) {
			app_key(app, (struct key){ .code = (uint32_t)(unsigned char)*s });
			ms[n++] = one_frame(app);
		}
	out->frames = n;
	percentiles(ms, n, &out->p50, &out->p99);
}

/* Times a search that no shortcut can answer (all names with a digit after a letter and a dot), and the
 * statistics of the middle half of the run on all tracks. */
static int time_queries(const struct dump *d, struct times *out, struct err *err)
{
	struct regex *re = regex_new("(fusion|copy|all-).*[0-9]$", REGEX_SMART_CASE, err);
	uint32_t *tracks = xcalloc(d->trace.ntracks + 1, sizeof *tracks);
	int64_t span = d->trace.last - d->trace.first;
	struct window w;
	int64_t t = 0;

	if (!re) {
		free(tracks);
		return -1;
	}
	for (size_t i = 0; i < d->trace.ntracks; i++)
		tracks[i] = (uint32_t)i;
	lap_ms(&t);
	find_free(find_new(d, re, tracks, d->trace.ntracks, NULL));
	out->search = lap_ms(&t);
	window_begin(&w, d, tracks, d->trace.ntracks, d->trace.first + span / 4, d->trace.last - span / 4);
	while (window_step(&w, -1))
		;
	out->area = lap_ms(&t);
	window_free(&w);
	regex_free(re);
	free(tracks);
	return 0;
}

static int print_times(const struct times *t, uint64_t events, FILE *out, struct err *err)
{
	struct json_out *j = json_out_file(out);

	json_obj(j);
	json_key(j, "events"), json_uint(j, events);
	json_key(j, "load_ms"), json_double(j, t->load);
	json_key(j, "index_ms"), json_double(j, t->index);
	json_key(j, "first_frame_ms"), json_double(j, t->first);
	json_key(j, "frames"), json_uint(j, t->frames);
	json_key(j, "frame_ms_p50"), json_double(j, t->p50);
	json_key(j, "frame_ms_p99"), json_double(j, t->p99);
	json_key(j, "views");
	json_arr(j);
	for (size_t i = 0; i < t->nviews; i++) {
		json_obj(j);
		json_key(j, "view"), json_str(j, t->view[i].id, strlen(t->view[i].id));
		json_key(j, "frame_ms_p50"), json_double(j, t->view[i].p50);
		json_key(j, "frame_ms_p99"), json_double(j, t->view[i].p99);
		json_end(j);
	}
	json_end(j);
	json_key(j, "search_ms"), json_double(j, t->search);
	json_key(j, "area_ms"), json_double(j, t->area);
	json_key(j, "rss_mib"), json_double(j, t->rss);
	json_end(j);
	json_newline(j);
	return json_out_end(j, NULL, NULL) ? err_set(err, EXIT_NOTHING, ERR_NOWHERE, "cannot write the times")
					   : 0;
}

int app_bench(const struct app_options *o, int rows, int cols, FILE *out, struct err *err)
{
	struct app_options opt = *o;
	struct capture *c;
	struct dump *d;
	struct times times = { 0 };
	struct term *term;
	int64_t t = 0;
	struct app app;
	uint64_t events;
	struct rusage ru;
	int status;

	opt.view = "timeline";
	if (app_check_options(&opt, err))
		return -1;
	lap_ms(&t);
	d = o->sample ? load_memory(o->sample, o->sample_size, o->sample_name, &o->load, err)
		      : load_paths(o->paths, o->npaths, &o->load, NULL, err);
	if (!d)
		return -1;
	times.load = lap_ms(&t);
	c = capture_of(d, opt.load.threads);
	capture_prepare(c, opt.clock, NULL);
	times.index = lap_ms(&t);
	term = term_null_open(rows, cols);
	app_begin(&app, &opt, term, theme_find("default16"), &glyphs_blocks);
	events = d->trace.events;
	app_take(&app, c, NULL);
	one_frame(&app);
	times.first = lap_ms(&t);
	if (app_opened(&app, "timeline"))
		walk_timeline(&app, &times);
	status = time_queries(app.cap->dump, &times, err);
	walk_views(&app, &times);
	getrusage(RUSAGE_SELF, &ru);
	times.rss = (double)ru.ru_maxrss / 1024;
	if (!status)
		status = print_times(&times, events, out, err);
	if (!status)
		status = dump_status(app.cap->dump);
	app_end(&app);
	term->ops->close(term);
	return status;
}
