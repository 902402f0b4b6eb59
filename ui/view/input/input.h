/* Input: how long the device waits for data in each step, and what the host does meanwhile.  A verdict,
 * a chart of the steps (mean of the cores, their range, the 20 % rule), a card of the step chosen (h l),
 * the host's work in five parts, its input ops (a sheet: j k), its threads as strips, what to do.
 * RESULT_INPUT and RESULT_OVERVIEW (analyze/overview/input_pipeline.h); input.c is the view, input_draw.c the
 * main pane, input_card.c the card. */
#ifndef VIEW_INPUT_INPUT_H
#define VIEW_INPUT_INPUT_H

#include "analyze/overview/input_pipeline.h"
#include "core/view.h"
#include "widget/frame.h"
#include "widget/kind.h"
#include "widget/step_cols.h"

/* number: what people call it */
struct in_step {
	char number[64];
	double ms, wait_ms, wait, least, most;
}; /* ms; fractions, NaN */

struct input_view {
	struct frame frame;
	const struct input_pipeline *in; /* that the rest was made from; NULL = nothing there yet */
	bool tpu;
	int one; /* number of the core whose waits are shown, -1 = all */
	struct in_step *step;
	size_t nsteps;
	size_t here;        /* step */
	char wanted[96];    /* what it is called */
	struct sheet sheet; /* of in->host_ops */
	struct step_cols cols;
	struct rect chart; /* as drawn last */
};

/* input_draw.c */
void input_view_draw(struct view *, struct canvas *, struct rect);
int input_view_card(struct view *, struct canvas *, struct rect, enum frame_card);
/* "Highly input bound"; "!!" */
const char *input_view_verdict(const struct input_view *, const char **mark, enum role *);

/* input_card.c: returns the row below */
int input_view_step_card(const struct input_view *, struct canvas *, struct rect, int y);
int input_view_host_card(const struct input_view *, struct canvas *, struct rect, int y);
int input_view_advice_card(const struct input_view *, struct canvas *, struct rect, int y);
void input_view_card_below(const struct input_view *, struct canvas *, struct rect);
void input_view_threads_draw(const struct input_view *, const struct app *, struct canvas *, struct rect);

#endif
