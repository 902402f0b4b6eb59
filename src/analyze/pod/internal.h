/* Functions that the files of pod share. */
#ifndef ANALYZE_POD_INTERNAL_H
#define ANALYZE_POD_INTERNAL_H

#include "analyze/ops/traffic.h"
#include "analyze/pod/pod.h"

void pod_channels(struct pod *, const struct traffic *);
void pod_collectives(struct pod *, const struct traffic *);
void pod_steps(struct pod *);
void pod_paired_devices(struct pod *, const struct traffic *);

/* Adds a warning for each sign that the files are not one capture of one run.  all_hosts: also warn of chips
 * that no file covers. */
void pod_check_files(struct pod *, const struct dump *, const struct steps *, bool all_hosts);

void pod_begin(struct pod *); /* the part that pod_build() and pod_from_toolfile() have in common */
/* Places the chips: in the requested mesh, else the one that the capture states, else an assumed one. */
void pod_place(struct pod *, const char *wanted);

#endif
