#include "config.h"
#include "view/pod/pod.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/pod/links.h"
#include "base/clamp.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "core/results.h"
#include "result/cell_text.h"
#include "widget/fields.h"

enum { PAIRS_SHOWN = 24 };

/* --- tables of the step --- */

void pod_view_links_free(struct pod_view *v)
{
	sheet_set(&v->sheet, NULL);
	sheet_free(&v->sheet);
	table_free(&v->links);
	free(v->link);
	free(v->group);
	v->sheet = (struct sheet){ .table = NULL };
	v->links = (struct table){ .nrows = 0 };
	v->link = NULL;
	v->group = NULL;
	v->nlinks = 0;
	v->group_of = SIZE_MAX;
}

/* A change of step keeps the sheet's order and filter. */
static void open_links(struct pod_view *v)
{
	bool channels = v->below == POD_CHANNELS, ops = v->below == POD_OPS;

	if (!v->link) {
		sheet_open(&v->sheet,
		    ops            ? &pod_beside_schema
			: channels ? &pod_channels_schema
				   : &pod_collectives_schema,
		    NULL, ops ? NULL : "duration_us");
		sheet_name(&v->sheet, channels ? "channel_id" : "name", channels ? "hlo_names" : NULL);
		v->link = xcalloc((channels ? v->pod->nchannels : v->pod->ncollectives) + 1, sizeof *v->link);
	}
	sheet_keep(&v->sheet);
	sheet_set(&v->sheet, NULL);
	table_free(&v->links);
	free(v->group);
	v->group = NULL;
	v->group_of = SIZE_MAX;
}

void pod_view_links_make(struct pod_view *v)
{
	const struct pod *p = v->pod;
	bool *wanted;

	if (v->below == POD_BARS)
		return;
	open_links(v);
	if (v->below == POD_OPS) {
		v->beside_serial = 0;
		pod_view_beside_make(v);
		return;
	}
	wanted = xcalloc(p->cores.nsteps + 1, sizeof *wanted);
	if (v->step < p->cores.nsteps)
		wanted[v->step] = true;
	if (v->below == POD_CHANNELS)
		pod_channels_table(p, wanted, true, &v->links, v->link);
	else
		pod_collectives_table(p, wanted, true, &v->links, v->link);
	free(wanted);
	v->nlinks = v->links.nrows;
	sheet_set_rows(&v->sheet,
	    &(struct sheet_rows){ .table = &v->links, .of = v->link, .size = sizeof *v->link });
}

bool pod_view_has_below(const struct pod_view *v, enum pod_view_below what)
{
	const struct pod *p = v->pod;
	bool has = what == POD_BARS || (what == POD_OPS && p->cores.ncores > 1 && v->app->cap->steps.n);

	for (size_t i = 0; what == POD_CHANNELS && i < p->nchannels; i++)
		has |= p->channel[i].step == v->step;
	for (size_t i = 0; what == POD_COLLECTIVES && i < p->ncollectives; i++)
		has |= p->collective[i].step == v->step;
	return has;
}

bool pod_view_links_go(struct pod_view *v, size_t at)
{
	for (size_t i = 0; i < v->nlinks; i++)
		if (v->link[i] == at)
			return sheet_show(&v->sheet, i);
	return false;
}

const struct pod_channel *pod_view_channel_here(const struct pod_view *v)
{
	const uint32_t *at = v->below == POD_CHANNELS ? sheet_here(&v->sheet) : NULL;

	return at ? &v->pod->channel[*at] : NULL;
}

const struct pod_collective *pod_view_collective_here(const struct pod_view *v)
{
	const uint32_t *at = v->below == POD_COLLECTIVES ? sheet_here(&v->sheet) : NULL;

	return at ? &v->pod->collective[*at] : NULL;
}

/* --- replica groups --- */

static int add_to_group(struct pod_view *v, int64_t device, int group)
{
	size_t core = pod_device_core(&v->devices, device);

	if (core == SIZE_MAX)
		return 0;
	v->group[core] = group;
	return 1;
}

/* Reads "{0,1},{2,3}", the form in which struct pod_collective has groups that could be read. */
static int read_lists(struct pod_view *v, const char *s)
{
	int group = -1, found = 0;

	while (*s) {
		char *end;

		if (*s == '{')
			group++;
		if (*s < '0' || *s > '9') {
			s++;
			continue;
		}
		found += add_to_group(v, strtoll(s, &end, 10), group);
		s = end;
	}
	return found;
}

