/* What a core does differently from the others (tpuscope(7), POD): the self time of its ops in a mean step beside those
 * of the core whose own work is the median.  Ops are the same where their names are.  The caller frees
 * (pod_beside_free); names belong to the dump.  Any thread. */
#ifndef ANALYZE_POD_BESIDE_H
#define ANALYZE_POD_BESIDE_H

#include "analyze/device/kinds.h"
#include "analyze/ops/step_cores.h"
#include "result/table.h"

struct beside_op {
	struct slice name;
	strid full; /* name in the trace */
	enum time_kind kind;
	double ps[2]; /* in a mean step of the core, of the median one */
};

struct pod_beside {
	size_t core, median; /* indices into the cores; SIZE_MAX: there are not two of them with steps */
	double own[2];       /* own work of the core in a mean step, and the median of all (own.h), ps */
	double step;         /* mean of all steps of all cores, ps */
	struct beside_op *v; /* largest difference first */
	size_t n;
};

/* core SIZE_MAX: the one with the most own work */
void pod_beside_make(const struct dump *, const struct steps *, const struct step_cores *, size_t core,
    struct progress *, struct pod_beside *);
void pod_beside_free(struct pod_beside *);
extern const struct schema pod_beside_schema;
void pod_beside_table(const struct pod_beside *, struct table *);

#endif
