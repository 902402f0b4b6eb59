#include "config.h"
#include "term/curses_keys.h"

#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"

enum { CTRL_C = 3, CODE_FIRST = 0x2000, CODE_FOCUS = 0x3000, CODE_PASTE_BEGIN, CODE_PASTE_END, CODE_MOUSE };

/* Final letters and numbers of xterm's sequences: ESC [ 1 ; M letter and ESC [ number ; M ~, where M - 1 are
 * the modifiers. */
static const struct {
	char letter;
	int number;
	uint32_t code;
} sequences[] = {
	{ 'A', 0, K_UP },
	{ 'B', 0, K_DOWN },
	{ 'C', 0, K_RIGHT },
	{ 'D', 0, K_LEFT },
	{ 'H', 0, K_HOME },
	{ 'F', 0, K_END },
	{ 0, 1, K_HOME },
	{ 0, 4, K_END },
	{ 0, 7, K_HOME },
	{ 0, 8, K_END },
	{ 0, 2, K_INS },
	{ 0, 3, K_DEL },
	{ 0, 5, K_PGUP },
	{ 0, 6, K_PGDN },
};
#define NSEQUENCES (int)(sizeof sequences / sizeof *sequences)

static const struct {
	int curses;
	struct key key;
} known[] = {
	{ KEY_UP, { K_UP, 0 } },
	{ KEY_DOWN, { K_DOWN, 0 } },
	{ KEY_LEFT, { K_LEFT, 0 } },
	{ KEY_RIGHT, { K_RIGHT, 0 } },
	{ KEY_HOME, { K_HOME, 0 } },
	{ KEY_END, { K_END, 0 } },
	{ KEY_LL, { K_END, 0 } },
	{ KEY_PPAGE, { K_PGUP, 0 } },
	{ KEY_NPAGE, { K_PGDN, 0 } },
	{ KEY_A1, { K_HOME, 0 } },
	{ KEY_A3, { K_PGUP, 0 } },
	{ KEY_C1, { K_END, 0 } },
	{ KEY_C3, { K_PGDN, 0 } },
	{ KEY_IC, { K_INS, 0 } },
	{ KEY_DC, { K_DEL, 0 } },
	{ KEY_BACKSPACE, { K_BACKSPACE, 0 } },
	{ KEY_ENTER, { K_ENTER, 0 } },
	{ KEY_BTAB, { K_TAB, MOD_SHIFT } },
	{ KEY_SLEFT, { K_LEFT, MOD_SHIFT } },
	{ KEY_SRIGHT, { K_RIGHT, MOD_SHIFT } },
	{ KEY_SR, { K_UP, MOD_SHIFT } },
	{ KEY_SF, { K_DOWN, MOD_SHIFT } },
	{ KEY_SHOME, { K_HOME, MOD_SHIFT } },
	{ KEY_SEND, { K_END, MOD_SHIFT } },
	{ KEY_SPREVIOUS, { K_PGUP, MOD_SHIFT } },
	{ KEY_SNEXT, { K_PGDN, MOD_SHIFT } },
	{ KEY_SDC, { K_DEL, MOD_SHIFT } },
	{ KEY_RESIZE, { K_RESIZE, 0 } },
};

static void define_keys(void)
{
	char s[16];

	for (int i = 0; i < NSEQUENCES; i++)
		for (int mods = 0; mods < 8; mods++) {
			int code = CODE_FIRST + i * 8 + mods;

			if (sequences[i].letter && mods)
				snprintf(s, sizeof s, "\033[1;%d%c", mods + 1, sequences[i].letter);
			else if (sequences[i].letter)
				snprintf(s, sizeof s, "\033[%c", sequences[i].letter);
			else if (mods)
				snprintf(s, sizeof s, "\033[%d;%d~", sequences[i].number, mods + 1);
			else
				snprintf(s, sizeof s, "\033[%d~", sequences[i].number);
			define_key(s, code);
			if (sequences[i].letter && !mods) {
				snprintf(s, sizeof s, "\033O%c", sequences[i].letter);
				define_key(s, code);
			}
		}
	define_key("\033[Z", KEY_BTAB);
	define_key("\033[I", CODE_FOCUS);
	define_key("\033[O", CODE_FOCUS);
	define_key("\033[200~", CODE_PASTE_BEGIN);
	define_key("\033[201~", CODE_PASTE_END);
	define_key(NULL, KEY_MOUSE); /* mouse reports are parsed here, not by ncurses */
	define_key("\033[<", CODE_MOUSE);
}

