#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text/utf8.h"
#include "model/toolfile.h"

struct html {
	const char *p, *end;
	char *out;
	const char *link;      /* URL of the open <a> */
	size_t link_len, text; /* text: where the text of the link begins in out */
	size_t n;
	bool no_tags; /* in the rest, which has no > */
};

static void put_text(struct html *h, const char *s, size_t n)
{
	memcpy(h->out + h->n, s, n);
	h->n += n;
}

/* Writes one space for several, and none at the beginning. */
static void space(struct html *h)
{
	if (h->n && h->out[h->n - 1] != ' ')
		put_text(h, " ", 1);
}

/* Decodes an entity, which is never shorter than the bytes that it represents. */
static bool entity(struct html *h)
{
	static const struct {
		const char *name, *text;
	} named[] = {
		{ "&amp;", "&" },
		{ "&lt;", "<" },
		{ "&gt;", ">" },
		{ "&quot;", "\"" },
		{ "&apos;", "'" },
		{ "&nbsp;", " " },
	};
	char digits[8] = "", *stop;
	size_t left = (size_t)(h->end - h->p), n;

	for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
		n = strlen(named[i].name);
		if (left >= n && !strncasecmp(h->p, named[i].name, n)) {
			put_text(h, named[i].text, strlen(named[i].text));
			h->p += n;
			return true;
		}
	}
	for (n = 2; n < left && n - 2 < sizeof digits - 1 && h->p[n] != ';'; n++)
		digits[n - 2] = h->p[n];
	if (left < 4 || h->p[1] != '#' || n >= left || h->p[n] != ';')
		return false;
	bool hex = digits[0] == 'x' || digits[0] == 'X';
	unsigned long c = strtoul(digits + hex, &stop, hex ? 16 : 10);

	if (*stop || stop == digits + hex || c < 32 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return false;
	h->n += utf8_put(h->out + h->n, (uint32_t)c);
	h->p += n + 1;
	return true;
}

/* Takes the href of the tag between s and end, with or without quotes. */
static void take_link(struct html *h, const char *s, const char *end)
{
	for (; end - s > 5; s++) {
		char quote;

		if (strncasecmp(s, "href=", 5))
			continue;
		s += 5;
		quote = *s == '"' || *s == '\'' ? *s++ : ' ';
		h->link = s;
		while (s < end && *s != quote)
			s++;
		h->link_len = (size_t)(s - h->link);
		h->text = h->n;
		return;
	}
}

static void end_link(struct html *h)
{
	const char *url = h->link;

	h->link = NULL;
	if (!url || !h->link_len ||
	    (h->n - h->text == h->link_len && !memcmp(h->out + h->text, url, h->link_len)))
		return;
	put_text(h, " (", 2);
	put_text(h, url, h->link_len);
	put_text(h, ")", 1);
}

static bool names(const char *s, const char *end, const char *tag)
{
	size_t n = strlen(tag);

	return (size_t)(end - s) >= n && !strncasecmp(s, tag, n) &&
	    (s + n == end || strchr(" \t\r\n/", s[n]));
}

/* Handles a tag from < to >.  A < that does not begin a tag is text. */
static bool tag(struct html *h)
{
	const char *s = h->p + 1, *end;

	if (h->no_tags || s == h->end || !(*s == '/' || *s == '!' || ((*s | 32) >= 'a' && (*s | 32) <= 'z')))
		return false;
	end = memchr(s, '>', (size_t)(h->end - s));
	h->no_tags = !end;
	if (!end)
		return false;
	if (names(s, end, "a")) {
		end_link(h);
		take_link(h, s, end);
	} else if (names(s, end, "/a")) {
		end_link(h);
	} else if (names(s, end, "br") || names(s, end, "p") || names(s, end, "/p") || names(s, end, "li")) {
		space(h);
	}
	h->p = end + 1;
	return true;
}

const char *html_text(struct arena *a, const char *s, size_t n)
{
	/* A link adds three characters, but its tag is longer than that. */
	struct html h = { .p = s, .end = s + n, .out = arena_alloc(a, n + 8) };

	while (h.p < h.end) {
		if ((*h.p == '&' && entity(&h)) || (*h.p == '<' && tag(&h)))
			continue;
		if (*h.p && strchr(" \t\r\n", *h.p))
			space(&h);
		else
			put_text(&h, h.p, 1);
		h.p++;
	}
	end_link(&h);
	h.out[h.n] = '\0';
	return h.out;
}
