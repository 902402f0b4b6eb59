#include "config.h"
#include "analyze/diff/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LISTED 400

/* Two captures, the first of the base and another one. */
struct pair {
	struct comparison *c;
	const struct side *a, *b;
	bool fatal, leave_out; /* leave_out: others are there to be compared */
};

static void say(struct pair *p, const char *code, const char *severity, const char *a, const char *b)
{
	bool fatal = !strcmp(severity, "fatal");
	struct comparability_row row = { code, fatal && p->leave_out ? "warn" : severity, a, b, p->b->path };

	p->fatal |= fatal;
	if (fatal && !p->leave_out && !p->c->d->reason)
		p->c->d->reason = code;
	table_add(&p->c->d->table[DIFF_COMPARABILITY], &row);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static void say_numbers(struct pair *p, const char *code, const char *severity, size_t a, size_t b)
{
	char x[24], y[24];

	snprintf(x, sizeof x, "%zu", a);
	snprintf(y, sizeof y, "%zu", b);
	say(p, code, severity, x, y);
}

/* --- parameters --- */

VEC_ORDER_POINTERS(by_label_address, struct side_parameter, UP(label));

static int by_label(const void *a, const void *b)
{
	const struct side_parameter *const *x = a, *const *y = b;
	int order = strcmp((*x)->label, (*y)->label);

	return order ? order : by_label_address(a, b);
}

static const struct side_parameter **sort_parameters(const struct side *s)
{
	const struct side_parameter **v = xcalloc(s->nparameters + 1, sizeof *v);

	for (size_t i = 0; i < s->nparameters; i++)
		v[i] = &s->parameter[i];
	VEC_SORT(v, s->nparameters, by_label);
	return v;
}

static void list_text(char *to, const char *text)
{
	size_t n = strlen(to);

	if (n + strlen(text) + 3 < LISTED)
		snprintf(to + n, LISTED - n, "%s%s", n ? ", " : "", text);
	else if (n + 6 < LISTED && (n < 3 || strcmp(to + n - 3, "…")))
		strcat(to, ", …");
}

/* By what one dimension alone changed; NaN: it is not that. */
static double ratio_of(const struct side_parameter *a, const struct side_parameter *b)
{
	double ratio = NAN;

	if (a->element != b->element || a->ndims != b->ndims)
		return NAN;
	for (size_t i = 0; i < a->ndims; i++) {
		if (a->dim[i] == b->dim[i])
			continue;
		if (!isnan(ratio) || a->dim[i] <= 0)
			return NAN;
		ratio = (double)b->dim[i] / (double)a->dim[i];
	}
	return ratio;
}

struct shapes {
	char a[LISTED], b[LISTED], only_a[LISTED], only_b[LISTED];
	double ratio;
	bool differ, same_ratio;
};

static void compare_shapes(const struct side_parameter *a, const struct side_parameter *b, struct shapes *x)
{
	char text[LISTED];
	double ratio = ratio_of(a, b);

	if (a->element == b->element && a->ndims == b->ndims &&
	    !memcmp(a->dim, b->dim, a->ndims * sizeof *a->dim))
		return;
	snprintf(text, sizeof text, "%.200s %.150s", a->label, a->type ? a->type : "?");
	list_text(x->a, text);
	list_text(x->b, b->type ? b->type : "?");
	x->same_ratio = !isnan(ratio) && (!x->differ || (x->same_ratio && ratio == x->ratio));
	x->ratio = ratio;
	x->differ = true;
}

static void compare_parameters(struct pair *p)
{
	const struct side_parameter **a = sort_parameters(p->a), **b = sort_parameters(p->b);
	struct shapes x = { .ratio = NAN };
	size_t i = 0, k = 0;

	while (i < p->a->nparameters || k < p->b->nparameters) {
		int order = i >= p->a->nparameters ? 1
		    : k >= p->b->nparameters       ? -1
						   : strcmp(a[i]->label, b[k]->label);

		if (!order)
			compare_shapes(a[i++], b[k++], &x);
		else if (order < 0)
			list_text(x.only_a, a[i++]->label);
		else
			list_text(x.only_b, b[k++]->label);
	}
	if (x.differ) {
		say(p, "input_shapes_differ", isnan(p->c->o->scale) && !p->c->memory_alone ? "fatal" : "warn",
		    x.a, x.b);
		if (x.same_ratio && !p->leave_out && !p->c->memory_alone)
			p->c->scale = x.ratio;
	}
	if (*x.only_a || *x.only_b)
		say(p, "parameters_differ", "warn", x.only_a, x.only_b);
	free(a);
	free(b);
}

/* --- environment --- */

static struct slice value_of(const struct table *t, struct slice name)
{
	for (size_t i = 0; i < t->nrows; i++)
		if (slice_same(table_str(t, i, ENVIRONMENT_name), name))
			return table_str(t, i, ENVIRONMENT_value);
	return (struct slice){ NULL, 0 };
}

/* Rows whose names have the word and whose values differ. */
static void compare_values(struct pair *p, const char *word, const char *code, const char *severity)
{
	const struct table *a = &p->a->environment, *b = &p->b->environment;
	char x[LISTED] = "", y[LISTED] = "", text[LISTED];

	for (size_t i = 0; i < a->nrows; i++) {
		struct slice name = table_str(a, i, ENVIRONMENT_name), v = table_str(a, i, ENVIRONMENT_value),
			     w = value_of(b, name);

		if (!slice_find(name, word) || slice_same(v, w))
			continue;
		snprintf(text, sizeof text, "%.*s %.*s", (int)(name.n < 80 ? name.n : 80), name.s,
		    (int)(v.n < 150 ? v.n : 150), v.s);
		list_text(x, text);
		snprintf(text, sizeof text, "%.*s", (int)(w.n < 150 ? w.n : 150), w.n ? w.s : "");
		list_text(y, text);
	}
	if (*x || *y)
		say(p, code, severity, x, y);
}

static const char *warning_of(const struct side *s, const char *code)
{
	for (size_t i = 0; i < s->nwarnings; i++)
		if (!strcmp(s->warning[i].code, code))
			return s->warning[i].text;
	return NULL;
}

static void compare_warnings(struct pair *p)
{
	static const char *const codes[] = { "partial_file", "clock_jump", "events_dropped", "digest_old",
		"digest_sums" };
	const char *a, *b;

	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
		a = warning_of(p->a, codes[i]);
		b = warning_of(p->b, codes[i]);
		if (a || b)
			say(p, codes[i], "warn", a, b);
	}
	a = warning_of(p->a, "assumed_peaks");
	b = warning_of(p->b, "assumed_peaks");
	if (a || b)
		say(p, "assumed_peaks", "info", a, b);
}

