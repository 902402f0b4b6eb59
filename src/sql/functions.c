#include "config.h"
#include "sql/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/regex.h"

static void scaled(sqlite3_context *x, int n, sqlite3_value **v)
{
	(void)n;
	if (sqlite3_value_type(v[0]) == SQLITE_NULL)
		sqlite3_result_null(x);
	else
		sqlite3_result_double(x, sqlite3_value_double(v[0]) / *(const double *)sqlite3_user_data(x));
}

static void free_regex(void *re)
{
	regex_free(re);
}

/* X REGEXP Y is regexp(Y, X). */
static void regexp(sqlite3_context *x, int n, sqlite3_value **v)
{
	const char *pattern = (const char *)sqlite3_value_text(v[0]),
		   *text = (const char *)sqlite3_value_text(v[1]);
	struct regex *re = sqlite3_get_auxdata(x, 0);
	struct regex_scratch *scratch;
	struct err err = { .at = ERR_NOWHERE };

	(void)n;
	if (!pattern || !text) {
		sqlite3_result_null(x);
		return;
	}
	if (!re) {
		if (!(re = regex_new(pattern, REGEX_AS_WRITTEN, &err))) {
			sqlite3_result_error(x, err.msg, -1);
			return;
		}
		sqlite3_set_auxdata(x, 0, re, free_regex);
		if (!(re = sqlite3_get_auxdata(x, 0))) { /* it was not kept */
			sqlite3_result_error_nomem(x);
			return;
		}
	}
	scratch = regex_scratch_new(re);
	sqlite3_result_int(x, regex_match(re, scratch, text, (size_t)sqlite3_value_bytes(v[1]), NULL, NULL));
	regex_scratch_free(scratch);
	if (regex_too_expensive(re, &err))
		sqlite3_result_error(x, err.msg, -1);
}

struct values {
	double *v;
	size_t n, cap;
	double q;
};

static void quantile_add(sqlite3_context *x, int n, sqlite3_value **v)
{
	struct values *s = sqlite3_aggregate_context(x, sizeof *s);

	if (!s)
		return;
	s->q = n > 1 ? sqlite3_value_double(v[1]) : .5;
	if (sqlite3_value_type(v[0]) != SQLITE_NULL)
		VEC_ADD(s->v, s->n, s->cap, sqlite3_value_double(v[0]));
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Between the two nearest, as DuckDB and PERCENTILE_CONT do. */
static void quantile_end(sqlite3_context *x)
{
	struct values *s = sqlite3_aggregate_context(x, 0);
	double at;
	size_t i;

	if (!s || !s->n) {
		sqlite3_result_null(x);
	} else if (!(s->q >= 0 && s->q <= 1)) {
		sqlite3_result_error(x, "quantile_cont(x, q): q is from 0 to 1", -1);
	} else {
		qsort(s->v, s->n, sizeof *s->v, by_size);
		at = s->q * (double)(s->n - 1);
		i = (size_t)at;
		sqlite3_result_double(x,
		    s->v[i] + (s->v[i + 1 < s->n ? i + 1 : i] - s->v[i]) * (at - (double)i));
	}
	if (s)
		free(s->v);
}

int sql_functions(sqlite3 *db)
{
	static double us = 1e6, ms = 1e9;
	const int how = SQLITE_UTF8 | SQLITE_DETERMINISTIC;

	return sqlite3_create_function(db, "us", 1, how, &us, scaled, NULL, NULL) ||
	    sqlite3_create_function(db, "ms", 1, how, &ms, scaled, NULL, NULL) ||
	    sqlite3_create_function(db, "regexp", 2, how, NULL, regexp, NULL, NULL) ||
	    sqlite3_create_function(db, "median", 1, how, NULL, NULL, quantile_add, quantile_end) ||
	    sqlite3_create_function(db, "quantile_cont", 2, how, NULL, NULL, quantile_add, quantile_end);
}
