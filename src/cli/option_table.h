/* The table of options (options.c), for what is made from it: getopt's list, --help, the completions of
 * shells.  Constants. */
#ifndef CLI_OPTION_TABLE_H
#define CLI_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct option_row {
	int id;
	const char *name, *arg;		/* arg NULL = takes none; "a|b" = one of these */
	char letter;			/* 0 = none */
	unsigned commands;		/* bits 1 << enum command */
	const char *help;
};

const struct option_row *options_table(size_t *n);
bool option_arg_optional(const struct option_row *);
const char *options_command(size_t i);		/* "report", …: those with a name; NULL behind the last */

#endif
