#include "config.h"
#include "analyze/llo/llo.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/mem.h"

/* "matmul" of "matmul.1.2" */
static struct slice stem_of(struct slice s)
{
	for (;;) {
		size_t n = s.n;

		while (n && isdigit((unsigned char)s.s[n - 1]))
			n--;
		if (n == s.n || !n || s.s[n - 1] != '.')
			return s;
		s.n = n - 1;
	}
}

static size_t partner(const struct llo *l, const struct llo_kernel *a, const bool *taken)
{
	for (int stem = 0; stem < 2; stem++)
		for (size_t i = 0; i < l->kernels; i++) {
			const struct llo_kernel *b = &l->v[i];

			if (b->dump != 1 || taken[i] || !slice_same(a->opcode, b->opcode))
				continue;
			if (stem ? slice_same(stem_of(a->name), stem_of(b->name))
				 : slice_same(a->name, b->name))
				return i;
		}
	return SIZE_MAX;
}

struct llo_pair *llo_pairs(const struct llo *l, size_t *n)
{
	struct llo_pair *v = xcalloc(l->n + 1, sizeof *v);
	bool *taken = xcalloc(l->n + 1, sizeof *taken);

	*n = 0;
	for (size_t i = 0; i < l->kernels; i++) {
		const struct llo_kernel *a = &l->v[i];
		size_t b = a->dump ? SIZE_MAX : partner(l, a, taken);

		if (a->dump)
			continue;
		if (b != SIZE_MAX)
			taken[b] = true;
		v[(*n)++] = (struct llo_pair){ a, b == SIZE_MAX ? NULL : &l->v[b] };
	}
	for (size_t i = 0; i < l->kernels; i++)
		if (l->v[i].dump == 1 && !taken[i])
			v[(*n)++] = (struct llo_pair){ NULL, &l->v[i] };
	free(taken);
	return v;
}

const char *llo_pair_status(const struct llo_pair *p)
{
	return !p->b                                                                  ? "only a"
	    : !p->a                                                                   ? "only b"
	    : p->a->fingerprint.n && slice_same(p->a->fingerprint, p->b->fingerprint) ? "same"
										      : "changed";
}
