#include "config.h"
#include "view/frames.h"
#include "view/pod/pod.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/units.h"
#include "core/app.h"
#include "core/results.h"
#include "widget/step_cols.h"

enum { AIRY = 30, CARD_MOST = 60 };

/* --- what is shown --- */

const struct step_core *pod_view_core_step(const struct pod_view *v, size_t core)
{
	return step_core_at(&v->pod->cores, core, v->step);
}

char *pod_view_core_name(const struct pod_view *v, size_t core, char *buf, size_t size)
{
	const struct step_core_info *c;

	if (core >= v->pod->cores.ncores) {
		snprintf(buf, size, "?");
		return buf;
	}
	c = &v->pod->cores.core[core];
	if ((size_t)c->host < v->nhosts && *v->host[c->host])
		snprintf(buf, size, "%s:%d", v->host[c->host], c->core);
	else
		snprintf(buf, size, "core %d", c->core);
	return buf;
}

int pod_view_digits(const struct pod_view *v)
{
	return v->stats.usual_total >= 1e10 ? 2 : v->stats.usual_total >= 1e9 ? 3 : 4;
}

/* Length of the common prefix of all host names, cut before the word in which they differ. */
static size_t common_start(const struct pod *p)
{
	size_t n = p->nhosts ? strlen(p->host[0]) : 0, words = 0;

	for (size_t i = 1; i < p->nhosts; i++)
		for (size_t k = 0; k < n; k++)
			if (p->host[i][k] != p->host[0][k])
				n = k;
	while (n > 0 && (words += n < strlen(p->host[0]) && strchr("-._:", p->host[0][n - 1]) != NULL) < 2)
		n--;
	return n;
}

static void name_hosts(struct pod_view *v)
{
	const struct pod *p = v->pod;
	size_t cut = common_start(p);

	v->nhosts = p->nhosts;
	v->host = xrealloc(v->host, p->nhosts + 1, sizeof *v->host);
	for (size_t i = 0; i < p->nhosts; i++) {
		const char *name = pod_machines(p) < p->nhosts ? pod_host_label(p, i) : p->host[i] + cut;
		size_t len = strlen(name);

		if (p->nhosts == 1)
			*v->host[i] = 0;
		else
			snprintf(v->host[i], sizeof *v->host, "%s",
			    len < sizeof *v->host ? name : name + len - sizeof *v->host + 1);
	}
}

static void pod_drop(struct view *view)
{
	struct pod_view *v = view->state;

	pod_view_links_free(v);
	pod_view_grid_free(&v->grid);
	pod_view_stats_free(&v->stats);
	free(v->devices.core);
	v->devices = (struct pod_devices){ .n = 0 };
	v->stats_tab = -1;
	v->pod = NULL;
}

static bool has_straggler(const struct pod *p)
{
	for (size_t i = 0; i < p->cores.nsteps; i++)
		if (p->step[i].straggler != SIZE_MAX)
			return true;
	return false;
}

/* For a new result: keeps the step and the core if it has them, else chooses the first step that all cores
 * have. */
static void pod_take(struct view *view)
{
	struct pod_view *v = view->state;
	const struct pod *p = result_get(view->app, RESULT_POD);
	size_t step, core;

	v->pod = p;
	name_hosts(v);
	step = *v->wanted_step ? step_cores_named(&p->cores, v->wanted_step) : SIZE_MAX;
	for (size_t i = 0; i < p->cores.nsteps && step == SIZE_MAX; i++)
		if (p->cores.step[i].everywhere)
			step = i;
	v->step = step != SIZE_MAX ? step : 0;
	if (!v->tab_chosen)
		v->tab = has_straggler(p) ? TAB_OWN : pod_view_largest_tab(&p->cores);
	core = v->wanted_core >= 0 ? pod_view_core_named(p, v->wanted_host, v->wanted_core) : SIZE_MAX;
	v->chosen = core != SIZE_MAX;
	v->core = v->chosen ? core : 0;
}

