/* The flat tables of ops: HLO stats (a row per op) and framework ops (a row per framework op, device then
 * host), sorted, filtered and searched by the sheet (widget/sheet/sheet.h), with a card of the row: at the right
 * from 100 columns, else below, in full with Enter.  Both views share this code and differ in `struct
 * op_form`; the roofline (view/roofline) has a table of the same kind.  Tables are results (core/results.h):
 * code that uses them calls frame_ready() first. */
#ifndef VIEW_OPS_TABLES_H
#define VIEW_OPS_TABLES_H

#include "analyze/ops/opdb.h"
#include "core/view.h"
#include "view/frame.h"
#include "view/ops/charts.h"

struct op_text {
	const char *column;
	int rows; /* in the small card, 0 = none */
};

/* rows from which optional lines are shown */
enum { OP_AIRY = 30 };

struct op_form {
	const char *name;  /* column that names a row, for the heading */
	const char *gloss; /* column shown next to it */
	/* column with the program of an op, within which its name is unique; NULL */
	const char *program;
	const struct schema *schema;
	const char *fields; /* of the card, as schema.view; "-id": only of the full one */
	const struct op_text *text;
	size_t ntexts;
	bool framework;
};

extern const struct op_form op_form_hlo, op_form_framework; /* forms.c */

struct op_table {
	struct frame frame;
	const struct op_form *form;
	struct sheet sheet;
	struct table beside;         /* columns of the sheet about the capture to compare with */
	const struct opdb *db;       /* the table was made from it; NULL = not ready */
	const struct toolfile *tool; /* or read from this file */
	struct ref want;             /* to show when the table is ready; REF_NONE = nothing */
	bool idle;                   /* framework ops: with IDLE */
	struct ops_charts charts;
	bool only_charts;                                               /* in place of the card */
	bool (*go_to)(struct view *, const struct ref *);               /* false: it is not in the table */
	const struct op *(*op_of_row)(const struct view *, size_t row); /* NULL = none */
};

/* `sort` may be NULL; against: with columns about the capture to compare with; sets all but go_to() and op_of_row() */
void ops_view_table_init(struct op_table *, const struct op_form *, const char *sort, bool against);
/* parts of frame_ops that the tables of ops share */
struct sheet *ops_view_sheet(struct view *);
bool ops_view_has_row(struct view *);
/* next table, choice of core and module */
unsigned ops_view_act_always(struct view *, enum action, int count);
/* NULL = no such column */
const struct cell *ops_view_table_cell(const struct op_table *, size_t row, const char *column);
/* what is missing in the capture and how to get it ("no op has the stat flops: …"); "" = nothing */
/* cycles through ops, HLO stats, framework ops and roofline, those with data */
void ops_view_views_next(struct view *);
void ops_view_missing(const struct dump *, const struct opdb *, char *buf, size_t size);
/* draws a line above the table; returns the rest */
struct rect ops_view_note(struct canvas *, struct rect, const char *);
/* the name of the op that a reference names; 0 = it names none */
strid ops_view_named(const struct dump *, const struct ref *);
/* slots of view_ops and frame_ops; ready: goes to the row that was requested before the table was there */
bool ops_view_table_ready(struct view *);
struct ref ops_view_table_here(const struct view *);
int ops_view_table_show(struct view *, const struct ref *);
int ops_view_table_copy(struct view *, FILE *); /* all columns of the selected row; -1 = none */

/* sums.c */
struct ops_sum {
	int64_t self; /* ps, of the lines that are left */
	int64_t all;  /* of all lines; 0: none is filtered out */
	double flops; /* of the lines that are left */
};

/* adds an op to what is left */
void ops_view_sum_add(struct ops_sum *, const struct op *);
/* "Σ self 12.875 ms"; with a filter: "Σ self 12.875 ms, 6.0 %, 57.60 TFLOP/s"; returns the length */
size_t ops_view_sum_text(const struct ops_sum *, bool ascii, char *buf, size_t size);
/* the same for the rows of a table, followed by the time of host threads */
void ops_view_table_sum(const struct op_table *, bool ascii, char *buf, size_t size);

/* card.c */
int ops_view_profile_card_draw(struct view *, struct canvas *, struct rect, enum frame_card);
void ops_view_profile_card_title(struct view *, char *title, char *right, size_t size);

#endif
