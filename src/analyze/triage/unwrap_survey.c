#include "config.h"
#include "analyze/triage/unwrap.h"

/* Points (bits) that make a wrapping, beside one for each break that could be one. */
#define SURE 12
#define SMALL 8 /* where all breaks are */
#define VERY_SURE 24
/* One in eight lines that are wrapped between words is full; in a text that is wrapped at a column, one in eight
 * of the other lines looks as if it was wrapped between words: bits. */
#define FULL 3
#define NOT_FULL 3
#define NOT_FULL_BARE 5
#define SAID 8 /* a break in a known sentence, which is between words or within one: bits */
#define FEW 64 /* breaks whose words are looked at; more of them tell enough by their columns */

/* Columns of terminals and of texts; a stretch ends at a line that is longer. */
static const uint32_t levels[] = { 400, 260, 200, 160, 132, 120, 110, 100, 90, 80, 72, 66, 60, 50 };
#define LEVELS (sizeof levels / sizeof *levels)

/* One word is as long as the line, or both ends of the break belong to a name that is longer: it was cut at the
 * column in any case. */
bool unwrap_cuts_word(const struct unwrap_line *l, uint32_t width)
{
	const struct unwrap_break *b = &l->after;

	return l->cols == width && !b->blank &&
	    (b->last_word + b->before >= width || (b->word && b->inside && b->last_word + b->word > width));
}

bool unwrap_fits(const struct unwrap_line *l, uint32_t width)
{
	const struct unwrap_break *b = &l->after;

	return !b->word || l->cols + 1 + b->word <= width;
}

void unwrap_count(struct unwrap_points *p, const struct unwrap_line *l, uint32_t width)
{
	const struct unwrap_break *b = &l->after;
	bool full = l->cols == width, near = !unwrap_fits(l, width), cut = unwrap_cuts_word(l, width);

	p->open++;
	p->wraps += full || near;
	p->prefix = b->prefix;
	p->blank += full && b->blank;
	p->hard += full ? b->hard : 0;
	p->soft += near ? cut ? b->hard : b->soft : 0;
	if (full && !cut)
		p->column += b->blank ? 0 : FULL - b->whole + (near ? 0 : FULL);
	else if (near && l->cols + 1 == width)
		p->column--; /* or a blank at the column was stripped */
	else if (near && !full)
		p->column -= b->blank ? 2 * NOT_FULL
		    : p->bare         ? NOT_FULL_BARE
				      : NOT_FULL; /* a terminal leaves no blank there */
}

/* Terminals and programs wrap at these more often than at others. */
static bool is_usual(uint32_t width)
{
	return width % 10 == 0 || width == 72 || width == 76 || width == 78 || width == 79 || width == 132;
}

int unwrap_column(const struct unwrap_points *p, uint32_t width)
{
	return p->column - (is_usual(width) || is_usual(width - p->prefix) ? 0 : FULL);
}

static struct unwrap_way way_of(const struct unwrap_points *p, uint32_t width, bool whole)
{
	bool column = unwrap_column(p, width) > 0;
	int points = column ? p->hard : p->soft;
	struct unwrap_way w = { .width = width };

	bool enough = points >= VERY_SURE && 2 * points >= 3 * p->open;

	if (whole) /* a paste */
		enough = points >= (p->wraps == p->open ? SMALL : SURE) && points >= p->open;
	if (!enough)
		return w;
	w.kind = column ? WAY_HARD : WAY_SOFT;
	w.very = points >= VERY_SURE;
	w.stripped = !p->blank;
	return w;
}

static void count_break(struct unwrap_points *p, const struct unwrap *u, size_t i, uint32_t most)
{
	unwrap_count(p, &u->line[i], most);
	if (p->wraps <= FEW && u->line[i].cols == most) {
		enum squeeze_joint across = unwrap_across(u, i, i);
		p->column += across == SQUEEZE_WORD ? SAID : across == SQUEEZE_WORDS ? -SAID : 0;
	}
}

/* The breaks before lines without a prefix.  When most of them could be wraps and other lines have a prefix, those
 * lines are rests.  (Between words a wrap may take away padding, too, and leave a line that is shorter.) */
static int count_bare(const struct unwrap *u, size_t from, size_t to, uint32_t most, struct unwrap_points *p)
{
	size_t prefixed = u->line[from].prefixed, headed = u->line[from].head > 0, fit = 0;

	*p = (struct unwrap_points){ .bare = true };

	for (size_t i = from; i + 1 < to; i++) {
		const struct unwrap_line *l = &u->line[i], *next = l + 1;

		prefixed += next->prefixed;
		headed += next->head > 0;
		if (next->head || !next->n || !headed)
			continue;
		if (!l->n)
			return BARE_NONE;
		fit += l->cols < most && unwrap_fits(l, most);
		count_break(p, u, i, most);
	}
	if (prefixed > 1)
		return p->open > 0 && 3 * fit <= (size_t)p->open ? BARE_PREFIX : BARE_NONE;
	return headed > 3 && p->open > 3 && 16 * fit <= (size_t)p->open ? BARE_RECORD : BARE_NONE;
}

/* How the lines from `from` on, to before `to`, were wrapped; the longest has `most` columns. */
static struct unwrap_way way_of_stretch(const struct unwrap *u, size_t from, size_t to, uint32_t most)
{
	struct unwrap_points p = { 0 };
	bool whole = to - from == u->nlines;
	int bare = count_bare(u, from, to, most, &p);

	if (bare)
		return (struct unwrap_way){ unwrap_column(&p, most) > 0 ? WAY_HARD : WAY_SOFT, most, true,
			!p.blank, bare };
	p = (struct unwrap_points){ 0 };
	for (size_t i = from; i + 1 < to; i++)
		if (u->line[i].after.side == SIDE_OPEN)
			count_break(&p, u, i, most);
	return way_of(&p, most, whole);
}

static void survey_between(struct unwrap *, size_t from, size_t to, size_t level);

/* Marks the lines of a stretch, or those of shorter ones between its long lines, when they were wrapped.  The
 * levels before `level` are longer than all of its lines. */
static void survey_stretch(struct unwrap *u, size_t from, size_t to, size_t level)
{
	struct unwrap_way w;
	uint32_t most = 0;

	for (size_t i = from; i < to; i++)
		most = u->line[i].cols > most ? u->line[i].cols : most;
	while (level < LEVELS && most <= levels[level])
		level++;
	w = most ? way_of_stretch(u, from, to, most) : (struct unwrap_way){ 0 };
	for (size_t i = from; i < to && w.kind; i++)
		u->line[i].way = w;
	if (!w.kind && level < LEVELS)
		survey_between(u, from, to, level);
}

static void survey_between(struct unwrap *u, size_t from, size_t to, size_t level)
{
	for (size_t i = from; i <= to; i++)
		if (i == to || u->line[i].cols > levels[level]) {
			if (i > from + 1)
				survey_stretch(u, from, i, level + 1);
			from = i + 1;
		}
}

void unwrap_survey(struct unwrap *u)
{
	bool any = false;

	for (size_t i = 0; i < u->nlines; i++) {
		u->line[i].way.kind = WAY_NONE;
		any |= u->line[i].after.side != SIDE_ENDS || !u->line[i].head;
	}
	if (any)
		survey_between(u, 0, u->nlines, 0);
}
