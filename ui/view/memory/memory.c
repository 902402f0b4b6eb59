#include "config.h"
#include "view/memory/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/triage/triage.h"
#include "base/mem.h"
#include "core/job.h"
#include "core/results.h"
#include "core/document.h"
#include "view/frames.h"
#include "widget/card.h"
#include "model/hlo.h"

#define DIRECT_BYTES ((uint64_t)256 << 10) /* messages up to this size are read at once, without a job */

struct mem_job {
	const struct dump *dump;
	size_t module;
	int space;
	int64_t said; /* its limit, as messages say */
	struct memory m;
	struct memory_space_info spaces[MEM_SPACES];
	size_t nspaces;
	bool made;
	struct err err;
};

/* --- building --- */

/* What the messages that were opened with the dump say; NULL: there are none, or they are not read yet. */
static const struct triage *messages(const struct view *v)
{
	return triage_has_texts(v->cap->dump) ? result_get(v->app, RESULT_TRIAGE) : NULL;
}

/* They may say which module is meant. */
static bool waits(const struct view *v)
{
	const struct mem_view *s = v->state;

	return !s->made && !s->job && triage_has_texts(v->cap->dump) && !messages(v);
}

static void build_module(void *ctx, struct progress *p)
{
	struct mem_job *j = ctx;
	(void)p;
	if (j->made)
		memory_free(&j->m);
	j->made = !memory_make(j->dump, j->module, j->space, j->said, NULL, &j->m, &j->err);
	if (!j->made)
		memory_free(&j->m);
	else if (j->m.proto)
		j->nspaces = memory_spaces(j->m.proto, j->spaces, MEM_SPACES);
}

static void drop_job(void *ctx)
{
	struct mem_job *j = ctx;

	if (j->made)
		memory_free(&j->m);
	free(j);
}

static void restore_position(struct mem_view *s)
{
	if (s->back.from >= 0 && s->back.from < s->back.to && s->back.to <= (int64_t)s->m.npoints &&
	    s->back.point >= s->back.from && s->back.point < s->back.to) {
		s->from = s->back.from;
		s->to = s->back.to;
		s->point = s->back.point;
	}
	s->back.to = 0;
}

/* Takes over the result of the job. */
static void take_module(struct mem_view *s, struct mem_job *j)
{
	s->job = NULL;
	s->made = true;
	memcpy(s->spaces, j->spaces, sizeof s->spaces);
	s->nspaces = j->nspaces;
	if (!j->made) {
		s->failed = xstrdup(j->err.msg);
		return;
	}
	s->m = j->m;
	j->made = false;
	s->from = 0;
	s->to = s->m.npoints ? (int64_t)s->m.npoints : 1;
	s->point = memory_view_peak_point(&s->m);
	restore_position(s);
	memory_view_ops_make(s);
	memory_view_rows(s);
	memory_view_boxes_make(s);
}

static void module_built(struct app *app, void *ctx)
{
	struct view *v = app_view(app, "memory");
	struct mem_view *s = v && v->opened ? v->state : NULL;

	if (s && s->job == ctx)
		take_module(s, ctx);
}

static void forget_module(struct view *v)
{
	struct mem_view *s = v->state;

	if (s->job)
		jobs_drop(v->app, s->job);
	s->job = NULL;
	if (s->made && !s->failed) {
		memory_view_ops_free(s);
		memory_view_rows_free(s);
		memory_view_boxes_free(s);
		memory_free(&s->m);
	}
	free(s->failed);
	s->failed = NULL;
	s->made = false;
}

/* Modules are unpacked one at a time: the screen would have to wait for the others. */
static bool modules_are_read(const struct app *app)
{
	return app->cap->dump->nmodules > 1 && !result_serial(app, RESULT_MODULES) && jobs_busy(app, NULL);
}

/* Takes from the messages that were opened with the dump what the view says of them. */
static int64_t read_messages(struct view *v)
{
	struct mem_view *s = v->state;
	const struct triage *t = messages(v);
	const char *missing = triage_missing(t, v->cap->dump);
	int64_t *limit = triage_limits(t, v->cap->dump), said = limit[s->module];

	free(limit);
	free(s->missing);
	s->missing = missing ? xstrdup(missing) : NULL;
	return said;
}

