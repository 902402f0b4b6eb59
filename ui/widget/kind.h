/* How each kind of time (analyze/device/kinds.h) looks: the same color and sign in all views.  Kinds that
 * events can have use the color of the events' bars on the timeline.  Pure functions. */
#ifndef WIDGET_KIND_H
#define WIDGET_KIND_H

#include "analyze/device/kinds.h"
#include "widget/bar.h"

enum role kind_role(enum time_kind);                                  /* ROLE_BLOCK_… */
struct bar_part kind_part(enum time_kind, bool narrow, double share); /* narrow: with its short name */

#endif