void pod_view_links_groups(struct pod_view *v)
{
	const struct pod_collective *c = pod_view_collective_here(v);
	size_t here = c ? (size_t)(c - v->pod->collective) : SIZE_MAX;
	const char *s = c ? c->replica_groups : NULL;

	if (here == v->group_of)
		return;
	free(v->group);
	v->group = NULL;
	v->group_of = here;
	if (!s || !*s)
		return;
	if (!v->devices.core)
		pod_devices_of(v->pod, &v->devices);
	v->group = xcalloc(v->pod->cores.ncores + 1, sizeof *v->group);
	for (size_t i = 0; i < v->pod->cores.ncores; i++)
		v->group[i] = -1;
	if (*s != '{' || !read_lists(v, s)) {
		free(v->group);
		v->group = NULL;
	}
}

/* --- drawing --- */

void pod_view_links_draw(struct pod_view *v, struct canvas *c, struct rect r)
{
	static const char *const heads[] = { "", "CHANNELS", "COLLECTIVES", "OPS" };
	static const char *const none[] = { "", "No send or receive between cores in this step.",
		"No collectives in this step.", "There is no other core to compare with." };
	const char *head = heads[v->below];
	char gloss[160];
	size_t n = v->below == POD_OPS ? v->links.nrows : v->nlinks;

	if (r.h < 2)
		return;
	if (v->below == POD_OPS)
		pod_view_beside_gloss(v, gloss, sizeof gloss);
	else
		snprintf(gloss, sizeof gloss, "%zu in step %s   u next list", v->nlinks,
		    step_cores_label(&v->pod->cores, v->step));
	if (v->below_focus)
		canvas_str(c, r.y, r.x + 1, r.w, ROLE_TAB_HERE, ATTR_BOLD, head);
	card_head(c, r.y, v->below_focus ? (struct rect){ r.y, r.x, 1, r.w } : r, head, gloss);
	if (v->below_focus)
		canvas_attr(c, (struct rect){ r.y, r.x + 1, 1, (int)strlen(head) }, ATTR_REVERSE);
	if (v->below == POD_OPS && !pod_view_beside(v))
		result_draw_what(v->app, RESULT_POD_BESIDE, c, (struct rect){ r.y + 1, r.x, r.h - 1, r.w });
	else if (!n)
		card_text(c, r, r.y + 1, 0, ROLE_DIM, none[v->below], strlen(none[v->below]));
	else
		sheet_draw(&v->sheet, c, (struct rect){ r.y + 1, r.x, r.h - 1, r.w });
}

enum { LONGEST_MOST = 40 };

/* The collectives of the step that take the most time, in order; returns how many. */
static int longest(const struct pod_view *v, const struct pod_collective **out, int most)
{
	int n = 0;

	for (size_t i = 0; i < v->pod->ncollectives; i++) {
		const struct pod_collective *one = &v->pod->collective[i];
		int at = n;

		if (one->step != v->step || isnan(one->duration_us))
			continue;
		while (at > 0 &&
		    out[at - 1]->duration_us * (double)out[at - 1]->occurrences <
			one->duration_us * (double)one->occurrences)
			at--;
		if (at >= most)
			continue;
		n += n < most;
		memmove(out + at + 1, out + at, (size_t)(n - at - 1) * sizeof *out);
		out[at] = one;
	}
	return n;
}

static void draw_collective(struct canvas *c, int y, struct rect r, const struct pod_collective *one)
{
	char mean[32], wait[32] = "", all[32], count[24];
	int end = r.x + r.w;

	units_time_in(all, sizeof all, from_double(round(one->duration_us * 1e6 * (double)one->occurrences)),
	    UNIT_MS, 3);
	units_time_in(mean, sizeof mean, from_double(round(one->duration_us * 1e6)), UNIT_US, 3);
	if (!isnan(one->sync_us))
		units_time_in(wait, sizeof wait, from_double(round(one->sync_us * 1e6)), UNIT_US, 3);
	units_count(count, sizeof count, one->occurrences);
	canvas_right(c, y, end, ROLE_TEXT, 0, *wait ? wait : CELL_UNKNOWN);
	canvas_right(c, y, end - 14, ROLE_TEXT, 0, mean);
	canvas_right(c, y, end - 28, ROLE_TEXT, 0, count);
	canvas_right(c, y, end - 38, ROLE_TEXT, 0, all);
	canvas_cut(c, y, r.x + 1, r.w - 54, ROLE_TEXT, 0, one->name, strlen(one->name));
}

void pod_view_collectives_draw(const struct pod_view *v, struct canvas *c, struct rect r)
{
	const struct pod_collective *one[LONGEST_MOST];
	int n = longest(v, one, r.h - 1 < LONGEST_MOST ? r.h - 1 : LONGEST_MOST), end = r.x + r.w, y = r.y;
	const char *us = unit_name(UNIT_US, c->glyphs->ascii);
	char waiting[24], mean[24];

	if (!n || r.w < 80)
		return;
	card_head(c, y, r, "COLLECTIVES",
	    r.w < 110 ? "u opens them" : "of the step, by time on all cores   u opens them");
	snprintf(waiting, sizeof waiting, "waiting %s", us);
	snprintf(mean, sizeof mean, "mean %s", us);
	canvas_right(c, y, end, ROLE_DIM, 0, waiting);
	canvas_right(c, y, end - 14, ROLE_DIM, 0, mean);
	canvas_right(c, y, end - 28, ROLE_DIM, 0, "count");
	canvas_right(c, y, end - 38, ROLE_DIM, 0, "time ms");
	for (int i = 0; i < n; i++)
		draw_collective(c, y + 1 + i, r, one[i]);
}

