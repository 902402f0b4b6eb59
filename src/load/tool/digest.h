/* Writes a digest: the XSpace files of a dump without their device ops.  What stays is the steps and
 * modules of the devices, the kinds and events that the parts name, host planes, and the statistics of all
 * planes; each part's messages become the statistics DIGEST_STAT and DIGEST_OPS_STAT of its plane.  So a
 * digest is an XSpace as any other, and is loaded as one; then digest_mark() says which files of a dump
 * are digests. HLO protos (/host:metadata) stay without what no analysis asks for: schedule,
 * configurations; each is packed on its own (HLO_STAT, model/hlo.h). */
#ifndef LOAD_TOOL_DIGEST_H
#define LOAD_TOOL_DIGEST_H

#include <stdio.h>

#include "model/digest.h"
#include "model/dump.h"

/* gzip: a third of the size, but opening many of them takes twice as long */
int digest_write(const struct dump *, const struct digest_part *, size_t n, bool gzip, FILE *, struct err *);
void digest_mark(struct dump *);

#endif
