#include "config.h"
#include "app/internal.h"

#include <stdio.h>
#include <string.h>

#include "app/loading.h"
#include "base/text/utf8.h"
#include "base/text/words.h"

/* The views on Alt-1 … Alt-9.  They are fixed, whichever views a capture has; "" = no view. */
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

/* Parts of the title, left to right; when there is no room they are dropped in this order. */
struct part {
	char text[160];
};
enum { PART_RUN, PART_HOST, PART_DEVICES, PART_SIMULATED, PART_PARTIAL, PART_AGAINST, NPARTS };

/* The last name of a path, which may end in a slash. */
static struct slice base_name(const char *path)
{
	size_t n = strlen(path), from;

	while (n > 1 && path[n - 1] == '/')
		n--;
	for (from = n; from && path[from - 1] != '/';)
		from--;
	return from < n ? (struct slice){ path + from, n - from } : slice_of(path);
}

static const char *shown_name(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
}

static const char *input_name(const struct app *app)
{
	struct app_options o = app_source(app);

	return o.sample ? o.sample_name : o.npaths ? shown_name(o.paths[0]) : "";
}

static void host_part(const struct app *app, bool wide, char *out, size_t size)
{
	const struct dump *d = app->cap->dump;
	int host = app->cap->scope.host >= 0 ? app->cap->scope.host : d->nhosts == 1 ? 0 : -1;

	if (host >= 0)
		snprintf(out, size, "%s%.*s",
		    wide && d->hosts[host].label == d->hosts[host].name ? "host " : "",
		    (int)dump_host_label(d, host).n, dump_host_label(d, host).s);
	else if (d->nhosts > 1 && dump_machines(d) < d->nhosts)
		snprintf(out, size, wide ? "%zu processes of %zu host%s" : "%zu processes", d->nhosts,
		    dump_machines(d), dump_machines(d) == 1 ? "" : "s");
	else if (d->nhosts > 1)
		snprintf(out, size, wide ? "hosts all (%zu)" : "%zu hosts", d->nhosts);
}

static void run_part(const struct app *app, bool wide, char *out, size_t size)
{
	const struct dump *d = app->cap->dump;
	const char *name = d->runs[d->run].name;

	if (app->p->chosen.n > 1)
		snprintf(out, size, "%s%s and %zu more", wide ? "run " : "", name, app->p->chosen.n - 1);
	else
		snprintf(out, size, "%s%s (%zu of %zu)", wide ? "run " : "", name, d->run + 1, d->nruns);
}

static bool is_partial(const struct dump *d)
{
	bool partial = d->canceled;

	for (size_t i = 0; i < d->nfiles; i++)
		partial |= d->files[i].partial;
	return partial;
}

static void title_parts(const struct app *app, bool wide, struct part *part)
{
	const struct dump *d = app->cap->dump;
	struct slice input = base_name(input_name(app));

	memset(part, 0, NPARTS * sizeof *part);
	if (!d) {
		snprintf(part[PART_RUN].text, sizeof part->text, "%.*s", (int)input.n, input.s);
		return;
	}
	if (app_against_path(app, 0)) {
		struct slice name = base_name(app_against_path(app, 0));
		char rest[32] = "";
		size_t more = 0;

		while (app_against_path(app, more + 1))
			more++;
		if (more)
			snprintf(rest, sizeof rest, " and %zu more", more);
		snprintf(part[PART_AGAINST].text, sizeof part->text, "%sbase %.*s%s",
		    app_against_swapped(app) ? "" : "against ", name.n < 100 ? (int)name.n : 100, name.s,
		    rest);
	}
	host_part(app, wide, part[PART_HOST].text, sizeof part->text);
	snprintf(part[PART_DEVICES].text, sizeof part->text, "%s", app->p->title_devices);
	if (d->nruns)
		run_part(app, wide, part[PART_RUN].text, sizeof part->text);
	else if (!*app->p->title_devices && d->nfiles)
		snprintf(part[PART_RUN].text, sizeof part->text, "%.*s", d->nfiles > 1 ? (int)input.n : 150,
		    d->nfiles > 1 ? input.s : shown_name(d->files[0].base));
	if (d->simulated)
		snprintf(part[PART_SIMULATED].text, sizeof part->text, "simulated");
	if (is_partial(d))
		snprintf(part[PART_PARTIAL].text, sizeof part->text, "partial");
}

