/* What the parts of pod.c share. */
#ifndef ANALYZE_POD_INTERNAL_H
#define ANALYZE_POD_INTERNAL_H

#include "analyze/ops/traffic.h"
#include "analyze/pod/pod.h"

void pod_channels(struct pod *, const struct traffic *);
void pod_collectives(struct pod *, const struct traffic *);
void pod_steps(struct pod *);

/* What makes files no capture of one run: a warning each.  all_hosts: of chips that no file tells of, too */
void pod_check_files(struct pod *, const struct dump *, const struct steps *, bool all_hosts);

void pod_begin(struct pod *); /* what pod_build() and pod_from_toolfile() begin with */
void pod_place(struct pod *,
    const char *wanted); /* the mesh asked for, else that of pod.topology, else an assumed one */

#endif
