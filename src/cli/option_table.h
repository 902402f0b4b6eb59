/* The tables of commands and options (options.c), for what is made from them: getopt's list, --help and the
 * completions of shells.  Constants. */
#ifndef CLI_OPTION_TABLE_H
#define CLI_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/options.h"

struct command_row {
	enum command id;
	const char *name, *usage, *help; /* name "": the viewer, which is the first */
};

struct option_row {
	int id;
	const char *name, *arg; /* arg NULL = takes none; "a|b" = one of these */
	char letter;            /* 0 = none */
	unsigned commands;      /* bits 1 << enum command */
	unsigned tools;         /* of report: those with this enum report_takes; 0 = all */
	const char *help;
};

const struct command_row *command_table(size_t *n);
const struct option_row *option_table(size_t *n);
bool option_arg_optional(const struct option_row *);
bool option_is_for(const struct option_row *, const struct report_tool *);
/* Names for --table of a command, or of the report TOOL: i-th, NULL behind the last. */
const char *option_table_name(enum command, const struct report_tool *, size_t i);

#endif
