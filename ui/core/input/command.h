/* Commands of `:` in addition to the actions.  commands.def is the one list: completion, the help,
 * `--list-keys` and the man page come from it.  Those of SCOPE_ALL are in app/command.c, the others in the
 * views (view_ops.command). */
#ifndef CORE_INPUT_COMMAND_H
#define CORE_INPUT_COMMAND_H

#include <stdio.h>

#include "core/input/action.h"

enum command_id {
#define COMMAND(id, name, scope, arg, words, help) DO_##id,
#include "core/input/commands.def"
#undef COMMAND
	DO_COUNT
};

struct command_info {
	const char *name;
	enum scope scope;
	const char *arg, *words, *help;
};

extern const struct command_info command_info[DO_COUNT];

enum command_id command_by_name(const char *name); /* DO_COUNT = no such command */
void command_list(FILE *, bool man);               /* for `--list-keys` */

#endif
