#include "config.h"
#include "view/diff/diff.h"

#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "base/text/utf8.h"
#include "core/app.h"

enum { SMALL = 8, TEXT = 700 };

/* Cuts one of the parts, which two spaces separate, out of the text: the one in parentheses, else the last but the
 * first; false: there is one part only. */
static bool drop_part(char *text)
{
	char *at = strstr(text, "  ("), *end = at ? strstr(at + 2, "  ") : NULL, *last = NULL;

	if (at) {
		memmove(at, end ? end : at + strlen(at), end ? strlen(end) + 1 : 1);
		return true;
	}
	for (char *next = text; (next = strstr(next, "  ")); next += 2)
		last = next;
	if (last)
		*last = '\0';
	return last;
}

static void draw_verdict(struct view *v, struct canvas *c, struct rect a)
{
	const struct diff *d = &((const struct diff_view *)v->state)->x->diff;
	enum role role = d->verdict == VERDICT_SLOWER ? ROLE_BAD
	    : d->verdict == VERDICT_FASTER            ? ROLE_GOOD
	    : d->verdict == VERDICT_SAME              ? ROLE_BOLD
						      : ROLE_WARN;
	char text[TEXT];

	snprintf(text, sizeof text, "%s", facts_text(&d->summary, "text"));
	while (utf8_cols(text, strlen(text)) > a.w - 4 && drop_part(text))
		;
	if (d->verdict == VERDICT_SLOWER || d->verdict == VERDICT_FASTER)
		canvas_glyph(c, a.y, a.x + 1, d->verdict == VERDICT_SLOWER ? GLYPH_SORT_UP : GLYPH_SORT_DOWN,
		    role, 0);
	else
		canvas_put(c, a.y, a.x + 1, d->verdict == VERDICT_SAME ? '=' : '?', role, 0);
	canvas_start(c, a.y, a.x + 3, a.w - 4, role, ATTR_BOLD, text, strlen(text));
}

/* How severe what makes them unlike is, and how much of the time has a partner. */
static void draw_doubt(struct view *v, struct canvas *c, struct rect a)
{
	const struct diff *d = &((const struct diff_view *)v->state)->x->diff;
	const struct table *t = &d->table[DIFF_COMPARABILITY];
	double matched = facts_number(&d->summary, "matched_time_percent");
	char text[TEXT], share[24];
	size_t n;
	bool warn = false;

	snprintf(text, sizeof text, "%s", d->verdict == VERDICT_NOT_COMPARABLE ? "unlike" : "comparable");
	for (size_t i = 0; i < t->nrows; i++) {
		struct slice code = table_str(t, i, (size_t)table_column(t, "code"));

		warn |= !slice_is(table_str(t, i, (size_t)table_column(t, "severity")), "info");
		n = strlen(text);
		snprintf(text + n, sizeof text - n, "%s %.*s", i ? "," : ":", (int)code.n, code.s);
	}
	n = strlen(text);
	if (matched >= 0)
		snprintf(text + n, sizeof text - n, "   %s %% of op time matched",
		    units_percent(share, sizeof share, matched / 100));
	canvas_start(c, a.y, a.x + 1, a.w - 2, warn ? ROLE_WARN : ROLE_DIM, 0, text, strlen(text));
}

static int draw_tabs_as(const struct diff_view *s, bool numbers, struct canvas *c, struct rect a, int *at)
{
	int x = a.x + 1;

	for (int i = 0; i < DIFF_PAGES; i++) {
		char text[48], number[24];

		snprintf(text, sizeof text, numbers && i ? " %s %s " : " %s ", diff_pages[i].name,
		    units_count(number, sizeof number, s->x->diff.table[diff_pages[i].table].nrows));
		at[i] = x;
		if (c)
			canvas_str(c, a.y, x, a.x + a.w - x, i == (int)s->page ? ROLE_TAB_HERE : ROLE_DIM, 0,
			    text);
		x += utf8_cols(text, strlen(text));
	}
	at[DIFF_PAGES] = x;
	return x;
}

struct rect diff_view_above(struct view *v, struct canvas *c, struct rect a)
{
	struct diff_view *s = v->state;
	bool numbers;

	if (a.h < 4)
		return a;
	draw_verdict(v, c, a);
	a.y++;
	a.h--;
	if (a.h >= SMALL) {
		draw_doubt(v, c, a);
		a.y++;
		a.h--;
	}
	s->tabs = (struct tabs){ .n = DIFF_PAGES, .y = a.y };
	numbers = draw_tabs_as(s, true, NULL, a, s->tabs.x) <= a.x + a.w;
	draw_tabs_as(s, numbers, c, a, s->tabs.x);
	return (struct rect){ a.y + 1, a.x, a.h - 1, a.w };
}
