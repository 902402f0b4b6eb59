/* Names that profilers give to results of tools: HOST.TOOL.json or HOST.TOOL.pb, perhaps compressed.  The
 * only list of these tools.  Pure; ignores case. */
#ifndef LOAD_PROBE_TOOL_NAME_H
#define LOAD_PROBE_TOOL_NAME_H

#include <stddef.h>

#include "model/dump.h"

struct tool_name {
	size_t host;         /* bytes before ".TOOL." */
	enum file_kind kind; /* by the name */
	bool whole;          /* the name ends with the suffix of this tool's files */
	bool message;        /* the file is a protobuf message */
};

bool tool_name(const char *name, struct tool_name *); /* false: not a result of a tool */

#endif
