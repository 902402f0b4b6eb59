/* The pod: what every core of every host did in one step, as a heat map of the chips in their physical
 * positions.  A metric (digits) and a step ([ ]) are chosen; the cursor is a core.  Below the map is the step
 * of each core or host as a stacked bar, or the channels or collectives (u) of the step as a sheet; at
 * the right a card of the core.  Everything comes from RESULT_POD (analyze/pod/pod.h).  pod.c is the view,
 * act.c its actions, stats.c the numbers of the chosen step and metric, grid.c places the cells (pure
 * functions), heat.c draws them, legend.c
 * their colors, bars.c draws the bars, card.c the card, links.c channels and collectives, beside.c ops,
 * show.c handles references from other views.  Shares are fractions of the core's own step; NaN = the core
 * does not have the step. */
#ifndef VIEW_POD_POD_H
#define VIEW_POD_POD_H

#include "analyze/account/account.h"
#include "analyze/pod/beside.h"
#include "analyze/pod/pod.h"
#include "core/view.h"
#include "widget/bar.h"
#include "view/frame.h"
#include "widget/kind.h"

/* What the digits choose: parts of the step account, in the order of kinds of time.  Together they are the step; so
 * collectives are less what has a tab of its own. */
enum { POD_TABS = 9, TAB_MATMUL = 0, TAB_COMPUTE, TAB_COLLECTIVES, TAB_SEND_RECV };
/* One more is no part of the step: all that a core does itself, for which the others wait (analyze/pod/own.h). */
enum { TAB_OWN = POD_TABS, POD_METRICS };
extern const enum time_kind pod_tab[POD_TABS];

/* --- stats.c --- */

struct pod_view;

struct pod_stats {
	size_t n;                           /* cores that have the step */
	double *value;                      /* [ncores]: share of the metric; NaN */
	double *own;                        /* [ncores]: own work, ps; NaN */
	uint32_t *order;                    /* those n, largest share first */
	uint32_t *rank;                     /* [ncores]: rank of each core in `order`, UINT32_MAX = none */
	double median, mad;                 /* of the shares */
	double low, high;                   /* of the shares */
	double sum[POD_METRICS], sum_total; /* ps over the cores */
	double usual[POD_METRICS], usual_total; /* medians, ps */
	double usual_sync;                      /* median of the waiting in collectives; NaN = unknown */
	double least[POD_METRICS], most[POD_METRICS], least_total, most_total; /* ps */
};

void pod_view_tabs_ps(const struct step_core *, double ps[POD_TABS]);
double pod_view_tab_ps(const struct step_core *, int tab);
enum time_kind pod_view_kind(const struct pod_view *, int tab);
const char *pod_view_tab_name(const struct pod_view *, int tab);
int pod_view_largest_tab(const struct step_cores *); /* what takes most of the mean step */
void pod_view_stats_make(struct pod_stats *, const struct pod *, size_t step, int tab);
void pod_view_stats_free(struct pod_stats *);
double pod_view_stats_z(const struct pod_stats *, double value);

/* --- grid.c --- */

enum pod_unit { POD_CORE, POD_CHIP, POD_HOST }; /* what a cell stands for */

/* Columns and rows of a cell; the most chips it is used for; gaps between chips, host blocks and planes; room
 * for the labels at the left and above. */
struct pod_level {
	enum pod_unit unit;
	int w, h, most, chip_gap, host_gap, host_gap_y, plane_gap, left, top;
	bool number;
	bool wide; /* for wide screens only */
};

struct pod_cell {
	int gx, gy, gz;    /* in cells */
	int y, x;          /* position in the whole map */
	uint32_t n, worst; /* cores; the one with the largest value */
};

