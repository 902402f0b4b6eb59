#include "config.h"
#include "analyze/triage/internal.h"

#include <stdlib.h>

bool triage_explain(struct arena *a, struct slice line, struct triage_known *known)
{
	struct triage_work w = { 0 };
	struct triage_hit hits[TRIAGE_HITS];
	size_t n;
	bool found = false;

	w.filter = triage_filter_new(a, &w.kinds, &w.nkinds, w.special);
	triage_log_begin(&w, "");
	line = triage_record_take(&w, line);
	n = triage_filter_find(w.filter, line, hits);
	for (size_t i = 0; i < n && !found; i++) {
		const struct triage_kind *k =
		    hits[i].phrase->kind >= 0 ? &w.kinds[hits[i].phrase->kind] : NULL;

		if (!k || !triage_is_error(&w, hits[i].phrase->kind, line, hits, n, hits[i].at))
			continue;
		*known = (struct triage_known){ k->name, k->severity, k->title,
			triage_advice(a, k->advice, line) };
		found = true;
	}
	triage_filter_free(w.filter);
	triage_log_free(&w.logs[0]);
	free(w.logs);
	free(w.kinds);
	return found;
}
