#include "config.h"
#include "analyze/diff/internal.h"

#include <math.h>
#include <string.h>

/* --- steps --- */

struct step_row {
	const char *side, *capture, *step;
	int64_t duration;
	bool used;
};

#define SCHEMA steps
#define SCHEMA_ROW struct step_row
#define SCHEMA_DEF "analyze/diff/steps.def"
#include "result/schema_def.h"

const struct schema diff_steps_schema = { SCHEMA_COLUMNS(steps_columns) };

static void add_steps(struct comparison *c)
{
	for (size_t i = 0; i < c->n[BASE] + c->n[NEW]; i++)
		for (size_t k = 0; k < c->v[i]->nsteps; k++)
			table_add(&c->d->table[DIFF_STEPS],
			    &(struct step_row){ i < c->first[NEW] ? "base" : "new", c->v[i]->path,
				c->v[i]->step_name[k], c->v[i]->step[k], c->v[i]->used[k] });
}

/* --- findings --- */

struct finding_row {
	const struct side_finding *a, *b;
};

static double cost_of(const struct side_finding *f)
{
	return f && f->cost_kind != COST_NONE ? f->cost : NAN;
}

#define SCHEMA findings
#define SCHEMA_ROW struct finding_row
#define SCHEMA_DEF "analyze/diff/findings.def"
#include "result/schema_def.h"

const struct schema diff_findings_schema = { SCHEMA_COLUMNS(findings_columns) };

/* The n-th finding of a rule. */
static const struct side_finding *finding_of(const struct side *s, const char *id, size_t nth)
{
	for (size_t i = 0; i < s->nfindings; i++)
		if (!strcmp(s->finding[i].id, id) && !nth--)
			return &s->finding[i];
	return NULL;
}

static size_t rank_of(const struct side *s, size_t at)
{
	size_t n = 0;

	for (size_t i = 0; i < at; i++)
		n += !strcmp(s->finding[i].id, s->finding[at].id);
	return n;
}

static void add_findings(struct comparison *c)
{
	const struct side *a = c->v[0], *b = c->v[c->first[NEW]];
	struct table *t = &c->d->table[DIFF_FINDINGS];

	if (!a->has_findings || !b->has_findings)
		return;
	for (size_t i = 0; i < b->nfindings; i++)
		if (finding_counts(c, &b->finding[i]))
			table_add(t,
			    &(struct finding_row){ finding_of(a, b->finding[i].id, rank_of(b, i)),
				&b->finding[i] });
	for (size_t i = 0; i < a->nfindings; i++)
		if (finding_counts(c, &a->finding[i]) && !finding_of(b, a->finding[i].id, rank_of(a, i)))
			table_add(t, &(struct finding_row){ &a->finding[i], NULL });
}

/* --- environment --- */

struct value_row {
	struct slice name, a, b;
};

#define SCHEMA environment
#define SCHEMA_ROW struct value_row
#define SCHEMA_DEF "analyze/diff/environment.def"
#include "result/schema_def.h"

const struct schema diff_environment_schema = { SCHEMA_COLUMNS(environment_columns) };

static struct slice environment_of(const struct table *t, struct slice name)
{
	for (size_t i = 0; i < t->nrows; i++)
		if (slice_same(table_str(t, i, ENVIRONMENT_name), name))
			return table_str(t, i, ENVIRONMENT_value);
	return (struct slice){ NULL, 0 };
}

static void add_environment(struct comparison *c)
{
	const struct table *a = &c->v[0]->environment, *b = &c->v[c->first[NEW]]->environment;

	for (size_t i = 0; i < a->nrows; i++) {
		struct slice name = table_str(a, i, ENVIRONMENT_name);

		table_add(&c->d->table[DIFF_ENVIRONMENT],
		    &(struct value_row){ name, table_str(a, i, ENVIRONMENT_value), environment_of(b, name) });
	}
	for (size_t i = 0; i < b->nrows; i++) {
		struct slice name = table_str(b, i, ENVIRONMENT_name);

		if (!environment_of(a, name).s)
			table_add(&c->d->table[DIFF_ENVIRONMENT],
			    &(struct value_row){ name, { NULL, 0 }, table_str(b, i, ENVIRONMENT_value) });
	}
}

void compare_rest(struct comparison *c)
{
	add_steps(c);
	add_findings(c);
	add_environment(c);
}
