#include "config.h"
#include "sql/sql.h"

/* Without SQLite. */

int sql_run(struct capture *c, const struct sql_options *o, FILE *f, struct err *err)
{
	(void)c;
	(void)o;
	(void)f;
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
	    "built without SQLite, which queries need (Debian: apt-get install libsqlite3-dev, then "
	    "configure again)");
}

int sql_about(FILE *f, const char *what, struct err *err)
{
	(void)what;
	return sql_run(NULL, NULL, f, err);
}

bool sql_built_in(void)
{
	return false;
}
