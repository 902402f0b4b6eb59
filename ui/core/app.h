/* The application: views over one dump, the event loop, loading in the background, the prompt and the message
 * line.  app_run() returns the exit status after restoring the terminal.  The loop reads all pending keys,
 * merges equal ones, draws once what is stale, and sleeps in poll(), so it uses no CPU when idle.  Loading
 * runs in a thread (load + prepare) that owns the dump until it is done; Esc cancels and keeps what was read,
 * and keys for a view wait until there is one.  app_snapshot() does the same on the null terminal: loads,
 * plays keys, finishes background work, and returns the frame. */
#ifndef CORE_APP_H
#define CORE_APP_H

#include "capture/capture.h"
#include "core/config/settings.h"
#include "core/input/keymap.h"
#include "core/paint/canvas_page.h"
#include "core/view.h"
#include "load/load.h"

/* A job that is watched, in place of files. */
struct app_live {
	const char *servers; /* a list with commas between */
	bool allow_remote;   /* the user knows that they are other machines */
	bool monitor;        /* how busy the job is; false: its chips */
	int interval_ms;     /* of chips; the others are of the monitor */
	int level, queries;  /* queries: 0 = no limit */
	int duration_ms, attempts, grace_s;
};

struct helper;
struct app_options {
	const char *const *paths;
	size_t npaths;
	/* --demo: bytes instead of paths */
	const void *sample;
	size_t sample_size;
	const char *sample_name;
	const struct app_live *live; /* NULL: files are shown */
	struct load_options load;
	const char *view;  /* first view, NULL = default */
	const char *where; /* what the findings say is there, "ops:fusion.3"; NULL = none */
	const char *place; /* in that view, as kv_line() writes it; NULL = none */
	/* the module that the memory viewer starts with, NULL = the one with the highest peak */
	const char *module;
	const char *theme;       /* NULL = by terminal and NO_COLOR */
	const char *bg, *glyphs; /* NULL = not given */
	bool slow;
	int colors; /* -1 auto, 0 never, 8, 16, 256 */
	enum clock_kind clock;
	const char *against;         /* the capture to compare with; NULL: none */
	const char *topology;        /* chips along each axis; NULL = as the capture says */
	struct settings settings;    /* from the config file and options; zeroed = defaults */
	const struct keymap *keymap; /* NULL = the default one; copied */
	const char *const *notes;
	struct helper *helper; /* starts programs (base/helper.h); NULL: none */
	size_t nnotes;         /* mistakes in the config file, to show */
};

struct history;

struct app {
	const struct app_options *opt;
	struct settings settings; /* current: config file and options, then `:set` */
	struct keymap keymap;     /* current: config file, then `:bind` */
	struct capture *cap;      /* what is shown; without a dump while loading */
	const struct theme *theme;
	const struct glyphs *glyphs;
	struct view *views;
	size_t nviews, current;
	char message[512];
	bool message_error;
	struct jobs *jobs;       /* job.h; NULL = none yet */
	struct results *results; /* results.h; NULL = none asked for yet */
	/* counts key presses: a jump that waits for a result is canceled when this changed */
	unsigned long keys;
	struct app_private *p;
};

/* checks --theme, --bg etc.; -1 = not a value of the setting */
int look_check(const struct app_options *, struct err *);
/* the settings of the config file, overridden by options */
struct settings look_settings(const struct app_options *);
struct checks;
struct config;
/* what is known about the terminal and the user's files, without opening a screen */
void app_doctor(const struct app_options *, const struct config *, struct checks *);
int app_run(const struct app_options *, struct err *);
/* form: SHOT_NONE = text, with colors the sequences of a terminal */
int app_snapshot(const struct app_options *, const char *view, const char *keys, int rows, int cols,
    int colors, enum shot_form form, FILE *out, struct err *);

/* opens a prompt for the view on the screen: label, initial text, hint; done() gets what was typed, which may
 * be "" */
void app_ask(struct app *, char label, const char *text, const char *hint, struct history *,
    void (*done)(struct view *, const char *typed));
/* the count being typed, drawn before the view's status; "" = none */
void app_count_text(const struct app *, char *buf, size_t);
/* the line at the bottom of the screen: what was done, or (in red) why not */
void app_say(struct app *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void app_error(struct app *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct view *app_view(struct app *, const char *id); /* NULL = not in this capture */
/* pushes a position of the current view, before a jump: Backspace returns there */
void app_remember(struct app *, const struct ref *);
struct menu_item; /* overlay.h */
void app_menu(struct app *, const char *title, const struct menu_item *, int n, int here,
    void (*on_pick)(struct app *, int));
/* switches to the view and calls its show(); remembers the old position */
int app_go(struct app *, const char *id, const struct ref *);

/* Puts the other one of two captures that are compared on the screen, in a view, at an op of that name (NULL: none);
 * Backspace returns.  RESULT_DIFF has to be there. */
void app_against_swap(struct app *, const char *view, const char *op);
/* the one of the two that is not on the screen; NULL: there is one */
const struct capture *app_other(const struct app *);
/* labels of prompts that views open, which the app completes */
#define SQL_PROMPT '?'
#define CHANGE_PROMPT '+'

#endif
