/* What the files of this room include. */
#ifndef VIEW_TIMELINE_DETAIL_INTERNAL_H
#define VIEW_TIMELINE_DETAIL_INTERNAL_H

#include "view/timeline/detail/flows.h"

#endif
