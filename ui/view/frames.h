/* Where the card of each view goes, by columns and rows of the screen (view/frame.h).  One table, so that
 * similar views look the same. */
#ifndef VIEW_FRAMES_H
#define VIEW_FRAMES_H

#include "view/frame.h"

enum frame_id {
	FORM_OPS,
	FORM_OP_TABLE,
	FORM_ROOFLINE,
	FORM_OVERVIEW,
	FORM_INPUT,
	FORM_MEMORY,
	FORM_MEMPROF,
	FORM_POD,
	FORM_GRAPH,
	FORM_TRIAGE,
	FORM_TF_GRAPH,
	FORM_PTXLA,
	FORM_KERNELS,
	FORM_FINDINGS,
	FORM_FILES,
	FORM_COUNT
};

extern const struct frame_form frame_forms[FORM_COUNT];

#endif
