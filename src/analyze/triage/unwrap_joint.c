#include "config.h"
#include "analyze/triage/unwrap.h"

#include <string.h>

#include "analyze/triage/internal.h"

/* Points (bits) that make a joint if the lines around are not enough evidence. */
#define ENOUGH 3
#define SURE 8        /* even without evidence in the text */
#define BEGIN 3       /* less for a run of breaks, which may begin anywhere */
#define NARROWEST 50u /* columns of a terminal */
#define USUAL 260u    /* of most; a message that was not wrapped is longer */
#define UNFINISHED_MAX (4u << 10)
#define LONGEST 64 /* phrase */
#define TELLING 8  /* of what is told by the text itself */
#define SOMETHING 4
#define INDENTATION 6 /* after a line break that is written out */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const struct unwrap_break *break_at(const struct unwrap *u, size_t i)
{
	return &u->line[i].after;
}

/* --- evidence in the text itself --- */

/* Most texts have no phrase at all; one may lie over a break. */
static bool is_quiet(struct unwrap *u)
{
	struct triage_hit hits[TRIAGE_HITS];
	size_t from = u->line[u->next].at;

	if (!u->heard)
		u->quiet =
		    !triage_filter_find(u->filter, (struct slice){ u->bytes + from, u->cut - from }, hits);
	u->heard = true;
	return u->quiet;
}

static enum unwrap_says says(struct unwrap *u, size_t i)
{
	struct unwrap_line *l = &u->line[i];
	struct triage_hit hits[TRIAGE_HITS];
	size_t n;

	if (is_quiet(u) || l->says)
		return l->says;
	n = triage_filter_find(u->filter, (struct slice){ u->bytes + l->at, l->n }, hits);
	l->says = SAYS_NOTHING;
	for (size_t k = 0; k < n && l->says != SAYS_ERROR; k++)
		if (hits[k].phrase->kind >= 0 && !hits[k].phrase->weak)
			l->says = SAYS_ERROR;
		else if (hits[k].phrase->kind >= 0 || hits[k].phrase->anchor == ANCHOR_BEFORE)
			l->says = SAYS_BEFORE;
	return l->says;
}

/* Returns the last word, including the blank after it. */
static struct slice last_word(struct slice s)
{
	size_t n = s.n && s.s[s.n - 1] == ' ';

	while (n < s.n && n < LONGEST && s.s[s.n - 1 - n] != ' ')
		n++;
	return (struct slice){ s.s + s.n - n, n };
}

/* How many phrases lie over the joint of both pieces. */
static int joined_phrases(const struct unwrap *u, struct slice this, struct slice next, bool blank)
{
	char text[2 * LONGEST + 1];
	size_t n = this.n < LONGEST ? this.n : LONGEST, k = next.n < LONGEST ? next.n : LONGEST, hits;
	struct triage_hit hit[TRIAGE_HITS];
	int over = 0;

	if (!this.n || !triage_filter_may_begin(u->filter, last_word(this)))
		return 0;
	memcpy(text, this.s + this.n - n, n);
	if (blank)
		text[n] = ' ';
	memcpy(text + n + blank, next.s, k);
	hits = triage_filter_find(u->filter, (struct slice){ text, n + blank + k }, hit);
	for (size_t i = 0; i < hits; i++)
		over += hit[i].at < n && hit[i].at + hit[i].phrase->text.n > n + blank;
	return over;
}

/* A bracket or a quote is not closed. */
static bool is_unfinished(struct slice s)
{
	bool quoted = false;
	int depth = 0;

	if (s.n > UNFINISHED_MAX)
		return false;
	for (size_t k = 0; k < s.n; k++) {
		quoted ^= s.s[k] == '"' && (!k || s.s[k - 1] != '\\');
		depth += memchr("([{", s.s[k], 3) != NULL;
		depth -= memchr(")]}", s.s[k], 3) != NULL;
	}
	return depth > 0 || quoted || (s.n && s.s[s.n - 1] == ',');
}

