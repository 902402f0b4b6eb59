#include "config.h"
#include "result/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_fact(struct facts *f, const char *id, struct cell v)
{
	VEC_ADD(f->v, f->n, f->cap, (struct fact){ id, v });
}

void facts_num(struct facts *f, const char *id, double v)
{
	put_fact(f, id, isfinite(v) ? cell_num(v) : cell_null());
}
void facts_int(struct facts *f, const char *id, int64_t v)
{
	put_fact(f, id, cell_int(v));
}
void facts_known(struct facts *f, const char *id, int64_t v)
{
	put_fact(f, id, cell_known(v));
}
void facts_bool(struct facts *f, const char *id, bool v)
{
	put_fact(f, id, cell_bool(v));
}
void facts_null(struct facts *f, const char *id)
{
	put_fact(f, id, cell_null());
}

void facts_str(struct facts *f, const char *id, const char *s)
{
	size_t n = s ? strlen(s) : 0;

	put_fact(f, id, s ? cell_str(arena_strndup(&f->text, s, n), n) : cell_null());
}

const struct cell *facts_get(const struct facts *f, const char *id)
{
	for (size_t i = 0; i < f->n; i++)
		if (!strcmp(f->v[i].id, id))
			return &f->v[i].v;
	return NULL;
}

double facts_number(const struct facts *f, const char *id)
{
	const struct cell *c = facts_get(f, id);

	return cell_number(c);
}

const char *facts_text(const struct facts *f, const char *id)
{
	const struct cell *c = facts_get(f, id);

	return c && c->type == CELL_STR ? c->s : "";
}

void facts_begin_like(struct facts *f, const struct facts *from)
{
	*f = (struct facts){ 0 };
	for (size_t i = 0; i < from->n; i++)
		VEC_ADD(f->v, f->n, f->cap, from->v[i]);
}

const struct fact_info *fact_info(size_t i)
{
	static const struct fact_info infos[] = {
#define FACT(tools, id, unit, meaning) { tools, #id, unit, meaning },
#include "result/facts.def"
#undef FACT
	};

	return i < sizeof infos / sizeof *infos ? &infos[i] : NULL;
}

bool fact_is_of(const struct fact_info *f, const char *tool)
{
	size_t n = strlen(tool);

	for (const char *s = f->tools; *s; s += strcspn(s, " "), s += strspn(s, " "))
		if (!strncmp(s, tool, n) && (!s[n] || s[n] == ' '))
			return true;
	return false;
}

const char *fact_meaning(const char *id)
{
	const struct fact_info *f;

	for (size_t i = 0; (f = fact_info(i)); i++)
		if (!strcmp(f->id, id) && fact_is_of(f, "overview"))
			return f->meaning;
	return "";
}

void facts_free(struct facts *f)
{
	free(f->v);
	arena_free(&f->text);
	*f = (struct facts){ 0 };
}
