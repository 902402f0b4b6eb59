/* The overview: six gauges, the steps as stacked columns with a card of the chosen one, the most expensive
 * ops, the cores (or hosts), the environment, the first findings.  One cursor moves through all of them from
 * top to bottom (enum ov_part); h and l choose the step.  Everything comes from RESULT_ACCOUNT
 * (analyze/account/account.h) and the overview behind it; model.c converts them once per result; draw.c and
 * card.c draw; overview.c is the view.  Shares of a step are of its core time. */
#ifndef VIEW_OVERVIEW_OVERVIEW_H
#define VIEW_OVERVIEW_OVERVIEW_H

#include "analyze/account/account.h"
#include "analyze/findings/findings.h"
#include "core/view.h"
#include "view/frame.h"
#include "widget/kind.h"
#include "widget/step_cols.h"

enum ov_part { OV_GAUGES, OV_STEPS, OV_OPS, OV_FINDINGS, OV_CORES, OV_ENVIRONMENT, OV_PARTS };
enum { OV_GAUGE_COUNT = 6, OV_LAYERS = CHART_PARTS };

struct ov_gauge {
	const char *title;
	enum overview_number number;
	const char *view; /* the view that Enter opens */
	double value;     /* fraction; of the first: ms; NaN */
	enum role role;   /* color of its bar */
};

/* ms per step; for hosts, `busy` is the idle share and `wait` is a share, too */
struct ov_core {
	char name[64];
	int host, core;
	double busy, wait, collectives, step;
};
struct ov_fact {
	char label[40], value[120];
	bool warning;
};

struct overview_view {
	struct frame frame;
	const struct account *account; /* all below was made from this and its overview */
	const struct overview *o;      /* NULL = not ready */
	const char *no_ops;            /* why there are none, if the capture says */
	struct ov_gauge gauge[OV_GAUGE_COUNT];
	struct bar_part layer[OV_LAYERS]; /* by kind of the account */
	struct ov_core *core;
	size_t ncores;
	bool hosts; /* `core` holds hosts */
	int one;    /* number of the core whose steps are shown, -1 = means of all */
	struct ov_fact *fact;
	size_t nfacts;
	const struct findings *findings; /* NULL = not ready */
	const struct step_parts *parts;  /* the steps of each core; NULL = not ready, or no cores */
	const struct dump *dump;         /* that has the names of its ops */

	enum ov_part at;
	struct list list[OV_PARTS];
	size_t here;               /* the chosen step */
	char wanted[REF_TEXT_MAX]; /* its label, to find it in a new result */
	struct step_cols cols;
	struct rect chart; /* as last drawn */
};

/* model.c */
void overview_view_model(struct overview_view *, const struct app *, const struct overview *,
    const struct account *);
void overview_view_model_free(struct overview_view *);
/* a line as text, for searching and copying */
void overview_view_line(const struct overview_view *, enum ov_part, size_t line, char *buf, size_t size);
const char *overview_view_severity(const struct overview_view *, size_t finding); /* "!!", "!", "·" */

/* draw.c */
void overview_view_draw(struct view *, struct canvas *, struct rect);
void overview_view_spread(char *buf, size_t size, const struct overview *, int w);

/* card.c */
int overview_view_card(struct view *, struct canvas *, struct rect, enum frame_card);
void overview_view_cores(struct overview_view *, struct canvas *, struct rect); /* table with its head */
void overview_view_facts(struct overview_view *, struct canvas *, struct rect);

#endif