int curses_keys_open(struct curses_keys *k)
{
	*k = (struct curses_keys){ .win = newpad(1, 1), .back = -1 };
	if (!k->win)
		return -1;
	keypad(k->win, TRUE);
	nodelay(k->win, TRUE);
	define_keys();
	return 0;
}

void curses_keys_close(struct curses_keys *k)
{
	if (k->win)
		delwin(k->win);
	k->win = NULL;
}

static int next_code(struct curses_keys *k)
{
	int c = k->back;

	k->back = -1;
	return c >= 0 ? c : wgetch(k->win);
}

/* Decodes a key that ncurses has a code for; false: not a key for us (focus, paste, unused keys). */
static bool decode_code(struct curses_keys *k, int c, struct key *key)
{
	if (c == CODE_PASTE_BEGIN || c == CODE_PASTE_END)
		k->pasting = c == CODE_PASTE_BEGIN;
	if (c >= CODE_FIRST && c < CODE_FIRST + NSEQUENCES * 8) {
		int mods = (c - CODE_FIRST) % 8; /* shift 1, alt 2, control 4 */

		*key = (struct key){ sequences[(c - CODE_FIRST) / 8].code,
			(uint8_t)((mods & 1 ? MOD_SHIFT : 0) | (mods & 2 ? MOD_ALT : 0) |
			    (mods & 4 ? MOD_CTRL : 0)) };
		return true;
	}
	if (c >= KEY_F(1) && c <= KEY_F(12)) {
		*key = (struct key){ K_F1 + (uint32_t)(c - KEY_F(1)), 0 };
		return true;
	}
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].curses == c) {
			*key = known[i].key;
			return true;
		}
	return false;
}

static struct key control_key(int c)
{
	switch (c) {
	case 0:
		return (struct key){ ' ', MOD_CTRL };
	case '\t':
		return (struct key){ K_TAB, 0 };
	case '\r':
	case '\n':
		return (struct key){ K_ENTER, 0 };
	case 27:
		return (struct key){ K_ESC, 0 };
	case '\b':
	case 127:
		return (struct key){ K_BACKSPACE, 0 };
	default:
		return (struct key){ (uint32_t)(c < 27 ? c + 'a' - 1 : c + '@'), MOD_CTRL };
	}
}

/* Adds a byte of text; true when a character is complete.  Broken sequences are dropped; their last byte
 * starts a new one. */
static bool add_text_byte(struct curses_keys *k, int c, struct key *key)
{
	const char *p = (const char *)k->utf8;
	int need;

	if (c < 128) {
		k->n = 0;
		*key = (struct key){ (uint32_t)c, 0 };
		return true;
	}
	if (c >= 0xc0)
		k->n = 0;
	else if (!k->n)
		return false;
	k->utf8[k->n++] = (unsigned char)c;
	need = k->utf8[0] >= 0xf0 ? 4 : k->utf8[0] >= 0xe0 ? 3 : 2;
	if (k->n < need)
		return false;
	key->code = utf8_next(&p, p + k->n);
	key->mods = 0;
	k->n = 0;
	return p == (const char *)k->utf8 + need && utf8_safe(key->code) == key->code;
}

/* Skips an escape sequence (after ESC [ or ESC O) that ncurses does not know, up to its end or to the next key.
 * ESC [ M and three bytes: the mouse of a terminal that does not know mode 1006. */
