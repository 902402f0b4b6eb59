/* The card of the op profile: its contents (profile_card.c) and drawing (profile_card_draw.c).  The card is
 * first made as lines, which the pane, the full card and the clipboard then show. */
#ifndef VIEW_OPS_PROFILE_CARD_H
#define VIEW_OPS_PROFILE_CARD_H

#include "view/ops/profile.h"

/* rows of texts in the small card; number of shapes it shows */
enum { FROM_ROWS = 3, HLO_ROWS = 4, FITS = 3 };

enum card_line_kind { LINE_BLANK, LINE_HEAD, LINE_PAIR, LINE_BAR, LINE_FIT, LINE_TEXT, LINE_NOTE };

struct card_line {
	enum card_line_kind kind;
	enum role role; /* of the value; LINE_FIT, LINE_BAR: of the bar */
	char label[40], value[48], right[48];
	double bar; /* NaN = none */
	char *text; /* owned */
	int rows;   /* rows of the text in the small card */
	bool full;  /* only in the full card */
};

struct ops_card {
	struct view *v;
	const struct ops *s;
	const struct ops_view_row *r;
	const struct op *op; /* NULL: a level, a part, idle */
	bool ascii;
	double num[OPS_COLUMNS];
	struct op_use use;
	char name[512], gloss[96];
	struct card_line *line;
	size_t n, cap;
};

/* r is NULL when nothing is selected; free with ops_view_card_free() */
void ops_view_card_make(struct view *, struct ops_card *);
void ops_view_card_free(struct ops_card *);

#endif
