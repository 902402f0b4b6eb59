/* Input: how long the device waits for input in each step, and what the host does meanwhile.  A verdict, a
 * chart of the step times and one of the waits (mean of the cores, their range, the 20 % rule; where there is room
 * for one only, t changes it), a card of the chosen step (h l), the host's work in five stages, its input ops (a
 * sheet: j k), its threads as strips, what to do.  Shows RESULT_INPUT and RESULT_OVERVIEW
 * (analyze/overview/input_pipeline.h); input.c is the view, draw.c the main pane, card.c the card. */
#ifndef VIEW_INPUT_INPUT_H
#define VIEW_INPUT_INPUT_H

#include "analyze/overview/input_pipeline.h"
#include "core/view.h"
#include "view/frame.h"
#include "widget/kind.h"
#include "widget/step_cols.h"

/* number: the step's name in the program */
struct in_step {
	char number[64];
	double ms, wait_ms, wait, least, most; /* ms; fractions; NaN */
	double
	    idle_ms; /* mean of the cores, as in all views; XProf's is the rest of the longest core's time */
};

enum input_chart { CHART_AUTO, CHART_TIMES, CHART_WAITS, INPUT_CHARTS }; /* auto: both, or what says more */

struct input_view {
	struct frame frame;
	const struct input_pipeline *in; /* the rest was made from this; NULL = not ready */
	const struct overview *overview;
	const struct table *steps; /* of `in`, or of the overview */
	bool tpu;
	int one; /* number of the core whose waits are shown, -1 = all */
	struct in_step *step;
	size_t nsteps;
	bool hidden; /* nothing says whether steps wait for input: why */
	char why[160];
	size_t here;               /* step */
	char wanted[REF_TEXT_MAX]; /* name of the chosen step */
	struct sheet sheet;        /* of in->host_ops */
	struct step_cols cols;
	struct rect chart; /* as last drawn */
	enum input_chart want;
};

/* draw.c */
void input_view_draw(struct view *, struct canvas *, struct rect);
int input_view_card(struct view *, struct canvas *, struct rect, enum frame_card);
/* "Highly input bound"; "!!" */
/* xprof: by its percentage, else by the one shown */
const char *input_view_verdict(const struct input_view *, bool xprof, const char **mark, enum role *);

/* card.c; these return the row below */
double input_view_compute(const struct input_view *, size_t step); /* ms, as the card has it; NaN */
int input_view_step_card(const struct input_view *, struct canvas *, struct rect, int y);
int input_view_host_card(const struct input_view *, struct canvas *, struct rect, int y);
int input_view_advice_card(const struct input_view *, struct canvas *, struct rect, int y);
void input_view_card_below(const struct input_view *, struct canvas *, struct rect);
void input_view_threads_draw(const struct input_view *, const struct app *, struct canvas *, struct rect);

#endif
