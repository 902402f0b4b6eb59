#include "config.h"
#include "widget/tabs.h"

#include <string.h>

#include "base/text/utf8.h"

void tabs_begin(struct tabs *t, int y, int x)
{
	*t = (struct tabs){ .y = y, .x = { x } };
}

void tabs_add(struct tabs *t, struct canvas *c, int end, bool here, const char *text)
{
	int x = t->x[t->n];

	if (t->n == TABS_MOST)
		return;
	if (x + utf8_cols(text, strlen(text)) < end)
		x += canvas_str(c, t->y, x, end - x, here ? ROLE_TAB_HERE : ROLE_DIM, 0, text);
	t->x[++t->n] = x;
}

int tabs_at(const struct tabs *t, const struct mouse *m)
{
	for (int i = 0; m->y == t->y && i < t->n; i++)
		if (m->x >= t->x[i] && m->x < t->x[i + 1])
			return i;
	return -1;
}