/* A row of a report, or an entry of a list. */
static bool is_item(struct slice s)
{
	return unwrap_is_row(s) || slice_begins(s, "HLO temp ") || triage_is_block(s);
}

/* A row that lost its padding when it was wrapped between words, so that it is shorter than it was. */
static bool is_cut_row(struct slice s, struct slice next)
{
	static const char *const names[] = { "HLO temp", "arguments", "global", "overlays", "program",
		"reserved", "scoped" };

	if (unwrap_is_row(s) || slice_begins(s, "cumulative_size;"))
		return s.s[s.n - 1] == ';';
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (slice_is(s, names[i]))
			return next.n && is_digit(*next.s);
	return false;
}

/* A sentence of an error goes on in the next line, or is over and the next line begins another one:
 * points. */
static int is_sentence(struct slice this, struct slice next, bool error)
{
	static const char *const goes_on[] = { "Aborting compilation ", "Exceeded ", "Ran out of memory",
		"Requires ", "Scoped ", "That ", "There ", "Used " };
	static const char *const unfinished[] = { "RESOURCE_EXHAUSTED:", "RuntimeError:", "device buffer:",
		"Compilation failure:", "with envvar", "Error loading program", "HLO module:" };
	char end = this.n ? this.s[this.n - 1] : 0;
	bool over = slice_ends(this, "...");

	for (size_t i = 0; i < sizeof unfinished / sizeof *unfinished; i++)
		if (slice_ends(this, unfinished[i]))
			return TELLING;
	if (slice_ends(this, "':") && slice_begins(next, "Attempting to "))
		return TELLING;

	for (size_t i = 0; i < sizeof goes_on / sizeof *goes_on && error && !over; i++)
		if (slice_begins(next, goes_on[i]))
			return TELLING;
	if (over || (end && strchr(".:;!)]}", end) && next.n && *next.s >= 'A' && *next.s <= 'Z'))
		return -SOMETHING;
	return error ? SOMETHING : 0;
}

static struct slice joined_line(const struct unwrap *u, size_t first, size_t i)
{
	return i > first ? (struct slice){ u->joined, u->njoined }
			 : (struct slice){ u->bytes + u->line[first].at, u->line[first].n };
}

/* Without its head, or the prefix that the next line has, too. */
static struct slice joined_text(struct unwrap *u, size_t first, size_t i)
{
	struct slice s = joined_line(u, first, i);
	size_t prefix = break_at(u, i)->prefix, head = unwrap_head(u, first);

	if (head > prefix && head < s.n)
		prefix = head;
	return slice_trim((struct slice){ s.s + prefix, s.n - prefix });
}

static struct slice next_text(const struct unwrap *u, size_t i)
{
	const struct unwrap_line *next = &u->line[i + 1];
	size_t prefix = break_at(u, i)->prefix;

	return (struct slice){ u->bytes + next->at + prefix, next->n - prefix };
}

/* What the joined line and the next one say together. */
static int ask_text(struct unwrap *u, size_t first, size_t i, struct unwrap_points *p)
{
	struct slice this = joined_line(u, first, i), next = next_text(u, i), text = joined_text(u, first, i);
	int tight = joined_phrases(u, this, next, false), blank = tight, both;
	enum unwrap_says next_says;
	bool error;

	if (!break_at(u, i)->blank)
		blank = joined_phrases(u, this, next, true);
	u->says = says(u, i) > u->says ? says(u, i) : u->says;
	next_says = says(u, i + 1);
	/* two errors are two lines */
	error = u->line[i].cols <= USUAL + break_at(u, i)->prefix &&
	    (u->says >= SAYS_BEFORE || next_says >= SAYS_BEFORE) &&
	    (u->says != SAYS_ERROR || next_says != SAYS_ERROR);
	both = (error || is_item(text)) && is_unfinished(text) ? TELLING : is_sentence(text, next, error);
	if (tight > 0 || blank > 0)
		u->says = SAYS_ERROR;
	p->hard += both + (tight > 0 ? TELLING : 0);
	p->soft += both + (blank > 0 ? TELLING : 0);
	p->column += tight == blank ? 0 : tight > blank ? TELLING : -TELLING;
	return both + (tight > 0 || blank > 0 ? TELLING : 0);
}

