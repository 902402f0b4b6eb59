/* Where the chips of a pod are (tpuscope(7), TOPOLOGY): dimensions of the mesh in chips, cores per chip,
 * chips per host block, and the coordinates of every core of a run.  chip = x + X·(y + Y·z); hosts are blocks
 * in raster order.  Coordinates come from core_details, from Topology messages, from the order of planes and
 * hosts with the table data/topologies.tsv, or from the user (--topology 4x4x4).  `source` says which,
 * because an assumed layout must never look like a known one.  Pure data; arrays belong to the topology
 * (topology_free). */
#ifndef MODEL_TOPOLOGY_H
#define MODEL_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { TOPOLOGY_SIDE_MAX = 65536, TOPOLOGY_CORES_MAX = 64 }; /* chips along an axis; cores of a chip */
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
	size_t ncores; /* in the order of the cores given */
};

/* A core to be placed, with what its file says; -1 = not stated. */
struct topology_ask {
	int host, core, core_on_chip;
	int64_t chip;
};

/* What the table knows of a kind of chip. */
struct topology_kind {
	int axes, cores_per_chip, hbm_gib, chips_per_host;
};

int topology_parse(const char *text, int *x, int *y, int *z, struct err *); /* parses "4x4" or "4x4x4" */
bool topology_kind_of(const char *device, struct topology_kind *);          /* false: not in the table */
/* Places n cores, sorted by host and core, in the mesh x, y, z of `source`.  If these are 0 or the mesh does
 * not hold all chips (then it returns false), uses the default mesh of the table.  A kind of chip that is not
 * in the table is not placed: its coordinates are -1. */
bool topology_place(struct topology *, const char *device, const struct topology_ask *, size_t n);
void topology_free(struct topology *);
/* The number that HLO gives to a core among its devices: along the mesh, the cores of a chip beside each other; that
 * of its place among the cores, where its chip is not stated. */
int64_t topology_device(int64_t chip, int core_on_chip, int cores_per_chip, size_t place);

#endif