static int title_width(const struct part *part, int gap)
{
	int n = 10; /* " tpuscope" and a space */

	for (int i = 0; i < NPARTS; i++)
		n += *part[i].text ? gap + utf8_cols(part[i].text, strlen(part[i].text)) : 0;
	return n;
}

enum { NAME_LEAST = 16 };

static int text_cols(const char *s)
{
	return utf8_cols(s, strlen(s));
}

/* Leaves out what has no room before `end`.  A name of a file or host is shortened first, as long as something of it
 * is told: returns the columns that it has then, for the first part that is there. */
static int fit_title(const struct app *app, struct part *part, int gap, int end)
{
	bool run = app->cap->dump && app->cap->dump->nruns;

	for (int i = 0; i < NPARTS && title_width(part, gap) > end; i++) {
		int cols = text_cols(part[i].text) - (title_width(part, gap) - end) - 1;

		if ((i == PART_HOST || (i == PART_RUN && !run)) && cols >= NAME_LEAST)
			return cols;
		part[i].text[0] = 0;
	}
	return end;
}

static void draw_title(struct app *app)
{
	struct canvas *c = &app->p->canvas;
	struct view *v = app_here(app);
	bool wide = c->cols >= 100;
	int gap = wide ? 3 : 2, right_at = c->cols, x, room;
	char right[200] = "";
	struct part part[NPARTS];

	canvas_fill(c, (struct rect){ 0, 0, 1, c->cols }, ' ', ROLE_TITLE, 0);
	if (v && v->ops->title_right)
		v->ops->title_right(v, right, sizeof right);
	if (*right && utf8_cols(right, strlen(right)) + 12 <= c->cols)
		right_at = canvas_right(c, 0, c->cols - 1, ROLE_TITLE, 0, right);
	title_parts(app, wide, part);
	room = fit_title(app, part, gap, right_at);
	x = 1 + canvas_str(c, 0, 1, right_at - 1, ROLE_TITLE, ATTR_BOLD, "tpuscope");
	for (int i = 0; i < NPARTS; i++)
		if (*part[i].text) {
			x += gap +
			    canvas_cut(c, 0, x + gap, room, ROLE_TITLE, ATTR_BOLD, part[i].text,
				strlen(part[i].text));
			room = c->cols;
		}
}

/* Draws the title of a screen that stands in place of a view. */
static void draw_screen_title(const struct overlay *o, struct canvas *c)
{
	char left[200] = "", right[100] = "";
	int end = c->cols - 1;

	canvas_fill(c, (struct rect){ 0, 0, 1, c->cols }, ' ', ROLE_TITLE, 0);
	o->ops->title(o, left, right, sizeof right);
	if (utf8_cols(left, strlen(left)) + utf8_cols(right, strlen(right)) + 16 < c->cols)
		end = canvas_right(c, 0, end, ROLE_TITLE, 0, right) - 1;
	canvas_str(c, 0, 1, 8, ROLE_TITLE, ATTR_BOLD, "tpuscope");
	canvas_cut(c, 0, 12, end - 12, ROLE_TITLE, ATTR_BOLD, left, strlen(left));
}

static const struct view_ops *tab_ops(const struct app *app, size_t i)
{
	return app->nviews ? i < app->nviews ? app->views[i].ops : NULL : view_list[i];
}

/* What tab i shows: the current view if it shares the tab of view i (ops->of), else view i itself; NULL: view
 * i has no tab of its own. */
static const struct view_ops *shown_in_tab(struct app *app, size_t i)
{
	const struct view_ops *ops = tab_ops(app, i),
			      *here = app->nviews ? app->views[app->current].ops : ops;

	if (here->of && !strcmp(here->of, ops->id))
		return here;
	if (!app->nviews) /* nothing is known yet but the views that have a number */
		return app_tab_number(ops->id) ? ops : NULL;
	if (!ops->of)
		return app->views[app_tab_leads(app, i)].ops;
	if (app_view(app, ops->of))
		return NULL;
	for (size_t k = 0; k < i; k++) /* the tab belongs to the first view that shares it */
		if (tab_ops(app, k)->of && !strcmp(tab_ops(app, k)->of, ops->of))
			return NULL;
	return here->of && !strcmp(here->of, ops->of) ? here : ops;
}

/* Which titles of tabs are short: none, those of pages that share the tab of a view, all. */
enum shorter { SHORTER_NONE, SHORTER_PAGES, SHORTER_ALL };

