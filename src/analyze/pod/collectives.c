#include "config.h"
#include "analyze/pod/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/step_metric.h"
#include "base/text/digit.h"

#define GROUPS_MAX 65536 /* device numbers in the longest list that is written out */
#define AXES 8

/* Reads the numbers of "8,4]" up to the closing bracket; returns 0 when there are none or more than there is
 * room for. */
static size_t parse_numbers(const char **s, const char *end, char close, int64_t *v)
{
	size_t n = 0;

	for (; *s < end && **s != close && n < AXES; n++) {
		v[n] = 0;
		for (; *s < end && is_digit(**s) && v[n] < GROUPS_MAX; ++*s)
			v[n] = v[n] * 10 + (**s - '0');
		if (*s < end && **s == ',')
			++*s;
		else if (*s < end && **s != close)
			return 0;
	}
	if (*s == end || **s != close)
		return 0;
	++*s;
	return n;
}

/* Reads "'x'"; returns what is behind it, or NULL. */
static const char *quoted_name(const char *s, const char *end, struct slice *name)
{
	const char *close = s < end && *s == '\'' ? memchr(s + 1, '\'', (size_t)(end - s - 1)) : NULL;

	if (!close)
		return NULL;
	*name = (struct slice){ s + 1, (size_t)(close - s - 1) };
	return close + 1;
}

/* A compact list of groups such as "[2,4]<=[4,2]T(1,0)": the numbers from 0 on fill an array [4,2], whose
 * axes are then transposed, and the result is cut into 2 groups of 4. */
struct iota {
	int64_t group[AXES], side[AXES], turn[AXES];
	size_t nsides;
};

static bool parse_iota(struct slice t, struct iota *x)
{
	const char *s = t.s + 1, *end = t.s + t.n;
	int64_t count = 1;
	bool had[AXES] = { false };

	if (t.n < 2 || *t.s != '[' || parse_numbers(&s, end, ']', x->group) != 2)
		return false;
	if (end - s < 3 || memcmp(s, "<=[", 3))
		return false;
	s += 3;
	x->nsides = parse_numbers(&s, end, ']', x->side);
	for (size_t i = 0; i < x->nsides; i++) {
		if (x->side[i] < 1 || x->side[i] > GROUPS_MAX || (count *= x->side[i]) > GROUPS_MAX)
			return false;
		x->turn[i] = (int64_t)i;
	}
	if (end - s > 2 && s[0] == 'T' && s[1] == '(') {
		s += 2;
		if (parse_numbers(&s, end, ')', x->turn) != x->nsides)
			return false;
	}
	for (size_t i = 0; i < x->nsides; i++) {
		if (x->turn[i] >= (int64_t)x->nsides || had[x->turn[i]])
			return false;
		had[x->turn[i]] = true;
	}
	return x->nsides && x->group[0] >= 1 && x->group[1] >= 1 && x->group[0] * x->group[1] == count;
}

/* Reads the axes of "'x'=2,'y'=4]" up to the bracket. */
static const char *parse_sides(const char *s, const char *end, struct iota *x, struct slice *name)
{
	int64_t count = 1;

	while (x->nsides < AXES) {
		int64_t *side = &x->side[x->nsides];

		if (!(s = quoted_name(s, end, &name[x->nsides])) || s == end || *s++ != '=')
			return NULL;
		for (*side = 0; s < end && is_digit(*s) && *side <= GROUPS_MAX; s++)
			*side = *side * 10 + (*s - '0');
		if (*side < 1 || *side > GROUPS_MAX || (count *= *side) > GROUPS_MAX)
			return NULL;
		x->nsides++;
		if (s < end && *s == ']')
			return s + 1;
		if (s == end || *s++ != ',')
			return NULL;
	}
	return NULL;
}

/* Axes of a mesh, "mesh['x'=2,'y'=4] {'x'}": the groups lie along those in braces, which are turned to be the last
 * ones.  Parts of axes, "'x':(1)2", are not read. */
static bool parse_mesh(struct slice t, struct iota *x)
{
	const char *s, *end = t.s + t.n;
	struct slice name[AXES], use;
	size_t last[AXES], nlast = 0, n = 0;
	bool had[AXES] = { false };

	*x = (struct iota){ .group = { 1, 1 } };
	if (!slice_begins(t, "mesh[") || !(s = parse_sides(t.s + 5, end, x, name)))
		return false;
	s += s < end && *s == ' ';
	while (s < end && (*s == (nlast ? ',' : '{'))) {
		size_t k = 0;

		if (!(s = quoted_name(s + 1, end, &use)))
			return false;
		while (k < x->nsides && !slice_same(name[k], use))
			k++;
		if (k == x->nsides || had[k])
			return false;
		had[k] = true;
		x->group[1] *= x->side[k];
		last[nlast++] = k;
	}
	for (size_t k = 0; k < x->nsides; k++) {
		if (!had[k]) {
			x->group[0] *= x->side[k];
			x->turn[n++] = (int64_t)k;
		}
	}
	for (size_t k = 0; k < nlast; k++)
		x->turn[n++] = (int64_t)last[k];
	return nlast && s < end && *s == '}';
}

