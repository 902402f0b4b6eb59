#include "config.h"
#include "core/input/command.h"

#include <string.h>

#include "base/text/roff.h"

const struct command_info command_info[DO_COUNT] = {
#define COMMAND(id, name, scope, arg, words, help) [DO_##id] = { name, SCOPE_##scope, arg, words, help },
#include "core/input/commands.def"
#undef COMMAND
};

enum command_id command_by_name(const char *name)
{
	int i = 0;

	while (i < DO_COUNT && strcmp(command_info[i].name, name))
		i++;
	return (enum command_id)i;
}

void command_list(FILE *f, bool man)
{
	char text[80];

	fputs(man ? ".SS Command line\n.PD 0\n" : "\nCommand line\n", f);
	for (int i = 0; i < DO_COUNT; i++) {
		const struct command_info *c = &command_info[i];

		snprintf(text, sizeof text, ":%s %s", c->name, c->arg);
		if (man) {
			fputs(".TP 16\n\\fB:", f);
			roff_text(f, c->name);
			fputs("\\fR \\fI", f);
			roff_text(f, c->arg);
			fprintf(f, c->scope ? "\\fR (%s)\n" : "\\fR\n", scope_title[c->scope]);
			roff_text(f, c->help);
			fputc('\n', f);
		} else {
			fprintf(f, "  %-34s %s%s%s%s\n", text, c->help, c->scope ? " (" : "",
			    c->scope ? scope_title[c->scope] : "", c->scope ? ")" : "");
		}
	}
	if (man)
		fputs(".PD\n", f);
}
