/* Where the card of each view goes, by columns and rows of the screen (view/frame.h).  The rows are in
 * core/input/scopes.def. */
#ifndef VIEW_FRAMES_H
#define VIEW_FRAMES_H

#include "view/frame.h"

enum frame_id {
#define FRAME(id, ...) FORM_##id,
#include "core/input/scopes.def"
	FORM_COUNT
};

extern const struct frame_form frame_forms[FORM_COUNT];

#endif