/* --- evidence in the lines around --- */

static bool is_wrapped(const struct unwrap_line *l, uint32_t width)
{
	return l->after.side != SIDE_ENDS && (l->cols == width || !unwrap_fits(l, width));
}

/* The run of breaks around i that fit the longest line around, from the last one before it to the first one
 * after it that is wider than `widest`. */
static struct unwrap_points points_around(const struct unwrap *u, size_t i, uint32_t widest, uint32_t *width)
{
	size_t from = i, to = i;
	struct unwrap_points p = { .hard = -BEGIN, .soft = -BEGIN };

	*width = u->line[i].cols;
	for (; from > 0 && i - from < UNWRAP_AROUND && u->line[from - 1].cols <= widest; from--)
		*width = u->line[from - 1].cols > *width ? u->line[from - 1].cols : *width;
	for (; to + 1 < u->nlines && to - i < UNWRAP_AROUND && u->line[to + 1].cols <= widest; to++)
		*width = u->line[to + 1].cols > *width ? u->line[to + 1].cols : *width;
	if (to == i || !is_wrapped(&u->line[i], *width))
		return p;
	for (size_t k = i; k >= from && is_wrapped(&u->line[k], *width); k--) {
		unwrap_count(&p, &u->line[k], *width);
		if (!k)
			break;
	}
	for (size_t k = i + 1; k < to && is_wrapped(&u->line[k], *width); k++)
		unwrap_count(&p, &u->line[k], *width);
	return p;
}

static enum unwrap_joint soft_joint(const struct unwrap_line *l, uint32_t width)
{
	return l->after.blank || unwrap_cuts_word(l, width) ? JOINT_TIGHT : JOINT_BLANK;
}

/* The joined line was wrapped between words before, and not by the loss of a blank at this column. */
static bool after_soft(const struct unwrap *u, size_t i)
{
	return u->before == JOINT_BLANK && u->line[i - 1].cols + 1 != u->line[i].cols;
}

/* In a stretch that was not wrapped, or is too short to decide: the text must give evidence, too. */
static enum unwrap_joint lone_joint(struct unwrap *u, size_t first, size_t i)
{
	const struct unwrap_line *l = &u->line[i];
	struct unwrap_points hard, soft;
	uint32_t cols, width;
	int enough;
	bool full, near;

	if (is_quiet(u) && !joined_phrases(u, joined_line(u, first, i), next_text(u, i), false) &&
	    !joined_phrases(u, joined_line(u, first, i), next_text(u, i), true))
		return JOINT_NONE;
	u->quiet = false;
	width = i > first ? u->line[i - 1].cols + (u->before == JOINT_COLUMN) : 0;
	if ((u->before == JOINT_TIGHT || u->before == JOINT_COLUMN) && l->cols + 1 == width &&
	    l->after.word && !l->after.blank)
		return JOINT_COLUMN;
	hard = points_around(u, i, l->cols, &cols);
	full = cols == l->cols && hard.open && cols >= NARROWEST && u->line[i + 1].cols <= cols;
	soft = points_around(u, i, l->cols + l->after.word, &width);
	near = soft.open && width >= NARROWEST && !unwrap_fits(l, width) &&
	    (width <= l->cols + 1 || unwrap_column(&soft, width) <= 0);
	if (!full && !near)
		return JOINT_NONE;
	hard.soft = soft.soft;
	if (near && width > cols)
		hard.column += soft.column;
	enough = ask_text(u, first, i, &hard) > 0 ? ENOUGH : SURE;
	if (full && (!near || (!after_soft(u, i) && unwrap_column(&hard, cols) > 0)))
		return hard.hard >= enough ? JOINT_TIGHT : JOINT_NONE;
	return near && hard.soft >= enough ? soft_joint(l, width) : JOINT_NONE;
}

/* What follows the last line break that is written out. */
static struct slice last_written(struct slice s)
{
	for (size_t k = s.n; k > 1; k--)
		if (s.s[k - 2] == '\\' && s.s[k - 1] == 'n')
			return slice_trim((struct slice){ s.s + k, s.n - k });
	return s;
}

