#include "config.h"
#include "core/input/prompt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"

void prompt_open(struct prompt *p, char label, struct history *h)
{
	p->open = true;
	p->label = label;
	p->history = h;
	p->past = h->n;
	p->len = p->at = 0;
	p->proposed = false;
	p->text[0] = p->typed[0] = p->hint[0] = 0;
}

void prompt_set(struct prompt *p, const char *text)
{
	p->len = strnlen(text, PROMPT_MAX);
	memcpy(p->text, text, p->len);
	p->text[p->len] = 0;
	p->at = p->len;
}

void prompt_propose(struct prompt *p, const char *text)
{
	prompt_set(p, text);
	p->proposed = *text;
}

static bool is_utf8_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t char_before(const struct prompt *p, size_t at)
{
	while (at > 0 && is_utf8_continuation(p->text[--at]))
		;
	return at;
}

static size_t char_after(const struct prompt *p, size_t at)
{
	if (at < p->len)
		for (at++; at < p->len && is_utf8_continuation(p->text[at]); at++)
			;
	return at;
}

static void cut_text(struct prompt *p, size_t from, size_t to)
{
	memmove(p->text + from, p->text + to, p->len - to + 1);
	p->len -= to - from;
	p->at = from;
}

static void insert_char(struct prompt *p, uint32_t ch)
{
	char bytes[4];
	size_t n = (size_t)utf8_put(bytes, ch);

	if (p->len + n > PROMPT_MAX)
		return;
	memmove(p->text + p->at + n, p->text + p->at, p->len - p->at + 1);
	memcpy(p->text + p->at, bytes, n);
	p->len += n;
	p->at += n;
}

static size_t word_start(const struct prompt *p)
{
	size_t at = p->at;

	while (at > 0 && p->text[at - 1] == ' ')
		at--;
	while (at > 0 && p->text[at - 1] != ' ')
		at--;
	return at;
}

static void walk_history(struct prompt *p, int dir)
{
	struct history *h = p->history;

	if (dir < 0 ? p->past == 0 : p->past == h->n)
		return;
	if (p->past == h->n)
		memcpy(p->typed, p->text, p->len + 1);
	p->past += dir < 0 ? (size_t)-1 : 1;
	prompt_set(p, p->past == h->n ? p->typed : h->v[p->past]);
}

static void add_to_history(struct history *h, const char *line)
{
	if (!*line || (h->n && !strcmp(h->v[h->n - 1], line)))
		return;
	if (h->n == HISTORY_MAX) {
		free(h->v[0]);
		memmove(h->v, h->v + 1, (HISTORY_MAX - 1) * sizeof *h->v);
		h->n--;
	}
	h->v[h->n++] = xstrdup(line);
}

static enum prompt_event plain_key(struct prompt *p, uint32_t code)
{
	switch (code) {
	case K_LEFT:
		p->at = char_before(p, p->at);
		break;
	case K_RIGHT:
		p->at = char_after(p, p->at);
		break;
	case K_HOME:
		p->at = 0;
		break;
	case K_END:
		p->at = p->len;
		break;
	case K_UP:
		walk_history(p, -1);
		break;
	case K_DOWN:
		walk_history(p, 1);
		break;
	case K_DEL:
		cut_text(p, p->at, char_after(p, p->at));
		break;
	case K_TAB:
		return PROMPT_COMPLETE;
	case K_BACKSPACE:
		if (p->len) {
			cut_text(p, char_before(p, p->at), p->at);
			break;
		} /* an empty line closes, like Esc */
		  /* fall through */
	case K_ESC:
		p->open = false;
		return PROMPT_CLOSED;
	case K_ENTER:
		add_to_history(p->history, p->text);
		p->open = false;
		return PROMPT_DONE;
	default:
		if (code < ' ' || code >= K_NONE)
			return PROMPT_NOTHING;
		insert_char(p, code);
	}
	return PROMPT_EDITED;
}

static enum prompt_event control_key(struct prompt *p, uint32_t code)
{
	static const struct {
		char letter;
		uint32_t code;
	} same[] = { { 'a', K_HOME }, { 'b', K_LEFT }, { 'c', K_ESC }, { 'd', K_DEL }, { 'e', K_END },
		{ 'f', K_RIGHT }, { 'g', K_ESC }, { 'n', K_DOWN }, { 'p', K_UP } };

	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		if (code == (uint32_t)same[i].letter)
			return plain_key(p, same[i].code);
	if (code == 'u')
		cut_text(p, 0, p->at);
	else if (code == 'w')
		cut_text(p, word_start(p), p->at);
	else if (code == 'k')
		cut_text(p, p->at, p->len);
	else
		return PROMPT_NOTHING;
	return PROMPT_EDITED;
}

enum prompt_event prompt_key(struct prompt *p, struct key key)
{
	p->hint[0] = 0;
	if (p->proposed && !key.mods && key.code >= ' ' && key.code < K_NONE)
		prompt_set(p, "");
	p->proposed = false;
	if (key.mods & MOD_ALT)
		return PROMPT_NOTHING;
	return key.mods & MOD_CTRL ? control_key(p, key.code) : plain_key(p, key.code);
}

/* Draws as many whole words of the hint as fit, and an ellipsis if there are more. */
static void draw_hint(const struct prompt *p, struct canvas *c, int y, int x, int room)
{
	size_t n = strlen(p->hint);

	if (utf8_cols(p->hint, n) > room) {
		while (n && (utf8_cols(p->hint, n) > room - 2 || p->hint[n] != ' '))
			n--;
		x += canvas_text(c, y, x, room, ROLE_DIM, 0, p->hint, n);
		if (room > 1)
			canvas_glyph(c, y, n ? x + 1 : x, GLYPH_ELLIPSIS, ROLE_DIM, 0);
	} else {
		canvas_str(c, y, x, room, ROLE_DIM, 0, p->hint);
	}
}

void prompt_draw(const struct prompt *p, struct canvas *c, int y)
{
	int room = c->cols - 3, cursor = utf8_cols(p->text, p->at);
	size_t from = 0;
	int used;

	if (room < 1)
		return;
	while (cursor > room) { /* scroll a long line to keep the cursor visible */
		size_t next = char_after(p, from);

		cursor -= utf8_cols(p->text + from, next - from);
		from = next;
	}
	canvas_put(c, y, 1, (unsigned char)p->label, ROLE_PROMPT, 0);
	used = canvas_text(c, y, 2, room, p->proposed ? ROLE_SELECTED : ROLE_PROMPT, 0, p->text + from,
	    p->len - from);
	if (*p->hint)
		draw_hint(p, c, y, 2 + used + 3, room - used - 3);
	c->cursor_y = y;
	c->cursor_x = 2 + cursor;
}

void history_free(struct history *h)
{
	for (size_t i = 0; i < h->n; i++)
		free(h->v[i]);
	h->n = 0;
}
