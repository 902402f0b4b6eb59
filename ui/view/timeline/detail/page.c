#include "config.h"

#include "view/timeline/detail/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/core_details.h"
#include "base/text/units.h"
#include "widget/text.h"

struct page {
	struct canvas *cv;
	struct rect r;
	int line;  /* of the next text, 0 = top of the rectangle */
	FILE *out; /* not NULL: the whole text is written there instead of being drawn */
};

/* Writes a text line by line. */
static void page_write(FILE *out, const char *label, const char *text)
{
	do {
		size_t n = strcspn(text, "\n");

		fprintf(out, "%-16s  %.*s\n", label, (int)n, text);
		label = "";
		text += n;
		text += *text == '\n';
	} while (*text);
}

/* Draws a label and its text, wrapped; newlines start a new line. */
static void page_add(struct page *p, const char *label, const char *text, unsigned attr)
{
	int x = p->r.x + 18, w = p->r.w - 19;
	size_t len = strlen(text);

	if (p->out) {
		page_write(p->out, label, text);
		return;
	}
	if (p->line >= 0 && p->line < p->r.h)
		canvas_cut(p->cv, p->r.y + p->line, p->r.x + 1, 16, ROLE_DIM, 0, label, strlen(label));
	do {
		size_t line = strcspn(text, "\n"), part = text_wrap(text, line, w < 1 ? 1 : w);

		if (p->line >= 0 && p->line < p->r.h)
			canvas_text(p->cv, p->r.y + p->line, x, w, ROLE_TEXT, attr, text, part);
		p->line++;
		while (part < line && text[part] == ' ')
			part++;
		part += part < len && text[part] == '\n';
		text += part;
		len -= part;
	} while (len);
}

static void page_blank(struct page *p)
{
	p->line++;
	if (p->out)
		putc('\n', p->out);
}

static void page_text(struct page *p, const char *label, const char *text)
{
	if (text && *text)
		page_add(p, label, text, 0);
}

static void page_time(struct page *p, const char *label, int64_t ps, bool ascii, unsigned attr)
{
	char buf[64];

	page_add(p, label, units_time_exact(buf, sizeof buf, ps, ascii), attr);
}

static void page_rates(struct page *p, const struct detail *d)
{
	char buf[256], a[64], b[96];

	if (details_known(d->flop_rate)) {
		details_peak_text(d, d->flop_rate, d->peak_flops, "FLOP/s", b, sizeof b);
		snprintf(buf, sizeof buf, "%s%s%s", units_si(a, sizeof a, d->flop_rate, "FLOP/s"),
		    details_known(d->peak_flops) ? ", " : "", details_known(d->peak_flops) ? b : "");
		page_add(p, details_compute(d), buf, 0);
	}
	if (details_known(d->hbm_rate)) {
		details_peak_text(d, d->hbm_rate, d->peak_hbm, "B/s", b, sizeof b);
		snprintf(buf, sizeof buf, "%s%s%s", units_si(a, sizeof a, d->hbm_rate, "B/s"),
		    details_known(d->peak_hbm) ? ", " : "", details_known(d->peak_hbm) ? b : "");
		page_add(p, details_memory(d), buf, 0);
	}
	if (details_known(d->intensity)) {
		snprintf(buf, sizeof buf, "%.1f FLOP/B", d->intensity);
		if (details_known(d->ridge))
			snprintf(buf + strlen(buf), sizeof buf - strlen(buf), ", ridge %.1f: %s bound",
			    d->ridge, d->intensity >= d->ridge ? "compute" : "memory");
		page_add(p, "intensity", buf, 0);
	}
	if (d->peak_assumed && (details_known(d->flop_rate) || details_known(d->hbm_rate)))
		page_add(p, "peaks", "not in the capture: assumed from the device type", 0);
	if (details_known(d->flops))
		page_add(p, "work", units_si(buf, sizeof buf, d->flops, "FLOP"), 0);
	if (details_known(d->bytes))
		page_add(p, "all memory", units_bytes(buf, sizeof buf, d->bytes), 0);
	if (details_known(d->hbm_bytes) && !d->hbm_estimated)
		page_add(p, "HBM", units_bytes(buf, sizeof buf, d->hbm_bytes), 0);
	if (details_known(d->vmem_bytes))
		page_add(p, "VMEM", units_bytes(buf, sizeof buf, d->vmem_bytes), 0);
}

