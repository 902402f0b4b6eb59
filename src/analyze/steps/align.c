#include "config.h"
#include "analyze/steps/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"

/* A step that all cores of one host have, from the first begin to the last end. */
struct common_step {
	int64_t id, from, to;
};

struct sequence {
	int host;
	struct common_step *v;
	size_t n;
	size_t lead, own; /* own step number `own` is aligned with step number `lead` of the leading host, */
	size_t paired;    /* and so are the following ones, this many in total */
};

int steps_by_id(const void *a, const void *b)
{
	const struct step *x = *(const struct step *const *)a, *y = *(const struct step *const *)b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x > y) - (x < y);
}

static size_t count_cores(const struct step *v, size_t n)
{
	size_t cores = 0;

	for (size_t i = 0; i < n; i++)
		cores += !i || v[i].host != v[i - 1].host || v[i].core != v[i - 1].core;
	return cores;
}

static const struct step **rows_by_id(const struct step *v, size_t n)
{
	const struct step **row = xcalloc(n + 1, sizeof *row);

	for (size_t i = 0; i < n; i++)
		row[i] = &v[i];
	VEC_SORT(row, n, steps_by_id);
	return row;
}

/* Counts the different cores in rows a to end - 1, which have one ID. */
static size_t cores_of(const struct step *const *row, size_t a, size_t end)
{
	size_t n = 0;

	for (size_t i = a; i < end; i++)
		n += i == a || row[i]->host != row[i - 1]->host || row[i]->core != row[i - 1]->core;
	return n;
}

bool *steps_everywhere(const struct steps *s)
{
	bool *all = xcalloc(s->n + 1, sizeof *all);
	const struct step **row = rows_by_id(s->v, s->n);
	size_t cores = count_cores(s->v, s->n);

	for (size_t a = 0, end; a < s->n; a = end) {
		for (end = a; end < s->n && row[end]->id == row[a]->id; end++)
			;
		bool everywhere = cores_of(row, a, end) == cores;

		for (size_t i = a; i < end; i++)
			all[row[i] - s->v] = everywhere;
	}
	free(row);
	return all;
}

static void sequence_of(const struct step *v, size_t n, struct sequence *q)
{
	const struct step **row = rows_by_id(v, n);
	size_t cores = count_cores(v, n), cap = 0;

	*q = (struct sequence){ .host = v->host };
	for (size_t a = 0, end; a < n; a = end) {
		struct common_step span = { row[a]->id, row[a]->start, row[a]->start + row[a]->dur };

		for (end = a; end < n && row[end]->id == row[a]->id; end++) {
			int64_t to = row[end]->start + row[end]->dur;

			span.from = row[end]->start < span.from ? row[end]->start : span.from;
			span.to = to > span.to ? to : span.to;
		}
		if (cores_of(row, a, end) < cores)
			continue;
		VEC_ADD(q->v, q->n, cap, span);
	}
	free(row);
}

static int64_t length(const struct sequence *q)
{
	int64_t from = INT64_MAX, to = 0;

	for (size_t i = 0; i < q->n; i++) {
		from = q->v[i].from < from ? q->v[i].from : from;
		to = q->v[i].to > to ? q->v[i].to : to;
	}
	return q->n ? to - from : INT64_MAX;
}

static int64_t overlap(const struct sequence *lead, size_t a, const struct sequence *own, size_t b)
{
	int64_t sum = 0;

	for (; a < lead->n && b < own->n; a++, b++) {
		int64_t from = lead->v[a].from > own->v[b].from ? lead->v[a].from : own->v[b].from;
		int64_t to = lead->v[a].to < own->v[b].to ? lead->v[a].to : own->v[b].to;

		sum = add_clamped(sum, to > from ? to - from : 0);
	}
	return sum;
}

static void align(const struct sequence *lead, struct sequence *own)
{
	int64_t best = -1;

	/* All alignments: first own step 0 with each of the leader's, then the leader's step 0 with each
	 * own. */
	for (size_t k = 0; k + 1 < lead->n + own->n; k++) {
		size_t a = k < lead->n ? k : 0, b = k < lead->n ? 0 : k - lead->n + 1;
		int64_t sum = overlap(lead, a, own, b);

		if (sum <= best)
			continue;
		best = sum;
		own->lead = a;
		own->own = b;
	}
	own->paired = lead->n - own->lead < own->n - own->own ? lead->n - own->lead : own->n - own->own;
}

/* Returns the new ID of a step: its position counted from the first step that all hosts have.  Steps that not
 * all cores have keep their distance from it. */
static int64_t renumber(const struct sequence *q, size_t first_lead, int64_t id)
{
	size_t zero = q->own + (first_lead - q->lead), i = 0;

	while (i < q->n && q->v[i].id < id)
		i++;
	if (i < q->n && q->v[i].id == id)
		return (int64_t)i - (int64_t)zero;
	return zero < q->n ? id - q->v[zero].id : id;
}

void steps_align(struct steps *s)
{
	struct sequence *q = NULL;
	size_t n = 0, cap = 0, leader = 0, first = 0, end = SIZE_MAX;

	for (size_t a = 0, b; a < s->n; a = b) {
		for (b = a; b < s->n && s->v[b].host == s->v[a].host; b++)
			;
		VEC_PUSH(q, n, cap);
		sequence_of(s->v + a, b - a, &q[n++]);
		if (length(&q[n - 1]) < length(&q[leader]))
			leader = n - 1;
	}
	for (size_t i = 0; n > 1 && i < n; i++) {
		align(&q[leader], &q[i]);
		first = q[i].lead > first ? q[i].lead : first;
		end = q[i].lead + q[i].paired < end ? q[i].lead + q[i].paired : end;
	}
	for (size_t i = 0, k = 0; n > 1 && first < end && i < s->n; i++) {
		while (q[k].host != s->v[i].host)
			k++;
		s->v[i].id = renumber(&q[k], first, s->v[i].id);
	}
	for (size_t i = 0; i < n; i++)
		free(q[i].v);
	free(q);
}
