#include "config.h"
#include "core/app_private.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "core/loading.h"

/* Alt-1 … Alt-9: fixed, whichever views a capture has. */
static const char *const tabs[] = { "findings", "overview", "timeline", "ops", "input", "memory", "pod",
    "graph", "triage" };
#define NTABS (int)(sizeof tabs / sizeof *tabs)

const char *app_tab_id(int number)
{
	return number >= 1 && number <= NTABS ? tabs[number - 1] : "";
}

int app_tab_number(const char *id)
{
	for (int i = 0; i < NTABS; i++)
		if (!strcmp(tabs[i], id))
			return i + 1;
	return 0;
}

/* Parts of the title from the left; when there is no room they go in this order. */
struct part { char text[160]; };
enum { PART_RUN, PART_HOST, PART_DEVICES, PART_SIMULATED, PART_PARTIAL, NPARTS };

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static const char *input_name(const struct app *app)
{
	const struct app_options *o = app->opt;

	return o->sample ? o->sample_name : o->npaths ? o->paths[0] : "";
}

static void host_part(const struct app *app, bool wide, char *out, size_t size)
{
	const struct dump *d = app->dump;
	int host = app->host >= 0 ? app->host : d->nhosts == 1 ? 0 : -1;

	if (host >= 0)
		snprintf(out, size, "%s%.*s", wide ? "host " : "",
		    (int)strtab_len(&d->str, d->hosts[host].name),
		    strtab_str(&d->str, d->hosts[host].name));
	else if (d->nhosts > 1)
		snprintf(out, size, wide ? "hosts all (%zu)" : "%zu hosts", d->nhosts);
}

static bool is_partial(const struct dump *d)
{
	bool partial = d->cancelled;

	for (size_t i = 0; i < d->nfiles; i++)
		partial |= d->files[i].partial;
	return partial;
}

static void title_parts(const struct app *app, bool wide, struct part *part)
{
	const struct dump *d = app->dump;

	memset(part, 0, NPARTS * sizeof *part);
	if (!d) {
		snprintf(part[PART_RUN].text, sizeof part->text, "%s", base_name(input_name(app)));
		return;
	}
	host_part(app, wide, part[PART_HOST].text, sizeof part->text);
	snprintf(part[PART_DEVICES].text, sizeof part->text, "%s", app->p->title_devices);
	if (d->nruns)
		snprintf(part[PART_RUN].text, sizeof part->text, "%s%s (%zu of %zu)", wide ? "run " : "",
		    d->runs[d->run].name, d->run + 1, d->nruns);
	else if (!*app->p->title_devices && d->nfiles)
		snprintf(part[PART_RUN].text, sizeof part->text, "%s", d->files[0].base);
	if (d->simulated)
		snprintf(part[PART_SIMULATED].text, sizeof part->text, "simulated");
	if (is_partial(d))
		snprintf(part[PART_PARTIAL].text, sizeof part->text, "partial");
}

static int title_width(const struct part *part, int gap)
{
	int n = 10;		/* " tpuscope" and a blank behind */

	for (int i = 0; i < NPARTS; i++)
		n += *part[i].text ? gap + utf8_cols(part[i].text, strlen(part[i].text)) : 0;
	return n;
}

static void draw_title(struct app *app)
{
	struct canvas *c = &app->p->canvas;
	struct view *v = app_here(app);
	bool wide = c->cols >= 100;
	int gap = wide ? 3 : 2, right_at = c->cols, x;
	char right[200] = "";
	struct part part[NPARTS];

	canvas_fill(c, (struct rect){ 0, 0, 1, c->cols }, ' ', ROLE_TITLE, 0);
	if (v && v->ops->title_right)
		v->ops->title_right(v, right, sizeof right);
	if (*right && utf8_cols(right, strlen(right)) + 12 <= c->cols)
		right_at = canvas_right(c, 0, c->cols - 1, ROLE_TITLE, 0, right);
	title_parts(app, wide, part);
	for (int i = 0; i < NPARTS && title_width(part, gap) > right_at; i++)
		part[i].text[0] = 0;
	x = 1 + canvas_str(c, 0, 1, right_at - 1, ROLE_TITLE, ATTR_BOLD, "tpuscope");
	for (int i = 0; i < NPARTS; i++)
		if (*part[i].text)
			x += gap + canvas_str(c, 0, x + gap, right_at - 1 - x - gap, ROLE_TITLE, ATTR_BOLD,
			    part[i].text);
}

