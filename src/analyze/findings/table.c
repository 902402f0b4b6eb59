#include "config.h"
#include "analyze/findings/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct cell cost_kind(const struct finding *f)
{
	static const char *const kinds[] = { [COST_TIME] = "fraction", [COST_BYTES] = "B" };

	return f->cost_kind == COST_NONE ? cell_null() : cell_strz(kinds[f->cost_kind]);
}

static struct cell where(const struct finding *f, struct arena *text)
{
	char *s = proof_where(&f->proof);
	struct cell c = arena_cell(text, s);

	free(s);
	return c;
}

#define SCHEMA findings
#define SCHEMA_ROW struct finding
#define SCHEMA_DEF "analyze/findings/findings.def"
#include "result/schema_def.h"

#define SCHEMA ptxla_findings
#define SCHEMA_ROW struct finding
#define SCHEMA_DEF "analyze/findings/ptxla.def"
#include "result/schema_def.h"

const struct schema ptxla_findings_schema = { SCHEMA_COLUMNS(ptxla_findings_columns),
	.view = "severity title evidence -id -step -file" };

void ptxla_findings_table(const struct findings *f, struct table *t)
{
	table_begin(t, &ptxla_findings_schema);
	for (size_t i = 0; i < f->n; i++)
		table_add(t, &f->v[i]);
}

const struct schema findings_schema = { SCHEMA_COLUMNS(findings_columns) };

void findings_table(const struct findings *f, size_t n, struct table *t)
{
	table_begin(t, &findings_schema);
	for (size_t i = 0; i < n; i++)
		table_add(t, &f->v[i]);
}
