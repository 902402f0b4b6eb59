#include "config.h"
#include "result/advice.h"

static const struct column columns[] = {
	{ "id", "id", "", COL_STRING },
	{ "severity", "severity", "", COL_STRING },
	{ "title", "title", "", COL_STRING },
	{ "evidence", "evidence", "", COL_STRING },
	{ "advice", "advice", "", COL_STRING },
};

void advice_init(struct table *t)
{
	table_init(t, columns, sizeof columns / sizeof *columns);
}

void advice_add(struct table *t, const char *id, const char *severity, const char *title,
    const char *evidence, const char *advice)
{
	struct cell *c = table_row(t);

	*c++ = table_text(t, id);
	*c++ = table_text(t, severity);
	*c++ = table_text(t, title);
	*c++ = table_text(t, evidence);
	*c = table_text(t, advice);
}
