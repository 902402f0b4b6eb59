/* Glyph sets: the characters drawn for each symbol.  `blocks` is Unicode (default in UTF-8 locales);
 * `braille` is blocks with graphs made of braille dots; `ascii` is plain; `box` is ASCII with the line
 * characters that terminals can draw in any locale (the back end uses its alternate character set).  Only
 * tables. */
#ifndef CORE_PAINT_GLYPH_H
#define CORE_PAINT_GLYPH_H

#include <stdbool.h>
#include <stdint.h>

enum glyph {
	/* ─ │ ┴ ┬ ┄ ┬ ╥ ├ */
	GLYPH_HLINE,
	GLYPH_VLINE,
	GLYPH_TEE_UP,
	GLYPH_TEE_DOWN,
	GLYPH_DASH,
	GLYPH_BEGIN,
	GLYPH_BEGIN_MANY,
	GLYPH_CONTAINER,
	/* ▏ ‹ › ▾ ▸ … │ ▼ */
	GLYPH_EDGE,
	GLYPH_CUT_LEFT,
	GLYPH_CUT_RIGHT,
	GLYPH_OPEN,
	GLYPH_FOLDED,
	GLYPH_ELLIPSIS,
	GLYPH_CURSOR,
	GLYPH_CURSOR_TOP,
	/* ╷ █ ░ • ◆ ▼ ▲ × · */
	GLYPH_TICK,
	GLYPH_FULL,
	GLYPH_SHADE,
	GLYPH_HIT,
	GLYPH_HIT_HERE,
	GLYPH_SORT_DOWN,
	GLYPH_SORT_UP,
	GLYPH_TIMES,
	GLYPH_BULLET,
	GLYPH_LANE,
	GLYPH_BRACKET_END, /* ≈ ┤ */
	GLYPH_COUNT
};

struct glyphs {
	const char *name;
	bool ascii; /* texts are ASCII too */
	uint32_t g[GLYPH_COUNT];
	/* 0 … 8 eighths from the bottom: ' ' ▁▂▃▄▅▆▇█; ASCII ' ' . : - = + * # @ */
	uint32_t height[9];
	uint32_t left[9];  /* 0 … 8 eighths from the left, for bars */
	uint32_t graph[9]; /* 0 … 8 eighths from the bottom, in graphs: counters, minimap */
};

extern const struct glyphs glyphs_blocks, glyphs_ascii, glyphs_box, glyphs_braille;
const struct glyphs *glyphs_find(const char *name); /* NULL = no such set */

#endif
