/* Results of a profiler's tools, told by the beginning of the file: by the top-level names of a JSON object
 * or the columns of DataTables, and by how the first fields of a protobuf are made.  FILE_UNKNOWN: none of
 * them. */
#ifndef LOAD_PROBE_PROBE_TOOL_H
#define LOAD_PROBE_PROBE_TOOL_H

#include "model/dump.h"

enum file_kind tool_json_kind(const uint8_t *, size_t);
enum file_kind tool_message_kind(const char *name, const uint8_t *, size_t);

#endif