struct pod_grid {
	const struct pod_level *level;
	struct pod_cell *cell;
	size_t ncells;
	uint32_t *of;                 /* [ncores]: cell of the core; UINT32_MAX: no coordinates */
	int w, h, planes;             /* cells of a plane; planes */
	int block_w, block_h, chip_w; /* cells of a host block, of a chip; 0 = not separated */
	int plane_w, plane_h;         /* columns and rows of a plane */
	int per_row, plane_rows;      /* planes side by side; rows of planes */
	int height;                   /* rows of all */
	bool placed;                  /* false: no coordinates, hosts in order */
	size_t placed_cores;
};

/* Chooses the finest cells with which all planes fit into rows x cols; leaves `little` rows for something
 * else if cells with numbers fit even so. */
void pod_view_grid_make(struct pod_grid *, const struct pod *, int rows, int cols, int little);
void pod_view_grid_free(struct pod_grid *);
void pod_view_grid_values(struct pod_grid *, const double *value, size_t ncores);
/* the next cell in a direction, across planes; the cell itself if there is none */
size_t pod_view_grid_move(const struct pod_grid *, size_t cell, int dx, int dy);
/* the same position in another plane, or the nearest to it */
size_t pod_view_grid_plane(const struct pod_grid *, size_t cell, int by);
void pod_view_grid_spot(const struct pod_grid *, struct pod_cell *); /* y, x of its gx, gy, gz */
size_t pod_view_grid_at(const struct pod_grid *, int y, int x);      /* SIZE_MAX */

/* --- the view --- */

/* A core, or the mean of a host's cores. */
struct pod_line {
	uint32_t host, core;             /* the core with the largest value */
	double value, low, high;         /* share of the metric */
	double ms, step, part[POD_TABS]; /* ms of the metric, of all; ps */
};

enum pod_view_below { POD_BARS, POD_CHANNELS, POD_COLLECTIVES, POD_OPS };

struct pod_view {
	struct frame frame;
	struct app *app;
	const struct pod *pod; /* NULL = not ready */
	int tab;
	bool tab_chosen; /* by the user, or by a reference; else it is what takes most of the mean step */
	size_t step, core;
	bool chosen; /* the user chose the core: another step or metric keeps it */
	bool jumped; /* the cursor was moved by `s`: another `s` goes to the next core */
	bool narrow; /* the scale of the colors is that of the data; else 0 to 100 % */
	bool by_place, below_focus;
	enum pod_view_below below;
	struct pod_stats stats;
	size_t stats_step;
	int stats_tab; /* step and tab that `stats` is for; tab -1 = none */
	struct pod_grid grid;
	struct rect grid_for; /* size that `grid` is for */
	bool airy;            /* with empty rows around the map */
	struct rect map;      /* as last drawn */
	int tabs_y, tab_x[POD_METRICS], tab_w[POD_METRICS];
	int steps_y, steps_x, steps_end; /* where the arrows of the step are, for clicks */
	int top;                         /* first visible row of the map */
	struct list bars;
	struct pod_line *line;
	size_t nlines; /* of the bars: cores or hosts, in order */
	bool by_host;
	struct table links;
	struct sheet sheet; /* of the channels or collectives of the step */
	uint32_t *link;
	size_t nlinks; /* which of pod->channel, ->collective */
	int *group;    /* [ncores]: replica group of the selected collective, -1 = none */
	size_t group_of;
	unsigned long beside_serial; /* of RESULT_POD_BESIDE in the sheet; 0: none yet */
	struct pod_devices devices;  /* made when groups are first needed */
	char (*host)[24];
	size_t nhosts;                /* short names */
	char wanted_step[64];         /* to go to when the result is ready */
	int wanted_host, wanted_core; /* likewise; -1 = none */
	struct ref later;             /* to show when it is; REF_NONE = nothing */
};

double pod_view_ps(const struct pod_view *, size_t core, int tab); /* of any metric, in the chosen step */
void pod_view_count(struct pod_view *); /* computes the numbers of the chosen step and metric */
char *pod_view_core_name(const struct pod_view *, size_t core, char *buf, size_t size); /* "w-0:5" */
const struct step_core *pod_view_core_step(const struct pod_view *, size_t core);
int pod_view_digits(const struct pod_view *); /* decimals of times in ms, by the length of steps */

