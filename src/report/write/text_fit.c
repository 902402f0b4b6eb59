#include "config.h"
#include "report/write/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"

#define NARROWEST 8 /* texts are cut down to this if nothing else helps */

static bool is_fitting(const struct text *t)
{
	int total = -TEXT_GAP;

	for (size_t k = 0; k < t->ncolumns; k++)
		total += t->layout[k].hidden ? 0 : t->layout[k].width + TEXT_GAP;
	return total <= t->width;
}

/* Returns the width at which a text is still readable. */
static int comfort(const struct text_layout *l)
{
	int least = l->form != TEXT_WORDS ? l->width : l->prose ? 24 : l->path ? 40 : 20;

	return l->width < least ? l->width : least;
}

static bool fits_in_comfort(const struct text *t)
{
	int total = -TEXT_GAP;

	for (size_t k = 0; k < t->ncolumns; k++)
		total += t->layout[k].hidden ? 0 : comfort(&t->layout[k]) + TEXT_GAP;
	return total <= t->width;
}

static bool reads_the_same(const struct text *t, size_t k)
{
	const struct text_layout *l = &t->layout[k];
	char a[64], b[64];

	if (t->nkept < 2 || t->rows != t->nkept || l->prose)
		return false;
	for (size_t i = 1; i < t->nkept; i++) {
		const struct cell *first = &t->kept[k], *c = &t->kept[i * t->ncolumns + k];

		if (text_is_words(c) != text_is_words(first))
			return false;
		if (text_is_words(c)
			? !slice_same(cell_text(c), cell_text(first))
			: strcmp(text_plain(l, c, a, sizeof a), text_plain(l, first, b, sizeof b)))
			return false;
	}
	return true;
}

static void say_once(struct text *t, size_t k, bool *begun)
{
	struct text_layout *l = &t->layout[k];
	const struct cell *c = &t->kept[k];
	char number[64], value[400], *part;

	if (text_is_words(c))
		snprintf(value, sizeof value, "%.*s", (int)(c->n < 300 ? c->n : 300), c->s);
	else
		snprintf(value, sizeof value, "%s", text_plain(l, c, number, sizeof number));
	if (!*l->head && (!*value || !strcmp(value, "-"))) { /* there is nothing to say */
		l->hidden = true;
		return;
	}
	part = xasprintf("%s %s", l->head, *value ? value : "-");
	if (!*begun)
		text_begin_paragraph(t, "all rows");
	text_add_part(t, part, strlen(part), *begun ? text_dot(t) : ": ");
	free(part);
	*begun = l->hidden = true;
}

/* Moves columns with the same value in all rows above the table, texts first. */
static void hide_same(struct text *t)
{
	bool begun = false;

	for (int words = 1; words >= 0; words--)
		for (size_t k = 0; k < t->ncolumns && !is_fitting(t); k++)
			if ((t->layout[k].form == TEXT_WORDS) == words && reads_the_same(t, k))
				say_once(t, k, &begun);
	if (begun)
		putc('\n', t->f);
}

/* Wraps heads over several lines, the longest first. */
static void fold_heads(struct text *t)
{
	while (!is_fitting(t)) {
		struct text_layout *most = NULL;
		int gain = 0;

		for (size_t k = 0; k < t->ncolumns; k++) {
			struct text_layout *l = &t->layout[k];
			int least = l->cells > l->word ? l->cells : l->word;

			if (!l->hidden && l->width - least > gain) {
				gain = l->width - least;
				most = l;
			}
		}
		if (!most)
			return;
		most->width--;
	}
}

static size_t count_shown(const struct text *t)
{
	size_t n = 0;

	for (size_t k = 0; k < t->ncolumns; k++)
		n += !t->layout[k].hidden;
	return n;
}

static void leave_out(struct text *t, size_t k, bool *begun)
{
	if (!*begun)
		text_begin_paragraph(t, "not shown");
	text_add_part(t, t->columns[k].label, strlen(t->columns[k].label), *begun ? ", " : ": ");
	*begun = t->layout[k].hidden = true;
}

/* Whether the table fits when all texts are as narrow as they may get. */
static bool fits_narrowest(const struct text *t)
{
	int total = -TEXT_GAP;

	for (size_t k = 0; k < t->ncolumns; k++) {
		const struct text_layout *l = &t->layout[k];
		bool wide = l->form == TEXT_WORDS && l->width > NARROWEST;

		total += l->hidden ? 0 : TEXT_GAP + (wide ? NARROWEST : l->width);
	}
	return total <= t->width;
}

static size_t least_valuable(const struct text *t)
{
	size_t worst = SIZE_MAX;

	for (size_t k = 0; k < t->ncolumns; k++)
		if (!t->layout[k].hidden && t->columns[k].drop &&
		    (worst == SIZE_MAX || t->columns[k].drop > t->columns[worst].drop))
			worst = k;
	return worst;
}

/* Drops columns until the table fits: the largest `drop` first, then numbers from the right. */
static void drop_columns(struct text *t)
{
	static const char where[] = "(wider: --width, all: --format csv)";
	bool begun = false;

	for (size_t k; !fits_in_comfort(t) && count_shown(t) > 1 && (k = least_valuable(t)) != SIZE_MAX;)
		leave_out(t, k, &begun);
	for (size_t k = t->ncolumns; k-- > 0 && !fits_narrowest(t);)
		if (!t->layout[k].hidden && t->layout[k].form != TEXT_WORDS && count_shown(t) > 1)
			leave_out(t, k, &begun);
	if (!begun)
		return;
	text_add_part(t, where, sizeof where - 1, " ");
	putc('\n', t->f);
}

/* Narrows the widest text, at first only to its readable width. */
static void shrink(struct text *t)
{
	for (int hard = 0; hard <= 1; hard++) {
		while (!is_fitting(t)) {
			struct text_layout *widest = NULL;

			for (size_t k = 0; k < t->ncolumns; k++) {
				struct text_layout *l = &t->layout[k];

				if (l->hidden || l->form != TEXT_WORDS || l->width <= (hard ? 1 : comfort(l)))
					continue;
				if (!widest || l->width > widest->width)
					widest = l;
			}
			if (!widest)
				break;
			widest->width--;
		}
	}
}

void text_fit(struct text *t)
{
	if (!t->width || is_fitting(t))
		return;
	hide_same(t);
	fold_heads(t);
	drop_columns(t);
	shrink(t);
}
