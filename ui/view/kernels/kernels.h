/* Kernels: what the GPUs of a capture ran, as XProf's kernel_stats: pages by kernel, op, stream and GPU (u), each a
 * sheet with a card of its row.  Only captures with GPUs have it.  Shows RESULT_KERNELS (analyze/kernels). */
#ifndef VIEW_KERNELS_KERNELS_H
#define VIEW_KERNELS_KERNELS_H

#include "analyze/kernels/kernels.h"
#include "core/view.h"
#include "view/pages.h"

enum { KERNEL_PAGES = KERNELS_DEVICES + 1 };

struct kernels_view {
	struct pages pages;
	const struct kernels *k; /* NULL: not ready */
};

int kernels_view_card(struct view *, struct canvas *, struct rect, enum frame_card); /* card.c */

#endif
