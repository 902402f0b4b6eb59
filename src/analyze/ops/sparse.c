#include "config.h"
#include "analyze/ops/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/trace/clock.h"

VEC_ORDER(by_run, struct sparse_link, UP(host) UP(core) UP(on) UP(start));

static struct sparse_link *collect_links(const struct plane_scan *scan, size_t n, size_t *nlinks)
{
	struct sparse_link *v;
	size_t at = 0;

	*nlinks = 0;
	for (size_t i = 0; i < n; i++)
		*nlinks += scan[i].nlinks;
	v = xcalloc(*nlinks + 1, sizeof *v);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < scan[i].nlinks; k++)
			v[at++] = scan[i].link[k];
	qsort(v, at, sizeof *v, by_run);
	return v;
}

/* Scans the part of the SparseCore's time that one of its modules took. */
static void scan_run(const struct dump *d, struct sparse_run *r, const struct track *t, size_t i)
{
	int64_t dur;

	r->window = (struct op_window){ .plane = t->plane };
	clock_plain(d, t, i, &r->window.from, &dur);
	r->window.before = r->window.from;
	r->window.to = r->window.from + dur;
	r->scan.window = &r->window;
	opdb_scan(&r->scan);
	r->scan.window = NULL; /* the run moves when the array grows, so the pointer is set later */
}

static bool of_scanned(const struct dump *d, const struct plane *p, const struct plane_scan *scan, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct plane *q = &d->trace.planes[scan[i].plane];

		if (q->host == p->host && q->core == p->core)
			return true;
	}
	return false;
}

/* The link that an event of a run states, among the sorted ones; NULL: there is none. */
static struct sparse_link *link_of(const struct dump *d, const struct opdb_names *names,
    const struct track *t, size_t i, struct sparse_link *link, size_t nlinks)
{
	const struct plane *p = &d->trace.planes[t->plane];
	struct sparse_link key = { .host = p->host, .core = p->core };
	int64_t v[2];

	if (stats_event_ints(d, t, i, &names->whole[OPDB_LINK_CORE], 2, v) != 3)
		return NULL;
	key.on = v[0];
	key.start = v[1];
	return bsearch(&key, link, nlinks, sizeof key, by_run);
}

struct sparse_run *opdb_sparse(const struct dump *d, const struct opdb_names *names,
    const struct plane_scan *scan, size_t n, struct opdb *db, size_t *nruns)
{
	size_t nlinks, cap = 0;
	struct sparse_link *link = collect_links(scan, n, &nlinks);
	struct sparse_run *v = NULL;

	*nruns = 0;
	for (size_t k = 0; k < d->trace.ntracks && names->whole[OPDB_LINK_START] != UINT32_MAX; k++) {
		const struct track *t = &d->trace.tracks[k];
		const struct plane *p = &d->trace.planes[t->plane];

		if (p->kind != PLANE_SPARSECORE || t->role != TRACK_MODULES || t->file < 0 ||
		    !of_scanned(d, p, scan, n))
			continue;
		for (size_t i = 0; i < t->n; i++) {
			const struct sparse_link *found = link_of(d, names, t, i, link, nlinks);

			if (!found) {
				db->unlinked += scan[0].window == NULL;
				continue;
			}
			VEC_PUSH(v, *nruns, cap);
			v[*nruns] =
			    (struct sparse_run){ .scan = { .dump = d, .names = names, .plane = t->plane },
				    .parent = found->meta };
			scan_run(d, &v[(*nruns)++], t, i);
		}
	}
	free(link);
	return v;
}
