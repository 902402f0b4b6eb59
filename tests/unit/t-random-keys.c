/* Keys at random in every view of many captures, on a terminal that is not there: nothing crashes, hangs or
 * leaks, nothing reads beyond the end of a name, and what is on the screen after a key is what a screen drawn
 * from nothing shows.  Keys come from the keymap of what has the keyboard, prompts get words, the mouse clicks
 * and drags, the size changes.
 *
 * Each walk is a process of its own.  When one fails, its keys are made as few as fail, too, and printed as
 * `tpuscope snapshot` takes them.  The same seed makes the same walks.
 *
 *	RANDOM_KEYS_SEED=7 RANDOM_KEYS_SECONDS=1200 make check TESTS=tests/unit/t-random-keys
 *	RANDOM_KEYS_SCENE=demo …	scenes whose name has that in it, alone
 *	SAMPLES=/my/captures …		captures and logdirs there, too; RANDOM_KEYS_SCENE=/my these alone */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include "../lib/corpus.h"
#include "../lib/guarded.h"
#include "../lib/mkpod.h"
#include "app/session.h"
#include "base/text/utf8.h"
#include "core/state.h"
#include "app/internal.h"

enum {
	STEPS = 120,           /* of a walk */
	WALKS = 100,           /* unless a time is asked for */
	SECONDS_PER_STEP = 60, /* more is a hang; sanitizers are slow */
	SHRINK_SECONDS = 30,
	SCENES_MAX = 1000
};

struct played {
	struct key key;
	struct mouse mouse;
	int rows, cols; /* K_RESIZE */
};

struct scene {
	char name[300], path[4][800];
	size_t npaths;
	char *bytes; /* else of a file, under the name `as` */
	size_t size;
	const char *as;
	bool texts;
};

/* Shared between the processes: what the walk did so far. */
struct walk {
	uint64_t random;
	const struct scene *scene;
	char view[32], glyphs[16];
	int rows, cols;
	bool mouse, against;
	struct played step[STEPS];
	size_t n;
	char wrong[300];
};

static struct scene scene[SCENES_MAX];
static size_t nscenes;
static char scratch[600];

static uint64_t random_of(uint64_t *state, uint64_t n)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (*state >> 11) % n;
}

/* --- the terminal --- */

struct screen {
	struct term base;
	int rows, cols;
};

static int screen_wait(struct term *t, int fd, int timeout_ms)
{
	(void)t;
	(void)fd;
	(void)timeout_ms;
	return 0;
}

static int screen_key(struct term *t, struct key *key)
{
	(void)t;
	(void)key;
	return 0;
}

static void screen_size(struct term *t, int *rows, int *cols)
{
	*rows = ((struct screen *)t)->rows;
	*cols = ((struct screen *)t)->cols;
}

static bool screen_draw(struct term *t, const struct canvas *c, int most)
{
	(void)t;
	(void)c;
	return most < 0;
}

static void screen_nothing(struct term *t)
{
	(void)t;
}

static int screen_clipboard(struct term *t, const char *text, size_t n)
{
	(void)t;
	return text[n] ? -1 : 0;
}

static const struct term_ops screen_ops = {
	.wait = screen_wait,
	.key = screen_key,
	.size = screen_size,
	.draw = screen_draw,
	.redraw = screen_nothing,
	.suspend = screen_nothing,
	.leave = screen_nothing,
	.back = screen_nothing,
	.clipboard = screen_clipboard,
	.close = screen_nothing,
};

/* --- steps of a walk --- */

static const char *const words[] = { "fusion", "all-reduce", "copy", "e", "1", "zzz", "(", "[a", ".*", "^$",
	"name~f dur>1us", "name~f dur>", "stat:flops>0", "\xc3\xa4", "while", "host", "   " };
static const char *const commands[] = { "goto 1ms", "goto 99s", "goto step 1", "goto fusion", "topology 2x2",
	"topology 1x1", "topology", "view timeline", "view memory", "view pod", "view files", "set mouse on",
	"set glyphs ascii", "set glyphs braille", "set theme mono", "set time utc", "set clock plain",
	"set clock device", "set peaks 100,200", "set guide on", "keys azerty", "keys dvorak", "keys qwerty",
	"sort busy", "sort name", "tracks XLA", "tracks zzz", "show all", "color category", "color step",
	"mark a", "bookmark b", "unmark a", "find-args 1", "export x.csv", "export x.json", "export x.txt",
	"bind all x down", "unbind all x", "zoom-in", "nonsense", "vi", "set ", "bind timeline ", "keys ",
	"sort ", "view " };
