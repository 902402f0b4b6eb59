/* The timeline: every event of a run over time, in rows of cores and threads, at any zoom.  internal.h
 * describes its parts. */
#ifndef VIEW_TIMELINE_TIMELINE_H
#define VIEW_TIMELINE_TIMELINE_H

#include "core/view.h"

extern const struct view_ops view_timeline;

#endif
