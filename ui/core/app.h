/* The application: a stack of views over one dump, the loop, loading in the background, the prompt and the
 * message line.  app_run() returns the exit status after the terminal was given back.
 * The loop reads all pending keys, folds equal ones, draws what is stale once, and sleeps in poll(): idle
 * costs nothing.  Loading runs in a thread (load + prepare) that owns the dump until it is done; Esc cancels
 * and keeps what was read, and keys that need a view wait for it.  app_snapshot() does the same on the null
 * terminal: loads, plays keys, finishes background work, and gives the frame. */
#ifndef CORE_APP_H
#define CORE_APP_H

#include "analyze/steps/steps.h"
#include "analyze/trace/clock.h"
#include "core/config/settings.h"
#include "core/input/keymap.h"
#include "core/view.h"
#include "load/load.h"

#define TOPOLOGY_TEXT 48

struct app_options {
	const char *const *paths;
	size_t npaths;
	/* --demo: bytes instead of paths */
	const void *sample;
	size_t sample_size;
	const char *sample_name;
	struct load_options load;
	const char *view; /* first view, NULL = default */
	/* that the memory viewer begins with, NULL = the one with the highest peak */
	const char *module;
	const char *theme;       /* NULL = by terminal and NO_COLOR */
	const char *bg, *glyphs; /* NULL = not said */
	bool slow;
	int colors; /* -1 auto, 0 never, 8, 16, 256 */
	enum clock_kind clock;
	const char *topology;        /* chips along each axis; NULL = as the capture says */
	struct settings settings;    /* what the config file and options say; zeroed = defaults */
	const struct keymap *keymap; /* NULL = the default one; copied */
	const char *const *notes;
	size_t nnotes; /* mistakes in the config file, to be shown */
};

struct history;

struct app {
	const struct app_options *opt;
	struct settings settings; /* in force: options and config file, then `:set` */
	struct keymap keymap;     /* in force: config file, then `:bind` */
	struct dump *dump;        /* NULL while loading */
	struct clocks clocks;
	struct steps steps;
	const struct theme *theme;
	const struct glyphs *glyphs;
	struct view *views;
	size_t nviews, current;
	char message[512];
	bool message_error;
	int host;                     /* H: index into dump->hosts, -1 = all */
	int core;                     /* K: the core whose ops the tables show, -1 = all */
	uint64_t program;             /* M: the program whose ops they show, 0 = all */
	char topology[TOPOLOGY_TEXT]; /* :topology; "" = as the capture says */
	struct jobs *jobs;            /* job.h; NULL = never any */
	/* typed so far: what was asked for waits no longer when another came */
	unsigned long keys;
	struct app_private *p;
};

/* look.c: what options say that is no value of a setting: -1 */
int look_check(const struct app_options *, struct err *);
/* the config file's, under what options say */
struct settings look_settings(const struct app_options *);
int app_run(const struct app_options *, struct err *);
int app_snapshot(const struct app_options *, const char *view, const char *keys, int rows, int cols,
    int colors, FILE *out, struct err *);

/* a line to type on for the view on the screen: label, what stands there, a word on what is wanted; done()
 * gets what was typed, "" too */
void app_ask(struct app *, char label, const char *text, const char *hint, struct history *,
    void (*done)(struct view *, const char *typed));
/* of the status line, before what the view says: "" while no count is typed */
void app_count_text(const struct app *, char *buf, size_t);
void app_message(struct app *, bool error, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
struct view *app_view(struct app *, const char *id); /* NULL */
/* a place in the view on the screen, before a jump: Backspace returns there */
void app_remember(struct app *, const struct ref *);
struct menu_item; /* overlay.h */
void app_menu(struct app *, const char *title, const struct menu_item *, int n, int here,
    void (*on_pick)(struct app *, int));
/* switches, then show(); remembers where it came from */
int app_go(struct app *, const char *id, const struct ref *);

#endif
