#include "config.h"
#include "report/tool/ptxla.h"

static const enum ptxla_table shown[] = { PTXLA_BY_FRAME, PTXLA_BY_CAUSE, PTXLA_BY_HASH, PTXLA_UNLOWERED,
	PTXLA_NOTICES, PTXLA_SAVED, PTXLA_GRAPHS, PTXLA_LAUNCHES, PTXLA_ANALYSES };

/* What was found first, and no empty tables. */
static void put_people(struct report *r, const struct ptxla *x)
{
	struct table t;

	report_ptxla_findings(r, x);
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		ptxla_table(x, shown[i], SIZE_MAX, &t);
		if (t.nrows)
			report_whole(r, ptxla_table_name[shown[i]], &t);
		table_free(&t);
	}
}

static const struct ptxla_form form = {
	.tool = "ptxla_debug",
	.nothing =
	    "no debug output of PyTorch/XLA; name what a program printed with PT_XLA_DEBUG_LEVEL=2, or what "
	    "XLA_SAVE_TENSORS_FILE names",
	.has = ptxla_has_debug,
	.summary = ptxla_debug_summary,
	.most = PTXLA_ANALYSES,
	.tables = { PTXLA_FINDINGS, PTXLA_BY_FRAME, PTXLA_BY_CAUSE, PTXLA_BY_HASH, PTXLA_UNLOWERED,
	    PTXLA_NOTICES, PTXLA_SAVED, PTXLA_GRAPHS, PTXLA_LAUNCHES, PTXLA_ANALYSES },
	.n = 10,
	.people = put_people,
};

int report_ptxla_debug(struct capture *c, const struct report_options *o, FILE *out, struct err *e)
{
	return report_ptxla(c, o, out, &form, e);
}