static const int sizes[][2] = { { 8, 40 }, { 24, 80 }, { 9, 122 }, { 60, 200 }, { 10, 41 }, { 25, 81 },
	{ 3, 20 }, { 16, 60 }, { 40, 120 }, { 9, 43 }, { 9, 335 } };

struct typist {
	const char *text; /* the text being typed */
};

static struct key typed_key(struct walk *w, struct app *app, struct typist *typist)
{
	static const struct key edits[] = { { K_TAB, 0 }, { K_TAB, 0 }, { K_BACKSPACE, 0 }, { K_UP, 0 },
		{ K_DOWN, 0 }, { K_LEFT, 0 }, { K_HOME, 0 }, { K_DEL, 0 }, { K_ESC, 0 }, { 'w', MOD_CTRL },
		{ 'u', MOD_CTRL }, { 'a', MOD_CTRL }, { 'k', MOD_CTRL } };
	bool command = app->p->prompt.label == ':';
	uint64_t r = random_of(&w->random, 10);

	if (typist->text && *typist->text) {
		const char *s = typist->text, *end = s + strlen(s);
		uint32_t c = utf8_next(&s, end);

		typist->text = s;
		return (struct key){ c, 0 };
	}
	if (typist->text) {
		typist->text = NULL;
		return r < 2 ? edits[random_of(&w->random, sizeof edits / sizeof *edits)]
			     : (struct key){ K_ENTER, 0 };
	}
	if (r < 2)
		return edits[random_of(&w->random, sizeof edits / sizeof *edits)];
	if (r < 4)
		return (struct key){ K_ENTER, 0 };
	typist->text = command ? commands[random_of(&w->random, sizeof commands / sizeof *commands)]
			       : words[random_of(&w->random, sizeof words / sizeof *words)];
	return typed_key(w, app, typist);
}

/* Mostly a key of what has the keyboard; keys that leave the program are rare. */
static struct key bound_key(struct walk *w, const struct app *app)
{
	enum scope here = app_scope(app);

	for (;;) {
		const struct binding *b = &app->keymap.v[random_of(&w->random, app->keymap.n)];
		uint64_t r = random_of(&w->random, 100);

		if (b->scope != here && (b->scope != SCOPE_ALL || r > 35) && r > 2)
			continue;
		/* their pages count seconds, and are never twice the same */
		if (b->action == ACT_CAPTURE_JOB || b->action == ACT_WATCH_JOB ||
		    b->action == ACT_WATCH_CHIPS)
			continue;
		if ((b->action == ACT_QUIT && r) || (b->action == ACT_BACK && r > 8) ||
		    (b->action == ACT_RELOAD && r > 5))
			continue;
		return b->key;
	}
}

/* Mostly clicks. */
static struct mouse random_mouse(struct walk *w, const struct canvas *c)
{
	static const enum mouse_kind kinds[] = { MOUSE_PRESS, MOUSE_PRESS, MOUSE_PRESS, MOUSE_DRAG,
		MOUSE_RELEASE, MOUSE_WHEEL };
	struct mouse m = { .kind = kinds[random_of(&w->random, sizeof kinds / sizeof *kinds)] };

	m.button = m.kind == MOUSE_WHEEL ? 0 : random_of(&w->random, 5) ? 1 : 3;
	m.dir = m.kind != MOUSE_WHEEL ? 0 : random_of(&w->random, 2) ? 1 : -1;
	m.y = (int)random_of(&w->random, (uint64_t)c->rows + 1);
	m.x = (int)random_of(&w->random, (uint64_t)c->cols + 1);
	return m;
}

static struct played random_step(struct walk *w, struct app *app, struct typist *typist)
{
	struct played s = { .rows = 0 };
	uint64_t r = random_of(&w->random, 100);

