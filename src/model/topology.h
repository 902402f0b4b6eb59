/* Where the chips of a pod stand (tpuscope(7), TOPOLOGY): dimensions of the mesh in chips, cores per chip,
 * chips per host block, and the coordinates of every core of a run.  chip = x + X·(y + Y·z); hosts are blocks
 * in raster order.  Coordinates come from core_details, from Topology messages, from plane and host order by
 * the table data/topologies.tsv, or from the user (--topology 4x4x4); which of these is said in `source`,
 * because an assumed layout must never look like a known one.  Pure data; arrays belong to the topology
 * (topology_free). */
#ifndef MODEL_TOPOLOGY_H
#define MODEL_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { TOPOLOGY_SIDE_MAX = 65536, TOPOLOGY_CORES_MAX = 64 }; /* chips along an axis, cores of a chip */
enum topology_source { TOPOLOGY_NONE, TOPOLOGY_FILE, TOPOLOGY_ASSUMED, TOPOLOGY_USER };

struct topology_core {
	int x, y, z, core_on_chip;
	int64_t chip;
}; /* -1 = not known */

struct topology {
	int x, y, z;                /* chips; 0 = not known */
	int host_x, host_y, host_z; /* chips of a host block; 0 = not known */
	int cores_per_chip;
	enum topology_source source;
	struct topology_core *core;
	size_t ncores; /* in the order of the cores asked about */
};

/* A core to be placed, as its file tells of it; -1 = it does not. */
struct topology_ask {
	int host, core, core_on_chip;
	int64_t chip;
};

/* What the table knows of a kind of chip. */
struct topology_kind {
	int axes, cores_per_chip, hbm_gib, chips_per_host;
};

int topology_parse(const char *text, int *x, int *y, int *z, struct err *); /* "4x4", "4x4x4" */
bool topology_kind_of(const char *device, struct topology_kind *);          /* false: not in the table */
/* Places n cores, sorted by host and core, in the mesh x, y, z of `source`; where these are 0 or do
 * not hold all chips (then it returns false), in the default one of the table.  A kind that the table
 * does not have is not placed: coordinates -1. */
bool topology_place(struct topology *, const char *device, const struct topology_ask *, size_t n);
void topology_free(struct topology *);

#endif
