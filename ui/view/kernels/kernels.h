/* Kernels: what the GPUs of a capture ran, as XProf's kernel_stats: pages by kernel, op, stream and GPU (u), each a
 * sheet with a card of its row.  Only captures with GPUs have it.  Shows RESULT_KERNELS (analyze/kernels). */
#ifndef VIEW_KERNELS_KERNELS_H
#define VIEW_KERNELS_KERNELS_H

#include "analyze/kernels/kernels.h"
#include "core/view.h"
#include "view/frame.h"
#include "widget/sheet/sheet.h"
#include "widget/tabs.h"

enum { KERNEL_PAGES = KERNELS_DEVICES + 1 };

struct kernels_view {
	struct frame frame;
	const struct kernels *k; /* NULL: not ready */
	enum kernels_table page;
	struct table table[KERNEL_PAGES];
	struct sheet sheet[KERNEL_PAGES];
	struct tabs tabs;
};

int kernels_view_card(struct view *, struct canvas *, struct rect, enum frame_card); /* card.c */

#endif