static int64_t iota_at(const struct iota *x, int64_t i)
{
	int64_t at[AXES], v = 0;

	for (size_t k = x->nsides; k-- > 0; i /= x->side[x->turn[k]])
		at[x->turn[k]] = i % x->side[x->turn[k]];
	for (size_t k = 0; k < x->nsides; k++)
		/* cppcheck-suppress uninitvar // `turn` names each axis once */
		v = v * x->side[k] + at[k];
	return v;
}

/* Returns "{0,1},{2,3}", or NULL when the op does not say. */
static const char *groups_of(struct arena *a, const struct traffic_op *o)
{
	struct slice t = traffic_list(o, "replica_groups=");
	struct iota x;
	char *text, *s;

	if (!t.n)
		return NULL;
	if (*t.s == '{')
		return t.n < 2 ? NULL : t.n == 2 ? "" : arena_strndup(a, t.s + 1, t.n - 2);
	if (!parse_iota(t, &x) && !parse_mesh(t, &x))
		return arena_strndup(a, t.s, t.n);
	s = text = arena_alloc(a, (size_t)(x.group[0] * (x.group[1] * 6 + 3)) + 2);
	for (int64_t g = 0, i = 0; g < x.group[0]; g++) {
		s += sprintf(s, "%s{", g ? "," : "");
		for (int64_t k = 0; k < x.group[1]; k++)
			s += sprintf(s, "%s%d", k ? "," : "", (int)iota_at(&x, i++));
		*s++ = '}';
	}
	*s = 0;
	return text;
}

/* One run of an op of a collective on one core. */
struct instance {
	int64_t id, dur;
};

VEC_ORDER(by_instance, struct instance, UP(id) UP(dur));

/* Insertion sort: there is mostly one run per core. */
static void sort_instances(struct instance *v, size_t n)
{
	if (n > 64) {
		qsort(v, n, sizeof *v, by_instance);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		struct instance x = v[i];
		size_t k = i;

		for (; k && (v[k - 1].id > x.id || (v[k - 1].id == x.id && v[k - 1].dur > x.dur)); k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
}

/* What all runs of an op have in common. */
struct known {
	bool known;
	const char *name, *category, *groups;
	uint64_t bytes;
};

static const struct known *known_of(struct pod *pod, const struct traffic *p, struct known *v, uint32_t op)
{
	const struct traffic_op *o = &p->op[op];
	const struct strtab *str = &p->dump->str;
	struct known *k = &v[op];

	if (k->known)
		return k;
	k->known = true;
	k->name = arena_strndup(&pod->text, strtab_str(str, o->name), strtab_len(str, o->name));
	k->category = arena_strndup(&pod->text, strtab_str(str, o->category), strtab_len(str, o->category));
	k->groups = groups_of(&pod->text, o);
	k->bytes = traffic_bytes(o, false);
	return k;
}

/* All cores leave a collective together, so the core that arrived last has the shortest run and did not wait:
 * its run is the transfer itself, and the excess of every other run is waiting (step_cores.h).  Of a run that
 * no other core of the capture met, nobody knows. */
static void add_collective(struct pod *pod, size_t *cap, const struct known *k, size_t step,
    struct instance *v, size_t n)
{
	struct pod_collective c = { .name = k->name,
		.category = k->category,
		.replica_groups = k->groups,
		.bytes = k->bytes,
		.step = step,
		.occurrences = n };
	size_t ties = 0, first = 0;

	sort_instances(v, n);
	for (size_t i = 0; i < n; i++) {
		c.duration_us += (double)v[i].dur / 1e6;
		if (v[i].id == STEP_OP_NO_ID)
			continue;
		if (v[i].id != v[first].id)
			first = i;
		if (i == first && (i + 1 == n || v[i + 1].id != v[i].id))
			continue;
		c.sync_us += (double)(v[i].dur - v[first].dur) / 1e6;
		ties++;
	}
	c.duration_us /= (double)n;
	c.sync_us = ties ? c.sync_us / (double)ties : NAN;
	VEC_ADD(pod->collective, pod->ncollectives, *cap, c);
}

/* By step, then by total time, largest first. */
static int by_cost(const void *a, const void *b)
{
	const struct pod_collective *x = a, *y = b;
	double p = x->duration_us * (double)x->occurrences, q = y->duration_us * (double)y->occurrences;

	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	if (p < q || p > q)
		return p > q ? -1 : 1;
	return strcmp(x->name, y->name);
}

void pod_collectives(struct pod *pod, const struct traffic *p)
{
	struct known *known = xcalloc(p->nops + 1, sizeof *known);
	struct instance *v = NULL;
	size_t cap = 0, v_cap = 0, n;

	for (size_t a = 0, b; a < p->nruns; a = b) {
		const struct traffic_run *r = &p->run[a];

		for (b = a, n = 0; b < p->nruns; b++) {
			if (p->run[b].at->step != r->at->step || p->run[b].op != r->op)
				break;
			VEC_ADD(v, n, v_cap, (struct instance){ p->run[b].at->id, p->run[b].at->dur });
		}
		if (p->op[r->op].roles & TRAFFIC_COLLECTIVE)
			add_collective(pod, &cap, known_of(pod, p, known, r->op), r->at->step, v, n);
	}
	VEC_SORT(pod->collective, pod->ncollectives, by_cost);
	free(known);
	free(v);
}