	if (app->p->prompt.open) {
		s.key = typed_key(w, app, typist);
		return s;
	}
	typist->text = NULL;
	s.key = bound_key(w, app);
	if (r < 3) {
		size_t i = random_of(&w->random, sizeof sizes / sizeof *sizes);

		s.key = (struct key){ K_RESIZE, 0 };
		s.rows = sizes[i][0];
		s.cols = sizes[i][1];
	} else if (r < 15 && w->mouse) {
		s.key = (struct key){ K_MOUSE, 0 };
		s.mouse = random_mouse(w, &app->p->canvas);
	} else if (r < 18) {
		s.key = (struct key){ (uint32_t)('0' + random_of(&w->random, 10)), 0 };
	} else if (r < 22) {
		s.key = (struct key){ (uint32_t)('1' + random_of(&w->random, 9)), MOD_ALT };
	} else if (r < 34) {
		s.key = (struct key){ (uint32_t)(uint8_t) "::::://///&&E"[random_of(&w->random, 13)], 0 };
	} else if (r < 38) {
		s.key = (struct key){ (uint32_t)(' ' + random_of(&w->random, 95)), 0 };
		s.key.code = s.key.code == 'Q' ? 'j' : s.key.code;
	} else if (r < 39) {
		s.key = (struct key){ K_EOF, 0 };
	}
	return s;
}

/* --- checks --- */

static bool same_cells(const struct canvas *c, const struct canvas_cell *v, size_t *at)
{
	for (*at = 0; *at < (size_t)c->rows * (size_t)c->cols; ++*at) {
		const struct canvas_cell *a = &c->cells[*at], *b = &v[*at];

		if (a->ch != b->ch || a->role != b->role || a->attr != b->attr || a->under != b->under)
			return false;
	}
	return true;
}

/* Every cell is drawn, and drawing changes nothing that shows in the next frame. */
static void check_redraw(struct walk *w, struct app *app)
{
	struct canvas *c = &app->p->canvas;
	size_t n = (size_t)c->rows * (size_t)c->cols, at;
	struct canvas_cell *seen = malloc(n * sizeof *seen);
	int y = c->cursor_y, x = c->cursor_x;

	if (!seen)
		abort();
	memcpy(seen, c->cells, n * sizeof *seen);
	for (size_t i = 0; i < n; i++)
		c->cells[i] = (struct canvas_cell){ .ch = '#', .role = 3, .attr = ATTR_BOLD };
	app_draw(app);
	if (!same_cells(c, seen, &at))
		snprintf(w->wrong, sizeof w->wrong,
		    "drawn anew, row %zu column %zu is another: %c (U+%04X, role %d, attr %d) was %c "
		    "(U+%04X, role "
		    "%d, attr %d)",
		    at / (size_t)c->cols, at % (size_t)c->cols,
		    c->cells[at].ch < 127 ? (int)c->cells[at].ch : '?', (unsigned)c->cells[at].ch,
		    c->cells[at].role, c->cells[at].attr, seen[at].ch < 127 ? (int)seen[at].ch : '?',
		    (unsigned)seen[at].ch, seen[at].role, seen[at].attr);
	else if (y != c->cursor_y || x != c->cursor_x)
		snprintf(w->wrong, sizeof w->wrong, "drawn anew, the cursor is elsewhere");
	for (size_t i = 0; i < n; i++)
		if (seen[i].ch && seen[i].ch < ' ')
			snprintf(w->wrong, sizeof w->wrong, "a control character is on the screen");
	free(seen);
}

/* --- a walk --- */

/* The app and what it needs to run. */
struct stage {
	struct app app;
	struct app_options options;
	const char *paths[4];
	struct screen screen;
};

/* Each walk starts in a clean state. */
static void forget_state(const struct dump *d)
{
	char head[STATE_HEAD];
	uint64_t id;
	char *path;

	state_head(d, head, &id);
	path = state_path(id);
	if (path)
		unlink(path);
	free(path);
}