struct tab_way {
	enum shorter shorter;
	int gap;
	int left; /* out, from the first tab on */
};

/* Columns of all tabs; *here_end: where the one on the screen ends.  really: draws those that fit as a whole, with a
 * mark where others are left out. */
static int draw_tabs_as(struct app *app, const struct tab_way *way, bool really, int *here_end)
{
	struct canvas *c = &app->p->canvas;
	const struct view_ops *ops;
	int x = 0, left = way->left;

	for (size_t i = 0; (ops = tab_ops(app, i)); i++) {
		const struct view_ops *shown = shown_in_tab(app, i);
		bool here = app->nviews && shown == app->views[app->current].ops;
		int number = app_tab_number(ops->of ? ops->of : ops->id), cols;
		const char *title;
		char text[48];

		if (!shown || left-- > 0)
			continue;
		title = shown->title;
		if (shown->short_title &&
		    (way->shorter == SHORTER_ALL || (way->shorter == SHORTER_PAGES && shown->of)))
			title = shown->short_title;
		if (number)
			snprintf(text, sizeof text, " %d %s ", number, title);
		else
			snprintf(text, sizeof text, " %s ", title);
		cols = utf8_cols(text, strlen(text));
		if (really && x + cols > c->cols) {
			canvas_glyph(c, 1, c->cols - 1, GLYPH_CUT_RIGHT, ROLE_TAB, 0);
			break;
		}
		if (here)
			*here_end = x + cols;
		if (really)
			canvas_str(c, 1, x, cols, here ? ROLE_TAB_HERE : ROLE_TAB, 0, text);
		if (really && app->nviews)
			app_hot(app, 1, x, x + cols, (int)i, ACT_NONE);
		x += cols + way->gap;
	}
	if (really && way->left)
		canvas_glyph(c, 1, 0, GLYPH_CUT_LEFT, ROLE_TAB, 0);
	return x - way->gap;
}

/* As wide as they fit; where they never do, the tab on the screen is among those that are left. */
static void draw_tabs(struct app *app)
{
	static const struct tab_way ways[] = { { SHORTER_NONE, 0, 0 }, { SHORTER_NONE, -1, 0 },
		{ SHORTER_PAGES, -1, 0 }, { SHORTER_ALL, 0, 0 }, { SHORTER_ALL, -1, 0 } };
	int cols = app->p->canvas.cols, here = 0;
	struct tab_way way;
	size_t i = 0;

	while (i + 1 < sizeof ways / sizeof *ways && draw_tabs_as(app, &ways[i], false, &here) > cols)
		i++;
	way = ways[i];
	for (draw_tabs_as(app, &way, false, &here); here > cols; way.left++)
		draw_tabs_as(app, &(struct tab_way){ way.shorter, way.gap, way.left + 1 }, false, &here);
	draw_tabs_as(app, &way, true, &here);
}

/* An entry of the key bar: keys and a label. */
struct item {
	char keys[64];
	const char *label;
	int cols;
};

/* Returns the columns used, with the gap after it; 0 when there is no room. */
static int draw_item(struct canvas *c, int x, int end, const struct item *it)
{
	int at = x;

	if (it->cols > end - x)
		return 0;
	at += canvas_str(c, c->rows - 1, at, it->cols, ROLE_KEYBAR_KEY, 0, it->keys);
	canvas_str(c, c->rows - 1, at + 1, it->cols, ROLE_KEYBAR, 0, it->label);
	return it->cols + 2;
}

/* ".." between two keys: all between them */
static bool is_key_name(struct slice word)
{
	return word.n == 1 || slice_is(word, "..") || slice_is(word, "Esc") || slice_is(word, "Tab") ||
	    slice_is(word, "Enter") || slice_is(word, "Up");
}

/* Labels name the default keys; the bar shows the keys that are bound to the same actions now. */
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
		if (!strcmp(word[i], ".."))
			words_add(out, size, " ", word[i]);
		else if (word[i][1])
			s = name;
		if (!key_parse(&s, &key) &&
		    keymap_keys(&app->keymap, keymap_default(scope, key), scope, &key, 1))
			words_add(out, size, " ", key_show(key, one, sizeof one));
	}
}

/* Splits "w s zoom" into its leading key names and the label; a label without key names gets the first key of
 * the action.  Returns false when the action has no key. */
static bool item_make(const struct app *app, enum action a, enum scope scope, const char *text,
    struct item *it)
{
	struct key key;
	int keys = 0;