/* The blanks between this line and the column were taken away: in a text that was wrapped at a column. */
static bool is_stripped(const struct unwrap_line *l, struct slice text, struct slice next)
{
	uint32_t lost = l->way.width - l->cols;

	if (lost == 1 && l->after.word)
		return true;
	if (lost <= INDENTATION && l->after.written)
		return true;
	return is_cut_row(last_written(text), slice_trim(next));
}

/* The next line has no prefix, as only the rests of lines do.  (Where the prefixes are heads of records, a
 * message may have lines of its own.) */
static bool is_rest(const struct unwrap *u, size_t i)
{
	const struct unwrap_line *l = &u->line[i], *next = l + 1;
	bool full = l->cols == l->way.width || (l->way.stripped && l->cols + 1 == l->way.width);

	if (next->head || !next->n || !l->n)
		return false;
	return l->way.bare == BARE_PREFIX ||
	    (l->after.side != SIDE_ENDS && (l->way.kind == WAY_HARD ? full : !unwrap_fits(l, l->way.width)));
}

/* The next line begins as the joined one does, digits aside: it is another one of its kind. */
static bool begins_again(struct slice this, struct slice next)
{
	enum { ALIKE = 12, LETTERS = 5 };
	size_t letters = 0;

	if (this.n < ALIKE || next.n < ALIKE)
		return false;
	for (size_t i = 0; i < ALIKE; i++) {
		if (this.s[i] != next.s[i] && !(is_digit(this.s[i]) && is_digit(next.s[i])))
			return false;
		letters += (this.s[i] | 32) >= 'a' && (this.s[i] | 32) <= 'z';
	}
	return letters >= LETTERS;
}

/* A sentence of an error that never begins a line, after another one that ends one. */
static bool is_next_sentence(struct unwrap *u, size_t i, struct slice this, struct slice next)
{
	static const char *const sentences[] = { "Exceeded ", "That was not possible", "There are " };

	if (!slice_ends(slice_trim(this), ".") || is_quiet(u) || (says(u, i) | u->says) < SAYS_BEFORE)
		return false;
	next = slice_trim(next);
	for (size_t k = 0; k < sizeof sentences / sizeof *sentences; k++)
		if (slice_begins(next, sentences[k]))
			return true;
	return false;
}

enum unwrap_joint unwrap_joint(struct unwrap *u, size_t first, size_t i)
{
	const struct unwrap_line *l = &u->line[i];
	const struct unwrap_way *w = &l->way;

	bool full = l->cols == w->width;
	struct slice text, next;

	if (w->bare && is_rest(u, i))
		return w->kind == WAY_SOFT ? soft_joint(l, w->width) : full ? JOINT_TIGHT : JOINT_COLUMN;
	if (l->after.side == SIDE_ENDS || (w->bare && u->line[i + 1].head))
		return JOINT_NONE;
	text = joined_text(u, first, i);
	next = next_text(u, i);
	if (begins_again(text, slice_trim(next)))
		return JOINT_NONE;
	if (is_next_sentence(u, i, text, next))
		return l->after.blank || *next.s == ' ' ? JOINT_TIGHT : JOINT_BLANK;
	if (l->after.side == SIDE_LOOSE && !w->very)
		return JOINT_NONE;
	if (l->after.side == SIDE_ALIKE && !(full && w->kind == WAY_HARD && w->very) && !is_unfinished(text))
		return JOINT_NONE;
	if (w->kind == WAY_NONE)
		return lone_joint(u, first, i);
	if (w->kind == WAY_SOFT && unwrap_fits(l, w->width))
		return l->after.written || is_cut_row(last_written(text), next) ? JOINT_BLANK : JOINT_NONE;
	if (w->kind == WAY_SOFT)
		return soft_joint(l, w->width);
	if (full)
		return JOINT_TIGHT;
	if (w->stripped && l->cols < w->width && is_stripped(l, text, next))
		return JOINT_COLUMN;
	return JOINT_NONE;
}
