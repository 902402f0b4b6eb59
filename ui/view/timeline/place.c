#include "config.h"

#include "view/timeline/internal.h"

#include <inttypes.h>
#include <stdlib.h>

enum { FOLDS_KEPT = 5000 };

/* Only events of the files are saved: indices of derived tracks depend on what was opened. */
static void save_selection(const struct timeline *t, struct kv *kv)
{
	if (t->scene.cursor.selected && scene_track(&t->scene, t->scene.cursor.track)->file >= 0)
		kv_putf(kv, "event", "%" PRIu32 " %zu %" PRId64, t->scene.cursor.track, t->scene.cursor.event,
		    track_start(scene_track(&t->scene, t->scene.cursor.track), t->scene.cursor.event));
}

void timeline_save_place(const struct timeline *t, struct kv *kv)
{
	const struct rows *r = &t->scene.rows;
	int64_t by = scene_shift_of(&t->scene,
	    t->scene.cursor.row < r->nvis ? scene_node(&t->scene, t->scene.cursor.row)->plane : UINT32_MAX);

	if (!t->scene.port.whole)
		kv_putf(kv, "columns", "%" PRId64 " %" PRId64, t->scene.port.c,
		    floor_div(viewport_begin(&t->scene.port) - by, t->scene.port.c));
	kv_put_int(kv, "cursor", t->scene.cursor.at - by);
	if (t->scene.cursor.row < r->nvis)
		kv_putf(kv, "row", "%016" PRIx64, scene_node(&t->scene, t->scene.cursor.row)->id);
	kv_put_int(kv, "number", (int64_t)t->picture.number);
	save_selection(t, kv);
	for (size_t i = 0; i < r->nfold && i < FOLDS_KEPT; i++)
		kv_putf(kv, "fold", "%016" PRIx64 " %d", r->fold[i].id, r->fold[i].folded);
}

void timeline_restore_folds(struct timeline *t, const struct kv *kv)
{
	struct rows *r = &t->scene.rows;
	const char *s;

	for (size_t i = 0; (s = kv_next(kv, "fold", &i)) && r->nfold < FOLDS_KEPT;) {
		uint64_t id;
		int folded;

		if (sscanf(s, "%16" SCNx64 " %1d", &id, &folded) != 2)
			continue;
		VEC_ADD(r->fold, r->nfold, r->fold_cap, (struct rows_fold){ id, folded != 0 });
	}
}

static void restore_columns(struct timeline *t, const char *s)
{
	int64_t c, k;

	if (!s || sscanf(s, "%18" SCNd64 " %19" SCNd64, &c, &k) != 2 || c < 1 || c > TRACE_TIME_MAX ||
	    k > t->scene.port.last / c + 1 || k < floor_div(t->scene.port.first, c) - TRACE_TIME_MAX / c)
		return;
	t->scene.port.c = c;
	t->scene.port.k = k;
	t->scene.port.whole = false;
}

static void restore_selection(struct timeline *t, const char *s)
{
	const struct track *k;
	uint32_t track;
	size_t event;
	int64_t start;

	if (!s || sscanf(s, "%10" SCNu32 " %18zu %19" SCNd64, &track, &event, &start) != 3 ||
	    track >= t->scene.cap->dump->trace.ntracks)
		return;
	k = scene_track(&t->scene, track);
	if (k->file >= 0 && event < k->n && track_start(k, event) == start)
		cursor_select(&t->scene, track, event);
}

void timeline_restore_place(struct timeline *t, const struct kv *kv)
{
	const char *row = kv_get(kv, "row");
	int64_t v;

	restore_columns(t, kv_get(kv, "columns"));
	if (kv_get_int(kv, "cursor", &v) && v >= t->scene.port.first && v <= t->scene.port.last)
		t->scene.cursor.at = v;
	if (row)
		t->scene.cursor.row = rows_find(&t->scene.rows, strtoull(row, NULL, 16));
	if (kv_get_int(kv, "number", &v) && v >= 0 && v < GUTTER_NUMBERS)
		t->picture.number = (enum gutter_number)v;
	restore_selection(t, kv_get(kv, "event"));
}
