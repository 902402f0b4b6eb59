/* Recognizes results of a profiler's tools by the start of the file: the top-level names of a JSON object,
 * the columns of DataTables, or the first fields of a protobuf.  FILE_UNKNOWN: none of them. */
#ifndef LOAD_PROBE_PROBE_TOOL_H
#define LOAD_PROBE_PROBE_TOOL_H

#include "model/dump.h"

enum file_kind tool_json_kind(const uint8_t *, size_t);
enum file_kind tool_message_kind(const char *name, const uint8_t *, size_t);

#endif
