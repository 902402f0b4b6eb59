#include "config.h"
#include "core/paint/glyph.h"

#include <stddef.h>
#include <string.h>

#define EIGHTHS_UP \
	{ \
		' ', 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588 \
	}
#define EIGHTHS_RIGHT \
	{ \
		' ', 0x258f, 0x258e, 0x258d, 0x258c, 0x258b, 0x258a, 0x2589, 0x2588 \
	}
#define DOTS_UP \
	{ \
		' ', 0x2840, 0x28c0, 0x28c4, 0x28e4, 0x28e6, 0x28f6, 0x28f7, 0x28ff \
	}
#define ASCII_UP \
	{ \
		' ', '.', ':', '-', '=', '+', '*', '#', '@' \
	}
#define ASCII_RIGHT \
	{ \
		' ', ' ', '.', '-', '-', '=', '=', '#', '#' \
	}

#define UNICODE_SIGNS \
	{ \
		[GLYPH_HLINE] = 0x2500, [GLYPH_VLINE] = 0x2502, [GLYPH_TEE_UP] = 0x2534, \
		[GLYPH_TEE_DOWN] = 0x252c, [GLYPH_DASH] = 0x2504, [GLYPH_BEGIN] = 0x252c, \
		[GLYPH_BEGIN_MANY] = 0x2565, [GLYPH_CONTAINER] = 0x251c, [GLYPH_EDGE] = 0x258f, \
		[GLYPH_CUT_LEFT] = 0x2039, [GLYPH_CUT_RIGHT] = 0x203a, [GLYPH_OPEN] = 0x25be, \
		[GLYPH_FOLDED] = 0x25b8, [GLYPH_ELLIPSIS] = 0x2026, [GLYPH_CURSOR] = 0x2502, \
		[GLYPH_CURSOR_TOP] = 0x25bc, [GLYPH_TICK] = 0x2577, [GLYPH_FULL] = 0x2588, \
		[GLYPH_SHADE] = 0x2591, [GLYPH_HIT] = 0x2022, [GLYPH_HIT_HERE] = 0x25c6, \
		[GLYPH_SORT_DOWN] = 0x25bc, [GLYPH_SORT_UP] = 0x25b2, [GLYPH_TIMES] = 0x00d7, \
		[GLYPH_BULLET] = 0x00b7, [GLYPH_LANE] = 0x2248, [GLYPH_BRACKET_END] = 0x2524 \
	}

const struct glyphs glyphs_blocks = {
	.name = "blocks",
	.g = UNICODE_SIGNS,
	.height = EIGHTHS_UP,
	.left = EIGHTHS_RIGHT,
	.graph = EIGHTHS_UP,
};

const struct glyphs glyphs_braille = {
	.name = "braille",
	.g = UNICODE_SIGNS,
	.height = EIGHTHS_UP,
	.left = EIGHTHS_RIGHT,
	.graph = DOTS_UP,
};

const struct glyphs glyphs_ascii = {
	.name = "ascii", .ascii = true,
	.g = {
		[GLYPH_HLINE] = '-', [GLYPH_VLINE] = '|', [GLYPH_TEE_UP] = '+', [GLYPH_TEE_DOWN] = '+',
		[GLYPH_DASH] = '-', [GLYPH_BEGIN] = '|', [GLYPH_BEGIN_MANY] = '!', [GLYPH_CONTAINER] = '|',
		[GLYPH_EDGE] = '|', [GLYPH_CUT_LEFT] = '<', [GLYPH_CUT_RIGHT] = '>', [GLYPH_OPEN] = '-',
		[GLYPH_FOLDED] = '+', [GLYPH_ELLIPSIS] = '~', [GLYPH_CURSOR] = ':', [GLYPH_CURSOR_TOP] = 'v',
		[GLYPH_TICK] = '|', [GLYPH_FULL] = '#', [GLYPH_SHADE] = '_', [GLYPH_HIT] = '*',
		[GLYPH_HIT_HERE] = '@', [GLYPH_SORT_DOWN] = 'v', [GLYPH_SORT_UP] = '^', [GLYPH_TIMES] = 'x',
		[GLYPH_BULLET] = '.', [GLYPH_LANE] = '~', [GLYPH_BRACKET_END] = '|',
	},
	.height = ASCII_UP, .left = ASCII_RIGHT, .graph = ASCII_UP,
};

/* Only ASCII and what a VT100 can draw. */
const struct glyphs glyphs_box = {
	.name = "box", .ascii = true,
	.g = {
		[GLYPH_HLINE] = 0x2500, [GLYPH_VLINE] = 0x2502, [GLYPH_TEE_UP] = 0x2534,
		[GLYPH_TEE_DOWN] = 0x252c,
		[GLYPH_DASH] = '-', [GLYPH_BEGIN] = 0x252c, [GLYPH_BEGIN_MANY] = '!',
		[GLYPH_CONTAINER] = 0x251c,
		[GLYPH_EDGE] = '|', [GLYPH_CUT_LEFT] = '<', [GLYPH_CUT_RIGHT] = '>', [GLYPH_OPEN] = '-',
		[GLYPH_FOLDED] = '+', [GLYPH_ELLIPSIS] = '~', [GLYPH_CURSOR] = 0x2502,
		[GLYPH_CURSOR_TOP] = 'v',
		[GLYPH_TICK] = 0x2502, [GLYPH_FULL] = '#', [GLYPH_SHADE] = 0x2592, [GLYPH_HIT] = '*',
		[GLYPH_HIT_HERE] = 0x25c6, [GLYPH_SORT_DOWN] = 'v', [GLYPH_SORT_UP] = '^',
		[GLYPH_TIMES] = 'x',
		[GLYPH_BULLET] = 0x00b7, [GLYPH_LANE] = '~', [GLYPH_BRACKET_END] = 0x2524,
	},
	.height = ASCII_UP, .left = ASCII_RIGHT, .graph = ASCII_UP,
};

const struct glyphs *glyphs_find(const char *name)
{
	static const struct glyphs *const all[] = { &glyphs_blocks, &glyphs_box, &glyphs_ascii,
		&glyphs_braille };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (!strcmp(all[i]->name, name))
			return all[i];
	return NULL;
}
