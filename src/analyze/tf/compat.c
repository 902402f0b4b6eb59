#include "config.h"

#include "analyze/tf/compat.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyze/tf/hint.h"
#include "base/mem.h"

static enum tf_exempt exempt_by_device(struct slice device)
{
	if (!device.n)
		return TF_CHECKED;
	if (slice_has_nocase(device, "cpu:") || slice_has_nocase(device, "gpu:") ||
	    !slice_has_nocase(device, "tpu"))
		return TF_OTHER_DEVICE;
	return slice_find(device, "TPU_SYSTEM") ? TF_SYSTEM_DEVICE : TF_CHECKED;
}

enum tf_exempt tf_compat_exempt(const struct tf_compat *c, const struct tf_node *x)
{
	return c->of_layers                 ? TF_LAYER
	    : x->function != TF_NO_FUNCTION ? TF_IN_FUNCTION
	    : !x->op                        ? TF_NO_OP
					    : (enum tf_exempt)c->device[x->device];
}

enum tf_class tf_compat_class(const struct tf_compat *c, const struct tf_node *x)
{
	return (enum tf_class)c->op[x->op].class;
}

bool tf_compat_is(const struct tf_compat *c, const struct tf_node *x)
{
	return tf_compat_class(c, x) == TF_VALID || tf_compat_exempt(c, x) != TF_CHECKED;
}

static bool is_for_saving(const struct tf_nodes *nodes, const struct tf_function *f)
{
	for (size_t i = f->first; i < f->first + f->n; i++)
		if (tf_hint_of((struct slice){ "", 0 }, strtab_text(&nodes->text, nodes->v[i].op)) ==
		    TF_HINT_SAVE)
			return true;
	return false;
}

static void count_unlisted(struct tf_compat *c)
{
	for (size_t k = 0; k < c->nodes->nfn; k++) {
		const struct tf_function *f = &c->nodes->fn[k];
		uint64_t n = 0;
		const struct tf_node *first = NULL;

		for (size_t i = f->first; i < f->first + f->n; i++) {
			const struct tf_node *x = &c->nodes->v[i];

			if (x->op && tf_compat_class(c, x) == TF_UNKNOWN &&
			    c->device[x->device] == TF_CHECKED)
				first = n++ ? first : x;
		}
		if (!n || is_for_saving(c->nodes, f))
			continue;
		c->first_unlisted = c->unlisted ? c->first_unlisted : first;
		c->unlisted += n;
	}
}

void tf_compat_make(const struct tf_nodes *nodes, const struct tf_ops *ops, bool of_layers,
    struct tf_compat *c)
{
	uint64_t all;

	*c = (struct tf_compat){ .nodes = nodes, .of_layers = of_layers };
	c->op = xcalloc(nodes->text.n, sizeof *c->op);
	c->device = xcalloc(nodes->text.n, 1);
	for (strid id = 0; id < nodes->text.n; id++) {
		const struct tf_op_entry *e = tf_ops_find(ops, strtab_text(&nodes->text, id));

		c->op[id] = e ? *e : (struct tf_op_entry){ .class = TF_UNKNOWN };
		c->device[id] = (uint8_t)exempt_by_device(strtab_text(&nodes->text, id));
	}
	for (size_t i = 0; i < nodes->n; i++)
		c->incompatible += !tf_compat_is(c, &nodes->v[i]);
	if (!of_layers)
		count_unlisted(c);
	all = nodes->n;
	c->compatible = all - c->incompatible;
	c->score = all ? (int)(100 * c->compatible / all) : 0;
}

void tf_compat_free(struct tf_compat *c)
{
	free(c->op);
	free(c->device);
	*c = (struct tf_compat){ 0 };
}
