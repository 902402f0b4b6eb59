/* What the colors of the timeline mean: the kind of work (category), the name, how much of the chip's peak an
 * op reaches, or the step.  By name and by utilization each kind of event has a class other than that of
 * analyze/device/classify.h (a hash of its name; a bucket of its FLOP rate), and tracks get a second index
 * made of these, so that nothing that counts kinds of work ever changes.  Indexes are made in step(), one
 * track at a time, visible rows first; until a track has its own it shows categories.  By step the classes
 * alternate.  Waits and containers keep their class.  Color is never the only sign: mono screens show a
 * letter from the same table.  `sc` is set once; colors_forget() frees the rest. */
#ifndef VIEW_TIMELINE_COLORS_H
#define VIEW_TIMELINE_COLORS_H

#include "view/timeline/scene/scene.h"

struct cells_column;

enum colors_by { COLORS_BY_CATEGORY, COLORS_BY_UTILIZATION, COLORS_BY_NAME, COLORS_BY_STEP, COLORS_WAYS };

/* index for the track that has this depth and n */
struct colors_tint {
	struct lod *lod;
	const uint8_t *depth;
	size_t n;
};

struct colors {
	struct scene *sc;
	enum colors_by by;
	uint8_t *class; /* [nmeta], for trace.metas; NULL: the classes of the trace */
	size_t nmeta;
	struct colors_tint *tint;
	size_t ntint; /* by track */
	double *dur, *count;
	size_t ndur, scanned; /* by kind of event; tracks scanned so far */
	bool done;            /* all visible rows have their index */
};

unsigned colors_next(struct colors *);
int colors_set(struct colors *, const char *name); /* "category", "name", …; -1 = no such way */
const char *colors_name(const struct colors *);
void colors_forget(struct colors *);              /* for when events have moved, so that no index is valid */
bool colors_step(struct colors *, int budget_ms); /* more to do? */

/* The track with the index to draw from (in *copy if it is another one), and the classes that belong to
 * it. */
const struct track *colors_track(const struct colors *, uint32_t track, struct track *copy,
    const uint8_t **classes);
/* the classes by kind of event that tracks with an index of their own are drawn with */
const uint8_t *colors_classes(const struct colors *, size_t *n);
/* META_CLASS, META_CONTAINER */
uint8_t colors_of(const struct colors *, const struct rows_node *, const struct track *, size_t event);
uint8_t colors_name_class(const struct colors *, strid name);
/* by step */
void colors_cells(const struct colors *, const struct rows_node *, struct cells_column *, int from, int to);
/* class of the step at a moment; node NULL: any */
uint8_t colors_at(const struct colors *, const struct rows_node *, int64_t t);
char colors_letter(const struct colors *, int class);
const char *colors_label(const struct colors *, int class); /* "" = not in the legend */
const char *colors_legend(const struct colors *, bool mono);

#endif
