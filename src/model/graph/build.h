/* What both readers of a graph share: adding computations and instructions, then links from each instruction
 * in order, then finishing.  Private to the room. */
#ifndef MODEL_GRAPH_BUILD_H
#define MODEL_GRAPH_BUILD_H

#include "model/graph/graph.h"

struct hlo_graph *hlo_graph_new(void);
/* Returns its index. */
uint32_t hlo_add_computation(struct hlo_graph *, struct slice name);
/* Adds it to the last computation; false: there are too many. */
bool hlo_add_instr(struct hlo_graph *, struct slice name, struct slice opcode, const struct hlo_instr *);

/* Links while they are collected: for each instruction in order any number of hlo_link_add(), then one
 * hlo_link_end(). */
struct hlo_links_build {
	struct hlo_links of;
	uint32_t n, cap, ends, ends_cap;
};
void hlo_link_add(struct hlo_graph *, struct hlo_links_build *, uint32_t to); /* HLO_NONE is counted */
void hlo_link_end(struct hlo_links_build *);

struct hlo_build {
	struct hlo_links_build operands, controls, calls;
};
void hlo_frame_add(struct hlo_graph *, uint32_t location); /* from 1 */
/* Takes the links over, makes those the other way round, and says what is damaged. */
void hlo_graph_end(struct hlo_graph *, struct hlo_build *);

/* text.c, message.c */
void hlo_detail_of_text(const struct hlo_graph *, uint32_t instr, struct hlo_detail *);
void hlo_detail_of_message(const struct hlo_graph *, uint32_t instr, struct hlo_detail *);
/* graph.c: of a stack frame, from 1 */
void hlo_detail_frame(const struct hlo_graph *, uint64_t frame, struct hlo_detail *);

#endif
