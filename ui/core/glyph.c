#include "config.h"
#include "core/glyph.h"

const struct glyphs glyphs_blocks = {
	.name = "blocks",
	.g = {
		[GLYPH_HLINE] = 0x2500, [GLYPH_VLINE] = 0x2502, [GLYPH_TEE_UP] = 0x2534,
		[GLYPH_TEE_DOWN] = 0x252c, [GLYPH_DASH] = 0x2504, [GLYPH_BEGIN] = 0x252c,
		[GLYPH_BEGIN_MANY] = 0x2565, [GLYPH_CONTAINER] = 0x251c, [GLYPH_EDGE] = 0x258f,
		[GLYPH_CUT_LEFT] = 0x2039, [GLYPH_CUT_RIGHT] = 0x203a, [GLYPH_OPEN] = 0x25be,
		[GLYPH_FOLDED] = 0x25b8, [GLYPH_ELLIPSIS] = 0x2026, [GLYPH_CURSOR] = 0x2502,
		[GLYPH_CURSOR_TOP] = 0x25bc, [GLYPH_TICK] = 0x2577, [GLYPH_FULL] = 0x2588,
		[GLYPH_SHADE] = 0x2591, [GLYPH_HIT] = 0x2022, [GLYPH_HIT_HERE] = 0x25c6,
		[GLYPH_SORT_DOWN] = 0x25bc, [GLYPH_SORT_UP] = 0x25b2, [GLYPH_TIMES] = 0x00d7,
		[GLYPH_BULLET] = 0x00b7, [GLYPH_LANE] = 0x2248,
	},
	.height = { ' ', 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588 },
	.left = { ' ', 0x258f, 0x258e, 0x258d, 0x258c, 0x258b, 0x258a, 0x2589, 0x2588 },
};

const struct glyphs glyphs_ascii = {
	.name = "ascii", .ascii = true,
	.g = {
		[GLYPH_HLINE] = '-', [GLYPH_VLINE] = '|', [GLYPH_TEE_UP] = '+', [GLYPH_TEE_DOWN] = '+',
		[GLYPH_DASH] = '-', [GLYPH_BEGIN] = '|', [GLYPH_BEGIN_MANY] = '!', [GLYPH_CONTAINER] = '|',
		[GLYPH_EDGE] = '|', [GLYPH_CUT_LEFT] = '<', [GLYPH_CUT_RIGHT] = '>', [GLYPH_OPEN] = '-',
		[GLYPH_FOLDED] = '+', [GLYPH_ELLIPSIS] = '~', [GLYPH_CURSOR] = ':', [GLYPH_CURSOR_TOP] = 'v',
		[GLYPH_TICK] = '|', [GLYPH_FULL] = '#', [GLYPH_SHADE] = '.', [GLYPH_HIT] = '*',
		[GLYPH_HIT_HERE] = '@', [GLYPH_SORT_DOWN] = 'v', [GLYPH_SORT_UP] = '^', [GLYPH_TIMES] = 'x',
		[GLYPH_BULLET] = '.', [GLYPH_LANE] = '~',
	},
	.height = { ' ', '.', ':', '-', '=', '+', '*', '#', '@' },
	.left = { ' ', ' ', '.', '-', '-', '=', '=', '#', '#' },
};
