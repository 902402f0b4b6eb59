#include "config.h"

#include "analyze/events/host_align.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"

struct begin {
	int host;
	int64_t id, from;
};

VEC_ORDER(by_host, struct begin, UP(host) UP(id) UP(from));

/* Returns the earliest begin of every step on every host, sorted by host and number. */
static struct begin *begins_of(const struct dump *d, const struct steps *s, size_t *n)
{
	struct begin *v = xcalloc(s->n + 1, sizeof *v);
	size_t all = 0;
	int64_t to;

	*n = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (s->v[i].core < 0 || s->v[i].host < 0 || (size_t)s->v[i].host >= d->nhosts)
			continue;
		v[all] = (struct begin){ .host = s->v[i].host, .id = s->v[i].id };
		steps_span(&s->v[i], d, &v[all++].from, &to);
	}
	qsort(v, all, sizeof *v, by_host);
	for (size_t i = 0; i < all; i++)
		if (!*n || v[*n - 1].host != v[i].host || v[*n - 1].id != v[i].id)
			v[(*n)++] = v[i];
	return v;
}

static int64_t median(int64_t *v, size_t n)
{
	qsort(v, n, sizeof *v, sort_by_int64);
	return n % 2 ? v[n / 2] : v[n / 2 - 1] + (v[n / 2] - v[n / 2 - 1]) / 2;
}

/* Walks both lists at once; they are sorted by number. */
static void differences(const struct begin *a, size_t na, const struct begin *b, size_t nb, int64_t *diff,
    struct align_host *out)
{
	size_t n = 0;

	for (size_t i = 0, k = 0; i < na && k < nb;) {
		if (a[i].id == b[k].id)
			diff[n++] = b[k++].from - a[i++].from;
		else if (a[i].id < b[k].id)
			i++;
		else
			k++;
	}
	if (!n)
		return;
	out->known = true;
	out->steps = n;
	out->offset = median(diff, n);
	for (size_t i = 0; i < n; i++)
		diff[i] = diff[i] < out->offset ? out->offset - diff[i] : diff[i] - out->offset;
	out->spread = median(diff, n);
}

size_t align_estimate(const struct dump *d, const struct steps *s, struct align_host *out)
{
	size_t n, known = 0, first = 0;
	struct begin *v = begins_of(d, s, &n);
	int64_t *diff = xcalloc(n + 1, sizeof *diff);

	for (size_t i = 0; i < d->nhosts; i++)
		out[i] = (struct align_host){ 0 };
	while (first < n && v[first].host == v[0].host)
		first++;
	for (size_t i = 0, to; i < n; i = to) {
		for (to = i; to < n && v[to].host == v[i].host; to++)
			;
		differences(v, first, v + i, to - i, diff, &out[v[i].host]);
		known += out[v[i].host].known;
	}
	free(diff);
	free(v);
	return known;
}

bool align_on_step(const struct dump *d, const struct steps *s, int64_t id, int64_t *shift, int64_t *zero)
{
	size_t n;
	struct begin *v = begins_of(d, s, &n);
	bool any = false;

	for (size_t i = 0; i < d->nhosts; i++)
		shift[i] = 0;
	for (size_t i = 0; i < n; i++) {
		if (v[i].id != id)
			continue;
		if (!any)
			*zero = v[i].from;
		any = true;
		shift[v[i].host] = trace_clip(*zero - v[i].from);
	}
	free(v);
	return any;
}
