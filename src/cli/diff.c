#include "config.h"
#include "cli/cli.h"

#include <stdlib.h>

#include "base/file/outfile.h"
#include "cli/sides.h"
#include "report/tool/diff.h"

/* A gate that holds comes before one that nobody can judge, damage after both. */
static int status_of(const struct options *o, const struct diff *d, bool damaged)
{
	if (d->held)
		return EXIT_HELD;
	if (d->verdict == VERDICT_NOT_COMPARABLE)
		return EXIT_UNJUDGED;
	if (d->not_judged && !o->lenient)
		return EXIT_UNJUDGED;
	if (d->not_judged)
		fputs("tpuscope: a --fail-if could not be judged; see the table fail_if\n", stderr);
	return damaged ? EXIT_DAMAGED : EXIT_OK;
}

/* The new captures, each of a side of its own in a sweep. */
static struct report_side new_side(const struct cli_sides *s)
{
	const struct side **v;
	size_t n = 0;

	for (size_t i = 1; i < s->n; i++)
		n += s->v[i].n;
	v = xcalloc(n + 1, sizeof *v);
	n = 0;
	for (size_t i = 1; i < s->n; i++)
		for (size_t k = 0; k < s->v[i].n; k++)
			v[n++] = s->v[i].v[k];
	return (struct report_side){ v, n };
}

static int write_diff(struct options *o, const struct cli_sides *s, struct err *err)
{
	struct diff_options options = { .margin = o->margin,
		.scale = o->scale,
		.gate = o->gate,
		.ngates = (size_t)o->ngates };
	struct report_side base = { (const struct side *const *)s->v[0].v, s->v[0].n }, new = new_side(s);
	bool sweep = s->n > 2;
	struct outfile out;
	struct diff d;
	int bad = capture_diff(base.v, base.n, new.v, new.n, sweep, &options, &d, err);

	if (!bad) {
		bad = cli_output_open(o, &out, err);
		if (!bad) {
			bad = report_diff(&d, &base, &new, sweep, &o->report, out.f, err);
			bad = cli_output_close(o, &out, bad ? -1 : EXIT_OK, err);
		}
		bad = bad ? bad : status_of(o, &d, s->damaged);
		diff_free(&d);
	}
	free((void *)new.v);
	return bad;
}

static bool is_like(const struct side *a, const struct side *b)
{
	return a->events == b->events && a->heap == b->heap;
}

static const char *contents_of(const struct side *s)
{
	return s->events ? "events" : s->heap ? "allocations" : "neither events nor allocations";
}

/* Captures are compared with captures, programs with programs, memory profiles with memory profiles. */
static int check_kinds(const struct cli_sides *s, struct err *err)
{
	const struct side *first = s->v[0].v[0], *x;

	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < s->v[i].n; k++)
			if (!is_like(first, x = s->v[i].v[k]))
				return err_set(err, EXIT_USAGE, ERR_NOWHERE,
				    "%s has %s, %s has %s: a capture is compared with a capture, a program "
				    "with "
				    "a program, a memory profile with one",
				    x->path, contents_of(x), first->path, contents_of(first));
	return 0;
}

int cli_diff(struct options *o, struct err *err)
{
	struct cli_sides s;
	int status;

	if (o->demo)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "diff compares two captures; --demo is one");
	if (sides_open(o, &s, err)) {
		o->npaths = 0; /* the message names the capture */
		return -1;
	}
	status = check_kinds(&s, err) ? -1 : write_diff(o, &s, err);
	o->npaths = status < 0 ? 0 : o->npaths;
	sides_free(&s);
	return status;
}
