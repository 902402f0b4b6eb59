#include "config.h"

#include <endian.h>
#include <inttypes.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/codec/wire.h"
#include "load/build/loaders.h"
#include "load/source/source.h"
#include "load/tf/events.h"
#include "load/tf/internal.h"
#include "load/tf/keras.h"
#include "load/tf/records.h"

enum { BYTES = 2 }; /* the wire type of texts and messages */
enum { EVENT_GRAPH = 4, EVENT_SUMMARY = 5, EVENT_RUN = 8, EVENT_META_GRAPH = 9 };
enum { RUN_TAG = 1, RUN_METADATA = 2 };
enum { SUMMARY_VALUE = 1 };
enum { VALUE_TAG = 1, VALUE_TENSOR = 8, VALUE_METADATA = 9 };
enum { METADATA_PLUGIN = 1 };
enum { PLUGIN_NAME = 1 };
enum { TENSOR_STRING = 8 };

struct reading {
	struct load_ctx *ctx;
	int file;
	uint64_t records, values, keras; /* keras: models that cannot be read */
};

/* Returns the first field of that number; s NULL: there is none. */
static struct slice field_of(struct slice message, uint32_t field)
{
	struct wire w = wire_open(message.s, message.n);

	while (wire_next(&w))
		if (w.field == field && w.type == BYTES)
			return wire_text(&w);
	return (struct slice){ NULL, 0 };
}

static void take_run(struct reading *r, struct slice run)
{
	struct slice metadata = field_of(run, RUN_METADATA);

	if (metadata.s)
		tf_list_run_metadata(r->ctx, r->file, field_of(run, RUN_TAG), metadata);
}

/* The graphs made of Keras models belong to the file. */
struct made {
	struct made *next;
	uint8_t *bytes;
};

static void free_made(void *private)
{
	for (struct made *m = private, *next; m; m = next) {
		next = m->next;
		free(m->bytes);
		free(m);
	}
}

static void take_keras(struct reading *r, struct slice tag, struct slice text)
{
	struct file *f = &r->ctx->dump->files[r->file];
	struct slice graph = { NULL, 0 };
	struct made *m;
	struct err damage;
	uint8_t *bytes = keras_graph(text, &graph.n, &damage);

	if (!bytes) {
		r->keras++;
		return;
	}
	m = xmalloc(sizeof *m);
	*m = (struct made){ f->private, bytes };
	f->private = m;
	f->free_private = free_made;
	graph.s = (const char *)bytes;
	tf_list(r->ctx, r->file, TF_KERAS, tag, &graph, 1);
	if (damage.status)
		tf_damage(r->ctx, r->file, ERR_NOWHERE, "a Keras model in it is damaged or cut off");
}

/* A value of a summary: its plugin says what the text in its tensor is. */
static void take_value(struct reading *r, struct slice value)
{
	struct slice plugin =
	    field_of(field_of(field_of(value, VALUE_METADATA), METADATA_PLUGIN), PLUGIN_NAME);
	struct slice text = field_of(field_of(value, VALUE_TENSOR), TENSOR_STRING);

	r->values++;
	if (!text.s)
		return;
	if (slice_is(plugin, "graph_run_metadata") || slice_is(plugin, "graph_run_metadata_graph"))
		tf_list_run_metadata(r->ctx, r->file, field_of(value, VALUE_TAG), text);
	if (slice_is(plugin, "graph_keras_model"))
		take_keras(r, field_of(value, VALUE_TAG), text);
}

static void take_summary(struct reading *r, struct slice summary)
{
	struct wire w = wire_open(summary.s, summary.n);

	while (wire_next(&w))
		if (w.field == SUMMARY_VALUE && w.type == BYTES)
			take_value(r, wire_text(&w));
}

