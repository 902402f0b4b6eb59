/* Addresses on the command line (fetch/fetch.h): without --fetch it is said how to get them, with it they are fetched
 * and stand for what is in the cache. */
#ifndef CLI_FETCH_H
#define CLI_FETCH_H

#include "cli/cli.h"

/* EXIT_OK: there are only local paths now; else the exit status, everything was said; -1 with err. */
int cli_fetch(struct options *, const struct frontend *, struct err *);
int cli_cache(struct options *, FILE *, struct err *);

#endif
