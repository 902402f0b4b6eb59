#include "config.h"
#include "analyze/triage/unwrap.h"

#include <string.h>

#include "analyze/triage/internal.h"

/* Points (bits) that make a joint if the lines around are not enough evidence. */
#define ENOUGH 3
#define SURE 8        /* even without evidence in the text */
#define BEGIN 3       /* less for a run of breaks, which may begin anywhere */
#define NARROWEST 50u /* columns of a terminal */
#define INDENTATION 6 /* after a line break that is written out */

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

/* The padding of a row was lost: up to the column, or more. */
static bool lost_padding(struct unwrap *u, size_t first, size_t i)
{
	return unwrap_is_cut_row(unwrap_last_written(unwrap_joined_text(u, first, i)),
	    slice_trim(unwrap_next_text(u, i)));
}

static enum unwrap_joint soft_joint(const struct unwrap_line *l, uint32_t width)
{
	return l->after.blank || unwrap_cuts_word(l, width) ? JOINT_TIGHT : JOINT_BLANK;
}

/* In a stretch that was not wrapped, or is too short to decide: the text must give evidence, too. */
static enum unwrap_joint lone_joint(struct unwrap *u, size_t first, size_t i)
{
	const struct unwrap_line *l = &u->line[i];
	struct unwrap_points hard, soft;
	uint32_t cols, width;
	int enough, text;
	bool full, far, near;

	if (unwrap_is_quiet(u) && !unwrap_across(u, first, i))
		return JOINT_NONE;
	u->quiet = false;
	if (u->before == JOINT_TIGHT && l->cols + 1 == u->line[i - 1].cols && l->after.word &&
	    !l->after.blank)
		return JOINT_BLANK;
	hard = points_around(u, i, l->cols, &cols);
	full = cols == l->cols && hard.open && cols >= NARROWEST && u->line[i + 1].cols <= cols;
	soft = points_around(u, i, l->cols + l->after.word, &width);
	far = !soft.open || width < NARROWEST || unwrap_fits(l, width);
	if (!full && far)
		return JOINT_NONE;
	near = !far && (width <= l->cols + 1 || unwrap_column(&soft, width) <= 0);
	hard.soft = soft.soft;
	if (near && width > cols)
		hard.column += soft.column;
	text = unwrap_ask_text(u, first, i, &hard);
	near = near || (!full && text >= SURE);
	enough = text > 0 ? ENOUGH : SURE;
	if (full && (!near || unwrap_column(&hard, cols) > 0))
		return hard.hard >= enough ? JOINT_TIGHT : JOINT_NONE;
	return near && hard.soft >= enough ? soft_joint(l, width) : JOINT_NONE;
}

/* The blanks between this line and the column were taken away: in a text that was wrapped at a column. */
static bool is_stripped(const struct unwrap_line *l)
{
	uint32_t lost = l->way.width - l->cols;

	if (lost == 1 && l->after.word)
		return true;
	return lost <= INDENTATION && l->after.written;
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

/* Joins lines that only make sense together, wherever they end. */
static enum unwrap_joint certain_joint(struct unwrap *u, size_t first, size_t i)
{
	const struct unwrap_line *l = &u->line[i];
	enum squeeze_joint across = unwrap_across(u, first, i);

	if (across == SQUEEZE_WORD || (across && l->after.blank) ||
	    unwrap_is_cut_place(unwrap_joined_text(u, first, i)))
		return JOINT_TIGHT;
	if (across == SQUEEZE_WORDS || unwrap_goes_on(u, first, i))
		return l->after.blank || *unwrap_next_text(u, i).s == ' ' ? JOINT_TIGHT : JOINT_BLANK;
	return lost_padding(u, first, i) ? JOINT_BLANK : JOINT_NONE;
}

enum unwrap_joint unwrap_joint(struct unwrap *u, size_t first, size_t i)
{
	const struct unwrap_line *l = &u->line[i];
	const struct unwrap_way *w = &l->way;

	bool full = l->cols == w->width;
	enum unwrap_joint certain;
	struct slice text;

	if (w->bare && is_rest(u, i))
		return w->kind == WAY_SOFT ? soft_joint(l, w->width) : full ? JOINT_TIGHT : JOINT_BLANK;
	if (l->after.side == SIDE_ENDS || (w->bare && u->line[i + 1].head))
		return JOINT_NONE;
	text = unwrap_joined_text(u, first, i);
	certain = u->last ? certain_joint(u, first, i) : JOINT_NONE;
	if (certain != JOINT_NONE && !(w->kind == WAY_HARD && full))
		return certain;
	if (l->after.side == SIDE_LOOSE && !w->very)
		return JOINT_NONE;
	if (l->after.side == SIDE_ALIKE && !((i > first || (full && w->kind == WAY_HARD)) && w->very) &&
	    !unwrap_is_unfinished(text))
		return JOINT_NONE;
	if (w->kind == WAY_NONE)
		return lone_joint(u, first, i);
	if (w->kind == WAY_SOFT && full && !w->stripped && !l->after.word)
		return JOINT_TIGHT;
	if (w->kind == WAY_SOFT && unwrap_fits(l, w->width))
		return l->after.written ? JOINT_BLANK : JOINT_NONE;
	if (w->kind == WAY_SOFT)
		return soft_joint(l, w->width);
	if (full)
		return JOINT_TIGHT;
	if (w->stripped && l->cols < w->width && is_stripped(l))
		return JOINT_BLANK;
	return JOINT_NONE;
}
