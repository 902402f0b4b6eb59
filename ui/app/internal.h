/* Shared by the files of the app: app.c (life of the app, views), loop.c (waiting, drawing), dispatch.c (keys
 * to actions), chooser.c (menus), bars.c (title, tabs, status line, key bar), banner.c, command.c (`:`), search.c
 * (`/`), snapshot.c.  Everything runs in the thread of the screen; only the loader and jobs (job.h) have
 * threads of their own. */
#ifndef APP_INTERNAL_H
#define APP_INTERNAL_H

#include "app/session.h"
#include "core/app.h"
#include "core/input/prompt.h"
#include "core/job.h"
#include "core/load/loader.h"
#include "core/overlay.h"
#include "core/term.h"
#include "job/job.h"
#include "report/write/writer.h"

enum {
	MIN_ROWS = 8,
	MIN_COLS = 40,
	STEP_BUDGET_MS = 15,
	AHEAD_MS = 5,
	FRAME_MS = 50,
	PROGRESS_MS = 200,
	SLOW_FRAME_MS = 250,
	SLOW_PROGRESS_MS = 1000,
	WATCH_MS = 1000,       /* between two looks at the files, after a frame */
	WAKE_MS = 200,         /* to a look for which there is a reason */
	WATCH_MOST_MS = 30000, /* and at most, when nothing is done */
	MOVE_BYTES = 400,      /* of a frame in which only the selection moves, about */
	REST_MS = 400,         /* the selection rests: what it needs beyond these follows */
	PLACES_MAX = 100,
	RUNS_MAX = 16,
	TYPED_MAX = 64
};

struct sheet;

struct place {
	size_t view;
	struct ref ref;
};

/* Which finding the view proves, in a row above it. */
struct banner {
	char number[80], text[600]; /* "finding 1 of 9: 38.4 %"; its title and evidence */
	size_t view;
	bool on;
	bool filters; /* the view shows its members alone */
};

/* What is open of what the options name: a run of the logdir, or folders of runs in place of the paths.  Owned. */
struct chosen {
	char *run;    /* NULL: as the options say */
	char **paths; /* several are open together */
	size_t n;     /* of them; 0: those of the options */
};

#define HOT_MAX 64
struct hot {
	int y, x, end, tab;
	enum action action;
}; /* a clickable area; tab -1: runs the action */

