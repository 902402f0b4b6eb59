#include "config.h"
#include "analyze/cover/internal.h"

#include <string.h>
#include <strings.h>

#define LOOK 4096 /* bytes in which a page shows that it is one */

enum { TAG_NONE, TAG_LINE, TAG_BLOCK, TAG_CELL, TAG_PRE, TAG_HIDDEN };

static const struct {
	const char *name;
	int kind;
} tags[] = {
	{ "blockquote", TAG_BLOCK },
	{ "body", TAG_BLOCK },
	{ "br", TAG_LINE },
	{ "br/", TAG_LINE },
	{ "div", TAG_BLOCK },
	{ "h1", TAG_BLOCK },
	{ "h2", TAG_BLOCK },
	{ "h3", TAG_BLOCK },
	{ "head", TAG_HIDDEN },
	{ "li", TAG_BLOCK },
	{ "ol", TAG_BLOCK },
	{ "p", TAG_BLOCK },
	{ "pre", TAG_PRE },
	{ "script", TAG_HIDDEN },
	{ "style", TAG_HIDDEN },
	{ "table", TAG_BLOCK },
	{ "td", TAG_CELL },
	{ "textarea", TAG_PRE },
	{ "title", TAG_HIDDEN },
	{ "tr", TAG_BLOCK },
	{ "ul", TAG_BLOCK },
};

static int kind_of_tag(const char *name)
{
	for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
		if (!strcasecmp(name, tags[i].name))
			return tags[i].kind;
	return TAG_NONE;
}

static bool is_one_of(const char *const *names, size_t n, struct slice s)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(names[i]);

		if (s.n > len && !strncasecmp(s.s, names[i], len) && memchr("> /\n", s.s[len], 4))
			return true;
	}
	return false;
}

static bool is_html(struct slice s)
{
	static const char *const first[] = { "<code", "<div", "<meta", "<p", "<span", "<table" };
	static const char *const anywhere[] = { "<!doctype html", "<body", "<br", "<html", "<pre" };
	size_t most = s.n < LOOK ? s.n : LOOK, at = 0;

	while (at < most && memchr(" \t\r\n", s.s[at], 4))
		at++;
	if (is_one_of(first, sizeof first / sizeof *first, (struct slice){ s.s + at, s.n - at }))
		return true;
	for (const char *next; at < most && (next = memchr(s.s + at, '<', most - at)); at++) {
		at = (size_t)(next - s.s);
		if (is_one_of(anywhere, sizeof anywhere / sizeof *anywhere, (struct slice){ next, s.n - at }))
			return true;
	}
	return false;
}

static void end_tag(struct cover *c)
{
	struct cover_html *h = &c->html;
	const char *name = h->name;
	bool closes = *name == '/';
	int kind;

	h->name[h->nname < COVER_NAME ? h->nname : COVER_NAME - 1] = 0;
	kind = kind_of_tag(name + closes);
	h->state = kind == TAG_HIDDEN && !closes ? HTML_SKIP : HTML_TEXT;
	if (kind == TAG_LINE)
		cover_end_line(c, true);
	else if (kind == TAG_BLOCK || kind == TAG_PRE)
		cover_end_line(c, false);
	else if (kind == TAG_CELL && c->nout)
		cover_put(c, " ", 1);
	if (kind == TAG_PRE)
		h->pre += closes ? (h->pre ? -1u : 0) : 1;
}

static void read_tag(struct cover *c, char byte)
{
	struct cover_html *h = &c->html;

	if (h->quote) {
		h->quote = byte == h->quote ? 0 : h->quote;
	} else if (byte == '>') {
		end_tag(c);
	} else if (byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r') {
		h->named = true;
	} else if (h->named) {
		h->quote = byte == '"' || byte == '\'' ? byte : 0;
	} else if (h->nname < COVER_NAME) {
		h->name[h->nname++] = byte;
	}
}

static bool begins_tag(struct slice s)
{
	return s.n < 2 || s.s[1] == '/' || s.s[1] == '!' || ((s.s[1] | 32) >= 'a' && (s.s[1] | 32) <= 'z');
}

static void put_byte(struct cover *c, struct slice s)
{
	struct cover_html *h = &c->html;

	if (*s.s == '<' && begins_tag(s)) {
		h->state = HTML_TAG;
		h->nname = 0;
		h->named = false;
	} else if (*s.s == '\n' && (h->pre || h->lines)) {
		cover_end_line(c, true);
	} else if (*s.s == '\n') {
		cover_put(c, " ", c->nout > 0);
	} else {
		cover_put(c, s.s, 1);
	}
}

static void read_html(struct cover *c, struct slice s)
{
	struct cover_html *h = &c->html;

	for (size_t i = 0; i < s.n; i++) {
		struct slice rest = { s.s + i, s.n - i };

		if (h->state == HTML_TAG)
			read_tag(c, s.s[i]);
		else if (h->state == HTML_SKIP && !(s.s[i] == '<' && rest.n > 1 && rest.s[1] == '/'))
			;
		else
			put_byte(c, rest);
		c->line += s.s[i] == '\n';
	}
}

const struct cover_kind cover_html = { is_html, read_html, NULL };

/* --- characters that are written as those of HTML, without tags --- */

static bool has_entities(struct slice s)
{
	return slice_find(s, "&quot;") || slice_find(s, "&#39;") || slice_find(s, "&#x27;") ||
	    slice_find(s, "&gt;");
}

static void read_lines(struct cover *c, struct slice s)
{
	while (s.n) {
		const char *end = memchr(s.s, '\n', s.n);
		size_t n = end ? (size_t)(end - s.s) + 1 : s.n;

		cover_put(c, s.s, n);
		c->line += end != NULL;
		s.s += n;
		s.n -= n;
	}
}

const struct cover_kind cover_entities = { has_entities, read_lines, NULL };
