/* Loads TensorFlow graphs: event files of TensorBoard, GraphDefs and SavedModels, in binary or text form, and Keras
 * models as JSON (model/tf/graph.h).  Nothing is unpacked: the graphs stay in the bytes of their file, and those of a
 * text are written as bytes once (base/codec/pbtext.h).  An event file without a graph is an error that says what it
 * holds instead. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/codec/pbtext.h"
#include "base/codec/wire.h"
#include "load/build/loaders.h"
#include "load/probe/probe_tf.h"
#include "load/tf/internal.h"
#include "load/tf/keras.h"
#include "tf_graph.pb-c.h"

enum { BYTES = 2 }; /* the wire type of texts and messages */
enum { MODEL_META_GRAPH = 2 };

static uint8_t *keras_bytes(const char *text, size_t *n, struct err *damaged, struct err *err)
{
	uint8_t *made = keras_graph((struct slice){ text, *n }, n, damaged);

	if (!made)
		err_set(err, EXIT_NOTHING, damaged->status ? damaged->at : ERR_NOWHERE,
		    "a Keras model without layers%s%s", damaged->status ? "; " : "",
		    damaged->status ? damaged->msg : "");
	else if (!damaged->status)
		damaged->at = ERR_NOWHERE;
	return made;
}

/* The content as bytes of the wire format; what is made of a text belongs to the file. */
static struct slice content_of(struct load_ctx *ctx, int file, const ProtobufCMessageDescriptor *m,
    enum tf_form *form, struct err *err)
{
	struct file *f = &ctx->dump->files[file];
	struct err damaged;
	size_t n;
	const uint8_t *bytes = tf_content(ctx, file, &n, err);
	uint8_t *made;

	if (!bytes)
		return (struct slice){ NULL, 0 };
	*form = probe_tf(bytes, n);
	if (*form == TF_KERAS_JSON)
		made = keras_bytes((const char *)bytes, &n, &damaged, err);
	else if (probe_tf_is_text(*form))
		made = pbtext_read(*form == TF_META_GRAPH_TEXT ? &pb__meta_graph_def__descriptor : m,
		    (const char *)bytes, n, &n, &damaged, err);
	else
		return (struct slice){ (const char *)bytes, n };
	if (!made)
		return (struct slice){ NULL, 0 };
	f->private = made;
	f->free_private = free;
	if (damaged.at != ERR_NOWHERE)
		tf_damage(ctx, file, damaged.at, damaged.msg);
	return (struct slice){ (const char *)made, n };
}

static int check_any(const struct dump *d, size_t before, struct err *err)
{
	if (d->ngraphs > before)
		return 0;
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
	    "a TensorFlow file without a graph; it may be cut off");
}

int load_tf_graph(struct load_ctx *ctx, int file, struct err *err)
{
	enum tf_form form = TF_NONE;
	struct slice bytes = content_of(ctx, file, &pb__graph_def__descriptor, &form, err);
	size_t before = ctx->dump->ngraphs;

	if (!bytes.s)
		return -1;
	if (form == TF_META_GRAPH_TEXT || form == TF_META_GRAPH_BYTES)
		tf_list_meta_graph(ctx, file, bytes);
	else
		tf_list(ctx, file, form == TF_KERAS_JSON ? TF_KERAS : TF_FILE, (struct slice){ NULL, 0 },
		    &bytes, 1);
	return check_any(ctx->dump, before, err);
}

int load_saved_model(struct load_ctx *ctx, int file, struct err *err)
{
	enum tf_form form = TF_NONE;
	struct slice bytes = content_of(ctx, file, &pb__saved_model__descriptor, &form, err);
	struct wire w = wire_open(bytes.s, bytes.n);
	size_t before = ctx->dump->ngraphs;

	if (!bytes.s)
		return -1;
	while (wire_next(&w) || (w.bad && w.s)) {
		if (w.field == MODEL_META_GRAPH && w.type == BYTES)
			tf_list_meta_graph(ctx, file, wire_text(&w));
		if (w.bad)
			break;
	}
	if (w.bad && !ctx->dump->files[file].partial)
		tf_damage(ctx, file, (uint64_t)((const char *)w.p - bytes.s),
		    "the model is damaged or cut off");
	return check_any(ctx->dump, before, err);
}