struct app_private {
	struct term *term;
	struct canvas canvas;
	struct load_options load;            /* from the options, with the peaks chosen since */
	struct chosen chosen, chosen_before; /* before: comes back with the capture before a reload */
	bool chose;                          /* something else is read than what was open */
	char *captured;                      /* folder of the run that was just captured; owned */
	struct capture_wish wish;            /* what the dialog said last */
	bool stays;                          /* the key in work may go back, but not quit */
	struct loader *loader;               /* NULL when nothing is being read */
	struct first_picture *early;         /* drawn meanwhile; NULL: nothing is there yet */
	struct kv carried;      /* where the user went in it, for the view to come; empty: nowhere */
	struct capture *before; /* the capture open before a reload, until that succeeds */
	char before_view[32];
	struct ref before_ref;
	struct prompt prompt;
	struct history commands, patterns;
	void (*ask_done)(struct view *, const char *typed); /* for a prompt that a view opened */
	struct overlay *overlay;                            /* NULL = none */
	struct key typed[TYPED_MAX];
	size_t ntyped; /* keys typed during a load, for the view to come */
	char *command; /* likewise, before them; NULL: none; owned */
	/* actions for a view that is still computing */
	struct {
		enum action action;
		int count;
	} waiting[TYPED_MAX];
	size_t nwaiting, waiting_view;
	struct history exports;
	char *export_path; /* of a file to write when view export_view has computed; NULL: none; owned */
	size_t export_view;
	enum action menu_actions[ACT_COUNT]; /* what the lines of the menu of actions run */
	int copy_parts[8];                   /* what the lines of the menu of Y are */
	struct session *session;             /* NULL = no session is saved */
	struct hot hot[HOT_MAX];
	size_t nhot;           /* of the last frame */
	bool held;             /* a mouse button was pressed inside the view and is still down */
	struct regex *pattern; /* of the active search; views borrow it until the search ends */
	size_t pattern_view;   /* the view searched last */
	char *search_wanted;   /* to be searched when view pattern_view has computed; NULL: nothing; owned */
	struct banner banner;
	size_t problem, problem_view; /* next finding of `e`, and the view it counts for */
	/* jump to the next finding when findings are ready, unless further keys were pressed since */
	bool problem_wanted;
	bool where_taken, where_there; /* opt.where: it was looked for, it is on the screen */
	unsigned long problem_keys;
	/* a run without a trace was opened on its findings, and no key was pressed since */
	bool may_leave;
	unsigned long leave_keys;
	struct place places[PLACES_MAX];
	size_t nplaces;
	struct place ahead[PLACES_MAX];
	size_t nahead;           /* positions to go forward to */
	char *earlier[RUNS_MAX]; /* names of the runs that were open before this one */
	size_t nearlier;
	char title_devices[96]; /* "4 TPU v5 Lite" */
	enum action pending;
	int pending_count; /* a merged action not run yet */
	/* a count is being typed: how often to run the next action; 0 = no digit yet */
	bool counting;
	int count;
	bool moved;                 /* it was drawn again and again */
	bool dirty;                 /* the screen has to be drawn again */
	bool rested;                /* the last frame came after a pause */
	bool working;               /* the view has work to do in slices */
	struct theme_ground ground; /* properties of the terminal that theme and glyphs depend on */
	bool quit;
	int status; /* exit status when it ends; -1: err */
	struct err err;
	int64_t next_frame, next_progress, next_watch; /* of now_ms() */
	int64_t
	    rest; /* until then the selection may move on, and frames take MOVE_BYTES; 0 = it did not move */
	bool behind;             /* the last frame left out what follows then */
	char *against_path;      /* what to compare with; NULL: nothing; owned */
	struct reading *reading; /* it is read; NULL: it is not */
	struct against *against; /* it is compared with; NULL: nothing is */
	struct against *arrived; /* it is to be compared with, as soon as nothing is open over the view */
	bool watch_due;          /* the files are looked at: there are some */
	int watch_pause;         /* to the look after the next one */
	struct follow *follow;   /* the files and the logdir of the dump */
	char new_run[256];       /* a run that came into the logdir, which F5 opens; "": none */
	/* Esc before this time was meant to stop the load that just ended, not to quit */
	int64_t esc_from;
};

/* app.c */
void app_begin(struct app *, const struct app_options *, struct term *, const struct theme *,
    const struct glyphs *);
void app_end(struct app *); /* frees all but the terminal */
int app_check_options(const struct app_options *, struct err *);
int app_load(struct app *); /* starts the loader; -1 with p->err */
/* takes what the loader produced: makes the views, or reports the error */
void app_take(struct app *, struct capture *, const struct err *);
void app_reload(struct app *, const char *run); /* run NULL: the same one */
/* reads something else, which it takes over; NULL: the same again */
void app_open_again(struct app *, struct chosen *);
struct app_options app_source(const struct app *);     /* the options, with the paths that are chosen */
struct view *app_opened(struct app *, const char *id); /* opens it if needed; NULL = no such view */
struct view *app_here(struct app *);                   /* the view on the screen, NULL while loading */
void app_switch(struct app *, size_t view);
/* after a change of size or of the data that views draw */
void app_layout(struct app *);
void app_devices(struct app *); /* names the devices of the hosts shown */
void app_react(struct app *, struct view *, unsigned react);
/* One level: the search, then the history; where that is empty: quit, unless the key was Esc. */
void app_back(struct app *);
bool app_has_history(const struct app *);
/* Leaves findings that turn out to be none for the view that has data; true: it did. */
bool app_leave_empty(struct app *);
void app_remember_run(struct app *);
const struct view_ops *app_view_ops(const char *id);
void app_no_view(struct app *, const char *id); /* says that the capture has no data for a view */
bool app_too_small(const struct app *);
bool app_reads_stdin(const struct app *);

