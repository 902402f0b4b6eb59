#include "config.h"
#include "view/frames.h"

/* clang-format off */
const struct frame_form frame_forms[FORM_COUNT] = {
	/*                    view          airy  beside: cols rows card gap most below: cols  { rows, card } … */
	[FORM_OPS]        = { "ops",          30, { 100, 12, 36, 2, 58 }, { 60, { { 12, 4 }, { 18, 7 }, { 24, 8 }, { 27, 9 }, { 30, 10 }, { 33, 11 }, { 36, 12 }, { 39, 13 } , { 42, 14 } } } },
	[FORM_OP_TABLE]   = { "hlo_stats",    30, { 100, 12, 36, 2, 58 }, { 60, { { 12, 5 }, { 16, 8 } } } },
	[FORM_ROOFLINE]   = { "roofline",     30, { 100, 12, 36, 2, 58 }, { 60, { { 15, 6 }, { 22, 8 } } } },
	[FORM_OVERVIEW]   = { "overview",     30, { 100, 12, 38, 2, 58 }, { 60, { { 16, 6 } } } },
	[FORM_INPUT]      = { "input",        30, { 100, 12, 38, 2, 58 }, { 60, { { 16, 6 } } } },
	[FORM_MEMORY]     = { "memory",        0, { 100, 12, 36, 2, 58 }, { 60, { { 14, 2 }, { 26, 6 } } } },
	[FORM_MEMPROF]    = { "memory_profile", 30, { 100, 12, 36, 2, 58 }, { 60, { { 18, 3 }, { 26, 4 } } } },
	[FORM_POD]        = { "pod",          30, { 100, 12, 38, 2, 52 }, { 60, { { 16, 7 } } } },
	[FORM_GRAPH]      = { "graph",         0, { 100, 12, 38, 2, 58 }, { 60, { { 16, 5 }, { 20, 7 }, { 30, 9 } } } },
	[FORM_TRIAGE]     = { "triage",        0, { 100, 12, 36, 2, 58 }, { 60, { { 14, 5 }, { 20, 6 }, { 26, 9 } } } },
	[FORM_TF_GRAPH]   = { "tf_graph",     30, { 100, 12, 42, 2, 64 }, { 60, { { 14, 5 }, { 20, 8 }, { 28, 11 } } } },
	[FORM_PTXLA]      = { "ptxla",        30, { 100, 12, 38, 2, 58 }, { 60, { { 14, 5 }, { 20, 8 }, { 30, 12 } } } },
	[FORM_KERNELS]    = { "kernels",      30, { 100, 12, 38, 2, 58 }, { 60, { { 14, 5 }, { 20, 8 }, { 30, 12 } } } },
	[FORM_FINDINGS]   = { "findings",      0, { 100, 14, 39, 1, 62 }, { 60, { { 14, 6 }, { 18, 8 } } } },
	[FORM_FILES]      = { "files",         0, { 100, 12, 38, 2, 58 }, { 60, { { 12, 6 }, { 16, 8 }, { 26, 12 } } } },
};
/* clang-format on */
