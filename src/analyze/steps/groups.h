/* Which host step launched what, as XProf counts (tpuscope(7), GROUPS).  Host events with `_r` (and a few
 * implicit ones) are roots; in order of level and time each root that no earlier one reached gets the next
 * id of its host, and hands it to what is nested in it on its thread and, through producer/consumer pairs,
 * to what that launched, down to modules of the device.  Modules are also found through regions of thread
 * pools, which XProf 2.24.2 takes for instants: what a region holds is in no cover.  A file whose events
 * carry group_id already is taken at its word.  Read-only for the dump; the caller frees (groups_free). */
#ifndef ANALYZE_STEPS_GROUPS_H
#define ANALYZE_STEPS_GROUPS_H

#include "model/dump.h"

struct group {
	int host;
	int64_t id;     /* 0, 1, 2 … on its host */
	uint32_t track; /* of the root */
	size_t event;
	bool explicit_root; /* _r, not only known by its name */
	bool has_number;    /* step_num or iter_num said so, else number = id */
	int64_t number;
};

struct group_member { /* a module or a step marker of a device that got an id */
	uint32_t track;
	size_t event;
	int64_t id;
};

/* Part of a host thread that belongs to a group; covers nest, the innermost counts. */
struct group_cover {
	uint32_t track;
	int64_t start, end; /* plain clock */
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
size_t groups_count(const struct groups *, int host);
/* "train 100"; its length */
size_t groups_name(const struct group *, const struct dump *, char *buf, size_t size);

#endif
