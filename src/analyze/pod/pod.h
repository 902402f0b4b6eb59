/* The whole pod (tpuscope(7), POD): what every core of every host did in every step, where its chip is in the
 * mesh, links between cores and their latencies, collectives split into waiting and transfer, stragglers.
 * Numbers are sums over events (step_cores.h), so they agree with those of the ops; the tables have the
 * columns of `report pod`.  The straggler of a step is the core with the most time that others wait for
 * (pod_own_times()), if the spread over the cores is 5 % or more.  Made from captures, from digests
 * (load/tool/digest.h) or from old pod files: the same struct.  The caller frees (pod_free); inputs must stay
 * alive. */
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
	size_t nsrc, ndst; /* indices into cores.core */
	uint64_t bytes, occurrences;
	/* per occurrence; send_delay_us is in real microseconds, unlike that of XProf */
	double duration_us, send_delay_us;
	const char *hlo_names;
	/* By pair of src and dst, means per occurrence: from the begin on one core to the end on the other, and what of
	 * it the receiving one spends in its own op. */
	double *pair_us, *wait_us;
};

struct pod_collective {
	size_t step;
	/* groups "{0,1},{2,3}"; as the HLO has them, if that could not be read; "" is all cores, NULL = not stated */
	const char *name, *category, *replica_groups;
	uint64_t bytes, occurrences;
	/* means per occurrence; sync_us: waiting for other cores, NaN = not known */
	double duration_us, sync_us;
};

struct pod_step {
	size_t cores;
	double mean_us, min_us, max_us;
	size_t straggler; /* index of the core; SIZE_MAX: none */
};

struct pod {
	struct step_cores cores;
	struct topology topology; /* of cores.core, in the same order */
	struct pod_channel *channel;
	size_t nchannels;
	struct pod_collective *collective;
	size_t ncollectives;
	struct pod_step *step;      /* cores.nsteps entries */
	const char **host, **label; /* names, by the numbers in cores.core[].host; pod_host_label() */
	size_t nhosts;              /* or processes: pod_machines() */
	size_t nmachines;           /* 0: as many */
	/* as step_core_at() has them: what a file of an older tool says of a core; NULL: nothing */
	const char **bottleneck;
	int64_t batch;  /* per core; -1 = not known */
	int64_t paired; /* devices that pairs of senders and receivers name; 0: there are none */
	char device[64];
	struct table warnings; /* one column, "text" */
	/* what says that files are not of one run, or several of one host: the first reason, how many; NULL: none */
	const char *apart;
	size_t naparts;
	struct arena text;
};

struct pod_options {
	const char *topology, *host; /* topology NULL: as the capture states it; host NULL: all hosts */
	int threads;
	struct progress *progress;
	const struct step_cores *cores; /* of the same hosts, to save making them; copied; NULL: make them */
};

/* Returns -1 when the text of the topology is wrong. */
int pod_build(const struct dump *, const struct steps *, const struct pod_options *, struct pod *,
    struct err *);
/* Makes a pod from a file of an older tool (*.pod_viewer.json of both kinds, *.pod_stats.pb), which must stay
 * alive.  Returns -1 when the text of the topology is wrong. */
int pod_from_toolfile(const struct toolfile *, const struct pod_options *, struct pod *, struct err *);
/* Does the former, or the latter if the capture has no steps and there is such a file. */
int pod_make(const struct dump *, const struct steps *, const struct pod_options *, struct pod *,
    struct err *);
void pod_free(struct pod *);
const char *pod_bottleneck(const struct pod *, size_t core, size_t step);  /* NULL: no file says it */
static inline const char *pod_host_label(const struct pod *p, size_t host) /* on the screen */
{
	return p->label ? p->label[host] : p->host[host];
}
static inline size_t pod_machines(const struct pod *p) /* hosts, some of which may have several processes */
{
	return p->nmachines ? p->nmachines : p->nhosts;
}
/* Counts the chips. chip[i] is the chip of core i; the array is sorted host by host.  Returns -1 when a core
 * has none. */
int64_t pod_count_chips(const struct pod *, int64_t *chip);
/* Counts the chips that no file covers: below the highest chip number, among the devices that collectives
 * name, or in the mesh if that is known. 0: none or not known. *all: how many chips there are. */
int64_t pod_missing_chips(const struct pod *, int64_t *all);
/* "chip"; "core" where nothing says which cores are of one chip, so that each counts alone */
const char *pod_unit(const struct pod *);
/* Cores by device number of the HLO: devices are counted along the mesh, and the cores of a chip are
 * adjacent.  The caller frees `core`. */
struct pod_devices {
	uint32_t *core; /* UINT32_MAX = no such core */
	size_t n;
};
void pod_devices_of(const struct pod *, struct pod_devices *);
size_t pod_device_core(const struct pod_devices *, int64_t id); /* SIZE_MAX = no such core */

#endif