static const struct view_ops *tab_ops(const struct app *app, size_t i)
{
	return app->nviews ? i < app->nviews ? app->views[i].ops : NULL : view_list[i];
}

/* The view on the screen when the tab of view i stands for it, else that view; NULL: it has no tab. */
static const struct view_ops *shown_in_tab(struct app *app, size_t i)
{
	const struct view_ops *ops = tab_ops(app, i),
	    *here = app->nviews ? app->views[app->current].ops : ops;

	if (here->of && !strcmp(here->of, ops->id))
		return here;
	if (!ops->of || !app->nviews)
		return ops->of ? NULL : ops;
	if (app_view(app, ops->of))
		return NULL;
	for (size_t k = 0; k < i; k++)		/* the first of those that are there stands for it */
		if (tab_ops(app, k)->of && !strcmp(tab_ops(app, k)->of, ops->of))
			return NULL;
	return here->of && !strcmp(here->of, ops->of) ? here : ops;
}

static int draw_tabs_as(struct app *app, bool shorter, int gap, bool really)
{
	struct canvas *c = &app->p->canvas;
	const struct view_ops *ops;
	int x = 0;

	for (size_t i = 0; (ops = tab_ops(app, i)); i++) {
		const struct view_ops *shown = shown_in_tab(app, i);
		bool here = app->nviews && shown == app->views[app->current].ops;
		int number = app_tab_number(ops->of ? ops->of : ops->id);
		const char *title;
		char text[48];

		if (!shown)
			continue;
		title = shorter && shown->short_title ? shown->short_title : shown->title;
		if (number)
			snprintf(text, sizeof text, " %d %s ", number, title);
		else
			snprintf(text, sizeof text, " %s ", title);
		if (really)
			canvas_str(c, 1, x, c->cols - x, here ? ROLE_TAB_HERE : ROLE_TAB, 0, text);
		if (really && app->nviews)
			app_hot(app, 1, x, x + utf8_cols(text, strlen(text)), (int)i, ACT_NONE);
		x += utf8_cols(text, strlen(text)) + gap;
	}
	return x - gap;
}

static void draw_tabs(struct app *app)
{
	int cols = app->p->canvas.cols;

	if (draw_tabs_as(app, false, 0, false) <= cols)
		draw_tabs_as(app, false, 0, true);
	else
		draw_tabs_as(app, true, draw_tabs_as(app, true, 0, false) <= cols ? 0 : -1, true);
}

/* Keys, then what they do; nothing when both together have no room. */
static int draw_entry(struct canvas *c, int x, int room, const char *keys, int nkeys, const char *label)
{
	int need = utf8_cols(keys, (size_t)nkeys) + 1 + utf8_cols(label, strlen(label)), at = x;

	if (need > room)
		return 0;
	at += canvas_text(c, c->rows - 1, at, nkeys, ROLE_KEYBAR_KEY, 0, keys, (size_t)nkeys);
	canvas_str(c, c->rows - 1, at + 1, need, ROLE_KEYBAR, 0, label);
	return need + 2;
}

static bool is_key_name(const char *word, size_t n)
{
	return n == 1 || (n == 3 && !memcmp(word, "Esc", 3)) || (n == 3 && !memcmp(word, "Tab", 3)) ||
	    (n == 5 && !memcmp(word, "Enter", 5));
}

