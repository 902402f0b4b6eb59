#include "config.h"
#include "analyze/ptxla/tables/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* What analyses of one group have in common; NULL: it is in none. */
static char *key_of(const struct ptxla_analysis *a, enum ptxla_group by)
{
	if (by == GROUP_HASH)
		return a->graph_hash && *a->graph_hash ? xstrdup(a->graph_hash) : NULL;
	if (a->kind == PTXLA_POST)
		return NULL;
	if (by == GROUP_CAUSE)
		return a->cause ? xasprintf("%d %s", a->kind, a->cause) : NULL;
	return a->user
	    ? xasprintf("%d %lld %s %s", a->kind, (long long)a->user->line, a->user->file, a->user->function)
	    : NULL;
}

VEC_ORDER(by_count, struct ptxla_group_row, DOWN(count) UP(first));

struct ptxla_group_row *ptxla_groups(const struct ptxla *x, enum ptxla_group by, size_t *n)
{
	struct ptxla_group_row *v = NULL;
	struct strtab keys, pairs;
	size_t cap = 0;
	bool told = ptxla_tells_executions(x);

	*n = 0;
	strtab_init(&keys);
	strtab_init(&pairs); /* groups and their graphs */
	for (size_t i = 0; i < x->nanalyses; i++) {
		const struct ptxla_analysis *a = &x->analyses[i];
		char *key = key_of(a, by), *pair;
		uint32_t was = pairs.n;
		strid id;

		if (!key)
			continue;
		id = strtab_addz(&keys, key);
		free(key);
		if (id > *n)
			VEC_ADD(v, *n, cap, (struct ptxla_group_row){ .first = a, .of = a });
		if (a->graph_hash) {
			pair = xasprintf("%u %s", id, a->graph_hash);
			strtab_addz(&pairs, pair);
			free(pair);
		}
		v[id - 1].distinct += pairs.n > was;
		v[id - 1].compiled += a->kind == PTXLA_COMPILATION;
		v[id - 1].executed += a->kind == PTXLA_EXECUTION || a->kind == PTXLA_UNEXPECTED;
		v[id - 1].count += a->kind != PTXLA_POST;
		if (v[id - 1].of->inputs < 0 && a->inputs >= 0)
			v[id - 1].of = a;
	}
	strtab_free(&keys);
	strtab_free(&pairs);
	for (size_t i = 0; i < *n && !told; i++)
		v[i].executed = -1;
	VEC_SORT(v, *n, by_count);
	return v;
}
