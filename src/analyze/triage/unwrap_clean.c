#include "config.h"
#include "analyze/triage/unwrap.h"

#include <string.h>

#include "base/text/digit.h"

#define NARROWEST 50u /* columns of a screen */
#define SAMPLE 300    /* lines that tell whether a text was quoted or indented */

/* Marks in front of each line of a text that somebody quotes. */
enum { BOX = 2, MARKS };

static const char *const marks[MARKS] = { ">", "|", [BOX] = "\xe2\x94\x82" };

/* Characters that word processors and chats put in place of plain ones, and blanks that are none. */
static const struct {
	const char *from, *to;
} plainer[] = {
	{ "\xc2\xa0", " " },
	{ "\xe2\x80\x89", " " },
	{ "\xe2\x80\x8b", "" },
	{ "\xe2\x80\x90", "-" },
	{ "\xe2\x80\x91", "-" },
	{ "\xe2\x80\x93", "-" },
	{ "\xe2\x80\x94", "--" },
	{ "\xe2\x80\x98", "'" },
	{ "\xe2\x80\x99", "'" },
	{ "\xe2\x80\x9c", "\"" },
	{ "\xe2\x80\x9d", "\"" },
	{ "\xe2\x80\x9e", "\"" },
	{ "\xe2\x80\xa6", "..." },
	{ "\xe2\x80\xaf", " " },
	{ "\xe2\x89\xa4", "<=" },
	{ "\xe2\x89\xa5", ">=" },
	{ "\xef\xbb\xbf", "" },
};

size_t unwrap_code_length(struct slice s, size_t at)
{
	size_t i = at + 2;

	if (s.s[at] != '\033' || i > s.n)
		return 0;
	switch (s.s[at + 1]) {
	case '[': /* colors, and where the cursor goes */
		while (i < s.n && !((s.s[i] | 32) >= 'a' && (s.s[i] | 32) <= 'z'))
			i++;
		return i < s.n ? i + 1 - at : 0;
	case ']': /* titles and links, up to BEL or ESC \ */
		while (i < s.n && s.s[i] != '\a' && s.s[i] != '\033')
			i++;
		return i == s.n || (s.s[i] == '\033' && i + 1 == s.n) ? 0 : i + (s.s[i] == '\a' ? 1 : 2) - at;
	case '(': /* sets of characters */
		return i < s.n ? 3 : 0;
	default:
		return 0;
	}
}

/* Returns the length of the mark and the blank behind it; 0: the line does not begin with it. */
static size_t mark_length(struct slice s, const char *mark)
{
	size_t n = slice_begins(s, mark) ? strlen(mark) : 0;

	return n + (n && n < s.n && s.s[n] == ' ');
}

static size_t blanks(struct slice s)
{
	size_t n = 0;

	while (n < s.n && (s.s[n] == ' ' || s.s[n] == '\t'))
		n++;
	return n;
}

static size_t blanks_behind(struct slice s)
{
	size_t n = 0;

	while (n < s.n && s.s[s.n - 1 - n] == ' ')
		n++;
	return n;
}

/* As lines of a screen are when they are copied, or those of a box. */
static bool ends_padded(struct slice s)
{
	return slice_ends(s, " ") || slice_ends(s, " \xe2\x94\x82");
}

/* The beginning of a text, counted. */
struct beginning {
	size_t lines;  /* that are not empty */
	size_t margin; /* the indentation that all of them have */
	size_t with[MARKS];
	bool first[MARKS];    /* the first of them has it */
	size_t width, padded; /* columns of all of them, 0: not the same; how many end with a blank */
	size_t tail;          /* the blanks that all of them end with */
};

static size_t columns(struct slice s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += (s.s[i] & 0xc0) != 0x80;
	return n;
}

static void look(struct slice text, struct beginning *b)
{
	*b = (struct beginning){ .margin = SIZE_MAX, .tail = SIZE_MAX };
	for (const char *s = text.s, *end = s + text.n, *next; s < end && b->lines < SAMPLE; s = next + 1) {
		struct slice line;
		size_t n;

		next = memchr(s, '\n', (size_t)(end - s));
		next = next ? next : end;
		line = (struct slice){ s, (size_t)(next - s) };
		slice_cut_end(&line, "\r");
		n = blanks(line);
		if (n == line.n)
			continue;
		if (!b->lines++)
			b->width = columns(line);
		else if (b->width != columns(line))
			b->width = 0;
		b->padded += ends_padded(line);
		if (blanks_behind(line) < b->tail)
			b->tail = blanks_behind(line);
		b->margin = n < b->margin ? n : b->margin;
		for (size_t i = 0; i < MARKS; i++) {
			bool has = mark_length(line, marks[i]) > 0;

			b->with[i] += has;
			b->first[i] |= has && b->lines == 1;
		}
	}
}

