/* Which host step launched what, counted as XProf does (tpuscope(7), GROUPS).  Host events with `_r` (and
 * some by name) are roots.  In order of level and time, each root that no earlier root has reached gets the
 * next ID of its host.  It passes its ID to what is nested inside it on its thread and, through
 * producer/consumer pairs, to what that launched, down to modules on the device.  Runs and launches of a core
 * with an id that is used again are paired in turn.  Modules are also found
 * through regions of thread pools, which XProf 2.24.2 treats as instants; what only a region contains is in
 * no cover.  If the events of a file have a group_id, it is used as it is.  The dump is only read; the caller
 * frees (groups_free). */
#ifndef ANALYZE_STEPS_GROUPS_H
#define ANALYZE_STEPS_GROUPS_H

#include "model/dump.h"

struct group {
	int host;
	int64_t id;     /* 0, 1, 2 and so on, per host */
	uint32_t track; /* track and event: those of the root */
	size_t event;
	bool explicit_root; /* it has _r, it is not a root by its name alone */
	bool has_number;    /* step_num or iter_num stated the number; otherwise number = id */
	int64_t number;
};

struct group_member { /* a module or step marker of a device that belongs to a group */
	uint32_t track;
	size_t event;
	int64_t id;
};

/* A part of a host thread that belongs to a group.  Covers nest, and the innermost one counts. */
struct group_cover {
	uint32_t track;
	int64_t start, end; /* on the plain clock */
	int64_t id;
};

struct groups {
	struct group *v;
	size_t n; /* by host, then id */
	struct group_member *member;
	size_t nmembers; /* by track, event */
	struct group_cover *cover;
	size_t ncovers; /* by track, start, longer first */
};

void groups_find(const struct dump *, struct groups *);
void groups_free(struct groups *);
const struct group *groups_get(const struct groups *, int host, int64_t id); /* NULL: no root is known */
bool groups_of(const struct groups *, uint32_t track, size_t event, int64_t *id);
/* the first event of the track from `event` on that belongs to a group; false: there is none */
bool groups_first(const struct groups *, uint32_t track, size_t *event, int64_t *id);
size_t groups_count(const struct groups *, int host);
/* writes "train 100"; returns its length */
size_t groups_name(const struct group *, const struct dump *, char *buf, size_t size);

#endif
