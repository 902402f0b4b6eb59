#include "config.h"
#include "view/frames.h"

const struct frame_form frame_forms[FORM_COUNT] = {
#define FRAME(id, view, airy, cols, rows, card, gap, most, below, ...) \
	{ view, airy, { cols, rows, card, gap, most }, { below, { __VA_ARGS__ } } },
#include "core/input/scopes.def"
};
