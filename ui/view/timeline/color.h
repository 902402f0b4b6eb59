/* What the colours of the timeline say: the kind of work (category), the name, how much of the chip's
 * peak an op reaches, or which step. By name and by utilisation each kind of event has another class than
 * analyze/device/classify.h gives it (a hash of its name; a bucket of its FLOP rate), and tracks get a second
 * index made of these, so that nothing that counts kinds of work ever changes.  Indexes are made in
 * step(), one track at a time, the rows on screen first; until a track has its own it shows categories.
 * By step the classes alternate. Waits and containers stay what they are.  Colour is never alone: mono
 * screens show a letter of the same table. */
#ifndef VIEW_TIMELINE_COLOR_H
#define VIEW_TIMELINE_COLOR_H

#include "core/paint/canvas.h"
#include "model/dump.h"

struct tl;
struct tl_cell;
struct rows_node;

enum tl_colour_by { TL_BY_CATEGORY, TL_BY_UTILISATION, TL_BY_NAME, TL_BY_STEP, TL_BY_COUNT };

/* of the track that had this start and n */
struct tl_tint {
	struct lod *lod;
	const int64_t *start;
	size_t n;
};

struct tl_colour {
	enum tl_colour_by by;
	uint8_t *class; /* [nmeta] of trace.metas; NULL: those of the trace */
	size_t nmeta;
	struct tl_tint *tint;
	size_t ntint; /* by track */
	double *dur, *count;
	size_t ndur, scanned; /* by kind of event; tracks looked at so far */
	bool done;            /* all that is shown has its index */
};

unsigned tl_colour_next(struct tl *);
int tl_colour_set(struct tl *, const char *name); /* "category", "name", …; -1 = no such way */
const char *tl_colour_name(const struct tl *);
void tl_colour_forget(struct tl *);              /* events moved: no index is right any more */
bool tl_colour_step(struct tl *, int budget_ms); /* more to do? */

/* The track with the index to draw from, in *copy if it is another one, and the classes that belong to it. */
const struct track *tl_colour_track(const struct tl *, uint32_t track, struct track *copy,
    const uint8_t **classes);
/* META_CLASS, META_CONTAINER */
uint8_t tl_colour_of(const struct tl *, const struct rows_node *, const struct track *, size_t event);
uint8_t tl_colour_name_class(const struct tl *, strid name);
/* by step */
void tl_colour_cells(const struct tl *, const struct rows_node *, struct tl_cell *, int from, int to);
/* class of the step at a moment; node NULL: any */
uint8_t tl_colour_at(const struct tl *, const struct rows_node *, int64_t t);
char tl_colour_letter(const struct tl *, int class);
const char *tl_colour_label(const struct tl *, int class); /* "" = no swatch stands for it */
const char *tl_colour_legend(const struct tl *, bool mono);

#endif
