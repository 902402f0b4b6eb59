/* Names that profilers give to results of tools: HOST.TOOL.json or HOST.TOOL.pb, perhaps packed.  The one
 * list of these tools.  Pure; upper and lower case are the same. */
#ifndef LOAD_PROBE_TOOL_NAME_H
#define LOAD_PROBE_TOOL_NAME_H

#include <stddef.h>

#include "model/dump.h"

struct tool_name {
	size_t host;         /* bytes before ".TOOL." */
	enum file_kind kind; /* that the name promises */
	bool whole;          /* the name ends with the form that files of this tool have */
	bool message;        /* … which is a protobuf message */
};

bool tool_name(const char *name, struct tool_name *); /* false: no result of a tool */

#endif