	if (a == ACT_BACK && !strcmp(text, "q quit") && app_has_history(app)) {
		text = "q back";
	} else if (a == ACT_BACK && keymap_keys(&app->keymap, a, scope, &key, 1) &&
	    app_back_stays(app, key)) {
		a = ACT_QUIT;
		text = "quit";
	}
	for (const char *p = text; *p;) {
		size_t n = strcspn(p, " ");

		if (!p[n] || !is_key_name((struct slice){ p, n }))
			break;
		keys = (int)(p + n - text);
		p += n + 1;
	}
	*it = (struct item){ .label = text + (keys ? keys + 1 : 0) };
	if (keys && a == ACT_NONE)
		snprintf(it->keys, sizeof it->keys, "%.*s", keys, text);
	else if (keys)
		bar_keys(app, scope, text, keys, it->keys, sizeof it->keys);
	else if (keymap_keys(&app->keymap, a, scope, &key, 1))
		key_show(key, it->keys, sizeof it->keys);
	it->cols = utf8_cols(it->keys, strlen(it->keys)) + 1 + utf8_cols(it->label, strlen(it->label));
	return *it->keys;
}

/* The key bar entries of a scope; the view on the screen may replace its own. */
static const struct bar_entry *bar_entries(const struct app *app, enum scope scope, size_t *n)
{
	const struct view *v = app->nviews && !app->p->overlay ? &app->views[app->current] : NULL;
	const struct bar_entry *e = v && v->ops->scope == scope && v->ops->bar ? v->ops->bar(v, n) : NULL;

	return e ? e : action_bar(n);
}

static bool in_bar_of(const struct app *app, enum scope scope, enum action a)
{
	size_t n;
	const struct bar_entry *e = bar_entries(app, scope, &n);

	for (size_t i = 0; i < n; i++)
		if (e[i].scope == scope && e[i].action == a && *e[i].text)
			return true;
	return false;
}

static int draw_action(struct app *app, int x, int end, enum action a, const struct item *it)
{
	int used = draw_item(&app->p->canvas, x, end, it);

	if (used)
		app_hot(app, app->p->canvas.rows - 1, x, x + used - 2, -1, a);
	return used;
}

/* Progress of drawing the key bar: `kept` columns are reserved for entries that must not be missing until they
 * are drawn; full: an entry did not fit. */
struct key_bar {
	int x, kept;
	bool full;
};

/* The help, and where there is room the menu, which has what did not fit. */
static bool is_kept(const struct app *app, enum action a)
{
	return a == ACT_HELP || (a == ACT_ACTIONS && app->p->canvas.cols >= 80);
}

static int kept_cols(const struct app *app)
{
	size_t n;
	const struct bar_entry *e = action_bar(&n);
	struct item it;
	int cols = 0;

	for (size_t i = 0; i < n; i++)
		if (e[i].scope == SCOPE_ALL && is_kept(app, e[i].action) &&
		    item_make(app, e[i].action, app_scope(app), e[i].text, &it))
			cols += it.cols + 2;
	return cols;
}

/* Whether the action goes to a view that the capture does not have. */
static bool leads_nowhere(struct app *app, enum action a)
{
	const char *view = app_shows_in(a);

	if (a == ACT_MEMORY_VIEW)
		return !app_view(app, "memory") || !app_view(app, "memory_profile");
	return (view && !app_view(app, view)) || (app_early_view(app) && !app_early_can(app, a));
}

/* Draws the entries of a scope with the keys they have in the current view; skips those the view lists
 * itself. */
static void draw_bar_scope(struct app *app, struct key_bar *bar, enum scope scope)
{
	enum scope here = app_scope(app);
	size_t n;
	const struct bar_entry *e = bar_entries(app, scope, &n);

	for (size_t i = 0; i < n; i++) {
		bool keep = bar->kept && is_kept(app, e[i].action);
		int used, end = app->p->canvas.cols - 1;
		struct item it;

		if (e[i].scope != scope || !*e[i].text || (bar->full && !keep) ||
		    (scope != here && in_bar_of(app, here, e[i].action)) || leads_nowhere(app, e[i].action) ||
		    !item_make(app, e[i].action, here, e[i].text, &it))
			continue;
		if (keep)
			bar->kept -= it.cols + 2;
		used = draw_action(app, bar->x, end - bar->kept, e[i].action, &it);
		bar->full |= !used;
		bar->x += used;
	}
}

