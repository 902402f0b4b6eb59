/* The flat tables of ops: HLO stats (a row per op) and framework ops (a row per framework op, device then
 * host), sorted, filtered and searched by the sheet (widget/sheet.h), with a card of the row: at the right
 * from 100 columns on, else below, in full with Enter.  Both views are the same code over another `struct
 * op_form`.  Tables are results (core/results.h): everything that looks at them calls op_table_sync()
 * first, which asks for the result again and keeps the selected row by its name. */
#ifndef VIEW_OPS_TABLES_H
#define VIEW_OPS_TABLES_H

#include "analyze/ops/opdb.h"
#include "core/view.h"
#include "widget/sheet.h"

enum op_value { OP_TIME, OP_COUNT, OP_PERCENT, OP_FRACTION, OP_FLOPS, OP_BANDWIDTH, OP_NUMBER, OP_WORD };

struct op_field {
	const char *label, *column;
	enum op_value value;
	bool full; /* only when the card is */
};
struct op_text {
	const char *head, *column;
	int rows; /* in the small card, 0 = none */
};

/* of the card at the right, below; from OP_AIRY rows on an empty one stands below the tabs */
enum { OP_CARD_COLS = 36, OP_CARD_ROWS = 8, OP_AIRY = 30 };

struct op_form {
	const char *name;  /* column that names a row, for the heading */
	const char *gloss; /* column that stands beside it */
	const struct schema *schema;
	const struct op_field *field;
	size_t nfields;
	const struct op_text *text;
	size_t ntexts;
	bool framework;
};

extern const struct op_form op_form_hlo, op_form_framework; /* op_forms.c */

struct op_table {
	const struct op_form *form;
	struct sheet sheet;
	const struct opdb *db;       /* that the table was made from; NULL while there is none */
	const struct toolfile *tool; /* that it was read from instead */
	/* of the selected row: it is found again in another table; NULL = none yet */
	char *key;
	struct ref want;   /* shown before the table was there; REF_NONE = nothing */
	bool idle;         /* framework ops: IDLE counts */
	bool full;         /* the card has the whole area */
	int scroll, lines; /* of the full card */
};

bool op_table_sync(const struct view *); /* false: nothing there yet */
/* NULL = no such column */
const struct cell *op_table_cell(const struct op_table *, size_t row, const char *column);
void op_value_text(const struct cell *, enum op_value, bool ascii, char *buf, size_t size);
/* "no op has the stat flops: …", what is missing in the capture and how to get it; "" = nothing */
void op_missing(const struct dump *, const struct opdb *, char *buf, size_t size);
struct rect op_airy(struct rect);
int op_table_copy_row(const struct op_table *, FILE *); /* all columns of the selected row; -1 = none */

/* op_card.c */
void op_card_draw(struct op_table *, struct canvas *, struct rect, size_t row); /* of a row, as full says */

#endif