/* ends all views; results of the capture stay */
void app_close_views(struct app *);
/* makes the views of a capture, with the positions of the session, and shows one of them, with ref if that is one */
void app_show_capture(struct app *, struct capture *, const char *view, const struct ref *);

/* against.c */
/* compares with another capture as soon as that is read; "": with none */
void app_against(struct app *, const char *path);
bool app_against_cancel(struct app *); /* stops reading it; false: it is not read */
bool app_against_due(struct app *);    /* compares with what was read, if that is possible now */
void app_against_given(struct app *, struct capture *);     /* says it to a capture that was opened */
bool app_against_swapped(const struct app *);               /* the base is on the screen */
const char *app_against_path(const struct app *, size_t i); /* its captures; NULL: there are no more */
bool app_against_return(struct app *); /* back from the base; false: it is not on the screen */
void app_against_end(struct app *);

/* loop.c */
void app_turn(struct app *); /* waits for keys or news, works on them, and draws */

/* dispatch.c */
/* To the position before the last jump, or to the run before this one; forward: after going back. */
void app_return(struct app *, bool forward);
void app_resized(struct app *);        /* takes the size that the terminal has now */
const char *app_shows_in(enum action); /* the view in which it shows the selection; NULL: another action */
size_t app_tab_of(struct app *,
    size_t view); /* the view whose tab stands for it: itself, or the one it is a page of */
/* what the tab of a view leads to: the page left last or, where one of its pages is on the screen, the view */
size_t app_tab_leads(struct app *, size_t tab);
void app_key(struct app *, struct key);
void app_flush(struct app *);                    /* runs the merged action */
void app_typed(struct app *);                    /* runs the keys typed during a load */
void app_typed_early(struct app *);              /* those of them that what is there already takes */
bool app_loading_act(struct app *, enum action); /* runs it if loading does not matter to it */
void app_action(struct app *, enum action, int count);
void app_waiting_due(struct app *); /* runs the actions that waited for the view, if it is ready now */
enum scope app_scope(const struct app *);
bool app_back_stays(const struct app *, struct key);  /* whether a key that goes back quits from no view */
void app_overlay_react(struct app *, unsigned react); /* REACT_ bits of the open overlay */
void app_overlay_open(struct app *, struct overlay *);
/* the screen that is shown in place of a view, perhaps under other overlays; NULL: none */
struct overlay *app_screen(const struct app *);
void app_overlay_end(struct app *); /* closes all; nothing is picked */

enum { EARLY_ROWS = 5 }; /* of the progress, above what is there already */

/* loading.c: the timeline of what is there while the rest is read, in an app of its own */
struct view *app_early_view(const struct app *); /* NULL: nothing yet, or no room for it */
void app_early_layout(struct app *);
bool app_early_take(struct app *); /* true: there is more to show */
void app_early_draw(struct app *, struct canvas *);
/* true when what is there takes the action; false: it has to wait for the rest, or means the load itself */
bool app_early_act(struct app *, enum action);
bool app_early_can(const struct app *, enum action);
void app_early_close(struct app *);
/* closes it, after noting where the user went; what was stopped with less than it had is replaced by it */
struct capture *app_early_keep(struct app *, struct capture *);

int app_early_goto(struct app *, const char *place, struct err *); /* the argument of :goto; -1 = err */

/* bars.c: "what; loading: 45 %; ready in about 3 s", of what needs all of it; what NULL: nothing more */
void app_loading_message(struct app *, const char *what);

/* watch.c */
/* says what happened to the files, each change once; true when it said something.  Looks at most once a second. */
bool app_watch(struct app *);
void app_watch_woken(struct app *);

/* chooser.c */
void app_choose_view(struct app *);
void app_choose_run(struct app *);
void app_choose_host(struct app *);
void app_choose_action(struct app *); /* of all actions of the view on the screen */

