#include "config.h"
#include "analyze/ops/internal.h"

#include <stdlib.h>
#include <string.h>

static bool read_id(const char *s, size_t n, uint64_t *id)
{
	*id = 0;
	for (size_t i = 0; i < n; i++)
		if (s[i] < '0' || s[i] > '9' || __builtin_mul_overflow(*id, 10, id) ||
		    __builtin_add_overflow(*id, (uint64_t)(s[i] - '0'), id))
			return false;
	return n > 0;
}

bool op_program_split(struct slice t, size_t *name, uint64_t *id)
{
	const char *open = t.n && t.s[t.n - 1] == ')' ? memrchr(t.s, '(', t.n) : NULL;

	if (!open)
		return false;
	*name = (size_t)(open - t.s);
	return read_id(open + 1, t.n - *name - 2, id);
}

static void add_program(uint64_t **v, size_t *n, size_t *cap, uint64_t id)
{
	for (size_t i = 0; i < *n; i++)
		if ((*v)[i] == id)
			return;
	VEC_PUSH(*v, *n, *cap);
	(*v)[(*n)++] = id;
}

/* May it be a module, or a run of one? */
static bool is_of_programs(const struct dump *d, const struct evmeta *m)
{
	enum plane_kind kind = m->plane == UINT32_MAX ? PLANE_OTHER : d->trace.planes[m->plane].kind;

	return kind == PLANE_META || kind == PLANE_TPU ||
	    (m->plane == UINT32_MAX && m->file >= 0 && file_is_converted(&d->files[m->file]));
}

uint64_t *op_programs(const struct dump *d, const char *module, size_t *n)
{
	size_t len = strlen(module), cap = 0;
	uint64_t *v = NULL, id, asked;
	bool number = read_id(module, len, &asked);

	*n = 0;
	for (size_t i = 0; i < d->trace.nmetas; i++) {
		const struct evmeta *m = &d->trace.metas[i];
		struct slice t = dump_text(d, m->name);
		size_t name;

		if (!is_of_programs(d, m) || !op_program_split(t, &name, &id))
			continue;
		if ((number && id == asked) || ((t.n == len || name == len) && !memcmp(t.s, module, len)))
			add_program(&v, n, &cap, id);
	}
	if (number && !*n)
		add_program(&v, n, &cap, asked); /* no module has that ID, but ops may */
	return v;
}
