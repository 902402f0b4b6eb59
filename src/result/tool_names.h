/* Names of XProf's tools, as the guides call them, are taken for the report or view that has the same content (rows of
 * tool_names.def).  The texts are constants, or the argument itself.  Pure; any thread. */
#ifndef RESULT_TOOL_NAMES_H
#define RESULT_TOOL_NAMES_H

/* what it is called here; a name that is none of the guides' comes back as it is */
const char *tool_report(const char *name);
const char *tool_view(const char *name);

#endif
