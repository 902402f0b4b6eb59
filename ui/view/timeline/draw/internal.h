/* What the files of this room include. */
#ifndef VIEW_TIMELINE_DRAW_INTERNAL_H
#define VIEW_TIMELINE_DRAW_INTERNAL_H

#include "view/timeline/draw/cells.h"
#include "view/timeline/draw/colors.h"

#endif