static void begin_module(struct view *v)
{
	struct mem_view *s = v->state;
	struct mem_job *j = xcalloc(1, sizeof *j);

	j->dump = v->cap->dump;
	j->module = (size_t)s->module;
	j->space = s->space;
	j->said = read_messages(v);
	s->job = j;
	if (j->dump->modules[s->module].len > DIRECT_BYTES || modules_are_read(v->app)) {
		jobs_add(v->app,
		    &(struct job){ "reading the module", build_module, module_built, drop_job, j });
		return;
	}
	build_module(j, NULL);
	take_module(s, j);
	drop_job(j);
}

void memory_view_choose(struct view *v, int module, int space)
{
	struct mem_view *s = v->state;

	if (module < 0 || (size_t)module >= v->cap->dump->nmodules ||
	    (module == s->module && space == s->space))
		return;
	forget_module(v);
	s->module = module;
	s->space = space;
}

const struct memory_ranks *memory_view_ranks(const struct view *v)
{
	return v->cap->dump->nmodules > 1 ? result_get(v->app, RESULT_MODULES) : NULL;
}

/* The module named by an option, else the one that an error message opened with it is about, else the one
 * that reports choose; -1 = not known yet. */
static int first_module(const struct view *v)
{
	const struct dump *d = v->cap->dump;
	const struct triage *t = messages(v);
	int found = v->app->opt && v->app->opt->module ? hlo_module_find(d, v->app->opt->module) : -1;

	if (found < 0 && t)
		found = triage_module(t, d);
	if (found < 0)
		found = memory_first(d, NULL);
	return found >= 0 ? found : memory_first(d, memory_view_ranks(v));
}

/* That it has the highest peak, the list of modules shows. */
static void tell_choice(const struct view *v)
{
	const struct dump *d = v->cap->dump;
	int module = ((const struct mem_view *)v->state)->module;

	const struct triage *t = messages(v);
	char title[HLO_TITLE];

	if (module >= 0 && d->nmodules > 1 &&
	    (module == memory_failed(d) || (t && module == triage_module(t, d))) &&
	    !(v->app->opt && v->app->opt->module))
		app_say(v->app, "%zu modules; showing %s, which %s", d->nmodules,
		    hlo_module_title(d, (size_t)module, title, sizeof title),
		    triage_module_why(t, d, (size_t)module));
}

/* The space to look in after this one; the one where it began: all were looked in. */
static int next_space(const struct mem_view *s)
{
	for (size_t i = 0; s->home >= 0 && i < s->nspaces; i++)
		if (s->spaces[i].space == s->space)
			return s->spaces[(i + 1) % s->nspaces].space;
	return s->home;
}

/* Goes to what is wanted, or on to the next space to look for it there. */
static void go_to_wanted(struct view *v)
{
	struct mem_view *s = v->state;
	int next = next_space(s), home = s->home;
	char *want = s->want;
	const char *name;

	s->want = NULL;
	if (memory_view_go(v, want)) {
		name = memory_space_name(s->space);
		if (home >= 0 && s->space != home)
			app_say(v->app, "%s is in memory space %d%s%s", want, s->space, name ? " " : "",
			    name ? name : "");
	} else if (next != home) {
		memory_view_choose(v, s->module, next);
		s->want = want;
		return;
	} else {
		memory_view_choose(v, s->module, home < 0 ? s->space : home);
		app_say(v->app, "%s has no buffer in %s memory space", want, home < 0 ? "this" : "any");
	}
	s->home = -1;
	free(want);
}

bool memory_view_sync(struct view *v)
{
	struct mem_view *s = v->state;

	if (!v->cap->dump || !v->cap->dump->nmodules || waits(v))
		return false;
	if (s->module < 0) {
		s->module = first_module(v);
		tell_choice(v);
	}
	if (s->module < 0)
		return false;
	for (;;) {
		if (!s->made && !s->job)
			begin_module(v);
		if (!s->made || !s->want || s->failed)
			break;
		go_to_wanted(v);
	}
	return s->made && !s->failed;
}

int64_t memory_view_peak_point(const struct memory *m)
{
	int64_t last = (int64_t)m->npoints - 1, at = m->peak_at + 1;

	return last < 0 ? 0 : at > last ? last : at;
}

/* --- life --- */

