#include "config.h"
#include "load/tf/keras.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/codec/json.h"
#include "base/mem.h"

enum { VARINT, BYTES = 2, FIXED32 = 5 }; /* wire types */
enum { GRAPH_NODE = 1 };
enum { NODE_NAME = 1, NODE_OP, NODE_INPUT, NODE_ATTR = 5 };
enum { ENTRY_KEY = 1, ENTRY_VALUE = 2 };
enum { LIST = 1, TEXT, INTEGER, FLOAT, BOOLEAN }; /* of AttrValue */
enum { MODELS = 20, LAYERS = 100000, ITEMS = 16 };
/* names of layers begin with those of the models around them: that much longer than its text a graph may be */
enum { GROWTH = 32, GROWTH_FREE = 1 << 20 };

struct bytes {
	uint8_t *v;
	size_t n, cap;
};

struct writer {
	struct bytes out, node, part, list;
	size_t layers, most; /* most: bytes of the graph */
};

static bool is_full(const struct writer *w)
{
	return w->out.n + w->node.n > w->most;
}

static void put_varint(struct bytes *b, uint64_t v)
{
	do {
		VEC_ADD(b->v, b->n, b->cap, (uint8_t)((v & 127) | (v > 127 ? 128 : 0)));
	} while (v >>= 7);
}

static void put_bytes(struct bytes *b, uint32_t field, const void *s, size_t n)
{
	put_varint(b, field << 3 | BYTES);
	put_varint(b, n);
	for (size_t i = 0; i < n; i++)
		VEC_ADD(b->v, b->n, b->cap, ((const uint8_t *)s)[i]);
}

static bool is_json_text(const struct json *j)
{
	return j && j->type == JSON_STRING;
}

/* --- attributes --- */

static bool is_whole(double v)
{
	return fabs(v) < 1e15 && v == floor(v);
}

static void put_number(struct bytes *b, double v)
{
	float single = (float)v;

	if (is_whole(v)) {
		put_varint(b, INTEGER << 3 | VARINT);
		put_varint(b, (uint64_t)(int64_t)v);
		return;
	}
	put_varint(b, FLOAT << 3 | FIXED32);
	for (size_t i = 0; i < sizeof single; i++)
		VEC_ADD(b->v, b->n, b->cap, ((const uint8_t *)&single)[i]);
}

/* Unknown sizes, null, are -1 as in shapes. */
static bool put_list(struct writer *w, const struct json *j)
{
	w->list.n = 0;
	for (const struct json *x = j->child; x; x = x->next) {
		if (x->type != JSON_NUMBER && x->type != JSON_NULL)
			return false;
		put_number(&w->list, x->type == JSON_NULL ? -1 : json_num(x, 0));
	}
	put_bytes(&w->part, LIST, w->list.v, w->list.n);
	return j->n > 0 && j->n <= ITEMS;
}

/* An AttrValue; false: there is no simple one. */
static bool put_value(struct writer *w, const struct json *j)
{
	w->part.n = 0;
	if (j->type == JSON_STRING)
		put_bytes(&w->part, TEXT, j->s, j->len);
	else if (j->type == JSON_NUMBER)
		put_number(&w->part, json_num(j, 0));
	else if (j->type == JSON_TRUE || j->type == JSON_FALSE)
		put_varint(&w->part, BOOLEAN << 3 | VARINT), put_varint(&w->part, j->type == JSON_TRUE);
	else
		return j->type == JSON_ARRAY && put_list(w, j);
	return true;
}

static void put_attributes(struct writer *w, const struct json *config)
{
	for (const struct json *x = config ? config->child : NULL; x; x = x->next) {
		struct bytes entry = { 0 };

		if (!x->key || !strcmp(x->key, "name") || !put_value(w, x))
			continue;
		put_bytes(&entry, ENTRY_KEY, x->key, strlen(x->key));
		put_bytes(&entry, ENTRY_VALUE, w->part.v, w->part.n);
		put_bytes(&w->node, NODE_ATTR, entry.v, entry.n);
		free(entry.v);
	}
}