void pod_view_count(struct pod_view *v)
{
	bool other_step = v->stats_tab < 0 || v->stats_step != v->step;

	if (pod_view_beside_due(v))
		pod_view_links_make(v);
	if (v->stats_tab == v->tab && !other_step)
		return;
	pod_view_stats_make(&v->stats, v->pod, v->step, v->tab);
	v->stats_step = v->step;
	v->stats_tab = v->tab;
	if (!v->chosen)
		v->core = pod_view_worst_core(v);
	if (v->grid.cell)
		pod_view_grid_values(&v->grid, v->stats.value, v->pod->cores.ncores);
	pod_view_bars_make(v);
	v->bars.top = 0;
	pod_view_follow_bars(v);
	if (other_step)
		pod_view_links_make(v);
}

/* Are there cores and steps to draw? */
static bool has_steps(const struct pod_view *v)
{
	return v->pod && v->pod->cores.ncores && v->pod->cores.nsteps;
}

static bool is_ready(struct view *view)
{
	struct pod_view *v = view->state;
	struct ref r = v->later;

	if (!has_steps(v))
		return false;
	pod_view_count(v);
	v->later.kind = REF_NONE;
	if (r.kind != REF_NONE) /* requested before there was anything to show */
		pod_view_show(v, &r);
	return true;
}

static int pod_open(struct view *view)
{
	struct pod_view *v = view->state;

	v->stats_tab = v->wanted_host = v->wanted_core = -1;
	v->group_of = SIZE_MAX;
	v->app = view->app;
	return 0;
}

static void pod_close(struct view *view)
{
	struct pod_view *v = view->state;

	frame_close(view);
	free(v->line);
	free(v->host);
}

/* The collectives of the step stand where bars leave room. */
static void draw_bars(struct pod_view *v, struct canvas *c, struct rect r)
{
	int spare = r.h - (int)(v->nlines < 999 ? v->nlines : 999) - 3;

	if (spare < 4)
		spare = 0;
	r.h -= spare;
	pod_view_bars_draw(v, c, r);
	if (spare)
		pod_view_collectives_draw(v, c, (struct rect){ r.y + r.h, r.x, spare, r.w });
}

static void draw_main(struct view *view, struct canvas *c, struct rect r)
{
	struct pod_view *v = view->state;
	int y;

	r.w -= v->frame.at.how != FRAME_BESIDE; /* the margin that the rule before the card has */
	pod_view_links_groups(v);
	y = pod_view_heat_draw(v, c, r) + (view->area.h >= AIRY);
	if (v->below != POD_BARS) /* a list moves the selection, which the map shows once more */
		canvas_late(c, (struct rect){ r.y, r.x, y - r.y, r.w });
	r = (struct rect){ y, r.x, r.y + r.h - y, r.w };
	if (v->below == POD_BARS)
		draw_bars(v, c, r);
	else
		pod_view_links_draw(v, c, r);
}

static int draw_card(struct view *view, struct canvas *c, struct rect r, enum frame_card how)
{
	struct pod_view *v = view->state;

	if (how == FRAME_BELOW) {
		pod_view_card_below(v, c, r);
		return r.y;
	}
	r.w = how == FRAME_BESIDE ? r.w - 1 : r.w > CARD_MOST ? CARD_MOST : r.w;
	return pod_view_card_draw(v, c, r);
}

static void draw_nothing(struct view *view, struct canvas *c, struct rect a)
{
	const struct pod_view *v = view->state;

	if (!v->pod)
		result_draw_what(view->app, RESULT_POD, c, a);
	else
		canvas_str(c, a.y, a.x + 1, a.w - 2, ROLE_DIM, 0,
		    v->pod->cores.ncores ? "no steps of TPU cores in this capture"
					 : "no TPU cores in this capture");
}

/* --- status --- */

