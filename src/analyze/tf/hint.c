#include "config.h"

#include "analyze/tf/hint.h"

#include <string.h>
#include <strings.h>

static const struct {
	const char *key, *advice;
} hints[TF_HINTS] = {
	[TF_HINT_NONE] = { "other",
	    "Move it out of what runs on the TPU: into tf.data, before or after the step, or into "
	    "tf.tpu.outside_compilation; or find an op that does the same." },
	[TF_HINT_SAVE] = { "save", "Saving and restoring run on the host. Nothing needs to change." },
	[TF_HINT_METRICS] = { "metrics",
	    "Metrics and summaries are computed on the host, from what the step returns. "
	    "Nothing needs to change if the step does not need it." },
	[TF_HINT_INPUT] = { "input", "Reading and decoding belong into tf.data, which runs on the host." },
	[TF_HINT_TEXT] = { "text", "TPUs have no strings: handle them in tf.data and pass numbers on." },
};

const char *tf_hint_key(enum tf_hint h)
{
	return hints[h].key;
}

const char *tf_hint_advice(enum tf_hint h)
{
	return hints[h].advice;
}

static const struct {
	const char *begins;
	enum tf_hint hint;
} of_scopes[] = {
	{ "save", TF_HINT_SAVE },
	{ "checkpoint", TF_HINT_SAVE },
	{ "restore", TF_HINT_SAVE },
	{ "metric", TF_HINT_METRICS },
	{ "summar", TF_HINT_METRICS },
	{ "input_pipeline", TF_HINT_INPUT },
	{ "dataset", TF_HINT_INPUT },
}, of_ops[] = {
	{ "Save", TF_HINT_SAVE },
	{ "Restore", TF_HINT_SAVE },
	{ "MergeV2Checkpoints", TF_HINT_SAVE },
	{ "ShardedFilename", TF_HINT_SAVE },
	{ "Decode", TF_HINT_INPUT },
	{ "Encode", TF_HINT_INPUT },
	{ "Parse", TF_HINT_INPUT },
	{ "Iterator", TF_HINT_INPUT },
	{ "OneShotIterator", TF_HINT_INPUT },
	{ "MakeIterator", TF_HINT_INPUT },
	{ "FIFOQueue", TF_HINT_INPUT },
	{ "RandomShuffleQueue", TF_HINT_INPUT },
	{ "PaddingFIFOQueue", TF_HINT_INPUT },
	{ "Queue", TF_HINT_INPUT },
	{ "Reader", TF_HINT_INPUT },
	{ "TFRecord", TF_HINT_INPUT },
	{ "ReadFile", TF_HINT_INPUT },
	{ "String", TF_HINT_TEXT },
	{ "AsString", TF_HINT_TEXT },
	{ "RegexReplace", TF_HINT_TEXT },
	{ "RegexFullMatch", TF_HINT_TEXT },
	{ "Substr", TF_HINT_TEXT },
	{ "ReduceJoin", TF_HINT_TEXT },
	{ "Unicode", TF_HINT_TEXT },
	{ "PrintV2", TF_HINT_METRICS },
	{ "Print", TF_HINT_METRICS },
};

#define COUNT(v) (sizeof(v) / sizeof *(v))

static enum tf_hint hint_of_scope(const char *s, size_t n)
{
	for (size_t i = 0; i < COUNT(of_scopes); i++)
		if (n >= strlen(of_scopes[i].begins) &&
		    !strncasecmp(s, of_scopes[i].begins, strlen(of_scopes[i].begins)))
			return of_scopes[i].hint;
	return TF_HINT_NONE;
}

enum tf_hint tf_hint_of(struct slice name, struct slice op)
{
	const char *p = name.s, *end = p + name.n, *slash;
	enum tf_hint h;

	for (; (slash = memchr(p, '/', (size_t)(end - p))); p = slash + 1)
		if ((h = hint_of_scope(p, (size_t)(slash - p))) != TF_HINT_NONE)
			return h;
	for (size_t i = 0; i < COUNT(of_ops); i++)
		if (slice_begins(op, of_ops[i].begins))
			return of_ops[i].hint;
	return slice_ends(op, "Dataset") || slice_ends(op, "DatasetV2") ? TF_HINT_INPUT
	    : slice_ends(op, "Summary")                                 ? TF_HINT_METRICS
									: TF_HINT_NONE;
}