/* --- layers --- */

static void put_input(struct writer *w, const char *scope, const char *name, size_t n)
{
	char *full = xasprintf("%s/%.*s", scope, (int)(n < 1000 ? n : 1000), name);

	put_bytes(&w->node, NODE_INPUT, full, strlen(full));
	free(full);
}

/* Layers are named by ["name", node, tensor, …], in whatever holds them. */
static void put_inputs(struct writer *w, const char *scope, const struct json *j)
{
	if (!j || !j->child)
		return;
	if (j->type == JSON_ARRAY && is_json_text(j->child) && j->child->next &&
	    j->child->next->type == JSON_NUMBER) {
		put_input(w, scope, j->child->s, j->child->len);
		return;
	}
	for (const struct json *x = j->child; x && !is_full(w); x = x->next)
		put_inputs(w, scope, x);
}

static const struct json *name_of(const struct json *layer)
{
	const struct json *config = json_get(layer, "config"), *name = json_get(layer, "name");

	if (!is_json_text(name) && config && config->type == JSON_OBJECT)
		name = json_get(config, "name");
	return is_json_text(name) ? name : NULL;
}

static const struct json *layers_of(const struct json *model)
{
	const struct json *config = model && model->type == JSON_OBJECT ? json_get(model, "config") : NULL;

	if (config && config->type == JSON_OBJECT)
		config = json_get(config, "layers");
	return config && config->type == JSON_ARRAY ? config : NULL;
}

static void put_layer(struct writer *w, const struct json *layer, const char *scope, const char *full,
    const char *before)
{
	const struct json *class = json_get(layer, "class_name"), *in = json_get(layer, "inbound_nodes");

	w->node.n = 0;
	put_bytes(&w->node, NODE_NAME, full, strlen(full));
	if (is_json_text(class))
		put_bytes(&w->node, NODE_OP, class->s, class->len);
	if (in)
		put_inputs(w, scope, in);
	else if (before)
		put_bytes(&w->node, NODE_INPUT, before, strlen(before));
	put_attributes(w, json_get(layer, "config"));
	put_bytes(&w->out, GRAPH_NODE, w->node.v, w->node.n);
	w->layers++;
}

static void put_layers(struct writer *w, const struct json *layers, const char *scope, int depth)
{
	char *before = NULL;

	for (const struct json *x = layers->child; x && w->layers < LAYERS && !is_full(w); x = x->next) {
		const struct json *name = x->type == JSON_OBJECT ? name_of(x) : NULL, *in = layers_of(x);
		const struct json *class = x->type == JSON_OBJECT ? json_get(x, "class_name") : NULL;
		char *full;

		if (!name)
			name = is_json_text(class) ? class : NULL;
		if (!name)
			continue;
		full = xasprintf("%s/%.*s", scope, (int)(name->len < 1000 ? name->len : 1000), name->s);
		if (in && depth < MODELS)
			put_layers(w, in, full, depth + 1);
		else
			put_layer(w, x, scope, full, before);
		free(before);
		before = full;
	}
	free(before);
}

uint8_t *keras_graph(struct slice text, size_t *n, struct err *err)
{
	struct writer w = { .most = text.n * GROWTH + GROWTH_FREE };
	struct arena a = { 0 };
	const struct json *model = json_parse_cut(&a, text.s, text.n, err), *name, *layers = layers_of(model);
	char *scope;

	if (layers) {
		name = name_of(model);
		scope = name ? xasprintf("%.*s", (int)(name->len < 1000 ? name->len : 1000), name->s)
			     : xstrdup("model");
		put_layers(&w, layers, scope, 0);
		free(scope);
	}
	arena_free(&a);
	if (is_full(&w) && !err->status)
		err_set(err, EXIT_DAMAGED, text.n,
		    "a Keras model that takes many times its size: a part is shown");
	free(w.node.v);
	free(w.part.v);
	free(w.list.v);
	if (!w.layers) {
		free(w.out.v);
		return NULL;
	}
	*n = w.out.n;
	return w.out.v;
}