static int draw_fixed(struct app *app, const char *const *text)
{
	struct canvas *c = &app->p->canvas;
	struct item it;
	int x = 1;

	for (; *text; text++)
		if (item_make(app, ACT_NONE, SCOPE_ALL, *text, &it))
			x += draw_item(c, x, c->cols - 1, &it);
	return x;
}

/* Bytes of the message that fit on the status line, cut at a space where possible; the rest covers the key
 * bar. */
static size_t message_first(const struct app *app)
{
	const char *text = app->message;
	size_t len = strlen(text), fit = utf8_fit(text, len, app->p->canvas.cols - 2), at = fit;

	if (fit == len)
		return len;
	while (at > fit / 2 && text[at] != ' ')
		at--;
	return at > fit / 2 ? at : fit;
}

static bool message_is_long(const struct app *app)
{
	return !app->p->prompt.open && message_first(app) < strlen(app->message);
}

static void draw_message(struct app *app)
{
	struct canvas *c = &app->p->canvas;
	enum role role = app->message_error ? ROLE_ERROR : ROLE_MESSAGE;
	size_t first = message_first(app);
	const char *rest = app->message + first;

	canvas_text(c, c->rows - 2, 1, c->cols - 2, role, 0, app->message, first);
	rest += *rest == ' ';
	canvas_cut(c, c->rows - 1, 1, c->cols - 2, role, 0, rest, strlen(rest));
}

static void draw_key_bar(struct app *app)
{
	static const char *const
	    command[] = { "Enter run", "Tab complete", "Up history", "Esc close", NULL },
	    *const search[] = { "Enter search", "Tab complete", "Up history", "Esc close", NULL },
	    *const other[] = { "Enter done", "Tab complete", "Up history", "Esc close", NULL },
	    *const load[] = { "Esc stop and keep", "q quit", NULL }, *const back[] = { "Esc back", NULL };
	struct app_private *p = app->p;
	struct canvas *c = &p->canvas;
	struct key_bar bar = { .x = 1 };

	if (message_is_long(app))
		return;
	canvas_fill(c, (struct rect){ c->rows - 1, 0, 1, c->cols }, ' ', ROLE_KEYBAR, 0);
	if (p->prompt.open)
		draw_fixed(app, p->prompt.label == ':' ? command : p->prompt.label == '/' ? search : other);
	else if (!p->overlay && !app->nviews) {
		bar.x = draw_fixed(app, app_early_can(app, ACT_BACK) ? back : load);
		if (app_early_view(app))
			draw_bar_scope(app, &bar, SCOPE_TIMELINE);
	} else if (p->overlay)
		draw_bar_scope(app, &bar, app_scope(app));
	else {
		bar.kept = kept_cols(app);
		draw_bar_scope(app, &bar, app_scope(app));
		draw_bar_scope(app, &bar, SCOPE_ALL);
	}
}

void app_count_text(const struct app *app, char *buf, size_t size)
{
	const struct app_private *p = app->p;

	*buf = '\0';
	if (p->counting && p->count)
		snprintf(buf, size, "count %d", p->count);
	else if (p->counting)
		snprintf(buf, size, "count: digits, then a key");
}

enum { NAME_COLS = 24 }; /* of a long name; this much of it is better than nothing */

/* Shortens the status text.  Its parts are three spaces apart; whole parts are dropped from the end, because
 * half a number would be a different number. */
static void drop_last_parts(char *left, int room)
{
	size_t len = strlen(left), fits = utf8_fit(left, len, room > 0 ? room : 0);

	if (fits == len)
		return;
	for (size_t i = fits; i > 0 && fits < i + NAME_COLS; i--)
		if (!strncmp(left + i, "   ", 3)) {
			left[i] = '\0';
			return;
		}
}

static struct loading app_loading(const struct app *app)
{
	const struct progress *now = loader_progress(app->p->loader);

	return (struct loading){ input_name(app), now->what, now->bytes, now->total, now->events,
		loader_elapsed_ms(app->p->loader), loader_canceled(app->p->loader) };
}

void app_loading_message(struct app *app, const char *what)
{
	struct loading l = app_loading(app);
	char text[80];

	app_say(app, "%s%s%s", what ? what : "", what ? "; " : "", loading_text(&l, text, sizeof text));
}