static void layout_text(const struct pod_view *v, bool wide, char *buf, size_t size)
{
	const struct topology *t = &v->pod->topology;
	char mesh[64];

	snprintf(mesh, sizeof mesh, "%d×%d×%d", t->x, t->y, t->z);
	if (t->source == TOPOLOGY_ASSUMED)
		snprintf(buf, size,
		    wide ? "layout assumed %s: no coordinates in this capture" : "layout assumed %s", mesh);
	else if (t->source == TOPOLOGY_USER)
		snprintf(buf, size, "layout %s, as given", mesh);
	else if (t->source == TOPOLOGY_NONE || !t->x)
		snprintf(buf, size, wide ? "layout unknown; set it with :topology XxYxZ" : "layout unknown");
	else
		snprintf(buf, size, "layout %s", mesh);
	if (v->grid.placed && v->grid.placed_cores < v->pod->cores.ncores)
		snprintf(buf, size, "%zu of %zu cores have no coordinates in %s",
		    v->pod->cores.ncores - v->grid.placed_cores, v->pod->cores.ncores, mesh);
}

static void pod_status(const struct view *view, char *left, char *right, size_t size)
{
	const struct pod_view *v = view->state;
	const struct step_core *s;
	char name[48];

	if (!frame_ready(view))
		return;
	layout_text(v, v->frame.at.how == FRAME_BESIDE, right, size);
	if (v->pod->batch > 0)
		snprintf(right + strlen(right), size - strlen(right), "   batch %" PRId64 " per core",
		    v->pod->batch);
	if (v->below != POD_BARS && v->below_focus) {
		sheet_status(&v->sheet, left, size);
		return;
	}
	s = pod_view_core_step(v, v->core);
	pod_view_core_name(v, v->core, name, sizeof name);
	snprintf(left, size, "%s%s   ", strncmp(name, "core", 4) ? "core " : "", name);
	if (s->total < 0)
		snprintf(left + strlen(left), size - strlen(left), "does not have step %s",
		    step_cores_label(&v->pod->cores, v->step));
	else
		snprintf(left + strlen(left), size - strlen(left), "%s %.*f ms, %.1f %%",
		    pod_view_tab_name(v, v->tab), pod_view_digits(v), pod_view_ps(v, v->core, v->tab) / 1e9,
		    100 * v->stats.value[v->core]);
}

/* --- commands --- */

static void set_topology(struct app *app, const char *text)
{
	results_renew(app, RESULT_POD); /* first, because a job may read the text */
	results_renew(app, RESULT_COMMUNICATION);
	snprintf(app->cap->scope.topology, sizeof app->cap->scope.topology, "%s", text);
}

/* :topology 4x4x4; without an argument: as in the capture */
static int pod_command(struct view *view, const char *name, const char *arg)
{
	struct app *app = view->app;
	struct err e;
	int x, y, z;

	if (strcmp(name, "topology"))
		return -1;
	if (*arg && topology_parse(arg, &x, &y, &z, &e)) {
		app_error(app, "usage: :topology XxYxZ, the chips along each axis, such as 4x4x4");
		return 0;
	}
	set_topology(app, arg);
	return 0;
}

/* --- searching, links --- */

struct cores {
	const struct pod_view *of;
	const struct regex *re;
	struct regex_scratch *scratch;
};

static bool pod_matches(const void *ctx, size_t core)
{
	const struct cores *s = ctx;
	const struct pod *p = s->of->pod;
	const struct topology_core *at = &p->topology.core[core];
	const struct step_core_info *i = &p->cores.core[core];
	char text[500], shown[64];

	snprintf(text, sizeof text, "%s %.255s:%d (%d,%d,%d) chip %lld",
	    pod_view_core_name(s->of, core, shown, sizeof shown), p->host[i->host], i->core, at->x, at->y,
	    at->z, (long long)at->chip);
	return regex_match(s->re, s->scratch, text, strlen(text), NULL, NULL);
}

