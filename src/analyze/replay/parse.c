#include "config.h"
#include "analyze/replay/change.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static int compare_numbers(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median_low(double *v, size_t n)
{
	qsort(v, n, sizeof *v, compare_numbers);
	return n ? v[(n - 1) / 2] : NAN;
}

/* --- hosts: infeeds and gaps as on the other cores --- */

struct infeed {
	uint32_t run, number, core, op;
	double d;
};

VEC_ORDER(by_place, struct infeed, UP(run) UP(number) UP(core));

static struct infeed *list_infeeds(const struct replay *r, size_t *n)
{
	struct infeed *v = NULL;
	size_t cap = 0;

	*n = 0;
	for (uint32_t k = 0; k < r->ncores; k++) {
		uint32_t op = NODE_NONE, run = NODE_NONE, number = 0;

		for (size_t i = 0; i < r->core[k].nnodes; i++) {
			const struct node *x = &r->core[k].node[i];

			if (x->group != GROUP_INFEED)
				continue;
			if (x->op == op) {
				v[*n - 1].d += (double)x->d;
				continue;
			}
			number = x->run == run ? number + 1 : 0;
			run = x->run;
			op = x->op;
			VEC_ADD(v, *n, cap, (struct infeed){ run, number, k, op, (double)x->d });
		}
	}
	return v;
}

static void find_infeeds(const struct replay *r, struct change *c)
{
	size_t n;
	struct infeed *v = list_infeeds(r, &n);
	double *d = xcalloc(r->ncores + 1, sizeof *d);
	uint32_t most = 0;

	for (size_t i = 0; i < n; i++)
		most = v[i].op + 1 > most ? v[i].op + 1 : most;
	for (size_t k = 0; k < r->ncores; k++) {
		c->infeed_of[k] = xcalloc(most + 1, sizeof **c->infeed_of);
		for (uint32_t i = 0; i < most; i++)
			c->infeed_of[k][i] = NAN;
	}
	VEC_SORT(v, n, by_place);
	for (size_t a = 0, b; a < n; a = b) {
		for (b = a; b < n && v[b].run == v[a].run && v[b].number == v[a].number && b - a < r->ncores;
		     b++)
			d[b - a] = v[b].d;
		if (b - a == r->ncores) {
			double median = median_low(d, b - a);

			for (size_t i = a; i < b; i++)
				c->infeed_of[v[i].core][v[i].op] = median;
		}
	}
	free(d);
	free(v);
}

static void find_gaps(const struct replay *r, struct change *c)
{
	double *d = xcalloc(r->ncores + 1, sizeof *d), *all;
	size_t runs = 0;

	for (size_t k = 0; k < r->ncores; k++)
		runs = r->core[k].nruns > runs ? r->core[k].nruns : runs;
	c->gap = xcalloc(runs + 1, sizeof *c->gap);
	c->ngaps = runs;
	all = xmalloc((runs * r->ncores + 1) * sizeof *all);
	for (size_t i = 0; i < runs * r->ncores; i++)
		all[i] = NAN;
	for (size_t k = 0; k < r->ncores; k++)
		for (size_t i = 0; i < r->core[k].nnodes; i++) {
			const struct node *n = &r->core[k].node[i];

			if (n->kind == NODE_LAUNCH && n->run != NODE_NONE && n->run >= 1)
				all[n->run * r->ncores + k] =
				    n->at != NODE_NONE ? r->member[n->at].off : (double)n->d;
		}
	for (size_t i = 0; i < runs; i++) {
		size_t n = 0;

		for (size_t k = 0; k < r->ncores; k++)
			if (!isnan(all[i * r->ncores + k]))
				d[n++] = all[i * r->ncores + k];
		c->gap[i] = n == r->ncores ? median_low(d, n) : NAN;
	}
	free(all);
	free(d);
}

static void find_links(const struct replay *r, struct change *c)
{
	double *d = xcalloc(r->ncores + 1, sizeof *d);

	c->off = xcalloc(r->nexchanges + 1, sizeof *c->off);
	for (size_t i = 0; i < r->nexchanges; i++) {
		const struct exchange_pair *v = r->exchanged + r->exchange[i].first;
		size_t n = 0;

		for (size_t k = 0; k < r->exchange[i].n; k++) {
			const struct pair *p = &r->core[v[k].core].pair[v[k].pair];

			if (p->npeers && p->has_off)
				d[n++] = p->off;
		}
		c->off[i] = median_low(d, n);
	}
	free(d);
}

static double shortest_infeed(const struct replay *r)
{
	size_t n;
	struct infeed *v = list_infeeds(r, &n);
	double least = n ? INFINITY : 0;

	for (size_t i = 0; i < n; i++)
		least = fmin(least, v[i].d);
	free(v);
	return least;
}

/* --- expressions --- */

static bool is_host(const struct replay *r, size_t core, struct slice name)
{
	return slice_same(dump_text(r->dump, r->dump->hosts[r->core[core].host].name), name);
}

/* "HOST/N": of that core; false: there is none */
static bool set_core(const struct replay *r, struct slice text, bool *of)
{
	const char *slash = text.n ? memrchr(text.s, '/', text.n) : NULL;
	bool found = false;
	char name[32];

	for (size_t k = 0; k < r->ncores && slash; k++) {
		int n = snprintf(name, sizeof name, "/%d", r->core[k].core);

		if (is_host(r, k, (struct slice){ text.s, (size_t)(slash - text.s) }) &&
		    (size_t)n == (size_t)(text.s + text.n - slash) && !memcmp(slash, name, (size_t)n))
			found = of[k] = true;
	}
	return found;
}

