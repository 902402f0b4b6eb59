/* The op profile view (tpuscope(7), OP PROFILE): shared by its files.  profile.c has its life and keys,
 * profile_tree.c turns a profile into lines, profile_draw.c draws the columns, profile_card.c the details of
 * the selected line.  The profile is built from the op database (core/results.h) or, for captures that have
 * none, from an op_profile.json; every entry calls frame_ready() first.  A line is identified by a hash of
 * its path of names, so that open lines and the cursor survive another grouping, host or session.  A line is
 * a node of the profile, an instruction inside a fusion (`part`), or stands for the lines that exceed the
 * limit of a level (`more` > 0; its node has their sums). */
#ifndef VIEW_OPS_PROFILE_H
#define VIEW_OPS_PROFILE_H

#include "analyze/ops/layout_fit.h"
#include "analyze/ops/profile.h"
#include "base/text/regex.h"
#include "core/view.h"
#include "widget/fold.h"
#include "view/frame.h"

enum ops_column { OPS_TIME, OPS_WASTED, OPS_SHARE, OPS_NAME, OPS_FRAMEWORK, OPS_FLOPS, OPS_HBM, OPS_COLUMNS };

enum { OPS_LIMIT_LEAST = 10, OPS_LIMIT_MOST = 100, OPS_LIMIT_STEP = 10 };

struct ops_options {
	enum op_group group;
	bool idle, top90, dvfs, all; /* all: every line is open, except fusions */
	int limit;                   /* lines of a level */
	enum ops_column sort;
	bool reverse;
	uint64_t program; /* 0 = all */
	/* lines that there is room for, 0: few.  Where there is room, more levels than the largest are open by
	 * default, and `fill` more steps of them (ops_view_tree_fill) */
	int room, fill;
};

struct ops_view_row {
	const struct op_node *node;
	const Pb__HloInstructionProto *part;
	const Pb__HloComputationProto *body; /* contains the part */
	uint64_t key, program;               /* program: of a part */
	uint32_t parent;                     /* index of the parent line, UINT32_MAX = none */
	uint32_t more;
	int level;
	bool opens, open;
};

struct ops_tree {
	struct opprofile profile;    /* root NULL: none */
	struct opdb own;             /* of the chosen program */
	const struct op_node **kept; /* nodes that match the filter, sorted by address; NULL: all */
	size_t nkept, kept_ops;
	double bytes; /* HBM bytes of the root */
	struct ops_view_row *row;
	size_t n, cap;
	struct arena arena; /* nodes of lines with `more` */
};

struct ops_contents {
	const struct dump *d;
	struct hlo_contents *hlo;
};

/* --- profile_tree.c: no screen, no app --- */

void ops_view_tree_build(struct ops_tree *, const struct dump *, const struct opdb *,
    const struct ops_options *);
/* of an empty tree, which takes ownership */
void ops_view_tree_take(struct ops_tree *, const struct opprofile *);
void ops_view_tree_free(struct ops_tree *);
void ops_view_tree_filter(struct ops_tree *, const struct regex *);  /* NULL: no filter */
bool ops_view_kept(const struct ops_tree *, const struct op_node *); /* it matches the filter */
void ops_view_tree_rows(struct ops_tree *, const struct ops_options *, const struct fold_marks *,
    struct ops_contents *);
/* Sets `fill`, so that what is open by default uses the room, and makes the rows. */
void ops_view_tree_fill(struct ops_tree *, struct ops_options *, const struct fold_marks *,
    struct ops_contents *);
/* Values of the numeric columns as fractions, NaN = unknown; NaN for text columns. */
void ops_view_numbers(const struct ops_tree *, const struct op_node *, bool dvfs, double v[OPS_COLUMNS]);
double ops_view_best_use(const double v[OPS_COLUMNS]);      /* the higher of the FLOPS and HBM utilizations */
struct slice ops_view_framework_of(const struct op_node *); /* "dot_general"; empty: none */
size_t ops_view_below(const struct op_node *);              /* number of ops below */
/* Ops that match, in the order of the lines; the caller frees it.  *at: the first one at or after `here`
 * (NULL: 0). */
const struct op_node **ops_view_tree_find(const struct ops_tree *, const struct ops_options *,
    const struct regex *, const struct op_node *here, size_t *n, size_t *at);
const struct op_node *ops_view_tree_op(const struct ops_tree *, uint64_t program,
    strid name); /* program 0: any; NULL = none */
void ops_view_reveal(const struct ops_tree *, const struct ops_options *, struct fold_marks *,
    const struct op_node *);
uint64_t ops_view_key(const struct op_node *);
size_t ops_view_row_of(const struct ops_tree *, uint64_t key); /* SIZE_MAX = no line */

/* --- the view --- */

struct ops_source { /* what the tree was made from; rebuilt when any of it changes */
	const struct opdb *db;
	const struct op *v;
	size_t n;
	int64_t total;
	int host;
	const struct toolfile *tool;
};

struct ops {
	struct frame frame;
	struct ops_tree tree;
	struct ops_source from;
	struct ops_options o;
	struct fold_marks marks, filtered; /* filtered: used while a filter is on */
	struct ops_contents contents;
	struct list list;
	uint64_t key; /* of the selected line */
	struct regex *filter;
	const struct regex *find; /* borrowed from the app */
	const struct op_node **hit;
	size_t nhits, at_hit;
	struct ref want; /* to show when the tree is ready; REF_NONE = nothing */
	bool read;       /* the HLO of the most expensive program was read */
	struct layout_fit fit;
	const void *fit_of;                  /* the op or instruction of `fit`; NULL = none yet */
	int shift, shift_most;               /* horizontal scrolling of the names */
	int head_y, head_x[OPS_COLUMNS + 1]; /* of the header, for clicks */
};

void ops_view_changed(struct view *); /* after a change of options, marks or filter: makes the lines again */
const struct ops_view_row *ops_view_row(const struct ops *); /* the line under the cursor; NULL = none */
struct fold_marks *ops_view_marks_now(struct ops *);

void ops_view_make_rows(struct ops *);
void ops_view_fill_rows(struct ops *); /* for the room there is now, or of another tree */
void ops_view_set_sort(struct ops *, int column);

/* profile_find.c */
void ops_view_find_again(struct ops *); /* repeats the search after the lines changed */
/* ends a filter that hides it; false: it is not in the tree */
bool ops_view_go_to_op(struct view *, uint64_t program, strid name);
int ops_view_find(struct view *, const struct regex *, int dir);
void ops_view_find_status(const struct view *, char *buf, size_t size);
int ops_view_filter(struct view *, const char *text, struct err *);
struct ref ops_view_here(const struct view *);
int ops_view_show(struct view *, const struct ref *);
void ops_view_choose_sort(struct view *);

/* profile_draw.c */
/* draws a line of warnings; returns the rest */
struct rect ops_view_warn(struct view *, struct canvas *, struct rect);
void ops_view_draw_lines(struct view *, struct canvas *, struct rect);
void ops_view_row_name(const struct ops *, const struct dump *, const struct ops_view_row *, char *buf,
    size_t size);

/* profile_delta.c */
void ops_view_draw_delta(struct view *, struct canvas *, int y, int end, const struct ops_view_row *,
    bool here);

/* profile_card_draw.c */
int ops_view_card_draw(struct view *, struct canvas *, struct rect, enum frame_card);
void ops_view_card_title(struct view *, char *title, char *right, size_t size);
/* profile_card.c */
void ops_view_card_text(struct view *, FILE *);

#endif