/* Searches cores; for channels and collectives the sheet searches. */
static int pod_find(struct view *view, const struct regex *re, int dir, struct list_hits *hits)
{
	struct pod_view *v = view->state;
	struct cores s = { v, re, regex_scratch_new(re) };
	size_t to = list_find(hits, v->pod->cores.ncores, v->core, dir, pod_matches, &s);

	regex_scratch_free(s.scratch);
	if (to == SIZE_MAX)
		return 0;
	pod_view_select(v, to);
	pod_view_follow_bars(v);
	return (int)hits->n;
}

static int pod_filter(struct view *view, const char *text, struct err *e)
{
	struct pod_view *v = view->state;

	if (!frame_ready(view) || v->below == POD_BARS)
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "cores have no filter; channels and collectives (u) have one");
	return sheet_filter(&v->sheet, text, e);
}

static struct ref pod_here(const struct view *view)
{
	const struct pod_view *v = view->state;
	struct ref r = REF_EMPTY;
	const struct beside_op *op;
	char *name = NULL;

	if (!frame_ready(view))
		return r;
	if (v->below_focus && (op = pod_view_beside_here(v))) {
		r.kind = REF_OP;
		r.name = op->full;
		return r;
	}
	r.kind = REF_STEP;
	r.host = v->pod->cores.core[v->core].host;
	r.core = v->pod->cores.core[v->core].core;
	snprintf(r.text, sizeof r.text, "%s", step_cores_label(&v->pod->cores, v->step));
	if (v->below == POD_COLLECTIVES && v->below_focus && (name = sheet_row_name(&v->sheet)))
		r.name = strtab_find(&view->cap->dump->str, name, strlen(name));
	if (r.name == UINT32_MAX)
		r.name = 0;
	free(name);
	return r;
}

/* A step with the name of an op: that was selected among the collectives. */
static int show_now(struct view *view, const struct ref *r)
{
	struct pod_view *v = view->state;
	struct slice op = dump_text(view->cap->dump, r->name);
	char *name;

	if (pod_view_show(v, r))
		return -1;
	if (r->kind != REF_STEP || !r->name)
		return 0;
	pod_view_below(v, POD_COLLECTIVES);
	name = xstrndup(op.s, op.n); /* it may lie in the file, where it has no end */
	sheet_show_named(&v->sheet, name);
	free(name);
	return 0;
}

static int pod_show(struct view *view, const struct ref *r)
{
	struct pod_view *v = view->state;

	if (r->kind != REF_STEP && r->kind != REF_CORE && r->kind != REF_CHANNEL && r->kind != REF_COLLECTIVE)
		return -1;
	frame_close_card(view);
	if (frame_ready(view))
		return show_now(view, r);
	v->later = *r;
	return v->pod ? -1 : 0;
}

/* --- text, files --- */

static char *pod_name(const struct view *view)
{
	const struct pod_view *v = view->state;

	if (!frame_ready(view) || (v->below != POD_BARS && v->below_focus))
		return NULL;
	return xasprintf("%s:%d", v->pod->host[v->pod->cores.core[v->core].host],
	    v->pod->cores.core[v->core].core);
}

static void put_ms(FILE *out, const char *label, double ms)
{
	fprintf(out, "%s\t%.*f ms\n", label, units_decimals(ms), ms);
}

static int pod_copy(struct view *view, FILE *out)
{
	struct pod_view *v = view->state;
	const struct step_core *s;

	if (!frame_ready(view))
		return -1;
	if (v->below != POD_BARS && v->below_focus)
		return sheet_copy(&v->sheet, out);
	s = pod_view_core_step(v, v->core);
	fprintf(out, "core\t%s:%d\nstep\t%s\n", v->pod->host[v->pod->cores.core[v->core].host],
	    v->pod->cores.core[v->core].core, step_cores_label(&v->pod->cores, v->step));
	for (int t = 0; t < POD_TABS && s->total >= 0; t++)
		if (v->stats.most[t] > 0)
			put_ms(out, pod_view_tab_name(v, t), pod_view_tab_ps(s, t) / 1e9);
	if (s->total >= 0)
		put_ms(out, "total", (double)s->total / 1e9);
	return 0;
}

