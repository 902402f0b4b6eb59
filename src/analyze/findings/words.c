/* What the program has, as words that paragraphs of advice ask for with <word> (data/findings.tsv): advice about
 * attention is none for a convolutional network, and who has bfloat16 needs not be told to use it. */
#include "config.h"
#include "analyze/findings/internal.h"

#include <strings.h>

#include "analyze/device/target.h"

enum { ROOMY = 70 }; /* percent of the memory; below that there is room */

static bool has_text(struct slice text, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= text.n; i++)
		if (!strncasecmp(text.s + i, word, n))
			return true;
	return false;
}

static bool any_op(const struct opdb *db, bool (*has)(const struct op *))
{
	for (size_t i = 0; db && i < db->n; i++)
		if (has(&db->v[i]))
			return true;
	return false;
}

static bool is_attention(const struct op *o)
{
	return has_text(o->provenance, "attn") || has_text(o->provenance, "attention") ||
	    has_text(o->provenance, "kv_cache") || has_text(o->provenance, "decode");
}

/* Do its operands have that type?  The type of its result says nothing about them. */
static bool is_float32(const struct op *o)
{
	const char *in = o->expression.n ? memchr(o->expression.s, '(', o->expression.n) : NULL;

	return (has_text(o->category, "convolution") || has_text(o->provenance, "dot_general")) && in &&
	    has_text((struct slice){ in, o->expression.n - (size_t)(in - o->expression.s) }, "f32[") &&
	    !has_text((struct slice){ in, o->expression.n - (size_t)(in - o->expression.s) }, "bf16[");
}

static bool is_all_gather(const struct op *o)
{
	return has_text(o->category, "all-gather");
}

static bool is_all_reduce(const struct op *o)
{
	return has_text(o->category, "all-reduce");
}

static bool is_reduce_scatter(const struct op *o)
{
	return has_text(o->category, "reduce-scatter");
}

static bool has_expression(const struct op *o)
{
	return o->expression.n > 0;
}

const char *rule_words(struct rule_work *w)
{
	const struct opdb *db = w->in->ops;
	const struct memory *m = rule_memory(w);
	bool known = m && m->limit > 0 && m->peak_bytes >= 0;

	if (!w->words)
		w->words = rule_say(w, "%s%s%s%s%s%s%s", target_words(w->in->dump),
		    any_op(db, is_attention) ? " attention" : "",
		    any_op(db, is_float32) || !any_op(db, has_expression) ? " float32" : "",
		    any_op(db, is_all_gather) ? " all-gather" : "",
		    any_op(db, is_all_reduce) ? " all-reduce" : "",
		    any_op(db, is_reduce_scatter) ? " reduce-scatter" : "",
		    !known                                                       ? " room-unknown"
			: 100 * (double)m->peak_bytes < ROOMY * (double)m->limit ? " room"
										 : "");
	return w->words;
}