/* A label names keys as the default has them; shown are those that do the same now. */
static void bar_keys(const struct app *app, enum scope scope, const char *text, int n, char *out, size_t size)
{
	char word[4][KEYMAP_WORD], part[64], name[sizeof word + 2], one[32];
	size_t words;

	snprintf(part, sizeof part, "%.*s", n, text);
	words = keymap_words(part, word, 4);
	for (size_t i = 0; i < words && i < 4; i++) {
		const char *s = word[i];
		struct key key;

		snprintf(name, sizeof name, "<%s>", word[i]);
		if (word[i][1])
			s = name;
		if (!key_parse(&s, &key) &&
		    keymap_keys(&app->keymap, keymap_default(scope, key), scope, &key, 1))
			snprintf(out + strlen(out), size - strlen(out), "%s%s", *out ? " " : "",
			    key_show(key, one, sizeof one));
	}
}

/* "w s zoom": leading words that name keys are the keys; a label without any has the action's first key in
 * front.  Returns the columns used, 0 when there is no room, -2 when it is on no key. */
static int draw_bar_text(struct app *app, int x, enum action a, enum scope scope, const char *text)
{
	struct canvas *c = &app->p->canvas;
	struct key key;
	char shown[64] = "";
	int keys = 0;

	for (const char *p = text; *p;) {
		size_t n = strcspn(p, " ");

		if (!p[n] || !is_key_name(p, n))
			break;
		keys = (int)(p + n - text);
		p += n + 1;
	}
	if (keys && a == ACT_NONE)
		return draw_entry(c, x, c->cols - x - 1, text, keys, text + keys + 1);
	if (keys)
		bar_keys(app, scope, text, keys, shown, sizeof shown);
	else if (keymap_keys(&app->keymap, a, scope, &key, 1))
		key_show(key, shown, sizeof shown);
	text += keys ? keys + 1 : 0;
	if (!*shown)
		return -2;
	return draw_entry(c, x, c->cols - x - 1, shown, (int)strlen(shown), text);
}

static bool in_bar_of(enum scope scope, enum action a)
{
	size_t n;
	const struct bar_entry *e = action_bar(&n);

	for (size_t i = 0; i < n; i++)
		if (e[i].scope == scope && e[i].action == a && *e[i].text)
			return true;
	return false;
}

/* The entries of a scope, with the keys that they have in the view; what the view names itself comes once. */
static int draw_bar_scope(struct app *app, int x, enum scope scope)
{
	enum scope here = app_scope(app);
	size_t n;
	const struct bar_entry *e = action_bar(&n);

	for (size_t i = 0; i < n && x > 0; i++) {
		int used;

		if (e[i].scope != scope || !*e[i].text || (scope != here && in_bar_of(here, e[i].action)))
			continue;
		if (!(used = draw_bar_text(app, x, e[i].action, here, e[i].text)))
			return -1;
		if (used > 0)
			app_hot(app, app->p->canvas.rows - 1, x, x + used - 2, -1, e[i].action);
		x += used > 0 ? used : 0;
	}
	return x;
}

static void draw_key_bar(struct app *app)
{
	static const char *const command[] = { "Enter run", "Tab complete", "Esc close", NULL },
	    *const find[] = { "Enter search", "Esc close", NULL },
	    *const other[] = { "Enter done", "Esc close", NULL },
	    *const load[] = { "Esc stop and keep", "q quit", NULL };
	struct app_private *p = app->p;
	struct canvas *c = &p->canvas;
	const char *const *fixed = p->prompt.open ? (p->prompt.label == ':' ? command : p->prompt.label == '/' ? find : other) : !p->overlay &&
	    !app->nviews ? load : NULL;
	int x = 1;

	canvas_fill(c, (struct rect){ c->rows - 1, 0, 1, c->cols }, ' ', ROLE_KEYBAR, 0);
	for (size_t i = 0; fixed && fixed[i]; i++)
		x += draw_bar_text(app, x, ACT_NONE, SCOPE_ALL, fixed[i]);
	if (fixed)
		return;
	x = draw_bar_scope(app, x, app_scope(app));
	if (x > 0 && !p->overlay)
		draw_bar_scope(app, x, SCOPE_ALL);
}

