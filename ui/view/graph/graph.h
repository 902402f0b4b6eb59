/* The graph of an HLO module: one instruction in the middle with its facts, its operands at the left and its
 * users at the right (nav.c); the same neighborhood as boxes in characters (boxes.c); the whole module as HLO
 * text (lines.c); its computations, or instructions, as a sheet (graph.c).  graph.c is the view (module,
 * building, state), act.c handles keys, link.c finds instructions and links to other views, facts.c says what is
 * known of one, bar.c which keys are in the key bar.  The graph is read by a job when its message is large; what
 * instructions cost is added when the op metrics are there. */
#ifndef VIEW_GRAPH_GRAPH_H
#define VIEW_GRAPH_GRAPH_H

#include "analyze/graph/costs.h"
#include "analyze/graph/layers.h"
#include "analyze/graph/near.h"
#include "core/view.h"
#include "view/frame.h"

enum graph_mode { GRAPH_NAV, GRAPH_BOXES, GRAPH_TEXT, GRAPH_COMPUTATIONS, GRAPH_INSTRUCTIONS };
enum graph_side { SIDE_OPERANDS, SIDE_CENTER, SIDE_USERS };

/* Lists of instructions have at most so many rows: those that take the most time. */
enum { GRAPH_ROWS_MAX = 5000, GRAPH_BOXES_MAX = 300 };

struct graph_job;

struct graph_view {
	struct frame frame;
	int module; /* -1: not chosen yet */
	struct graph_job *job;
	struct hlo_graph *g; /* NULL: not read yet */
	struct graph_costs costs;
	bool costed;
	char *failed; /* why the module cannot be read; NULL */
	char *want;   /* instruction or computation to go to when it is read; NULL */
	enum graph_mode mode;
	uint32_t at; /* the instruction in the middle */
	enum graph_side focus;
	uint32_t sides_of; /* that `side` was made for */
	struct graph_links side[2];
	struct list list[2];
	/* computations or instructions */
	struct table table;
	struct sheet sheet;
	enum graph_mode table_of;
	uint32_t *row; /* by row of the sheet: the computation or instruction */
	/* boxes */
	uint32_t radius, near_of, near_radius;
	bool radius_set; /* chosen; else the largest that fits */
	struct graph_near near;
	struct graph_layers layers;
	int layers_w, layers_h, box_h;
	int *layer_y; /* on the screen, as last drawn */
	uint32_t box; /* node */
	int scroll;
	/* text */
	bool full_text; /* with attributes and metadata */
	size_t line, top;
	int shift, name; /* name: which of the names of the line, -1 = none */
	/* search: the instructions that match, in order */
	uint32_t *hit;
	size_t nhits;
	int facts_h; /* most rows that facts in the middle took, so that the list below stays in place */
	struct rect facts_in; /* … where */
	struct rect area[3];  /* of operands, middle, users, as last drawn; h 0: not drawn */
};

/* graph.c */
bool graph_view_sync(struct view *); /* false: not ready */
void graph_view_choose(struct view *, int module);
void graph_view_mode(struct view *, enum graph_mode);
bool graph_view_has(const struct dump *, size_t module); /* whether its instructions are known */
void graph_view_select_row(struct graph_view *);         /* in a list, that of the one in the middle */

/* link.c */
/* goes to an instruction, or the root of a computation; false: there is none of that name */
bool graph_view_go(struct view *, const char *name);
void graph_view_center(struct graph_view *, uint32_t instr);
/* the same after remembering the place, so that Backspace returns */
void graph_view_jump(struct view *, uint32_t instr);
uint32_t graph_view_here(const struct graph_view *); /* what is selected: maybe not the one in the middle */
struct ref graph_view_ref(const struct view *);
int graph_view_show(struct view *, const struct ref *);
int graph_view_find(struct view *, const struct regex *, int dir, struct list_hits *);
struct ref graph_view_around(const struct view *);

/* nav.c */
void graph_view_sides(struct graph_view *); /* makes them for the instruction in the middle */
void graph_view_nav_draw(struct graph_view *, struct canvas *, struct rect);
void graph_view_path_draw(const struct graph_view *, struct canvas *, struct rect);

/* boxes.c */
void graph_view_boxes_draw(struct graph_view *, struct canvas *, struct rect);
void graph_view_boxes_step(struct graph_view *, int dy, int dx);
uint32_t graph_view_box_at(const struct graph_view *, int y, int x); /* node; HLO_NONE */
void graph_view_boxes_free(struct graph_view *);

/* lines.c: the module as text; a computation has a line above its instructions and two below */
size_t graph_view_lines(const struct hlo_graph *);
size_t graph_view_line_of(const struct hlo_graph *, uint32_t instr);
uint32_t graph_view_instr_on(const struct hlo_graph *, size_t line); /* HLO_NONE: another line */
void graph_view_text_draw(struct graph_view *, struct canvas *, struct rect);
/* the instruction or, of a computation, its root, that the selected name of the line means; HLO_NONE */
uint32_t graph_view_named_on_line(const struct graph_view *);
int graph_view_names_on_line(const struct graph_view *);

/* facts.c */
/* draws lines of facts and returns the row below; rows: as many as there is room for */
int graph_view_facts_draw(const struct graph_view *, struct canvas *, struct rect, uint32_t instr);
int graph_view_card(struct view *, struct canvas *, struct rect, enum frame_card);
void graph_view_facts_write(const struct graph_view *, uint32_t instr, FILE *);

/* act.c */
unsigned graph_view_act_always(struct view *, enum action, int count);
unsigned graph_view_act(struct view *, enum action, int count);
unsigned graph_view_press(struct view *, const struct mouse *);

#endif
