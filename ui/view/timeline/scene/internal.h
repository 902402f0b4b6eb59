/* What the files of this room share with nobody else. */
#ifndef VIEW_TIMELINE_SCENE_INTERNAL_H
#define VIEW_TIMELINE_SCENE_INTERNAL_H

#include "view/timeline/scene/scene.h"

#endif