/* A mark that the first line has not must be in front of a quarter of the lines: others may be rests of wrapped ones,
 * or not quoted. */
void unwrap_dress_find(struct unwrap_dress *dress, struct slice text)
{
	struct beginning b;

	look(text, &b);
	*dress = (struct unwrap_dress){ .margin = b.lines ? b.margin : 0 };
	for (size_t i = 0; i < MARKS; i++)
		if (b.first[i] || (b.with[i] > 2 && 4 * b.with[i] >= b.lines)) {
			dress->mark = marks[i];
			dress->wrapped = b.with[i] < b.lines;
		}
	dress->padded = b.width >= NARROWEST && b.lines > 1 && b.padded;
	dress->tail = b.lines && !dress->padded ? b.tail : 0;
}

struct slice unwrap_without_padding(const struct unwrap_dress *dress, struct slice s)
{
	if (!dress->padded) {
		size_t n = dress->tail ? blanks_behind(s) : 0;

		s.n -= n < dress->tail ? n : dress->tail;
		return s;
	}
	if (dress->mark && slice_ends(s, dress->mark))
		s.n -= strlen(dress->mark);
	while (s.n && s.s[s.n - 1] == ' ')
		s.n--;
	return s;
}

size_t unwrap_dress_length(const struct unwrap_dress *dress, struct slice s, size_t *uncounted)
{
	size_t n = blanks(s), skip, count = 0;

	n = n < dress->margin ? n : dress->margin;
	*uncounted = n;
	while (dress->mark && (skip = mark_length((struct slice){ s.s + n, s.n - n }, dress->mark))) {
		count += skip - strlen(dress->mark) + 1;
		n += skip;
	}
	*uncounted += dress->wrapped ? 0 : count;
	return n;
}

/* A line of Markdown around what is code: nothing but the fence, and perhaps a language. */
static bool is_fence(struct slice s)
{
	size_t n = 0;

	if (!s.n || (*s.s != '`' && *s.s != '~'))
		return false;
	while (n < s.n && s.s[n] == *s.s)
		n++;
	for (size_t i = n; i < s.n; i++)
		if (s.s[i] == ' ' || s.s[i] == *s.s)
			return false;
	return n > 2;
}

/* "03:12 24-Nov-26" at the end of the status line of tmux, behind "[0] 0:bash*" */
static bool is_status(struct slice s)
{
	static const char shape[] = "00:00 00-aaa-00";
	size_t n = sizeof shape - 1;

	if (s.n < n + 5 || *s.s != '[' || !memchr(s.s, ']', s.n) ||
	    !(slice_find(s, "* ") || slice_find(s, "- ")))
		return false;
	for (size_t i = 0; i < n; i++) {
		char c = s.s[s.n - n + i];

		if (shape[i] == '0' ? !is_digit(c) : shape[i] != 'a' && shape[i] != c)
			return false;
	}
	return true;
}

/* A line that a pager or tmux shows beside the text. */
static bool is_of_screen(struct slice s)
{
	switch (s.n ? *s.s : 0) {
	case '~':
		return s.n == 1;
	case '(':
		return slice_is(s, "(END)");
	case '-':
		return slice_begins(s, "--More--");
	case '[':
		return is_status(s);
	default:
		return false;
	}
}

static size_t plain_character(struct slice s, char **out)
{
	for (size_t i = 0; i < sizeof plainer / sizeof *plainer; i++)
		if (slice_begins(s, plainer[i].from)) {
			memcpy(*out, plainer[i].to, strlen(plainer[i].to));
			*out += strlen(plainer[i].to);
			return strlen(plainer[i].from);
		}
	return 0;
}

/* Takes codes of a terminal and typographic characters out; what is left is never longer. */
static size_t make_plain(char *s, size_t n)
{
	char *out = s;

	for (size_t i = 0, skip; i < n; i += skip) {
		struct slice rest = { s + i, n - i };

		skip = s[i] == '\033'       ? unwrap_code_length((struct slice){ s, n }, i)
		    : (s[i] & 0xc0) == 0xc0 ? plain_character(rest, &out)
					    : 0;
		if (!skip) {
			*out++ = s[i];
			skip = 1;
		}
	}
	return (size_t)(out - s);
}

size_t unwrap_undress(char *s, size_t n, bool plain)
{
	if (!plain)
		n = make_plain(s, n);
	return is_fence((struct slice){ s, n }) || is_of_screen((struct slice){ s, n }) ? 0 : n;
}
