/* Keys as values and as text: "w", "W", "<C-l>", "<M-3>", "<PgDn>", "<S-Right>", "<Esc>", "<Space>", "<lt>".
 * actions.def, config files, `--keys` and the help use the same notation.  key_show() gives the short form
 * for people ("^L", "Alt-3", "PgDn"). */
#ifndef CORE_INPUT_KEY_H
#define CORE_INPUT_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { /* beyond Unicode */
	K_NONE = 0x110000,
	K_UP,
	K_DOWN,
	K_LEFT,
	K_RIGHT,
	K_HOME,
	K_END,
	K_PGUP,
	K_PGDN,
	K_INS,
	K_DEL,
	K_BACKSPACE,
	K_ENTER,
	K_TAB,
	K_ESC,
	K_F1,
	K_F12 = K_F1 + 11,
	K_RESIZE,
	K_MOUSE,
	K_EOF,
	K_LAST
};
enum { MOD_SHIFT = 1, MOD_CTRL = 2, MOD_ALT = 4 };

struct key {
	uint32_t code;
	uint8_t mods;
};

int key_parse(const char **text, struct key *);  /* advances *text; -1 = not a key */
char *key_format(struct key, char *buf, size_t); /* "<C-l>" */
char *key_show(struct key, char *buf, size_t);   /* "^L" */
/* types the key at the end of a text, or deletes the last character; false: the key is none of a text, or it is full */
bool key_type(char *text, size_t size, struct key);
static inline int key_same(struct key a, struct key b)
{
	return a.code == b.code && a.mods == b.mods;
}

#endif