static void loading_status(const struct app *app, char *buf, size_t size)
{
	const struct app_private *p = app->p;
	const char *what = loader_canceled(p->loader) ? "stopping; what was read is kept"
						      : "Esc stops and keeps what is loaded";

	if (p->ntyped)
		snprintf(buf, size, "%s   %zu key%s for the rest", what, p->ntyped,
		    p->ntyped == 1 ? " waits" : "s wait");
	else
		snprintf(buf, size, "%s", what);
}

static void draw_status(struct app *app)
{
	struct app_private *p = app->p;
	struct canvas *c = &p->canvas;
	struct view *v = app_here(app), *early = app_early_view(app);
	char left[400] = "", right[400] = "", job[80], count[40];
	int y = c->rows - 2, x = 1, end = c->cols - 1, room = end;

	if (p->prompt.open) {
		prompt_draw(&p->prompt, c, y);
		return;
	}
	if (*app->message) {
		draw_message(app);
		return;
	}
	if (p->overlay) {
		if (p->overlay->ops->status)
			p->overlay->ops->status(p->overlay, left, sizeof left);
	} else if (p->export_path) {
		snprintf(left, sizeof left, "%.200s will be written when this is computed; Esc cancels",
		    p->export_path);
	} else if (v && v->ops->status) {
		v->ops->status(v, left, right, sizeof left);
	} else if (early && app_early_can(app, ACT_BACK)) {
		early->ops->status(early, left, right, sizeof left);
	} else if (p->loader) {
		loading_status(app, left, sizeof left);
	}
	app_count_text(app, count, sizeof count);
	if (*count)
		x += canvas_str(c, y, x, end - x, ROLE_BOLD, 0, count) + 3;
	if (p->pattern && v && v->ops->find_status && p->pattern_view == app->current && !p->overlay) {
		x += canvas_fmt(c, y, x, end - x, ROLE_BOLD, 0, "/%s", regex_pattern(p->pattern)) + 4;
		v->ops->find_status(v, left, sizeof left);
	}
	jobs_text(app, job, sizeof job);
	if (*job)
		room -= utf8_cols(job, strlen(job)) + 3;
	if (*right && utf8_cols(left, strlen(left)) + utf8_cols(right, strlen(right)) + x + 3 <= room)
		end = canvas_right(c, y, end, ROLE_STATUS, 0, right) - 3;
	if (*job)
		end = canvas_right(c, y, end, ROLE_STATUS, 0, job) - 2;
	drop_last_parts(left, end - x);
	canvas_start(c, y, x, end - x, ROLE_STATUS, 0, left, strlen(left));
}

static void draw_loading(struct app *app, struct rect area)
{
	const struct app_private *p = app->p;
	struct loading l =
	    p->loader ? app_loading(app) : (struct loading){ .name = input_name(app), .what = "" };

	if (app_early_view(app)) {
		app_early_draw(app, &app->p->canvas);
		canvas_clip(&app->p->canvas, area);
		area.h = EARLY_ROWS;
	}
	loading_draw(&l, &app->p->canvas, area);
}

void app_draw(struct app *app)
{
	struct app_private *p = app->p;
	struct canvas *c = &p->canvas;
	struct view *v = app_here(app);
	struct overlay *screen = app_screen(app);
	struct rect area = { 2 - (screen != NULL), 0, c->rows - 4 + (screen != NULL), c->cols };

	canvas_clear(c);
	p->nhot = 0;
	if (app_too_small(app)) {
		canvas_fmt(c, 0, 0, c->cols, ROLE_TEXT, 0, "terminal too small (need %dx%d)", MIN_COLS,
		    MIN_ROWS);
		return;
	}
	canvas_clip(c, area);
	if (p->overlay && p->overlay->ops->scope == SCOPE_HELP)
		; /* the overlay covers the view */
	else if (screen)
		screen->ops->draw(screen, c, area);
	else if (v && v->opened)
		v->ops->draw(v, c);
	else if (!app->cap->dump)
		draw_loading(app, area);
	if (p->overlay && p->overlay != screen) {
		memset(c->late, 0, sizeof c->late);
		canvas_clip(c, area);
		p->overlay->ops->draw(p->overlay, c, area);
	}
	canvas_clip(c, (struct rect){ 0, 0, c->rows, c->cols });
	if (screen) {
		draw_screen_title(screen, c);
	} else {
		draw_title(app); /* after the view, which may decide what it shows while drawing */
		draw_tabs(app);
	}
	if (!p->overlay)
		banner_draw(app);
	draw_status(app);
	draw_key_bar(app);
}
