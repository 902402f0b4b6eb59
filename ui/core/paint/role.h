/* What a cell means.  Themes (theme.h) define how each role looks; ROLE_FILL_x are backgrounds for event
 * bars, ROLE_BLOCK_x the same hues as foregrounds.  The class roles are in the order of enum event_class.
 * ROLE_HEAT_0 … 7 are cells of a heat map, a higher value is darker; the value is written into a cell where
 * it fits. */
#ifndef CORE_PAINT_ROLE_H
#define CORE_PAINT_ROLE_H

enum role {
	ROLE_TEXT,
	ROLE_DIM,
	ROLE_BOLD,
	ROLE_TITLE,
	ROLE_TAB,
	ROLE_TAB_HERE,
	ROLE_KEYBAR,
	ROLE_KEYBAR_KEY,
	ROLE_STATUS,
	ROLE_PROMPT,
	ROLE_MESSAGE,
	ROLE_ERROR,
	ROLE_HEAD,
	ROLE_LINE,
	ROLE_SELECTED,
	ROLE_CURSOR,
	ROLE_MARK,
	ROLE_RULER,
	ROLE_HIT,
	ROLE_MISS,
	ROLE_WARN,
	ROLE_GOOD,
	ROLE_BAD,
	ROLE_COUNTER,
	ROLE_PROGRESS,
	ROLE_FILL_MATMUL,
	ROLE_FILL_COMPUTE,
	ROLE_FILL_COPY,
	ROLE_FILL_COLLECTIVE,
	ROLE_FILL_IO,
	ROLE_FILL_HOST,
	ROLE_FILL_WAIT,
	ROLE_FILL_OTHER,
	ROLE_BLOCK_MATMUL,
	ROLE_BLOCK_COMPUTE,
	ROLE_BLOCK_COPY,
	ROLE_BLOCK_COLLECTIVE,
	ROLE_BLOCK_IO,
	ROLE_BLOCK_HOST,
	ROLE_BLOCK_WAIT,
	ROLE_BLOCK_OTHER,
	ROLE_HEAT_0,
	ROLE_HEAT_1,
	ROLE_HEAT_2,
	ROLE_HEAT_3,
	ROLE_HEAT_4,
	ROLE_HEAT_5,
	ROLE_HEAT_6,
	ROLE_HEAT_7,
	ROLE_COUNT
};

extern const char role_letter[ROLE_COUNT + 1]; /* one printable letter per role, for frame tests */

#endif
