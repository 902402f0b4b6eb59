#include "config.h"
#include "sql/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model/stat.h"

/* The step of an event of the host, as XProf's table of events has it: the name of the root that holds it; or that
 * holds the producer of the consumer around it.  The stats _r, _pt _p and _ct _c say which events are these. */
enum { ROOT, PRODUCER_TYPE, PRODUCER, CONSUMER_TYPE, CONSUMER, STEP_NUM, MARKS };
enum { DEPTH_MOST = 50 };

struct producer {
	int64_t type, id;
	uint32_t track, event; /* UINT32_MAX: empty */
};

struct sql_groups {
	strid name[MARKS];
	struct producer *producer; /* a hash table */
	size_t n, cap;
	const char ***step; /* by track and event; NULL: not asked yet */
	uint32_t **parent;  /* likewise */
	struct arena text;
};

static const char unknown[] = "";

static unsigned marks_of(const struct sql *q, uint32_t track, size_t i, int64_t v[MARKS])
{
	return stats_event_ints(q->d, &q->d->trace.tracks[track], i, q->groups->name, MARKS, v);
}

static struct producer *place_of(struct sql_groups *g, int64_t type, int64_t id)
{
	size_t at = (size_t)hash_mix((uint64_t)type, (uint64_t)id) % g->cap;

	while (
	    g->producer[at].track != UINT32_MAX && (g->producer[at].type != type || g->producer[at].id != id))
		at = (at + 1) % g->cap;
	return &g->producer[at];
}

static void add_producer(struct sql_groups *g, const struct producer *p)
{
	if (g->n * 2 >= g->cap) {
		struct sql_groups more = *g;

		more.cap = g->cap * 2 + 256;
		more.producer = xcalloc(more.cap, sizeof *more.producer);
		for (size_t i = 0; i < more.cap; i++)
			more.producer[i].track = UINT32_MAX;
		for (size_t i = 0; i < g->cap; i++)
			if (g->producer[i].track != UINT32_MAX)
				*place_of(&more, g->producer[i].type, g->producer[i].id) = g->producer[i];
		free(g->producer);
		*g = more;
	}
	g->n += place_of(g, p->type, p->id)->track == UINT32_MAX;
	*place_of(g, p->type, p->id) = *p;
}

static bool is_host(const struct sql *q, const struct track *t)
{
	return t->file >= 0 && q->d->trace.planes[t->plane].kind == PLANE_HOST;
}

static void make_groups(struct sql *q)
{
	static const char *const names[MARKS] = { "_r", "_pt", "_p", "_ct", "_c", "step_num" };
	struct sql_groups *g = q->groups = xcalloc(1, sizeof *g);
	const struct trace *tr = &q->d->trace;

	for (int i = 0; i < MARKS; i++)
		g->name[i] = strtab_find(&q->d->str, names[i], strlen(names[i]));
	g->step = xcalloc(tr->ntracks + 1, sizeof *g->step);
	g->parent = xcalloc(tr->ntracks + 1, sizeof *g->parent);
	for (uint32_t k = 0; k < tr->ntracks; k++)
		for (size_t i = 0; is_host(q, &tr->tracks[k]) && i < tr->tracks[k].n; i++) {
			int64_t v[MARKS] = { 0 };

			if (marks_of(q, k, i, v) >> PRODUCER & 1)
				add_producer(g,
				    &(struct producer){ v[PRODUCER_TYPE], v[PRODUCER], k, (uint32_t)i });
		}
}

static void open_track(struct sql *q, uint32_t track)
{
	struct sql_groups *g = q->groups;
	struct sql_walk w = { .track = UINT32_MAX };

	if (g->step[track])
		return;
	sql_walk_self(q, &w, track);
	g->parent[track] = w.parent;
	w.parent = NULL;
	sql_walk_free(&w);
	g->step[track] = xcalloc(q->d->trace.tracks[track].n + 1, sizeof *g->step[track]);
}

struct root_name {
	struct sql_groups *g;
	const char *name;
};

static bool take_name(void *ctx, const struct stat_value *v)
{
	struct root_name *r = ctx;

	if (!stat_is(v, "step_name") || v->type != STAT_STR || !v->n)
		return true;
	r->name = arena_strndup(&r->g->text, v->s, v->n);
	return false;
}

static const char *name_of_root(struct sql *q, uint32_t track, size_t i, bool numbered, int64_t number)
{
	const struct track *t = &q->d->trace.tracks[track];
	struct root_name r = { .g = q->groups };
	struct slice name = strtab_text(&q->d->str, q->d->trace.metas[track_meta(t, i)].name);
	char *text;

	stats_of_event(q->d, t, i, take_name, &r);
	if (r.name)
		return r.name;
	text = xstrndup(name.s, name.n);
	if (numbered) {
		char *with = xasprintf("%s %" PRId64, text, number);

		free(text);
		text = with;
	}
	r.name = arena_strndup(&q->groups->text, text, strlen(text));
	free(text);
	return r.name;
}

static const char *group_of(struct sql *q, uint32_t track, size_t i, int depth)
{
	struct sql_groups *g = q->groups;
	const char **step, *found = NULL;
	int64_t v[MARKS] = { 0 };
	unsigned has;

	if (depth > DEPTH_MOST)
		return NULL;
	open_track(q, track);
	step = &g->step[track][i];
	if (*step)
		return *step == unknown ? NULL : *step;
	*step = unknown; /* also for events that lead to themselves */
	has = marks_of(q, track, i, v);
	if (has >> ROOT & 1) {
		found = name_of_root(q, track, i, has >> STEP_NUM & 1, v[STEP_NUM]);
	} else if ((has >> CONSUMER & 1) && g->cap) {
		const struct producer *p = place_of(g, v[CONSUMER_TYPE], v[CONSUMER]);

		if (p->track != UINT32_MAX)
			found = group_of(q, p->track, p->event, depth + 1);
	}
	if (!found && g->parent[track][i] != UINT32_MAX)
		found = group_of(q, track, g->parent[track][i], depth + 1);
	*step = found ? found : unknown;
	return found;
}

const char *sql_group(struct sql *q, uint32_t track, size_t i)
{
	if (!q->groups)
		make_groups(q);
	return group_of(q, track, i, 0);
}

void sql_groups_free(struct sql *q)
{
	struct sql_groups *g = q->groups;

	for (size_t k = 0; g && k < q->d->trace.ntracks; k++) {
		free(g->step[k]);
		free(g->parent[k]);
	}
	if (g) {
		free(g->step);
		free(g->parent);
		free(g->producer);
		arena_free(&g->text);
	}
	free(g);
}
