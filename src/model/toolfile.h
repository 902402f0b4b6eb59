/* Results that a profiler wrote beside or instead of a capture (op_profile.json, tensorflow_stats.pb and so on),
 * as they are in the file: a JSON tree, or a protobuf message where there is one for it.  The kind is in
 * dump.files[file].kind:
 *     OP_PROFILE       json
 *     FRAMEWORK_OPS    json of Google DataTables, or pb TfStatsDatabase
 *     OVERVIEW         json of DataTables, or pb OverviewPage
 *     INPUT_PIPELINE   json of DataTables, or pb InputPipelineAnalysisResult
 *     MEMORY_VIEWER    pb HloProto or PreprocessResult, both from JSON, too
 *     POD_VIEWER       json (old flat records), or pb PodViewerDatabase (also from JSON) or PodStatsDatabase
 *     PPROF            pb Profile
 * The reader limits everything (base/codec/json.h, base/codec/pbread.h).  A result belongs to the arena of its
 * file and is read-only; threads may share it. */
#ifndef MODEL_TOOLFILE_H
#define MODEL_TOOLFILE_H

#include <protobuf-c/protobuf-c.h>

#include "base/codec/json.h"
#include "model/dump.h"

struct toolfile {
	int file;
	const struct json *json;         /* NULL: the file is a protobuf */
	const ProtobufCMessage *message; /* NULL: there is only the tree */
	struct arena arena;
};

struct toolfile *toolfile_add(struct dump *, int file);
void toolfile_free(struct toolfile *);

/* Returns the first file of that kind and host (NULL = any); NULL when there is none.  *more, if not NULL:
 * how many others there are. */
const struct toolfile *toolfile_find(const struct dump *, enum file_kind, const char *host, size_t *more);
/* Same, but only if no capture has events, so that what a profiler left is all there is. */
const struct toolfile *toolfile_alone(const struct dump *, enum file_kind, const char *host, size_t *more);
/* Returns the message if it is of that type: toolfile_message(t, &pb__overview_page__descriptor). */
const void *toolfile_message(const struct toolfile *, const ProtobufCMessageDescriptor *);

/* Google DataTables: { cols: [{ id, label, type }], rows: [{ c: [{ v }] }], p: { name: value } }, alone or in
 * an array.  Tables are recognized by their columns, because their order differs between versions.  NULL when
 * there is no such table, -1 when there is no such column. */
const struct json *datatable_find(const struct json *, const char *column);
int datatable_column(const struct json *table, const char *id);
/* the first row; follow ->next for the others */
const struct json *datatable_rows(const struct json *table);
const struct json *datatable_cell(const struct json *row, int column); /* NULL: the cell is empty */
const struct json *datatable_property(const struct json *table, const char *name);

/* Converts a piece of HTML to plain text: tags are removed, <br> and <p> become spaces, a link becomes "text
 * (URL)", entities become their characters. */
const char *html_text(struct arena *, const char *, size_t);

#endif
