/* Writes a digest: the XSpace files of a dump without their device ops.  It keeps the steps and modules of
 * the devices, the event metadata and events that the parts name, host planes, and the stats of all planes;
 * the messages of each part become the stats DIGEST_STAT and DIGEST_OPS_STAT of its plane.  So a digest is a
 * normal XSpace and is loaded as one; digest_mark() then finds the digests among the files of a dump.  HLO
 * protos (/host:metadata) lose what no analysis uses (schedule, configurations); each is compressed by itself
 * (HLO_STAT, model/hlo.h). */
#ifndef LOAD_TOOL_DIGEST_H
#define LOAD_TOOL_DIGEST_H

#include <stdio.h>

#include "model/digest.h"
#include "model/dump.h"

/* gzip: a third of the size, but opening many of them takes twice as long */
int digest_write(const struct dump *, const struct digest_part *, size_t n, bool gzip, FILE *, struct err *);
void digest_mark(struct dump *);

#endif
