/* Devices as HLO text has them: shardings, "{devices=[2,1]<=[2] last_tile_dim_replicate}", and the groups of
 * collectives, "{{0,1},{2,3}}", "[2,2]<=[4]" or "mesh['x'=4] {'x'}".  Pure. */
#ifndef ANALYZE_GRAPH_TEXT_SHARDING_H
#define ANALYZE_GRAPH_TEXT_SHARDING_H

#include <stdio.h>

#include "base/text/slice.h"

void put_sharding(FILE *, struct slice message); /* an OpSharding */
/* of an instruction */
void put_replica_groups(FILE *, struct slice instr);

#endif