static bool set_host(const struct replay *r, struct slice text, struct change *c)
{
	bool found = false;

	for (size_t k = 0; k < r->ncores; k++)
		if (is_host(r, k, text))
			found = c->median[k] = c->host[k] = true;
	return found;
}

static void set_all(const struct replay *r, bool *of)
{
	for (size_t k = 0; k < r->ncores; k++)
		of[k] = true;
}

/* Takes "=0", "=roofline" or "*0.5" off the end. */
static bool take_factor(struct slice *t, bool roofline, double *factor)
{
	const char *star = t->n ? memrchr(t->s, '*', t->n) : NULL;
	char number[32], *end;
	size_t n;

	*factor = 0;
	if (slice_cut_end(t, "=0"))
		return true;
	*factor = ROOFLINE;
	if (roofline && slice_cut_end(t, "=roofline"))
		return true;
	n = star ? (size_t)(t->s + t->n - star) - 1 : 0;
	if (!n || n >= sizeof number)
		return false;
	memcpy(number, star + 1, n);
	number[n] = 0;
	if (strspn(number, "0123456789.") != n)
		return false;
	*factor = strtod(number, &end);
	t->n = (size_t)(star - t->s);
	return !*end && isfinite(*factor);
}

static bool parse_median(const struct replay *r, struct slice t, struct change *c)
{
	if (slice_is(t, "cores")) {
		set_all(r, c->median);
		return c->any_median = true;
	}
	if (slice_is(t, "links")) {
		set_all(r, c->link);
		return c->any_link = true;
	}
	if (slice_cut(&t, "core:"))
		return c->any_median = set_core(r, t, c->median);
	if (slice_cut(&t, "host:"))
		return c->any_median = c->any_host = set_host(r, t, c);
	return slice_cut(&t, "link:") && (c->any_link = set_core(r, t, c->link));
}

static bool parse_idle(struct slice t, struct change *c)
{
	double factor;

	if (!take_factor(&t, false, &factor))
		return false;
	for (int i = 0; i < IDLE_CAUSES; i++)
		if (slice_is(t, idle_cause_id[i])) {
			c->idle[i] = factor;
			return true;
		}
	return false;
}

static bool parse_selection(struct slice t, struct change *c)
{
	static const char *const names[] = { "op:", "category:", "kind:", "phase:", "transfer:", "dma:",
		"hide:" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct selection s = { .by = (enum selector)i, .factor = 1 };

		if (!slice_cut(&t, names[i]))
			continue;
		if ((s.by != BY_HIDE && !take_factor(&t, s.by < BY_TRANSFER, &s.factor)) || !t.n)
			return false;
		s.pattern = xstrndup(t.s, t.n);
		s.len = t.n;
		s.wild = strpbrk(s.pattern, "*?[");
		VEC_ADD(c->v, c->n, c->cap, s);
		return true;
	}
	return false;
}

static bool parse_one(const struct replay *r, struct slice t, struct change *c)
{
	if (slice_is(t, "input=0") || slice_is(t, "input=least")) {
		c->input = slice_is(t, "input=0") ? 0 : shortest_infeed(r);
		return true;
	}
	if (slice_is(t, "output=0"))
		return c->no_output = true;
	if (slice_cut(&t, "idle:"))
		return parse_idle(t, c);
	if (slice_cut_end(&t, "=median"))
		return parse_median(r, t, c);
	return parse_selection(t, c);
}

/* The next of several, up to a comma outside of brackets. */
static struct slice next_word(const char **text)
{
	const char *s = *text;
	int depth = 0;
	struct slice t;

	for (; *s && (depth > 0 || *s != ','); s++)
		depth += (*s == '(') - (*s == ')');
	t = slice_trim((struct slice){ *text, (size_t)(s - *text) });
	*text = s + (*s == ',');
	return t;
}

struct change *change_parse(const struct replay *r, const char *text, struct err *err)
{
	struct change *c = xcalloc(1, sizeof *c);

	*c = (struct change){ .median = xcalloc(r->ncores + 1, 1),
		.host = xcalloc(r->ncores + 1, 1),
		.link = xcalloc(r->ncores + 1, 1),
		.infeed_of = xcalloc(r->ncores + 1, sizeof *c->infeed_of),
		.input = NAN,
		.touches = xcalloc(1, sizeof *c->touches) };
	for (int i = 0; i < IDLE_CAUSES; i++)
		c->idle[i] = 1;
	while (*text) {
		struct slice t = next_word(&text);

		if (t.n && !parse_one(r, t, c)) {
			err_set(err, EXIT_USAGE, ERR_NOWHERE, "--whatif: cannot read %.*s",
			    (int)(t.n < 80 ? t.n : 80), t.s);
			change_free(c);
			return NULL;
		}
	}
	if (c->any_host) {
		find_infeeds(r, c);
		find_gaps(r, c);
	}
	if (c->any_link)
		find_links(r, c);
	change_groups(c);
	if (c->n)
		c->effect = xcalloc(r->dump->trace.nmetas + 1, sizeof *c->effect);
	return c;
}

void change_free(struct change *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->v[i].pattern);
	free(c->v);
	free(c->effect);
	free(c->touches);
	for (size_t i = 0; c->infeed_of[i]; i++)
		free(c->infeed_of[i]);
	free(c->infeed_of);
	free(c->median);
	free(c->host);
	free(c->link);
	free(c->gap);
	free(c->off);
	free(c);
}

bool change_at_most(const char *text)
{
	return strstr(text, "=0") || strstr(text, "=roofline") || strstr(text, "hide:");
}