/* --- all of it --- */

/* A program as the compiler wrote it: what it needs of memory is known. */
static bool has_memory_alone(const struct side *s)
{
	return !s->events && s->memory_peak >= 0;
}

static void compare_pair(struct pair *p)
{
	const struct side *a = p->a, *b = p->b;

	if (!a->nsteps || !b->nsteps)
		say_numbers(p, "no_steps", has_memory_alone(a) && has_memory_alone(b) ? "info" : "fatal",
		    a->nsteps, b->nsteps);
	if (!same_text(a->chip, b->chip) && a->chip && b->chip)
		say(p, "chip_differs", "fatal", a->chip, b->chip);
	if (a->nsteps && b->nsteps && a->ncores != b->ncores)
		say_numbers(p, "cores_differ", "fatal", a->ncores, b->ncores);
	if (a->hosts != b->hosts)
		say_numbers(p, "hosts_missing", "warn", a->hosts, b->hosts);
	if (!same_text(a->program, b->program) && a->program && b->program)
		say(p, "module_gone", "fatal", a->program, b->program);
	if (!same_text(a->program_id, b->program_id)) {
		say(p, "program_differs", "info", a->program_id, b->program_id);
		compare_parameters(p);
	}
	if (!same_text(a->step_source, b->step_source))
		say(p, "steps_differ_in_kind", "warn", a->step_source, b->step_source);
	if (!a->warm || !b->warm)
		say(p, "warmup", "warn", a->warm ? NULL : "first step left out",
		    b->warm ? NULL : "first step left out");
	compare_values(p, "tracer_level", "profiler_options", "warn");
	compare_warnings(p);
	compare_values(p, "version", "versions_differ", "info");
	compare_values(p, "flags", "flags_differ", "info");
}

/* Captures that cannot be compared with the first of the base are left out, if their side has others. */
void compare_captures(struct comparison *c)
{
	const struct side **v = (const struct side **)c->v;
	size_t all = c->n[BASE] + c->n[NEW], kept = 1, left = c->n[NEW], nbase = 1;

	c->scale = c->per_example = NAN;
	c->same_program = v[0]->program_id != NULL;
	c->memory_alone = has_memory_alone(v[0]);
	for (size_t i = 1; i < all; i++) {
		bool new = i >= c->first[NEW];
		struct pair p = { .c = c, .a = v[0], .b = v[i], .leave_out = !new || left > 1 };

		compare_pair(&p);
		c->same_program &= same_text(v[0]->program_id, v[i]->program_id);
		if (p.fatal && p.leave_out) {
			left -= new;
			continue;
		}
		c->fatal |= p.fatal;
		nbase += !new;
		v[kept++] = v[i];
	}
	c->n[BASE] = c->first[NEW] = nbase;
	c->n[NEW] = kept - nbase;
	c->runs = interval_has_runs(c->n[BASE], c->n[NEW]);
}