static void take_event(struct reading *r, struct slice event)
{
	struct wire w = wire_open(event.s, event.n);
	struct slice part;

	r->records++;
	while (wire_next(&w)) {
		if (w.type != BYTES)
			continue;
		part = wire_text(&w);
		if (w.field == EVENT_GRAPH)
			tf_list(r->ctx, r->file, TF_GRAPH_DEF, (struct slice){ NULL, 0 }, &part, 1);
		else if (w.field == EVENT_META_GRAPH)
			tf_list_meta_graph(r->ctx, r->file, part);
		else if (w.field == EVENT_RUN)
			take_run(r, part);
		else if (w.field == EVENT_SUMMARY)
			take_summary(r, part);
	}
	if (w.bad)
		tf_damage(r->ctx, r->file, ERR_NOWHERE, "an event in it is damaged");
}

/* A graph in a record whose checksum is wrong, if all of the record can be read. */
static void take_graph(struct reading *r, struct slice event)
{
	struct wire w = wire_open(event.s, event.n);

	while (wire_next(&w))
		;
	if (!w.bad)
		take_event(r, event);
}

/* What the file holds in place of a graph. */
static int no_graph(const struct reading *r, const struct tf_records *of, struct err *err)
{
	const char *packed = source_why(r->ctx->dump->files[r->file].source);
	const char *damage = packed && *packed ? packed : of->damage;
	char holds[120];

	snprintf(holds, sizeof holds, "%" PRIu64 " record%s with %" PRIu64 " summary value%s%s", r->records,
	    r->records == 1 ? "" : "s", r->values, r->values == 1 ? "" : "s",
	    r->keras ? ", among them a Keras model that cannot be read" : "");
	if (damage && !r->records)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "an event file of which nothing can be read: %s; copy it again", damage);
	if (damage)
		return err_set(err, EXIT_NOTHING, of->damage ? of->damaged_at : ERR_NOWHERE,
		    "an event file without a graph in what is whole of it (%s): %s; copy it again", holds,
		    damage);
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
	    "an event file without a graph (%s); write one with tf.summary.graph() or "
	    "tf.summary.trace_on(graph=True)",
	    holds);
}

static bool has_graph(struct slice event)
{
	static const char traced[] = "graph_run_metadata";
	struct wire w = wire_open(event.s, event.n);

	while (wire_next(&w) || (w.bad && w.s && w.n))
		if (w.type == BYTES && (w.field == EVENT_GRAPH || w.field == EVENT_META_GRAPH))
			return true;
		else if (w.bad)
			break;
	return memmem(event.s, event.n, traced, strlen(traced));
}

bool tf_events_have_graph(const uint8_t *head, size_t n)
{
	while (tf_record_begins(head, n)) {
		uint64_t size;

		memcpy(&size, head, sizeof size);
		size = le64toh(size);
		head += TF_RECORD_HEAD;
		n -= TF_RECORD_HEAD;
		if (has_graph((struct slice){ (const char *)head, size < n ? (size_t)size : n }))
			return true;
		if (size >= n || n - size <= TF_RECORD_TAIL)
			return false;
		head += size + TF_RECORD_TAIL;
		n -= (size_t)size + TF_RECORD_TAIL;
	}
	return false;
}

int load_tfevents(struct load_ctx *ctx, int file, struct err *err)
{
	struct reading r = { .ctx = ctx, .file = file }, other = r;
	struct tf_records records = { 0 }, again;
	struct slice event;
	size_t before = ctx->dump->ngraphs;

	records.s = tf_content(ctx, file, &records.n, err);
	if (!records.s)
		return -1;
	while (!progress_canceled(ctx->progress) && tf_record_next(&records, &event))
		take_event(&r, event);
	again = (struct tf_records){ .s = records.s, .n = records.n, .damaged_too = true };
	while (ctx->dump->ngraphs == before && records.damage && tf_record_next(&again, &event))
		take_graph(&other, event);
	if (ctx->dump->ngraphs == before)
		return no_graph(&r, &records, err);
	if (records.damage)
		tf_damage(ctx, file, records.damaged_at,
		    again.at ? "the checksum of a record is wrong; the graph in it may be, too"
			     : records.damage);
	return 0;
}