static void stage_open(struct stage *s, const struct walk *w, bool again)
{
	const struct theme_ground paper = { .colors = 256, .unicode = true };
	int rows = again ? s->screen.rows : w->rows, cols = again ? s->screen.cols : w->cols;
	struct err err = { .at = ERR_NOWHERE };
	struct app_options *o = &s->options;
	struct capture *c;

	*s = (struct stage){ .screen = { .base = { .ops = &screen_ops }, .rows = rows, .cols = cols } };
	*o = (struct app_options){ .paths = s->paths,
		.npaths = w->scene->npaths,
		.sample = w->scene->bytes,
		.sample_size = w->scene->size,
		.sample_name = w->scene->as,
		.load = { .threads = 1, .texts = w->scene->texts },
		.glyphs = w->glyphs,
		.colors = -1 };
	for (size_t i = 0; i < o->npaths; i++)
		s->paths[i] = w->scene->path[i];
	if (w->against && o->npaths)
		o->against = s->paths[0];
	if (w->mouse)
		settings_set(&o->settings, SET_MOUSE, "on", SET_BY_OPTION, &err);
	if (!(c = load_now(o, &o->load, NULL, &err)))
		exit(0);
	guard_texts((struct dump *)c->dump);
	if (!again)
		forget_state(c->dump);
	app_begin(&s->app, o, &s->screen.base, themes[0], &glyphs_ascii);
	look_open(&s->app, &paper);
	app_session_open(&s->app, true);
	app_take(&s->app, c, &err);
}

static void do_step(struct stage *s, const struct walk *w, const struct played *p)
{
	alarm(SECONDS_PER_STEP);
	if (p->key.code == K_EOF) { /* quits, and comes back */
		app_session_save(&s->app);
		app_end(&s->app);
		stage_open(s, w, true);
		app_settle(&s->app);
	} else {
		if (p->key.code == K_RESIZE) {
			s->screen.rows = p->rows;
			s->screen.cols = p->cols;
		}
		s->screen.base.mouse = p->mouse;
		app_play_key(&s->app, p->key);
	}
	alarm(0);
}

/* Any view, but a third of the walks start in the timeline, which has the most keys. */
static void choose_view(struct walk *w, struct app *app)
{
	struct view *v = &app->views[random_of(&w->random, app->nviews)],
		    *timeline = app_view(app, "timeline");

	if (timeline && !random_of(&w->random, 3))
		v = timeline;
	snprintf(w->view, sizeof w->view, "%s", v->ops->id);
}

/* Runs in the process of the walk; when replaying it uses the recorded steps, else new ones. */
static void walk_here(struct walk *w, bool replayed)
{
	struct typist typist = { .text = NULL };
	static struct stage s;

	stage_open(&s, w, false);
	if (s.app.nviews) {
		if (!*w->view)
			choose_view(w, &s.app);
		app_switch(&s.app, (size_t)(app_view(&s.app, w->view) - s.app.views));
	}
	app_settle(&s.app);
	check_redraw(w, &s.app);
	for (size_t i = 0; i < (replayed ? w->n : STEPS) && !s.app.p->quit && !*w->wrong; i++) {
		if (!replayed) {
			w->step[i] = random_step(w, &s.app, &typist);
			w->n = i + 1;
		}
		do_step(&s, w, &w->step[i]);
		check_redraw(w, &s.app);
	}
	app_end(&s.app);
	exit(*w->wrong != 0);
}

