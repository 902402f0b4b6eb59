/* What a core does differently from the others (tpuscope(7), POD): the self time of its ops in a mean step beside those
 * of the core whose own work is the median.  The caller frees (pod_beside_free).  Any thread. */
#ifndef ANALYZE_POD_BESIDE_H
#define ANALYZE_POD_BESIDE_H

#include "analyze/account/ops_beside.h"
#include "analyze/ops/step_cores.h"
#include "result/table.h"

struct pod_beside {
	size_t core, median; /* indices into the cores; SIZE_MAX: there are not two of them with steps */
	double own[2];       /* own work of the core in a mean step, and the median of all (own.h), ps */
	double step;         /* mean of all steps of all cores, ps */
	struct ops_beside
	    ops; /* of the core and of the median one, in a mean step; largest difference first */
};

/* core SIZE_MAX: the one with the most own work */
void pod_beside_make(const struct dump *, const struct steps *, const struct step_cores *, size_t core,
    struct progress *, struct pod_beside *);
void pod_beside_free(struct pod_beside *);
extern const struct schema pod_beside_schema;
void pod_beside_table(const struct pod_beside *, struct table *);

#endif