static void skip_sequence(struct curses_keys *k, int kind)
{
	int n = 0, c;

	do {
		c = wgetch(k->win);
		n++;
	} while (c != ERR && c != 27 && c < 256 && (kind == '[' ? c < '@' || c > '~' : c >= '0' && c <= '9'));
	if (c == 27 || c > 255)
		k->back = c;
	for (int left = kind == '[' && n == 1 && c == 'M' ? 3 : 0; left > 0; left--)
		wgetch(k->win);
}

/* Handles an ESC that begins no known sequence: Alt and a key, or Esc itself. */
static bool decode_escape(struct curses_keys *k, struct key *key)
{
	int c = wgetch(k->win);

	*key = (struct key){ K_ESC, 0 };
	if (c == ERR)
		return true;
	if (c == 27 || c > 255) { /* Esc, followed by another key */
		k->back = c;
		return true;
	}
	if (c == '[' || c == 'O') {
		skip_sequence(k, c);
		return false;
	}
	if (c < ' ' || c == 127)
		*key = control_key(c);
	else if (!add_text_byte(k, c, key))
		return false;
	key->mods |= MOD_ALT;
	return true;
}

/* Decodes "ESC [ < buttons ; column ; row M" (xterm's mode 1006; m = released); false: nothing of use. */
static bool decode_mouse(struct mouse *m, const char *report, char end)
{
	int bits, x, y, n = 0, button;

	if (sscanf(report, "%5d;%5d;%5d%n", &bits, &x, &y, &n) != 3 || report[n] || bits < 0 || x < 1 ||
	    y < 1)
		return false;
	button = bits & 3;
	*m = (struct mouse){ .y = y - 1,
		.x = x - 1,
		.mods = (uint8_t)((bits & 4 ? MOD_SHIFT : 0) | (bits & 8 ? MOD_ALT : 0) |
		    (bits & 16 ? MOD_CTRL : 0)) };
	if (bits & 64) {
		m->kind = MOUSE_WHEEL;
		m->dir = button ? 1 : -1;
		return end == 'M' && button < 2 && !(bits & 128);
	}
	m->kind = bits & 32 ? MOUSE_DRAG : end == 'm' ? MOUSE_RELEASE : MOUSE_PRESS;
	m->button = button + 1;
	return button < 3 && !(bits & 128);
}

/* Adds a character of a mouse report; true when a useful report is complete. */
static bool add_mouse_byte(struct curses_keys *k, int c, struct key *key)
{
	int n = k->nreport - 1;

	k->nreport = 0;
	if ((c >= '0' && c <= '9') || c == ';') {
		if (n < (int)sizeof k->report - 1)
			k->report[n++] = (char)c;
		k->nreport = n + 1; /* a report that is too long is read to its end and ignored */
		return false;
	}
	k->report[n] = 0;
	if (c != 'M' && c != 'm') {
		k->back = c;
		return false;
	}
	*key = (struct key){ K_MOUSE, 0 };
	return decode_mouse(&k->mouse, k->report, (char)c);
}

int curses_keys_get(struct curses_keys *k, struct key *key)
{
	int c;

	while ((c = next_code(k)) != ERR) {
		if (k->nreport) {
			if (add_mouse_byte(k, c, key))
				return 1;
		} else if (c == CODE_MOUSE) {
			k->nreport = 1;
		} else if (c > 255) {
			if (decode_code(k, c, key))
				return 1;
		} else if (k->pasting && c != CTRL_C) {
			if (add_text_byte(k, c < ' ' || c == 127 ? ' ' : c, key))
				return 1;
		} else if (c == 27) {
			if (decode_escape(k, key))
				return 1;
		} else if (c < ' ' || c == 127) {
			k->pasting = false; /* ^C ends a paste whose end was lost */
			*key = control_key(c);
			return 1;
		} else if (add_text_byte(k, c, key)) {
			return 1;
		}
	}
	return 0;
}