static int mem_open(struct view *v)
{
	struct mem_view *s = v->state;

	s->module = s->home = -1;
	sheet_open(&s->sheet, &memory_buffers_schema, NULL, "logicalBufferSizeMib");
	sheet_open(&s->tree, &memory_by_op_schema, NULL, "size_mib");
	s->sheet.role = memory_view_cell_role;
	s->sheet.ctx = s;
	s->sheet.all = true;
	return 0;
}

static void mem_close(struct view *v)
{
	struct mem_view *s = v->state;

	forget_module(v);
	sheet_free(&s->sheet);
	sheet_free(&s->tree);
	free(s->want);
	free(s->missing);
}

static void mem_save(const struct view *v, struct kv *kv)
{
	const struct mem_view *s = v->state;
	const struct hlo_module *h = s->module >= 0 ? &v->cap->dump->modules[s->module] : NULL;
	const struct memory_buffer *b = memory_view_here(s);

	if (h)
		kv_putf(kv, "module", h->program ? "%s(%llu)" : "%s", h->name,
		    (unsigned long long)h->program);
	kv_put_int(kv, "space", s->space);
	kv_put_int(kv, "boxes", s->boxes);
	kv_put_int(kv, "by_op", s->by_op);
	if (s->all)
		kv_put_int(kv, "all", 1);
	if (s->made && !s->failed && (s->from > 0 || s->to < (int64_t)s->m.npoints))
		kv_putf(kv, "points", "%" PRId64 " %" PRId64 " %" PRId64, s->point, s->from, s->to);
	if (b)
		kv_put(kv, "buffer", b->name);
	sheet_save(&s->sheet, kv);
}

static bool restore_flag(const struct kv *kv, const char *name)
{
	int64_t n;

	return kv_get_int(kv, name, &n) && n;
}

static void mem_restore(struct view *v, const struct kv *kv)
{
	struct mem_view *s = v->state;
	const char *text;
	int64_t space;

	sheet_restore(&s->sheet, kv);
	s->boxes = restore_flag(kv, "boxes");
	s->by_op = restore_flag(kv, "by_op");
	s->all = restore_flag(kv, "all");
	if (v->app->opt && v->app->opt->module)
		return;
	if ((text = kv_get(kv, "module")))
		s->module = hlo_module_find(v->cap->dump, text);
	if (s->module >= 0 && kv_get_int(kv, "space", &space) && space >= 0 && space < MEM_SPACES)
		s->space = (int)space;
	if ((text = kv_get(kv, "points")) &&
	    sscanf(text, "%" SCNd64 " %" SCNd64 " %" SCNd64, &s->back.point, &s->back.from, &s->back.to) != 3)
		s->back.to = 0;
	if ((text = kv_get(kv, "buffer")) && !s->by_op)
		s->want = xstrdup(text);
}

/* --- drawing --- */

/* Explains why nothing is known, and how to get it. */
static void draw_missing(struct canvas *c, struct rect a, const char *why)
{
	static const char how[] =
	    "Buffers are in the HLO protos that a profiler writes next to the capture (*.hlo_proto.pb), in "
	    "XSpaces captured with the option enable_hlo_proto, and in what the compiler writes with "
	    "XLA_FLAGS=\"--xla_dump_to=DIR --xla_dump_hlo_as_proto\": open such a file or folder.";
	int y = card_text(c, a, a.y, 0, ROLE_WARN, why, strlen(why));

	card_text(c, a, y + 1, 0, ROLE_TEXT, how, sizeof how - 1);
}

/* Draws what is shown when the memory is missing or not ready. */
static void draw_nothing(struct view *v, struct canvas *c, struct rect a)
{
	const struct mem_view *s = v->state;
	char text[160];

	if (s->failed || !v->cap->dump->nmodules) {
		draw_missing(c, a,
		    s->failed ? s->failed
			: hlo_modules_why(v->cap->dump)
			? hlo_modules_why(v->cap->dump)
			: "No HLO modules in this capture, so buffers are unknown.");
		return;
	}
	if (waits(v)) {
		result_draw_what(v->app, RESULT_TRIAGE, c, a);
		return;
	}
	if (s->module < 0) {
		result_draw_what(v->app, RESULT_MODULES, c, a);
		return;
	}
	snprintf(text, sizeof text, "reading %s", v->cap->dump->modules[s->module].name);
	canvas_str(c, a.y, a.x + 1, a.w - 2, ROLE_DIM, 0, text);
}

