/* The sides of a comparison, opened: each path of the command line, or several of them joined with commas, is a side of
 * so many captures.  sides_free() frees. */
#ifndef CLI_SIDES_H
#define CLI_SIDES_H

#include "capture/compare.h"
#include "cli/cli.h"

struct cli_side {
	struct side **v;
	size_t n, cap;
	char **path;
};

struct cli_sides {
	struct cli_side *v; /* the first is the base */
	size_t n;
	bool damaged;
};

/* -1 with err: one of them is unusable. */
int sides_open(const struct options *, struct cli_sides *, struct err *);
void sides_free(struct cli_sides *);

#endif