/* job.c: the commands capture, chips and monitor; ask() opens the prompt with the first */
void app_capture(struct app *, const char *arg);
void app_chips(struct app *, const char *arg);
void app_monitor(struct app *, const char *arg);
void app_capture_ask(struct app *);
void app_watch_job(struct app *); /* what the options say in place of files */

/* join.c */
/* opens the run's neighbors, too, which seem to be of the same job; again: the run alone */
void app_join_runs(struct app *);

/* look.c */
/* chooses theme and glyphs by the settings in force */
void look_open(struct app *, const struct theme_ground *);

/* bars.c */
void app_draw(struct app *); /* the whole screen onto the canvas */
/* 1 … 9, 0 = none; fixed, so that Alt-N never moves */
int app_tab_number(const char *id);
const char *app_tab_id(int number);

/* banner.c */
struct findings;
/* v is where its proof is: it shows what the finding counts alone, as far as it can */
void banner_open(struct app *, const struct findings *, size_t finding, struct view *v);
bool banner_here(const struct app *); /* on the view on the screen */
void banner_forget(struct app *);     /* another filter takes its place in the view on the screen */
void banner_close(struct app *);      /* with its filter */
void banner_draw(struct app *);

/* pointer.c */
void app_hot(struct app *, int y, int x, int end, int tab, enum action);
void app_mouse(struct app *, const struct mouse *);
void app_mouse_mode(struct app *); /* which mouse events the terminal should report now */
void app_mouse_toggle(struct app *);

/* snapshot.c: no event loop; runs as if the user waited after each key */
void app_settle(struct app *); /* runs until no work is left and draws the canvas */
void app_play_key(struct app *, struct key);

/* copy.c */
void app_copy(struct app *);      /* copies the name of what is selected to the clipboard */
void app_copy_menu(struct app *); /* offers what else can be copied */
/* what it writes about the view; NULL: nothing, or there is no such function; the caller frees */
char *written_by(int (*write)(struct view *, FILE *), struct view *);

/* outside.c */
void app_edit(struct app *); /* the source line of the selection in the editor */
void app_shell(struct app *, const char *command, bool row); /* it gets the table as CSV, or the row */

/* snapshot.c: the frame as a picture, with the command of place.c */
void app_write_page(struct app *, const struct canvas *, enum shot_form, FILE *);

/* place.c: the command that opens the frame again; NULL: it cannot be opened again; the caller frees */
char *place_command(struct app *);

/* export.c */
struct sheet *app_sheet(struct view *); /* the one on the screen; NULL: something else is shown */
#define EXPORT_PROMPT '>'
char *export_home(const char *path); /* with the folder in place of a leading ~; the caller frees */
/* writes what E does to an open file; -1 = err */
int export_write(struct view *, FILE *, enum report_format, struct err *);
int export_row(struct view *, FILE *, struct err *); /* the row under the cursor as CSV */
void app_export(struct app *, const char *path); /* writes the view, in the format of the file's extension */
void app_export_ask(struct app *);
bool view_computes(const struct view *); /* what it shows is still being computed */
bool export_waits(struct view *);        /* what it writes is still being computed */
bool app_export_due(struct app *);       /* writes what has waited, if that is possible now */
bool app_export_cancel(struct app *);    /* false: nothing was waiting */

/* command.c */
void app_command(struct app *, const char *line);
void app_waiting_command(struct app *);               /* runs the one typed during a load, if there is one */
bool command_applies(const struct app *, enum scope); /* to what is on the screen */
bool action_applies(const struct app *,
    enum action); /* the same; also one of another view that has a key here */

/* complete.c */
void app_complete(struct app *, struct prompt *);

/* search.c */
void app_search(struct app *, const char *pattern); /* "" ends it; waits for a view that is computing */
char *app_search_text(const struct app *); /* what is searched on the screen: caller frees; NULL: nothing */
void app_search_due(struct app *);         /* searches what has waited, if that is possible now */
void app_search_step(struct app *, int dir);
void app_filter(struct app *, const char *text); /* "" ends it */
bool app_search_end(struct app *);               /* false when there was no search */

#endif
