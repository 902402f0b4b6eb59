/* The channels and collectives of a pod as tables, for reports and views.  `wanted`: by index of cores.step, NULL: all
 * steps; labels: steps by what the timeline calls them, not by number.  of[i], unless NULL, becomes the index
 * of row i in pod.channel or pod.collective; it has room for all of them.  The caller frees the tables, which
 * borrow texts from the pod. */
#ifndef ANALYZE_POD_LINKS_H
#define ANALYZE_POD_LINKS_H

#include "analyze/pod/pod.h"
#include "result/table.h"

extern const struct schema pod_channels_schema, pod_pairs_schema, pod_collectives_schema;

void pod_channels_table(const struct pod *, const bool *wanted, bool labels, struct table *, uint32_t *of);
void pod_collectives_table(const struct pod *, const bool *wanted, bool labels, struct table *, uint32_t *of);
void pod_pairs_table(const struct pod *, const bool *wanted, bool labels, struct table *);
struct cell pod_step_name(const struct pod *, size_t step); /* the program's own */
double pod_channel_rate(const struct pod_channel *);        /* GiB/s; NaN: not known */
char *pod_core_name(const struct pod *, size_t core);       /* "host:3"; the caller frees */

#endif