static const char *pod_table(const struct view *view)
{
	static const char *const names[] = { "cores", "channels", "collectives", "ops" };

	return names[((const struct pod_view *)view->state)->below];
}

static void pod_save(const struct view *view, struct kv *kv)
{
	const struct pod_view *v = view->state;

	if (v->tab_chosen)
		kv_put_int(kv, "kind", v->tab + 1);
	kv_put_int(kv, "narrow", v->narrow);
	kv_put_int(kv, "by-place", v->by_place);
	if (*v->wanted_step)
		kv_put(kv, "step", v->wanted_step);
	if (v->wanted_core >= 0)
		kv_putf(kv, "core", "%d:%d", v->wanted_host, v->wanted_core);
	if (*view->cap->scope.topology)
		kv_put(kv, "topology", view->cap->scope.topology);
}

static void pod_restore(struct view *view, const struct kv *kv)
{
	struct pod_view *v = view->state;
	const char *step = kv_get(kv, "step"), *core = kv_get(kv, "core"), *mesh = kv_get(kv, "topology");
	int64_t n;
	int x, y, z;

	if (kv_get_int(kv, "kind", &n) && n >= 1 && n <= POD_METRICS) {
		v->tab = (int)n - 1;
		v->tab_chosen = true;
	}
	if (kv_get_int(kv, "narrow", &n))
		v->narrow = n != 0;
	if (kv_get_int(kv, "by-place", &n))
		v->by_place = n != 0;
	if (step)
		snprintf(v->wanted_step, sizeof v->wanted_step, "%.63s", step);
	if (core && sscanf(core, "%d:%d", &v->wanted_host, &v->wanted_core) != 2)
		v->wanted_host = v->wanted_core = -1;
	if (mesh && !*view->cap->scope.topology && !topology_parse(mesh, &x, &y, &z, NULL) &&
	    strlen(mesh) < sizeof view->cap->scope.topology)
		set_topology(view->app, mesh);
}

/* TPU cores with steps, or with modules whose runs count as steps; or the result of an old tool. */
static bool pod_any(const struct dump *d)
{
	for (size_t i = 0; i < d->trace.ntracks; i++) {
		const struct track *t = &d->trace.tracks[i];

		if ((t->role == TRACK_STEPS || t->role == TRACK_MODULES) &&
		    d->trace.planes[t->plane].kind == PLANE_TPU)
			return true;
	}
	return toolfile_find(d, FILE_POD_VIEWER, NULL, NULL);
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_POD],
	.results = 1u << RESULT_POD,
	.take = pod_take,
	.drop = pod_drop,
	.ready = is_ready,
	.draw_nothing = draw_nothing,
	.sheet = pod_view_sheet,
	.find = pod_find,
	.main = draw_main,
	.card = draw_card,
	.act = pod_view_act,
	.press = pod_view_press };

const struct view_ops view_pod = {
	.id = "pod",
	.title = "Pod",
	.short_title = "Pod",
	.letter = 'p',
	.scope = SCOPE_POD,
	.needs = NEED_ANY,
	.any = pod_any,
	.frame = &frame_ops,
	.size = sizeof(struct pod_view),
	.open = pod_open,
	.draw = frame_draw,
	.act = frame_act,
	.find = frame_find,
	.find_status = frame_find_status,
	.filter = pod_filter,
	.here = pod_here,
	.show = pod_show,
	.place = pod_view_place,
	.status = pod_status,
	.command = pod_command,
	.close = pod_close,
	.mouse = frame_mouse,
	.save = pod_save,
	.restore = pod_restore,
	.name = pod_name,
	.copy = pod_copy,
	.report = "pod",
	.table = pod_table,
};