/* act.c */
unsigned pod_view_act(struct view *, enum action, int count);
unsigned pod_view_press(struct view *, const struct mouse *);
struct sheet *pod_view_sheet(struct view *); /* when channels or collectives have the keys, else NULL */
void pod_view_select(struct pod_view *, size_t core);
void pod_view_go_step(struct pod_view *, size_t step);
void pod_view_below(struct pod_view *, enum pod_view_below); /* chooses what is below the map */
size_t pod_view_worst_core(const struct pod_view *); /* the straggler of the step, else the largest share */
void pod_view_follow_bars(struct pod_view *);        /* moves the cursor of the bars to the chosen core */

/* show.c: references from other views */
size_t pod_view_core_named(const struct pod *, int host, int core); /* host -1: any; SIZE_MAX = none */
/* REF_STEP, REF_CORE (with the metric that the core has more of than the others), REF_CHANNEL,
 * REF_COLLECTIVE; -1: no such thing */
int pod_view_show(struct pod_view *, const struct ref *);
int pod_view_place(struct view *, const char *text, struct ref *, struct err *); /* "step 7" or "7" */

/* heat.c: tabs, map and legend; returns the row below */
int pod_view_heat_draw(struct pod_view *, struct canvas *, struct rect);

/* legend.c: the colors of the map, and what of it is in sight */
void pod_view_scale(const struct pod_view *, double *low, double *high); /* range of the colors */
int pod_view_scale_step(const struct pod_view *, double value, int n);   /* 0 … n-1 */
enum role pod_view_heat(const struct pod_view *, double value);          /* ROLE_TEXT: unknown */
void pod_view_legend_draw(const struct pod_view *, struct canvas *, int y, struct rect);

/* bars.c */
void pod_view_bars_make(struct pod_view *);
void pod_view_bars_draw(struct pod_view *, struct canvas *, struct rect);

/* card.c */
bool pod_view_stands_out(const struct pod_view *, double value); /* likewise from the median of the metric */
int pod_view_card_draw(struct pod_view *, struct canvas *, struct rect); /* returns the row below */
void pod_view_card_below(struct pod_view *, struct canvas *, struct rect);

/* links.c */
/* is there anything of it in the step? */
bool pod_view_has_below(const struct pod_view *, enum pod_view_below);
void pod_view_links_make(struct pod_view *);
void pod_view_links_free(struct pod_view *);
/* moves the cursor to one of pod->channel or ->collective; false: not in this step */
bool pod_view_links_go(struct pod_view *, size_t);
void pod_view_links_groups(struct pod_view *); /* fills in v->group for the selected collective */
const struct pod_channel *pod_view_channel_here(const struct pod_view *); /* NULL = none */
const struct pod_collective *pod_view_collective_here(const struct pod_view *);
void pod_view_links_draw(struct pod_view *, struct canvas *, struct rect);
/* a list to look at, under the bars */
void pod_view_collectives_draw(const struct pod_view *, struct canvas *, struct rect);
int pod_view_links_card(struct pod_view *, struct canvas *, struct rect); /* returns the row below */

/* beside.c */
void pod_view_beside_want(struct pod_view *);                      /* of the chosen core */
const struct pod_beside *pod_view_beside(const struct pod_view *); /* NULL: not ready */
void pod_view_beside_make(struct pod_view *);
bool pod_view_beside_due(const struct pod_view *); /* there is another result than the sheet shows */
void pod_view_beside_gloss(const struct pod_view *, char *buf, size_t size);
const struct beside_op *pod_view_beside_here(const struct pod_view *); /* NULL = none */
int pod_view_beside_card(const struct pod_view *, struct canvas *, struct rect);

#endif
