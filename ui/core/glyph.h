/* Glyph sets: what is drawn for each sign, in Unicode blocks (default in UTF-8 locales) or plain ASCII.  A table, nothing else. */
#ifndef CORE_GLYPH_H
#define CORE_GLYPH_H

#include <stdbool.h>
#include <stdint.h>

enum glyph {
	GLYPH_HLINE, GLYPH_VLINE, GLYPH_TEE_UP, GLYPH_TEE_DOWN, GLYPH_DASH, GLYPH_BEGIN, GLYPH_BEGIN_MANY, GLYPH_CONTAINER,	/* ─ │ ┴ ┬ ┄ ┬ ╥ ├ */
	GLYPH_EDGE, GLYPH_CUT_LEFT, GLYPH_CUT_RIGHT, GLYPH_OPEN, GLYPH_FOLDED, GLYPH_ELLIPSIS, GLYPH_CURSOR, GLYPH_CURSOR_TOP,	/* ▏ ‹ › ▾ ▸ … │ ▼ */
	GLYPH_TICK, GLYPH_FULL, GLYPH_SHADE, GLYPH_HIT, GLYPH_HIT_HERE, GLYPH_SORT_DOWN, GLYPH_SORT_UP, GLYPH_TIMES, GLYPH_BULLET,	/* ╷ █ ░ • ◆ ▼ ▲ × · */
	GLYPH_LANE,	/* ≈ */
	GLYPH_COUNT
};

struct glyphs {
	const char *name;		/* "blocks", "ascii" */
	bool ascii;
	uint32_t g[GLYPH_COUNT];
	uint32_t height[9];		/* 0 … 8 eighths from below: ' ' ▁▂▃▄▅▆▇█; ASCII ' ' . : - = + * # @ */
	uint32_t left[9];		/* 0 … 8 eighths from the left, for bars */
};

extern const struct glyphs glyphs_blocks, glyphs_ascii;

#endif
