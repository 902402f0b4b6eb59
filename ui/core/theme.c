#include "config.h"
#include "core/theme.h"

#include <string.h>

#include "core/canvas.h"

enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, GREY, BRIGHT_WHITE = 15, NORMAL = -1 };

#define B ATTR_BOLD
#define R ATTR_REVERSE
#define U ATTR_UNDERLINE
#define D ATTR_DIM

/* What looks the same with 16 and with 8 colours. */
#define COMMON \
	[ROLE_TEXT] = { NORMAL, NORMAL, 0 }, [ROLE_BOLD] = { NORMAL, NORMAL, B }, \
	[ROLE_TITLE] = { NORMAL, NORMAL, R }, [ROLE_TAB] = { NORMAL, NORMAL, 0 }, \
	[ROLE_TAB_HERE] = { NORMAL, NORMAL, R | B }, [ROLE_KEYBAR] = { NORMAL, NORMAL, R }, \
	[ROLE_KEYBAR_KEY] = { NORMAL, NORMAL, R | B }, [ROLE_STATUS] = { NORMAL, NORMAL, 0 }, \
	[ROLE_PROMPT] = { NORMAL, NORMAL, B }, [ROLE_MESSAGE] = { NORMAL, NORMAL, B }, \
	[ROLE_ERROR] = { RED, NORMAL, B }, [ROLE_HEAD] = { NORMAL, NORMAL, B }, \
	[ROLE_SELECTED] = { NORMAL, NORMAL, R | B }, [ROLE_CURSOR] = { NORMAL, NORMAL, B }, \
	[ROLE_MARK] = { NORMAL, NORMAL, B }, [ROLE_RULER] = { NORMAL, NORMAL, 0 }, \
	[ROLE_HIT] = { NORMAL, NORMAL, B | U }, [ROLE_WARN] = { YELLOW, NORMAL, 0 }, \
	[ROLE_GOOD] = { GREEN, NORMAL, 0 }, [ROLE_BAD] = { RED, NORMAL, 0 }, \
	[ROLE_PROGRESS] = { CYAN, NORMAL, 0 }, [ROLE_FILL_MATMUL] = { BLACK, GREEN, 0 }, \
	[ROLE_FILL_COMPUTE] = { BLACK, CYAN, 0 }, [ROLE_FILL_COPY] = { BLACK, YELLOW, 0 }, \
	[ROLE_FILL_COLLECTIVE] = { BLACK, MAGENTA, 0 }, [ROLE_BLOCK_MATMUL] = { GREEN, NORMAL, 0 }, \
	[ROLE_BLOCK_COMPUTE] = { CYAN, NORMAL, 0 }, [ROLE_BLOCK_COPY] = { YELLOW, NORMAL, 0 }, \
	[ROLE_BLOCK_COLLECTIVE] = { MAGENTA, NORMAL, 0 }, [ROLE_BLOCK_IO] = { RED, NORMAL, 0 }, \
	[ROLE_BLOCK_HOST] = { BLUE, NORMAL, 0 }

static const struct theme default16 = {
	.name = "default16",
	.look = {
		COMMON,
		[ROLE_DIM] = { GREY, NORMAL, 0 }, [ROLE_LINE] = { GREY, NORMAL, 0 },
		[ROLE_MISS] = { GREY, NORMAL, 0 }, [ROLE_COUNTER] = { GREY, NORMAL, 0 },
		[ROLE_FILL_IO] = { BRIGHT_WHITE, RED, 0 }, [ROLE_FILL_HOST] = { BRIGHT_WHITE, BLUE, 0 },
		[ROLE_FILL_WAIT] = { BRIGHT_WHITE, GREY, 0 }, [ROLE_FILL_OTHER] = { BRIGHT_WHITE, GREY, 0 },
		[ROLE_BLOCK_WAIT] = { GREY, NORMAL, 0 }, [ROLE_BLOCK_OTHER] = { GREY, NORMAL, 0 },
	},
	.look8 = {
		COMMON,
		[ROLE_DIM] = { NORMAL, NORMAL, D }, [ROLE_LINE] = { NORMAL, NORMAL, D },
		[ROLE_MISS] = { NORMAL, NORMAL, D }, [ROLE_COUNTER] = { NORMAL, NORMAL, D },
		[ROLE_FILL_IO] = { WHITE, RED, 0 }, [ROLE_FILL_HOST] = { WHITE, BLUE, 0 },
		[ROLE_FILL_WAIT] = { NORMAL, NORMAL, R | D }, [ROLE_FILL_OTHER] = { NORMAL, NORMAL, R | D },
		[ROLE_BLOCK_WAIT] = { NORMAL, NORMAL, D }, [ROLE_BLOCK_OTHER] = { NORMAL, NORMAL, D },
	},
};

/* Attributes alone; theme_look() takes the colours away, so what is not named is plain text.  Letters and
 * glyphs of the views carry the meaning. */
#define ATTR(role, a) [ROLE_##role] = { NORMAL, NORMAL, a }
#define MONO { \
	ATTR(BOLD, B), ATTR(TITLE, R), ATTR(TAB_HERE, R | B), ATTR(KEYBAR, R), ATTR(KEYBAR_KEY, R | B), \
	ATTR(PROMPT, B), ATTR(MESSAGE, B), ATTR(ERROR, B), ATTR(HEAD, B), ATTR(SELECTED, R | B), \
	ATTR(CURSOR, B), ATTR(MARK, B), ATTR(HIT, B | U), ATTR(BAD, B) }

static const struct theme mono = { .name = "mono", .mono = true, .look = MONO, .look8 = MONO };

const struct theme *const themes[] = { &default16, &mono, NULL };

const struct theme *theme_find(const char *name)
{
	for (size_t i = 0; themes[i]; i++)
		if (!strcmp(themes[i]->name, name))
			return themes[i];
	return NULL;
}

struct look theme_look(const struct theme *t, enum role role, unsigned attr, int colors)
{
	struct look l = colors >= 16 ? t->look[role] : t->look8[role];

	l.attr |= (uint8_t)attr;
	if (t->mono || colors < 8)
		l.fg = l.bg = NORMAL;
	return l;
}
