/* The timeline: every event of a run over time, in rows of cores and threads, at any zoom.  internal.h
 * describes its parts. */
#ifndef VIEW_TIMELINE_TIMELINE_H
#define VIEW_TIMELINE_TIMELINE_H

#include "core/view.h"

extern const struct view_ops view_timeline;

struct kv;
/* notes the place for a timeline of more of the files, which restores it besides what a session saved */
void timeline_carry(const struct view *, struct kv *);

#endif
