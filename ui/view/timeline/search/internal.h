/* Shared by the files of this folder. */
#ifndef VIEW_TIMELINE_SEARCH_INTERNAL_H
#define VIEW_TIMELINE_SEARCH_INTERNAL_H

#include "view/timeline/scene/scene.h"
#include "view/timeline/search/search.h"

#endif