/* An empty folder of its own, because exports never replace a file. */
static void enter_folder(void)
{
	struct dirent **names;
	int n;

	if (chdir(scratch) || (mkdir("walk", 0777) && errno != EEXIST) || chdir("walk"))
		abort();
	n = scandir(".", &names, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		unlink(names[i]->d_name); /* . and .. stay */
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}

/* Its exit status as waitpid() gives it; 0 = all is well. */
static int walk_apart(struct walk *w, bool replayed)
{
	int status = 0;
	pid_t pid;

	*w->wrong = 0;
	fflush(NULL);
	if ((pid = fork()) < 0)
		abort();
	if (!pid) {
		enter_folder();
		if (replayed && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
			abort();
		walk_here(w, replayed);
	}
	while (waitpid(pid, &status, 0) < 0)
		;
	return status;
}

/* --- what is printed --- */

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Removes steps, many at once at first, as long as the remaining ones still fail. */
static void shrink(struct walk *w)
{
	int64_t until = now_ms() + SHRINK_SECONDS * 1000;
	struct played *kept = malloc(sizeof w->step);
	char wrong[sizeof w->wrong];

	if (!kept)
		abort();
	memcpy(wrong, w->wrong, sizeof wrong);
	for (size_t part = (w->n + 1) / 2; part && w->n; part /= 2)
		for (size_t i = 0; i < w->n && now_ms() < until;) {
			size_t n = w->n, cut = part < n - i ? part : n - i;

			memcpy(kept, w->step, n * sizeof *kept);
			memmove(w->step + i, w->step + i + cut, (n - i - cut) * sizeof *w->step);
			w->n -= cut;
			if (walk_apart(w, true)) {
				memcpy(wrong, w->wrong, sizeof wrong);
				continue;
			}
			memcpy(w->step, kept, n * sizeof *kept);
			w->n = n;
			i += cut;
		}
	memcpy(w->wrong, wrong, sizeof wrong);
	free(kept);
}

static void print_keys(const struct walk *w)
{
	char buf[32];

	for (size_t i = 0; i < w->n; i++) {
		const struct played *s = &w->step[i];

		if (s->key.code == K_RESIZE)
			printf("{resize %dx%d}", s->cols, s->rows);
		else if (s->key.code == K_EOF)
			printf("{quit and reopen}");
		else if (s->key.code == K_MOUSE)
			printf("{mouse %d button %d wheel %d at %d,%d}", (int)s->mouse.kind, s->mouse.button,
			    s->mouse.dir, s->mouse.y, s->mouse.x);
		else
			printf("%s",
			    s->key.code == '\'' && !s->key.mods ? "'\\''"
								: key_format(s->key, buf, sizeof buf));
	}
}

static void print_walk(const struct walk *w, int status)
{
	const struct scene *s = w->scene;

	if (WIFSIGNALED(status))
		printf("# ended by signal %d%s\n", WTERMSIG(status),
		    WTERMSIG(status) == SIGALRM ? ": it hangs" : "");
	else
		printf("# %s\n", *w->wrong ? w->wrong : "the sanitizers said why");
	printf("# %stpuscope snapshot %s", s->texts ? "as `tpuscope triage` opens it: " : "", w->view);
	for (size_t i = 0; i < s->npaths; i++)
		printf(" %s", s->path[i]);
	if (s->bytes)
		printf(" %s", s->as);
	printf(" --size %dx%d --glyphs %s%s%s --keys '", w->cols, w->rows, w->glyphs,
	    w->mouse ? " --mouse" : "", w->against ? " --against the same" : "");
	print_keys(w);
	printf("'\n");
}

/* --- scenes --- */

static struct scene *scene_new(const char *name)
{
	if (nscenes == SCENES_MAX)
		abort();
	snprintf(scene[nscenes].name, sizeof scene->name, "%s", name);
	return &scene[nscenes++];
}

static void add_path(const char *name, const char *path)
{
	struct scene *s = scene_new(name);

	snprintf(s->path[0], sizeof s->path[0], "%s/%s", getenv("top_srcdir"), path);
	s->npaths = 1;
}

/* Keeps the files of the pod. */
static void add_pod(void)
{
	struct scene *s;
	char cwd[300];

	if (!getcwd(cwd, sizeof cwd) || chdir(scratch))
		abort();
	s = scene_new("pod of four hosts");
	space_keeps = true;
	dump_close(pod_load(4));
	space_keeps = false;
	for (s->npaths = 0; s->npaths < 4; s->npaths++) {
		char name[64];

		space_path(name, sizeof name, (int)s->npaths);
		snprintf(s->path[s->npaths], sizeof s->path[0], "%s/%s", scratch, name);
	}
	if (chdir(cwd))
		abort();
}

static void add_file(const char *folder, const char *name, const char *as)
{
	char text[300], path[800];
	struct scene *s;
	FILE *f;

	snprintf(text, sizeof text, "%s/%s", folder, name);
	snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", getenv("top_srcdir"), text);
	if (!(f = fopen(path, "rb")))
		abort();
	s = scene_new(text);
	s->as = as;
	s->bytes = malloc(1 << 20);
	s->size = s->bytes ? fread(s->bytes, 1, 1 << 20, f) : 0;
	s->texts = !strcmp(folder, "triage");
	fclose(f);
}

/* All files of the corpus, under names that tell their kind. */
static void add_corpus(void)
{
	for (size_t i = 0; i < CORPUS_FOLDERS; i++) {
		char path[800];
		struct dirent **names;
		int n;

		snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", getenv("top_srcdir"),
		    corpus_folders[i][0]);
		if ((n = scandir(path, &names, NULL, alphasort)) <= 0)
			abort();
		for (int k = 0; k < n; k++) {
			if (names[k]->d_name[0] != '.')
				add_file(corpus_folders[i][0], names[k]->d_name, corpus_folders[i][1]);
			free(names[k]);
		}
		free(names);
	}
}

/* The entries of the folders that SAMPLES names, each opened as a path. */
static void add_samples(void)
{
	char *folders = strdup(getenv("SAMPLES") ? getenv("SAMPLES") : ""), *rest = folders, *folder;

	while ((folder = strtok_r(rest, " ", &rest))) {
		struct dirent **names;
		int n = scandir(folder, &names, NULL, alphasort);

		for (int k = 0; k < n; k++) {
			struct scene *s =
			    *names[k]->d_name != '.' && nscenes < SCENES_MAX ? scene_new(folder) : NULL;

			if (s) {
				snprintf(s->path[0], sizeof s->path[0], "%s/%s", folder, names[k]->d_name);
				snprintf(s->name, sizeof s->name, "%.280s", names[k]->d_name);
				s->npaths = 1;
			}
			free(names[k]);
		}
		if (n >= 0)
			free(names);
	}
	free(folders);
}

/* --- */

/* Half of the walks use the sample, which has every view. */
static const struct scene *scene_of(uint64_t *random, const char *wanted)
{
	for (;;) {
		uint64_t r = random_of(random, 8);
		const struct scene *s = &scene[r < 3 ? 0
			: r < 4                      ? 1
			: r < 5                      ? 2
						     : random_of(random, nscenes)];

		if (!wanted || strstr(s->name, wanted))
			return s;
	}
}

static void walk_begin(struct walk *w, uint64_t seed, const char *wanted)
{
	static const char *const glyphs[] = { "blocks", "blocks", "ascii", "box", "braille" };
	size_t size;

	memset(w, 0, sizeof *w);
	w->random = (seed + 1) * 0x9e3779b97f4a7c15u;
	for (int i = 0; i < 8; i++)
		random_of(&w->random, 2);
	w->scene = scene_of(&w->random, wanted);
	size = random_of(&w->random, 4);
	w->rows = sizes[size][0];
	w->cols = sizes[size][1];
	w->mouse = random_of(&w->random, 2);
	w->against = random_of(&w->random, 3) == 0;
	snprintf(w->glyphs, sizeof w->glyphs, "%s", glyphs[random_of(&w->random, 5)]);
}

static long asked(const char *name, long otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtol(text, NULL, 10) : otherwise;
}

static int walk_all(struct walk *w, uint64_t seed, long seconds, const char *wanted)
{
	int64_t until = now_ms() + seconds * 1000;
	int failed = 0;
	uint64_t walks = 0;
	size_t keys = 0;

	for (; seconds ? now_ms() < until : walks < WALKS; walks++) {
		int status;

		walk_begin(w, seed + walks, wanted);
		status = walk_apart(w, false);
		keys += w->n;
		if (!status)
			continue;
		failed++;
		printf("not ok %d - %s, seed %llu\n", failed, w->scene->name,
		    (unsigned long long)(seed + walks));
		shrink(w);
		print_walk(w, status);
	}
	for (size_t i = 0; i < scene[2].npaths; i++)
		unlink(scene[2].path[i]);
	printf("ok %d - %llu walks from seed %llu on, %zu keys, %d failed\n1..%d\n", failed + 1,
	    (unsigned long long)walks, (unsigned long long)seed, keys, failed, failed + 1);
	return failed;
}

int main(void)
{
	struct walk *w = mmap(NULL, sizeof *w, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (w == MAP_FAILED || !getenv("top_srcdir") || !getenv("top_builddir"))
		return 99;
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	snprintf(scratch, sizeof scratch, "%s/tests/scratch/random-keys", getenv("top_builddir"));
	if (mkdir(scratch, 0777) && access(scratch, W_OK))
		return 99;
	setenv("TMPDIR", ".", 1);
	setenv("XDG_STATE_HOME", scratch, 1);
	add_path("demo", "data/sample/simulated-v5e-4chip.xplane.pb.gz");
	add_path("old-run", "tests/snap/old-run");
	add_pod();
	add_corpus();
	add_samples();
	return walk_all(w, (uint64_t)asked("RANDOM_KEYS_SEED", 1), asked("RANDOM_KEYS_SECONDS", 0),
		   getenv("RANDOM_KEYS_SCENE")) > 0;
}
