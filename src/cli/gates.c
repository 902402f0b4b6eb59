#include "config.h"
#include "cli/cli.h"

#include <math.h>
#include <string.h>

#include "capture/compare.h"

/* Says each gate that holds, or that nobody can judge. */
static void say_gates(const struct options *o, const struct diff *d)
{
	const struct table *t = &d->table[DIFF_FAIL_IF];

	for (size_t i = 0; i < t->nrows; i++) {
		struct slice expr = cell_text(table_get(t, i, "expr"));
		bool held = slice_is(cell_text(table_get(t, i, "result")), "held");

		if (held)
			fprintf(stderr, "tpuscope: --fail-if %.*s holds: it is %.6g\n", (int)expr.n, expr.s,
			    table_number(t, i, "value"));
		else if (!slice_is(cell_text(table_get(t, i, "result")), "passed"))
			fprintf(stderr,
			    "tpuscope: --fail-if %.*s cannot be judged: the capture does not say it%s\n",
			    (int)expr.n, expr.s, o->lenient ? "" : "; --lenient lets that pass");
	}
}

int cli_gates(const struct options *o, struct capture *c, int status, struct err *err)
{
	const struct side_options so = { .host = o->report.host,
		.module = o->report.module,
		.core = o->report.core,
		.threads = o->report.threads };
	const struct diff_options options = { .margin = NAN,
		.scale = NAN,
		.gate = o->gate,
		.ngates = (size_t)o->ngates,
		.alone = true };
	struct side *s = capture_side(c, &so, err);
	struct diff d;

	if (!s)
		return -1;
	s->path = o->npaths ? o->paths[0] : "";
	if (capture_diff((const struct side *const *)&s, 1, (const struct side *const *)&s, 1, false,
		&options, &d, err)) {
		capture_side_free(s);
		return -1;
	}
	say_gates(o, &d);
	status = d.held ? EXIT_HELD : d.not_judged && !o->lenient ? EXIT_UNJUDGED : status;
	diff_free(&d);
	capture_side_free(s);
	return status;
}
