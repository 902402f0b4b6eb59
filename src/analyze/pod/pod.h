/* The whole pod (tpuscope(7), POD): what every core of every host did in every step, where its chip stands,
 * links between cores and how long they took, collectives in sync and compute parts, stragglers.
 * Numbers are sums over the events (step_cores.h), so they equal what the ops say; the tables have
 * the columns of `report pod`.  A straggler is the core with the largest total less collectives of a
 * step whose spread is 5 % or more.
 * Built from captures, from digests (load/tool/digest.h) or from old pod files: the same struct.  The
 * caller frees; inputs must stay. */
#ifndef ANALYZE_POD_POD_H
#define ANALYZE_POD_POD_H

#include "analyze/ops/step_cores.h"
#include "model/toolfile.h"
#include "model/topology.h"
#include "result/facts.h"

struct pod_channel {
	int64_t id;
	size_t step;
	uint32_t *src, *dst;
	size_t nsrc, ndst; /* cores: indices into cores.core */
	uint64_t bytes, occurrences;
	double duration_us, send_delay_us; /* true units */
	const char *hlo_names;
};

struct pod_collective {
	size_t step;
	const char *name, *category, *replica_groups;
	uint64_t bytes, occurrences;
	double duration_us, sync_us; /* means per occurrence; sync NaN = not known */
};

struct pod_step {
	size_t cores;
	double mean_us, min_us, max_us;
	size_t straggler; /* core; SIZE_MAX: none */
};

struct pod {
	struct step_cores cores;
	struct topology topology; /* of cores.core, in that order */
	struct pod_channel *channel;
	size_t nchannels;
	struct pod_collective *collective;
	size_t ncollectives;
	struct pod_step *step; /* [cores.nsteps] */
	const char **host;
	size_t nhosts; /* names, by the numbers in cores.core[].host */
	char device[64];
	struct table warnings; /* one column "text" */
	struct arena text;
};

struct pod_options {
	const char *topology, *host; /* NULL = as the capture has it; all */
	int threads;
	struct progress *progress;
	const struct step_cores *cores; /* of the same hosts, where they are there already; copied */
};

/* -1: wrong topology text */
int pod_build(const struct dump *, const struct steps *, const struct pod_options *, struct pod *,
    struct err *);
/* A pod as an old tool wrote it (*.pod_viewer.json of both kinds, *.pod_stats.pb); the file must
 * stay.  -1: wrong topology text. */
int pod_from_toolfile(const struct dump *, const struct toolfile *, const struct pod_options *, struct pod *,
    struct err *);
/* The former, or the latter where the capture has no steps and such a file is there. */
int pod_make(const struct dump *, const struct steps *, const struct pod_options *, struct pod *,
    struct err *);
void pod_free(struct pod *);
/* How many chips these are: chip[i] is that of core i, and is sorted here, host by host.  -1: a core has none */
int64_t pod_count_chips(const struct pod *, int64_t *chip);
/* Chips of which no file tells: below the highest number, among the devices that collectives name, or of the
 * mesh where that is known; 0: none, or not known */
int64_t pod_missing_chips(const struct pod *, int64_t *all);
/* Cores by their numbers in the HLO: devices are counted along the mesh, cores of a chip together.
 * The caller frees `core`. */
struct pod_devices {
	uint32_t *core; /* UINT32_MAX = none */
	size_t n;
};
void pod_devices_of(const struct pod *, struct pod_devices *);
size_t pod_device_core(const struct pod_devices *, int64_t id); /* SIZE_MAX = none */

#endif
