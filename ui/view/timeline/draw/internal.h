/* Shared by the files of this folder. */
#ifndef VIEW_TIMELINE_DRAW_INTERNAL_H
#define VIEW_TIMELINE_DRAW_INTERNAL_H

#include "view/timeline/draw/picture.h"

void picture_draw_strips(struct picture *, struct canvas *);
void picture_draw_gutter(struct picture *, struct canvas *);
void picture_draw_rows(struct picture *, struct canvas *);

#endif
