/* What the options of the command line say to a capture, with the defaults where they say nothing.  The results borrow
 * from the options and from the list of servers (cli/remote.h), which have to live as long.  Times are in ms, the grace
 * in s.  Errors: EXIT_USAGE. */
#ifndef CLI_CAPTURE_OPTIONS_H
#define CLI_CAPTURE_OPTIONS_H

#include "cli/remote.h"
#include "remote/profiler/recording.h"

struct capture_options capture_options_of(const struct options *, const struct remote *);
/* The list of servers, from --addr or the options of older programs; NULL with err: none is named. */
const char *servers_of(const struct options *, struct err *);

#endif
