#include "config.h"
#include "report/reports.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/steps/steps.h"
#include "report/choose.h"
#include "result/table.h"

void choices_add(struct choices *c, const char *name)
{
	size_t at = strlen(c->text);
	char *end;
	long n = strtol(name, &end, 10);
	bool number = *name && !*end, goes_on = c->number && number && n > LONG_MIN && n - 1 == c->last;

	c->n++;
	if (c->cut)
		return;
	if (goes_on)
		at = c->range ? c->range : at;
	else if (at > sizeof c->text - 80)
		c->cut = true;
	c->range = goes_on ? at : 0;
	c->last = n;
	c->number = number;
	snprintf(c->text + at, sizeof c->text - at, "%s%.60s",
	    c->cut        ? ", …"
		: goes_on ? "-"
		: at      ? ", "
			  : "",
	    c->cut ? "" : name);
}

int choices_refuse(const struct choices *c, const char *what, const char *asked, struct err *e)
{
	if (!c->n)
		return err_set(e, EXIT_USAGE, ERR_NOWHERE, "no %s %.60s; the capture has none", what, asked);
	return err_set(e, EXIT_USAGE, ERR_NOWHERE, "no %s %.60s; %ss: %s", what, asked, what, c->text);
}

static bool is_of_host(const struct dump *d, int host, const struct report_options *o)
{
	return !o->host || dump_host_is(d, host, o->host);
}

static int by_number(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int check_core(const struct dump *d, const struct report_options *o, struct err *e)
{
	int *core = xcalloc(d->trace.nplanes + 1, sizeof *core);
	struct choices all = { .n = 0 };
	char name[16];
	bool there = o->core < 0;
	size_t n = 0;

	for (size_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];

		if (!plane_runs_ops(p->kind) || p->core < 0 || !is_of_host(d, p->host, o))
			continue;
		there |= p->core == o->core;
		core[n++] = p->core;
	}
	qsort(core, n, sizeof *core, by_number);
	for (size_t i = 0; i < n; i++) {
		snprintf(name, sizeof name, "%d", core[i]);
		if (!i || core[i] != core[i - 1])
			choices_add(&all, name);
	}
	free(core);
	snprintf(name, sizeof name, "%d", o->core);
	return there ? 0 : choices_refuse(&all, "core", name, e);
}

VEC_ORDER_POINTERS(by_id, struct step, UP(id));

static int check_step(struct capture *c, const struct report_options *o, struct err *e)
{
	struct choices all = { .n = 0 };
	const struct step **v;
	const struct steps *steps = capture_steps(c);
	bool there = false;
	size_t n = 0;

	v = xcalloc(steps->n + 1, sizeof *v);
	for (size_t i = 0; i < steps->n; i++) {
		const struct step *s = &steps->v[i];

		if (!is_of_host(c->base, s->host, o) || (o->core >= 0 && s->core != o->core))
			continue;
		there |= steps_is(s, o->step);
		v[n++] = s;
	}
	qsort(v, n, sizeof *v, by_id);
	for (size_t i = 0; i < n && !there; i++)
		if (!i || strcmp(v[i]->label, v[i - 1]->label))
			choices_add(&all, v[i]->label);
	free(v);
	return there ? 0 : choices_refuse(&all, "step", o->step, e);
}

int report_check(struct capture *c, const struct report_options *o, struct err *e)
{
	if (o->core >= 0 && check_core(c->base, o, e))
		return -1;
	return o->step ? check_step(c, o, e) : 0;
}

/* Leaves the rows that the screen shows, in its order. */
static void order_as_shown(struct report_screen *s, struct table *t)
{
	if (!s || t->schema != s->schema || t->nrows != s->rows)
		return;
	table_pick(t, s->row, s->n);
	s->chosen = true;
}

int report_order(const struct report_options *o, struct table *t, struct err *e)
{
	order_as_shown(o->screen, t);
	if (o->sort && table_sort(t, o->sort, e))
		return -1;
	if (o->top >= 0)
		table_top(t, (size_t)o->top);
	return 0;
}

static bool has_column(const struct table *t, const char *spec)
{
	size_t column;
	bool down;

	return t && !table_sort_spec(t->columns, t->ncolumns, spec, &column, &down, NULL);
}

bool report_is_table(const struct report_options *o, const char *tool, size_t i)
{
	return o->table && !strcmp(o->table, report_table_name(tool, i));
}

int report_order_tables(const struct report_options *o, const char *tool, struct table *const *t, size_t n,
    size_t most, struct err *e)
{
	size_t at = most;

	if (o->table) {
		for (at = 0; at + 1 < n && !report_is_table(o, tool, at); at++)
			;
	} else if (o->format == REPORT_CSV) {
		at = 0;
	} else if (o->sort && !has_column(t[most], o->sort)) {
		for (at = 0; at < n && !has_column(t[at], o->sort); at++)
			;
		at = at < n ? at : most;
	}
	for (size_t i = 0; i < n && !t[at]; i++)
		at = i;
	for (size_t i = 0; i < n; i++)
		if (t[i] && i != at)
			order_as_shown(o->screen, t[i]);
	return t[at] ? report_order(o, t[at], e) : 0;
}
