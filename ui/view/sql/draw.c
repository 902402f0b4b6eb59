#include "config.h"
#include "view/sql/sql.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/units.h"
#include "core/app.h"
#include "core/job.h"
#include "widget/card.h"

enum { QUERY_ROWS = 3, SMALL = 8, INDENT = 3 };

/* The query, then what came of it. */
static void say_state(const struct sql_view *s, char *buf, size_t size, enum role *role)
{
	char rows[32];

	*role = *s->error ? ROLE_ERROR : ROLE_DIM;
	if (*s->error)
		snprintf(buf, size, "%s", s->error);
	else if (s->asking)
		snprintf(buf, size, "running; Esc cancels");
	else if (s->answer)
		snprintf(buf, size, "%s%s row%s%s", s->answer->cut ? "the first " : "",
		    units_count(rows, sizeof rows, s->answer->rows.nrows),
		    s->answer->rows.nrows == 1 ? "" : "s",
		    s->answer->cut ? "; LIMIT and OFFSET get others" : "");
	else
		snprintf(buf, size, "canceled");
}

struct rect sql_view_above(struct view *v, struct canvas *c, struct rect a)
{
	const struct sql_view *s = v->state;
	enum role role;
	char text[sizeof s->error + 80];
	int rows, y = a.y;

	if (!s->text || a.h < SMALL)
		return a;
	rows = card_text_rows(a.w - 2, s->text, strlen(s->text));
	rows = rows < QUERY_ROWS ? rows : QUERY_ROWS;
	card_text(c, (struct rect){ y, a.x, rows, a.w }, y, 0, ROLE_BOLD, s->text, strlen(s->text));
	y += rows;
	say_state(s, text, sizeof text, &role);
	rows = card_text_rows(a.w - 2, text, strlen(text));
	rows = rows < QUERY_ROWS ? rows : QUERY_ROWS;
	card_text(c, (struct rect){ y, a.x, rows, a.w }, y, 0, role, text, strlen(text));
	y += rows;
	return (struct rect){ y, a.x, a.y + a.h - y, a.w };
}

char *sql_view_example(size_t i)
{
	const char *text = sql_example(i), *query = text ? strchr(text, '\n') : NULL;

	return query ? xstrdup(query + 1) : NULL;
}

/* Each with a line about it above the query. */
void sql_view_examples(struct view *v, struct canvas *c, struct rect a)
{
	struct sql_view *s = v->state;
	struct err err = { .at = ERR_NOWHERE };
	const char *text;
	int y = a.y;

	if (!sql_built_in()) {
		sql_ask(NULL, NULL, NULL, &err);
		card_text(c, a, y, 0, ROLE_WARN, err.msg, strlen(err.msg));
		return;
	}
	card_head(c, y++, a, "EXAMPLES",
	    "Enter edits one, i begins a query, Tab completes tables and columns");
	list_fit(&s->examples, (a.h - 1) / 2);
	s->examples.y = y;
	for (size_t i = s->examples.top; y + 1 < a.y + a.h && (text = sql_example(i)); i++, y += 2) {
		const char *query = strchr(text, '\n');

		canvas_start(c, y, a.x + 1, a.w - 2, ROLE_DIM, 0, text, (size_t)(query - text));
		canvas_start(c, y + 1, a.x + INDENT, a.w - INDENT - 1, ROLE_TEXT, 0, query + 1,
		    strlen(query + 1));
		if (i == s->examples.at)
			canvas_role(c, (struct rect){ y + 1, a.x, 1, a.w }, ROLE_SELECTED, 0);
	}
}