/* Warnings are above everything else. */
static struct rect below_problem(struct view *v, struct canvas *c, struct rect a)
{
	const struct mem_view *s = v->state;
	const char *text = s->m.problem ? s->m.problem : s->m.lacks;
	char line[2 * HLO_TITLE], title[HLO_TITLE];

	if (s->missing && a.h >= 6) {
		snprintf(line, sizeof line, "The message is about %s, which is not here; this is %s",
		    s->missing, hlo_module_title(v->cap->dump, (size_t)s->module, title, sizeof title));
		canvas_str(c, a.y++, a.x + 1, a.w - 2, ROLE_WARN, 0, line);
		a.h--;
	}
	if (text && a.h >= 6) {
		canvas_str(c, a.y, a.x + 1, a.w - 2, s->m.problem ? ROLE_WARN : ROLE_DIM, 0, text);
		a.y++;
		a.h--;
	} else if (a.h >= 30) {
		a.y++;
		a.h--;
	}
	return a;
}

/* Rows of the chart: it grows with the screen, and into what few buffers leave. */
static int tall_chart(const struct mem_view *s, int rows)
{
	enum { LEAST = 9, OTHERS = 12 };
	int grown = LEAST + (rows > 36 ? (rows - 36) / 4 : 0), few = s->m.npeak < 200 ? (int)s->m.npeak : 200,
	    spare = rows - OTHERS - few;

	spare = spare < rows / 2 ? spare : rows / 2;
	return spare > grown ? spare : grown;
}

/* Space tabs, numbers, chart, parts: as many as leave some rows for the table. */
static void draw_heap(struct mem_view *s, struct canvas *c, struct rect a)
{
	bool tall = a.h >= 28;
	int chart = tall ? tall_chart(s, a.h) : a.h >= 16 ? 5 : 0;
	struct rect r = a;

	s->chart.h = 0;
	memory_view_space_draw(s, c, r, "h l move through the program");
	r.y += 1 + tall;
	if (a.h >= 4)
		memory_view_head_draw(s, c, (struct rect){ r.y++, a.x, 1, a.w }, chart > 0);
	if (chart && s->m.npoints) {
		memory_view_chart_draw(s, c, (struct rect){ r.y, a.x, chart + 2, a.w });
		r.y += chart + 2 + tall;
	}
	if (a.h >= 12) {
		memory_view_parts_draw(s, c, (struct rect){ r.y, a.x, 1, a.w }, false);
		memory_view_parts_draw(s, c, (struct rect){ r.y + 1, a.x, 1, a.w }, true);
		r.y += 2 + tall;
	}
	r.h = a.y + a.h - r.y;
	sheet_draw(s->by_op ? &s->tree : &s->sheet, c, r);
}

static void draw_main(struct view *v, struct canvas *c, struct rect a)
{
	struct mem_view *s = v->state;

	if (s->boxes && a.h >= 6)
		memory_view_boxes_draw(s, c, a);
	else
		draw_heap(s, c, a);
}

static void mem_draw(struct view *v, struct canvas *c)
{
	const struct mem_view *s = v->state;

	if (!memory_view_sync(v) || s->m.npoints || s->m.npeak || s->m.scoped > 0)
		frame_draw(v, c);
	else
		draw_missing(c, v->area,
		    s->m.problem   ? s->m.problem
			: s->space ? "No buffers in this memory space (0: back to HBM)."
				   : "This module has no buffers.");
}

static struct sheet *mem_sheet(struct view *v)
{
	struct mem_view *s = v->state;

	return s->boxes ? NULL : s->by_op ? &s->tree : &s->sheet;
}

static bool has_card(struct view *v)
{
	return memory_view_here(v->state) != NULL;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_MEMORY],
	.ready = memory_view_sync,
	.draw_nothing = draw_nothing,
	.sheet = mem_sheet,
	.find = memory_view_boxes_find,
	.above = below_problem,
	.main = draw_main,
	.card = memory_view_card,
	.has_card = has_card,
	.act_always = memory_view_act_always,
	.act = memory_view_act,
	.press = memory_view_press };

