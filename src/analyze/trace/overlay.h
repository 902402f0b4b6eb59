/* What is added to a dump or changed in it after prepare(): tracks that no file has (derive.h), arrows made from
 * stats (links.h), the other clock of device events (clock.h).  The dump itself stays as it is.  An overlay makes
 * versions of it: structs of the same type that share with it, and with earlier versions, whatever is the same.  So
 * all that reads a dump reads a version, at the same speed.
 *
 * A version never changes.  Whoever has one may go on reading it, in any thread, until overlay_free(), while others are
 * made.  Indices of tracks, kinds and strings mean the same in all of them: later versions have more.  With the
 * other clock, events have other places on their track.  strtab_find() finds the strings of the files, not those
 * of derived tracks.
 *
 * One thread changes an overlay.  Several overlays of a dump know nothing of each other; the dump must be prepared
 * before the first change, and live longer. */
#ifndef ANALYZE_TRACE_OVERLAY_H
#define ANALYZE_TRACE_OVERLAY_H

#include "analyze/trace/clock.h"
#include "analyze/trace/links.h"
#include "model/dump.h"

struct overlay;

/* *shown is set to the newest version now, when it is the dump, and after each change. */
struct overlay *overlay_new(const struct dump *, const struct dump **shown);
void overlay_free(struct overlay *); /* with all versions; NULL is allowed */

/* Takes over what links_find() found in the newest version, and empties the struct.  IDs that were skipped become a
 * note among the problems. */
void overlay_links(struct overlay *, struct links_found *);
/* Moves the ops of each device plane to the other clock, or back, with all that goes by them (clock.h): derived
 * tracks and arrows, too. */
void overlay_clock(struct overlay *, struct clocks *, enum clock_kind, int threads);

#endif
