#include "config.h"
#include "base/span.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"

void spans_push(struct spans *s, int64_t from, int64_t to)
{
	VEC_ADD(s->v, s->n, s->cap, (struct span){ from, to });
}

void spans_unite(struct spans *all, struct spans *more)
{
	struct spans out = { 0 };
	size_t a = 0, b = 0;

	if (!all->n || !more->n) {
		struct spans *kept = all->n ? all : more;

		out = *kept;
		*kept = (struct spans){ 0 };
	}
	while (a < all->n || b < more->n) {
		struct span next = b == more->n || (a < all->n && all->v[a].from <= more->v[b].from)
		    ? all->v[a++]
		    : more->v[b++];

		spans_append(&out, next.from, next.to);
	}
	free(all->v);
	free(more->v);
	*all = out;
	*more = (struct spans){ 0 };
}

void spans_add(struct spans *all, const struct spans *more)
{
	if (more->n > all->cap - all->n) {
		all->cap = all->cap * 2 > all->n + more->n ? all->cap * 2 : all->n + more->n;
		all->v = xrealloc(all->v, all->cap, sizeof *all->v);
	}
	if (more->n)
		memcpy(all->v + all->n, more->v, more->n * sizeof *all->v);
	all->n += more->n;
}

VEC_ORDER(by_begin, struct span, UP(from) UP(to));

void spans_join(struct spans *s)
{
	size_t n = s->n, k = 1;

	while (k < n && s->v[k - 1].to < s->v[k].from)
		k++;
	if (k >= n)
		return;
	while (k < n && s->v[k - 1].from <= s->v[k].from)
		k++;
	if (k < n)
		VEC_SORT(s->v, n, by_begin);
	s->n = 0;
	for (size_t i = 0; i < n; i++)
		spans_append(s, s->v[i].from, s->v[i].to);
}

int64_t spans_length(const struct spans *s)
{
	int64_t sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum = add_clamped(sum, sub_clamped(s->v[i].to, s->v[i].from));
	return sum;
}