/* What works beside the screen. */
static void job_text(const struct app *app, char *buf, size_t size)
{
	int percent;
	const char *what = jobs_what(app, &percent);

	if (what && percent >= 0)
		snprintf(buf, size, "%s %2d %%", what, percent);
	else
		snprintf(buf, size, "%s", what ? what : "");
}

static void draw_status(struct app *app)
{
	struct app_private *p = app->p;
	struct canvas *c = &p->canvas;
	struct view *v = app_here(app);
	char left[400] = "", right[400] = "", job[80];
	int y = c->rows - 2, x = 1, end = c->cols - 1, room = end;

	if (p->prompt.open) {
		prompt_draw(&p->prompt, c, y);
		return;
	}
	if (*app->message) {
		canvas_str(c, y, 1, c->cols - 2, app->message_error ? ROLE_ERROR : ROLE_MESSAGE, 0,
		    app->message);
		return;
	}
	if (p->overlay) {
		if (p->overlay->ops->status)
			p->overlay->ops->status(p->overlay, left, sizeof left);
	} else if (v && v->ops->status) {
		v->ops->status(v, left, right, sizeof left);
	} else if (p->loader) {
		snprintf(left, sizeof left, "%s", loader_cancelled(p->loader) ?
		    "stopping: what was read is kept" : "Esc stops and keeps what is loaded");
	}
	if (p->pattern && v && v->ops->find_status && p->pattern_view == app->current && !p->overlay) {
		x += canvas_fmt(c, y, x, end - x, ROLE_BOLD, 0, "/%s", regex_pattern(p->pattern)) + 4;
		v->ops->find_status(v, left, sizeof left);
	}
	job_text(app, job, sizeof job);
	if (*job)
		room -= utf8_cols(job, strlen(job)) + 3;
	if (*right && utf8_cols(left, strlen(left)) + utf8_cols(right, strlen(right)) + x + 2 <= room)
		end = canvas_right(c, y, end, ROLE_STATUS, 0, right) - 3;
	if (*job)
		end = canvas_right(c, y, end, ROLE_STATUS, 0, job) - 2;
	canvas_str(c, y, x, end - x, ROLE_STATUS, 0, left);
}

static void draw_loading(struct app *app, struct rect area)
{
	const struct app_private *p = app->p;
	struct loading l = { .name = input_name(app), .what = "" };

	if (p->loader) {
		const struct progress *now = loader_progress(p->loader);

		l = (struct loading){ l.name, now->what, now->bytes, now->total, now->events,
		    loader_elapsed_ms(p->loader),
			loader_cancelled(p->loader) };
	}
	loading_draw(&l, &app->p->canvas, area);
}

void app_draw(struct app *app)
{
	struct app_private *p = app->p;
	struct canvas *c = &p->canvas;
	struct view *v = app_here(app);
	struct rect area = { 2, 0, c->rows - 4, c->cols };

	canvas_clear(c);
	p->nhot = 0;
	if (app_too_small(app)) {
		canvas_fmt(c, 0, 0, c->cols, ROLE_TEXT, 0, "terminal too small (need %dx%d)", MIN_COLS,
		    MIN_ROWS);
		return;
	}
	draw_title(app);
	draw_tabs(app);
	canvas_clip(c, area);
	if (p->overlay && p->overlay->ops->scope == SCOPE_HELP)
		;				/* covers the view */
	else if (v && v->opened)
		v->ops->draw(v, c);
	else if (!app->dump)
		draw_loading(app, area);
	if (p->overlay) {
		canvas_clip(c, area);
		p->overlay->ops->draw(p->overlay, c, area);
	}
	canvas_clip(c, (struct rect){ 0, 0, c->rows, c->cols });
	draw_status(app);
	draw_key_bar(app);
}
