#include "config.h"
#include "sql/sql.h"

#include "report/reports.h"

/* Without SQLite. */

static int refuse(struct err *err)
{
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
	    "built without SQLite, which queries need (Debian: apt-get install libsqlite3-dev, then "
	    "configure again)");
}

int sql_run(struct capture *c, struct capture *base, const struct sql_options *o, FILE *f, struct err *err)
{
	const struct report_options ro = { .format = o->format, .width = o->width };
	struct report *r = report_open(&ro, f, "query", c->base);

	(void)base;
	report_reason(r, REASON_no_sqlite, true);
	return report_end(r, err) ? -1 : refuse(err);
}

struct sql_answer *sql_ask(struct capture *c, struct capture *base, const struct sql_options *o,
    struct err *err)
{
	(void)c;
	(void)base;
	(void)o;
	refuse(err);
	return NULL;
}

void sql_answer_free(struct sql_answer *a)
{
	(void)a;
}

struct sql_place sql_place_of(const struct sql_answer *a, const struct capture *c, size_t row)
{
	(void)a;
	(void)c;
	(void)row;
	return (struct sql_place){ .kind = REF_NONE };
}

void sql_names(void (*say)(void *ctx, const char *table, const char *columns), void *ctx)
{
	(void)say;
	(void)ctx;
}

const char *sql_example(size_t i)
{
	(void)i;
	return NULL;
}

int sql_about(FILE *f, const char *what, struct err *err)
{
	(void)f;
	(void)what;
	return refuse(err);
}

bool sql_built_in(void)
{
	return false;
}
