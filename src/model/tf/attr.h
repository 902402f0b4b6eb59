/* What a node says beside its name: inputs and attributes, decoded from its bytes each time they are asked for.  The
 * functions call `each` in the order of the file.  Pure; any thread. */
#ifndef MODEL_TF_ATTR_H
#define MODEL_TF_ATTR_H

#include "model/tf/nodes.h"

/* An input as the file writes it: "name", "name:1", "name:out:0", "^name". */
struct tf_input {
	struct slice text, name; /* name: of the node, or of an argument of the function */
	bool control;            /* only orders the two nodes */
};

void tf_node_inputs(const struct tf_node *, void (*each)(void *ctx, const struct tf_input *), void *ctx);
/* value: the bytes of an AttrValue */
void tf_node_attrs(const struct tf_node *, void (*each)(void *ctx, struct slice key, struct slice value),
    void *ctx);
/* The functions that an attribute names, one or a list. */
void tf_attr_functions(struct slice value, void (*each)(void *ctx, struct slice name), void *ctx);
/* "float", "[8, 2]", "float [2, 2]: 1, 0, 0, 5"; what does not fit is cut off.  Returns buf. */
char *tf_attr_text(struct slice value, char *buf, size_t size);

#endif
