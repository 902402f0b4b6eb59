#include "config.h"
#include "analyze/device/step_metric.h"

#include "base/clamp.h"
#include "model/dump.h"

#define MATTERS 100 /* less than a hundredth of the time of all ops does not */

bool step_metrics_unknown(const struct dump *d)
{
	const struct trace *t = &d->trace;
	int64_t all = 0, without = 0;

	for (size_t k = 0; k < t->ntracks; k++) {
		const struct track *ops = &t->tracks[k];

		if (ops->role != TRACK_OPS || ops->file < 0 || t->planes[ops->plane].kind != PLANE_TPU ||
		    !file_is_converted(&d->files[ops->file]))
			continue;
		for (size_t i = 0; i < ops->n; i++) {
			all = add_clamped(all, track_dur(ops, i));
			if (!t->metas[track_meta(ops, i)].category)
				without = add_clamped(without, track_dur(ops, i));
		}
	}
	return without > all / MATTERS;
}