static const char *core_text(const struct pod_view *v, const uint32_t *core, size_t n, char *buf, size_t size)
{
	return n ? pod_view_core_name(v, core[0], buf, size) : NULL;
}

/* Two pairs per row. */
static void put_pairs(struct pen *p, const struct pod_view *v, const struct pod_channel *ch)
{
	size_t n = ch->nsrc < ch->ndst ? ch->nsrc : ch->ndst;
	int half = (p->r.w - 1) / 2;

	if (n < 2)
		return;
	pen_head(p, "PAIRS", "from → to");
	for (size_t i = 0; i < n && i < PAIRS_SHOWN; i++) {
		char from[48], to[48], text[100];

		snprintf(text, sizeof text, "%s → %s", pod_view_core_name(v, ch->src[i], from, sizeof from),
		    pod_view_core_name(v, ch->dst[i], to, sizeof to));
		canvas_cut(p->c, p->y + (int)(i / 2), p->r.x + 1 + (int)(i % 2) * half, half - 1, ROLE_TEXT,
		    0, text, strlen(text));
	}
	p->y += (int)((n < PAIRS_SHOWN ? n : PAIRS_SHOWN) + 1) / 2;
	if (n > PAIRS_SHOWN)
		pen_fmt(p, ROLE_DIM, "and %zu", n - PAIRS_SHOWN);
	p->y++;
}

static void put_channel(struct pen *p, const struct pod_view *v, const struct pod_channel *ch)
{
	bool many = ch->nsrc > 1 || ch->ndst > 1;
	char head[40], from[48], to[48];

	snprintf(head, sizeof head, ch->id < 0 ? "CHANNEL" : "CHANNEL %" PRId64, ch->id);
	pen_head(p, head, "");
	pen_fields(p,
	    FIELDS({ "pairs", COUNT, .v = (double)(ch->nsrc > ch->ndst ? ch->nsrc : ch->ndst), .no = !many },
		{ "S from", .text = core_text(v, ch->src, ch->nsrc, from, sizeof from), .no = many },
		{ "D to", .text = core_text(v, ch->dst, ch->ndst, to, sizeof to), .no = many },
		{ "data", "B", .v = ch->bytes ? (double)ch->bytes : NAN },
		{ "latency", "us", .v = ch->duration_us },
		{ "bandwidth", "GiB/s", .v = pod_channel_rate(ch) },
		{ "send delay", "us", .v = ch->send_delay_us },
		{ "count", COUNT, .v = (double)ch->occurrences }));
	p->y++;
	if (ch->hlo_names && *ch->hlo_names) {
		pen_head(p, "OPS", "");
		pen_say(p, ROLE_TEXT, ch->hlo_names);
		p->y++;
	}
	put_pairs(p, v, ch);
}

static void put_collective(struct pen *p, const struct pod_view *v, const struct pod_collective *co)
{
	bool groups = co->replica_groups && *co->replica_groups;
	char name[48];

	pen_head(p, "COLLECTIVE", co->category ? co->category : "");
	pen_name(p, slice_of(co->name));
	pen_fields(p,
	    FIELDS({ "mean", "us", .v = co->duration_us }, { "waiting", "us", .v = co->sync_us },
		{ "transfer", "us", .v = co->duration_us - co->sync_us },
		{ "data", "B", .v = co->bytes ? (double)co->bytes : NAN },
		{ "count", COUNT, .v = (double)co->occurrences },
		{ "total", "us", .v = co->duration_us * (double)co->occurrences }));
	p->y++;
	pen_head(p, "REPLICA GROUPS", v->group ? "by color and number" : "");
	pen_say(p, groups ? ROLE_TEXT : ROLE_DIM, groups ? co->replica_groups : "not in this capture");
	if (v->group && v->group[v->core] >= 0) {
		p->y++;
		pen_fields(p,
		    FIELDS({ pod_view_core_name(v, v->core, name, sizeof name), COUNT,
			.v = v->group[v->core] }));
	}
}

int pod_view_links_card(struct pod_view *v, struct canvas *c, struct rect r)
{
	const struct pod_channel *ch = pod_view_channel_here(v);
	const struct pod_collective *co = pod_view_collective_here(v);

	struct pen p = { .c = c, .r = r, .y = r.y, .label = 12 };

	if (ch)
		put_channel(&p, v, ch);
	else if (co)
		put_collective(&p, v, co);
	return p.y;
}