static void page_around(struct page *p, const struct detail *d, bool ascii)
{
	char buf[512], a[64], b[64], c[64], n[32];

	if (d->all_count) {
		snprintf(buf, sizeof buf, "%s events: min %s, mean %s, max %s",
		    units_count(n, sizeof n, d->all_count), units_time(a, sizeof a, d->all_min, ascii),
		    units_time(b, sizeof b, d->all_mean, ascii), units_time(c, sizeof c, d->all_max, ascii));
		page_add(p, "all cores", buf, 0);
	}
	if (d->before) {
		snprintf(buf, sizeof buf, "%.400s, %s", d->before,
		    units_time(a, sizeof a, d->before_dur, ascii));
		page_add(p, "before", buf, 0);
	}
	if (d->after) {
		snprintf(buf, sizeof buf, "%.400s, %s", d->after,
		    units_time(a, sizeof a, d->after_dur, ascii));
		page_add(p, "after", buf, 0);
	}
}

static void page_flows(struct details *v, struct page *p)
{
	char text[320];
	int dir, before = 0;

	if (!flows_want(v->flows))
		page_add(p, "flows", "still being found", 0);
	if (!v->flows->known)
		return;
	for (size_t i = 0;
	     flows_nth(v->flows, v->sc->cursor.track, v->sc->cursor.event, i, &dir, text, sizeof text); i++) {
		page_add(p, dir == before ? "" : dir > 0 ? "flows" : "caused by", text, 0);
		before = dir;
	}
}

static void page_step(const struct details *v, struct page *p)
{
	struct step_facts f;
	enum time_kind kind[KIND_COUNT];
	char text[WHY_TEXT];
	size_t n;

	if (!details_step_of(v, &f))
		return;
	page_text(p, "to median", details_step_median(v, &f, text, sizeof text));
	page_text(p, "by op", details_step_ops(v, &f, text, sizeof text));
	if (f.step->core < 0)
		page_text(p, "inside", details_step_inside(v, &f, text, sizeof text));
	n = details_step_kinds(&f, kind);
	for (size_t i = 0; i < n; i++)
		page_time(p, kind_info[kind[i]].name, f.parts->kind[kind[i]], scene_ascii(v->sc), 0);
}

static void page_all(struct details *v, struct page *p)
{
	const struct detail *d = &v->d;
	bool ascii = scene_ascii(v->sc);
	struct core_details core =
	    core_details_of(v->sc->cap->dump, scene_track(v->sc, v->sc->cursor.track)->plane);
	char buf[256];

	page_text(p, "host", d->host_name);
	page_text(p, "plane", d->plane_name);
	if (core.chip >= 0) {
		snprintf(buf, sizeof buf, "Chip %" PRId64 ": TPU Core %d", core.chip, core.core_on_chip);
		page_text(p, "core", buf);
	}
	page_text(p, "track", d->track_name);
	page_text(p, "category", details_category(v));
	page_text(p, "start", scene_time_dated(v->sc, details_start(v), buf, sizeof buf));
	page_text(p, "end", scene_time_dated(v->sc, details_start(v) + d->dur, buf, sizeof buf));
	page_time(p, "duration", d->dur, ascii, ATTR_BOLD);
	page_time(p, "self", d->self, ascii, 0);
	details_step_text(v, buf, sizeof buf);
	page_text(p, "in step", buf);
	page_step(v, p);
	page_rates(p, d);
	page_around(p, d, ascii);
	page_flows(v, p);
	page_text(p, "op", d->op_path);
	page_text(p, "source", d->source);
	page_text(p, "source stack", d->source_stack);
	if (d->nstats)
		page_blank(p);
	for (size_t i = 0; i < d->nstats; i++)
		page_add(p, d->stats[i].name, d->stats[i].value, 0);
	if (details_has_full(d)) {
		page_blank(p);
		page_add(p, *d->full == '%' ? "HLO" : "full name", d->full, 0);
	}
}

void details_draw_page(struct details *v, struct canvas *cv)
{
	struct rect r = v->sc->lay.area, old = canvas_clip(cv, r);
	struct page p = { .cv = cv };

	details_make(v);
	details_title(v, cv, r, true);
	r.y++;
	r.h--;
	canvas_clip(cv, r);
	p.r = r;
	p.line = -details_top(v);
	page_all(v, &p);
	v->lines = p.line + details_top(v);
	canvas_clip(cv, old);
}

void details_text(struct details *v, FILE *out)
{
	struct page p = { .out = out };

	details_make(v);
	page_text(&p, "name", v->d.name);
	page_all(v, &p);
}

int details_top(const struct details *v)
{
	return v->of == v->sc->cursor.chosen ? v->top : 0;
}

void details_scroll(struct details *v, long by)
{
	long most = (long)v->lines - (v->sc->lay.area.h - 1), to = (long)details_top(v) + by;

	to = to > most ? most : to;
	v->top = to < 0 ? 0 : (int)to;
	v->of = v->sc->cursor.chosen;
}