static void heap_status(const struct mem_view *s, char *left, size_t size)
{
	const struct sheet *sh = s->by_op ? &s->tree : &s->sheet;
	bool peak = s->point == memory_view_peak_point(&s->m);
	char where[48] = "at the peak", filter[80] = "";

	if (!peak)
		snprintf(where, sizeof where, "alive at %lld", (long long)s->point);
	if (sh->filter)
		snprintf(filter, sizeof filter, "   &%.60s", regex_shown(sh->filter));
	snprintf(left, size, "%s %zu of %zu %s   %s%s%s", s->by_op ? "line" : "buffer",
	    sh->list.n ? sh->list.at + 1 : 0, sh->list.n, s->by_op ? "at the peak" : where,
	    sh->sort == SIZE_MAX ? s->by_op ? "by size" : "program order" : "by ",
	    sh->sort == SIZE_MAX ? "" : sh->col[sh->sort]->label, filter);
}

static void mem_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct mem_view *s = v->state;

	if (!s->made || s->failed || (!s->m.npoints && !s->m.npeak))
		return;
	if (!s->boxes) {
		heap_status(s, left, size);
		snprintf(right, size,
		    s->by_op ? "Enter opens; on a buffer: its row"
			     : "P parameter  O output  T temporary  C constant");
		return;
	}
	snprintf(left, size, "buffer %zu of %zu by address", s->box.n ? s->box.at + 1 : 0, s->box.n);
	if (s->from || s->to < (int64_t)s->m.npoints)
		snprintf(right, size, "points %lld – %lld of %zu", (long long)s->from, (long long)s->to - 1,
		    s->m.npoints - 1);
	else
		snprintf(right, size, "whole program");
}

static void mem_title(const struct view *v, char *buf, size_t size)
{
	const struct mem_view *s = v->state;

	if (s->module >= 0)
		hlo_module_title(v->cap->dump, (size_t)s->module, buf, size);
}

/* --- search, links, text, files --- */

static void mem_find_status(const struct view *v, char *buf, size_t size)
{
	const struct mem_view *s = v->state;
	size_t n;

	frame_find_status(v, buf, size);
	n = strlen(buf);
	if (!s->boxes || !s->frame.found || !s->frame.find || n + 4 >= size)
		return;
	memory_view_boxes_match(s, s->frame.find, buf + n + 3, size - n - 3);
	if (buf[n + 3])
		memset(buf + n, ' ', 3);
}

static char *mem_name(const struct view *v)
{
	const struct memory_buffer *b = memory_view_here(v->state);

	return b && *b->name ? xstrdup(b->name) : NULL;
}

static int mem_copy(struct view *v, FILE *out)
{
	if (!memory_view_sync(v) || !memory_view_here(v->state))
		return -1;
	memory_view_card_text(v, out);
	return 0;
}

static void mem_document(struct view *v, struct document *d)
{
	const struct mem_view *s = v->state;

	d->options.module = s->module < 0 ? NULL : document_module(d, v->cap->dump, (size_t)s->module);
	d->options.space = s->space;
}

static const char *mem_table_name(const struct view *v)
{
	const struct mem_view *s = v->state;

	return s->by_op ? "by_op" : s->boxes ? "spans" : "buffers";
}

/* The text of a program says nothing about its buffers. */
static bool mem_any(const struct dump *d)
{
	bool any = false;

	for (size_t i = 0; i < d->nmodules; i++)
		any |= !d->modules[i].code.n || d->modules[i].ntexts;
	return any;
}

const struct view_ops view_memory = {
	.id = "memory",
	.title = "Memory",
	.short_title = "Mem",
	.letter = 'm',
	.scope = SCOPE_MEMORY,
	.frame = &frame_ops,
	.needs = NEED_TRACE,
	.any = mem_any,
	.size = sizeof(struct mem_view),
	.open = mem_open,
	.draw = mem_draw,
	.act = frame_act,
	.find = frame_find,
	.find_status = mem_find_status,
	.filter = frame_filter,
	.here = memory_view_ref,
	.show = memory_view_show,
	.status = mem_status,
	.title_right = mem_title,
	.close = mem_close,
	.mouse = frame_mouse,
	.save = mem_save,
	.restore = mem_restore,
	.name = mem_name,
	.copy = mem_copy,
	.report = "memory",
	.document = mem_document,
	.table = mem_table_name,
};
