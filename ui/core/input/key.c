#include "config.h"
#include "core/input/key.h"

#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"
#include "base/text/words.h"

/* the first name of a code is the one written by key_format() */
static const struct {
	const char *name, *shown;
	uint32_t code;
} names[] = {
	{ "Up", "Up", K_UP },
	{ "Down", "Down", K_DOWN },
	{ "Left", "Left", K_LEFT },
	{ "Right", "Right", K_RIGHT },
	{ "Home", "Home", K_HOME },
	{ "End", "End", K_END },
	{ "PgUp", "PgUp", K_PGUP },
	{ "PgDn", "PgDn", K_PGDN },
	{ "Ins", "Ins", K_INS },
	{ "Del", "Del", K_DEL },
	{ "BS", "Backspace", K_BACKSPACE },
	{ "Enter", "Enter", K_ENTER },
	{ "Tab", "Tab", K_TAB },
	{ "Esc", "Esc", K_ESC },
	{ "Space", "Space", ' ' },
	{ "F1", "F1", K_F1 },
	{ "F2", "F2", K_F1 + 1 },
	{ "F3", "F3", K_F1 + 2 },
	{ "F4", "F4", K_F1 + 3 },
	{ "F5", "F5", K_F1 + 4 },
	{ "F6", "F6", K_F1 + 5 },
	{ "F7", "F7", K_F1 + 6 },
	{ "F8", "F8", K_F1 + 7 },
	{ "F9", "F9", K_F1 + 8 },
	{ "F10", "F10", K_F1 + 9 },
	{ "F11", "F11", K_F1 + 10 },
	{ "F12", "F12", K_F12 },
	{ "lt", "<", '<' },
	{ "gt", ">", '>' },
	{ "lbrace", "{", '{' },
	{ "rbrace", "}", '}' },
	{ "Backspace", "Backspace", K_BACKSPACE },
	{ "CR", "Enter", K_ENTER },
};
#define NNAMES (sizeof names / sizeof *names)

static const struct {
	char letter;
	const char *shown;
	uint8_t mod;
} mods[] = {
	{ 'C', "Ctrl-", MOD_CTRL },
	{ 'M', "Alt-", MOD_ALT },
	{ 'S', "Shift-", MOD_SHIFT },
};
#define NMODS (sizeof mods / sizeof *mods)

/* Maps equivalent keys to one form, the one that terminals send. */
static struct key canonical_key(struct key k)
{
	bool upper = k.code >= 'A' && k.code <= 'Z';

	if (upper || (k.code >= 'a' && k.code <= 'z')) {
		upper = !(k.mods & MOD_CTRL) && (upper || k.mods & MOD_SHIFT);
		k.code = (k.code & 31) + (upper ? 'A' - 1 : 'a' - 1);
		k.mods &= (uint8_t)~MOD_SHIFT;
	}
	if (k.mods & MOD_CTRL) {
		uint32_t plain = k.code == 'i' ? K_TAB : k.code == 'm' ? K_ENTER : k.code == '[' ? K_ESC : 0;

		if (plain) {
			k.code = plain;
			k.mods &= (uint8_t)~MOD_CTRL;
		}
	}
	return k;
}

/* Parses what is between < and >; returns false when it is not a key. */
static int parse_named(const char *s, size_t n, struct key *key)
{
	struct key k = { 0 };
	const char *end = s + n;

	for (size_t i = 0; i < NMODS;) {
		if (end - s > 2 && s[1] == '-' && s[0] == mods[i].letter && !(k.mods & mods[i].mod)) {
			k.mods |= mods[i].mod;
			s += 2;
			i = 0;
		} else
			i++;
	}
	for (size_t i = 0; i < NNAMES; i++)
		if (strlen(names[i].name) == (size_t)(end - s) &&
		    !memcmp(names[i].name, s, (size_t)(end - s))) {
			k.code = names[i].code;
			*key = canonical_key(k);
			return 1;
		}
	if (s == end || !k.mods)
		return 0;
	k.code = utf8_next(&s, end);
	if (s != end || k.code <= ' ' || k.code == 0xfffd)
		return 0;
	*key = canonical_key(k);
	return 1;
}

int key_parse(const char **text, struct key *key)
{
	const char *s = *text, *close;

	if (!*s)
		return -1;
	if (*s == '<' && s[1] && (close = strchr(s + 2, '>')) &&
	    !memchr(s + 1, '<', (size_t)(close - s - 1))) {
		if (!parse_named(s + 1, (size_t)(close - s - 1), key))
			return -1;
		*text = close + 1;
		return 0;
	}
	*key = (struct key){ .code = utf8_next(&s, s + strlen(s)) };
	if (key->code < ' ' || key->code == 127 || key->code == 0xfffd)
		return -1;
	*text = s;
	return 0;
}

static char *put_code(uint32_t code, char *buf, size_t size)
{
	char c[5] = "";

	c[utf8_put(c, code)] = 0;
	snprintf(buf, size, "%s", c);
	return buf;
}

/* The name of a key, or its character; NULL = there is none. */
static const char *key_name(uint32_t code, bool shown, char *buf, size_t size)
{
	for (size_t i = 0; i < NNAMES; i++)
		if (names[i].code == code)
			return shown ? names[i].shown : names[i].name;
	return code && code < K_NONE ? put_code(code, buf, size) : NULL;
}

char *key_format(struct key k, char *buf, size_t size)
{
	char code[16], prefix[8] = "";
	const char *name = key_name(k.code, false, code, sizeof code);

	for (size_t i = 0; i < NMODS; i++)
		if (k.mods & mods[i].mod)
			words_add(prefix, sizeof prefix, "", (char[]){ mods[i].letter, '-', 0 });
	if (name == code && !*prefix)
		snprintf(buf, size, "%s", code);
	else
		snprintf(buf, size, "<%s%s>", name ? prefix : "", name ? name : "none");
	return buf;
}

char *key_show(struct key k, char *buf, size_t size)
{
	char code[16], prefix[24] = "";
	const char *name = key_name(k.code, true, code, sizeof code);

	if (k.mods == MOD_CTRL && k.code >= 'a' && k.code <= 'z') {
		snprintf(buf, size, "^%c", (char)(k.code - 'a' + 'A'));
		return buf;
	}
	for (size_t i = 0; i < NMODS; i++)
		if (k.mods & mods[i].mod)
			words_add(prefix, sizeof prefix, "", mods[i].shown);
	snprintf(buf, size, "%s%s", prefix, name ? name : "none");
	return buf;
}

bool key_type(char *text, size_t size, struct key key)
{
	size_t n = strlen(text);

	if (key.mods)
		return false;
	if (key.code == K_BACKSPACE)
		while (n && ((unsigned char)text[--n] & 0xc0) == 0x80)
			;
	else if (key.code >= ' ' && key.code < K_NONE && n + 4 < size)
		n += (size_t)utf8_put(text + n, key.code);
	else
		return false;
	text[n] = '\0';
	return true;
}
