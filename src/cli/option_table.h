/* The tables of commands (options.c) and options (options.def), from which these are made: getopt's list, --help and
 * the completions of shells.  Constants. */
#ifndef CLI_OPTION_TABLE_H
#define CLI_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/options.h"

struct command_row {
	enum command id;
	const char *name, *usage, *help; /* name "": the viewer, the first row */
	const char *example, *another;   /* what follows the name */
};

struct option_row {
	int id;
	const char *name, *arg; /* arg NULL = takes none; "a|b" = one of these */
	char letter;            /* 0 = none */
	unsigned commands;      /* bits 1 << enum command */
	unsigned tools;         /* report: tools with one of these enum report_takes; 0 = all */
	const char *help;
	/* the member of struct options at `at`: true; the value as it is, if it is one of the words of arg, as
	 * a number within limits; another command, with the value; other: options.c knows more about it */
	struct {
		enum { SETS_OTHER, SETS_FLAG, SETS_TEXT, SETS_WORD, SETS_NUMBER, SETS_COMMAND } how;
		size_t at;
		long low, high;
		enum command command;
	} set;
};

const struct command_row *command_table(size_t *n);
const struct option_row *option_table(size_t *n);
bool option_arg_optional(const struct option_row *);
bool option_is_for(const struct option_row *, const struct report_tool *);
/* Returns the i-th name for --table of a command, or of the report TOOL; NULL after the last. */
const char *option_table_name(enum command, const struct report_tool *, size_t i);

#endif
