#include "config.h"
#include "cli/cli.h"

#include <string.h>

#include "analyze/device/chips.h"
#include "analyze/ops/step_cores.h"
#include "base/text/words.h"
#include "cli/option_table.h"

enum values { VALUES_NONE, VALUES_FILE, VALUES_LIST };

/* An option and the places that take it: `places` are patterns for "view", "report.trace", "snapshot.files",
 * "bench", separated by |; `words` are its values for VALUES_LIST. */
struct use {
	const struct option_row *row;
	char places[300], words[600];
	enum values values;
	bool one_place; /* the values differ in other places */
};

typedef void put_use(FILE *, const struct use *);

/* Returns the i-th value of an option, if the program knows its values; NULL after the last. */
static const char *known_value(const char *option, const struct frontend *fe, size_t i, char *buf,
    size_t size)
{
	if (!strcmp(option, "metric"))
		return i < METRIC_COUNT ? step_metric_info[i].id : NULL;
	if (!strcmp(option, "device"))
		return chip_name(i, buf, size);
	if (!strcmp(option, "space")) {
		snprintf(buf, size, "%zu", i);
		return i <= 6 ? buf : NULL;
	}
	return fe->value(option, i, buf, size);
}

static enum values values_of(const struct option_row *row, const struct frontend *fe, char *out, size_t size)
{
	char one[80];
	const char *word;

	*out = 0;
	if (!row->arg)
		return VALUES_NONE;
	if (!strncmp(row->arg, "FILE", 4))
		return VALUES_FILE;
	for (size_t i = 0; (word = known_value(row->name, fe, i, one, sizeof one)); i++)
		if (!strchr(word, ' ')) /* a shell would split it */
			words_add(out, size, " ", word);
	if (!*out && strchr(row->arg, '|') && !strchr(row->arg, '[')) {
		snprintf(out, size, "%s", row->arg);
		for (char *p = out; (p = strchr(p, '|'));)
			*p = ' ';
	}
	return *out ? VALUES_LIST : VALUES_NONE;
}

/* report needs a TOOL first, snapshot a VIEW; without it they only take --help. */
static bool has_word(enum command c)
{
	return c == CMD_REPORT || c == CMD_SNAPSHOT;
}

static void add_place(struct use *u, const struct command_row *c, const char *dot, const char *word)
{
	char one[64];

	snprintf(one, sizeof one, "%s%s%s", *c->name ? c->name : "view", dot, word);
	words_add(u->places, sizeof u->places, "|", one);
}

static void places_of(struct use *u)
{
	size_t n;
	const struct command_row *c = command_table(&n);

	*u->places = 0;
	for (size_t i = 0; i < n; i++) {
		if (!(u->row->commands >> c[i].id & 1))
			continue;
		if (!has_word(c[i].id))
			add_place(u, &c[i], "", "");
		else if (c[i].id == CMD_SNAPSHOT || !u->row->tools)
			add_place(u, &c[i], strcmp(u->row->name, "help") ? "." : "", "*");
		else
			for (const struct report_tool *t = report_tools; t->name; t++)
				if (option_is_for(u->row, t))
					add_place(u, &c[i], ".", t->name);
	}
}

/* Puts --table once per place, since the names of tables differ. */
static void each_table(FILE *f, struct use *u, const struct command_row *c, const struct report_tool *t,
    put_use *put)
{
	const char *name;

	*u->places = *u->words = 0;
	add_place(u, c, t ? "." : "", t ? t->name : "");
	for (size_t i = 0; (name = option_table_name(c->id, t, i)); i++)
		words_add(u->words, sizeof u->words, " ", name);
	u->values = VALUES_LIST;
	u->one_place = true;
	if (*u->words)
		put(f, u);
}

static void each_use(FILE *f, const struct frontend *fe, put_use *put)
{
	size_t n, ncommands;
	const struct option_row *row = option_table(&n);
	const struct command_row *c = command_table(&ncommands);

	for (size_t i = 0; i < n; i++) {
		struct use u = { .row = &row[i] };

		if (strcmp(row[i].name, "table")) {
			places_of(&u);
			u.values = values_of(&row[i], fe, u.words, sizeof u.words);
			put(f, &u);
			continue;
		}
		for (size_t k = 0; k < ncommands; k++)
			if (c[k].id == CMD_REPORT) {
				for (const struct report_tool *t = report_tools; t->name; t++)
					if (option_is_for(&row[i], t))
						each_table(f, &u, &c[k], t, put);
			} else {
				each_table(f, &u, &c[k], NULL, put);
			}
	}
}

/* Prints the commands that take a TOOL or VIEW, or those that do not. */
static void print_commands(FILE *f, bool with_word, const char *between)
{
	size_t n, some = 0;
	const struct command_row *c = command_table(&n);

	for (size_t i = 1; i < n; i++)
		if (has_word(c[i].id) == with_word)
			fprintf(f, "%s%s", some++ ? between : "", c[i].name);
}

static void print_tools(FILE *f)
{
	for (const struct report_tool *t = report_tools; t->name; t++)
		fprintf(f, "%s%s", t == report_tools ? "" : " ", t->name);
}

static void print_views(FILE *f, const struct frontend *fe)
{
	char one[80];
	const char *view;

	for (size_t i = 0; (view = fe->value("view", i, one, sizeof one)); i++)
		fprintf(f, "%s%s", i ? " " : "", view);
}

/* Prints text for single quotes of a shell, in zsh's [text], which a bracket would end. */
static void print_quoted(FILE *f, const char *s)
{
	for (; *s; s++)
		if (*s == '\'')
			fputs("'\\''", f);
		else
			fputc(*s == '[' ? '(' : *s == ']' ? ')' : *s, f);
}

static void bash_option(FILE *f, const struct use *u)
{
	fprintf(f, "\tcase $at in %s) options+=' --%s' ;; esac\n", u->places, u->row->name);
}

static void bash_value(FILE *f, const struct use *u)
{
	const struct option_row *row = u->row;

	if (!row->arg)
		return;
	fputs("\t[[ ", f);
	if (u->one_place)
		fprintf(f, "$at == %s && ", u->places);
	if (row->letter)
		fprintf(f, "$prev == @(-%c|--%s?(=))", row->letter, row->name);
	else
		fprintf(f, "$prev == --%s%s", row->name, option_arg_optional(row) ? "=" : "?(=)");
	if (u->values == VALUES_LIST)
		fprintf(f, " ]] && _tpuscope_words '%s' && return\n", u->words);
	else
		fprintf(f, " ]] && %sreturn\n", u->values == VALUES_FILE ? "_tpuscope_files && " : "");
}

static void print_bash(FILE *f, const struct frontend *fe)
{
	fputs("# bash completion for tpuscope, made by tpuscope --completion=bash\n"
	      "_tpuscope_words()\n{\n"
	      "\tCOMPREPLY+=($(compgen -W \"$1\" -- \"$cur\"))\n\treturn 0\n}\n"
	      "_tpuscope_files()\n{\n"
	      "\tlocal name\n"
	      "\tcompopt -o filenames 2>/dev/null\n"
	      "\twhile IFS= read -r name; do\n\t\tCOMPREPLY+=(\"$name\")\n"
	      "\tdone < <(compgen -f -- \"$cur\")\n\treturn 0\n}\n"
	      "_tpuscope()\n{\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} at=view options=\n"
	      "\tCOMPREPLY=()\n"
	      "\tif [ \"$COMP_CWORD\" -gt 1 ]; then\n\t\tcase ${COMP_WORDS[1]} in\n\t\t",
	    f);
	print_commands(f, true, "|");
	fputs(") at=${COMP_WORDS[1]}; [ \"$COMP_CWORD\" -gt 2 ] && at+=.${COMP_WORDS[2]} ;;\n\t\t", f);
	print_commands(f, false, "|");
	fputs(") at=${COMP_WORDS[1]} ;;\n\t\tesac\n\tfi\n"
	      "\tif [ \"$cur\" = = ]; then\n\t\tcur= prev+==\n"
	      "\telif [ \"$prev\" = = ]; then\n\t\tprev=${COMP_WORDS[COMP_CWORD-2]}=\n\tfi\n",
	    f);
	each_use(f, fe, bash_value);
	fputs("\tif [[ $cur != -* ]]; then\n\t\tcase $at in\n\t\treport) _tpuscope_words '", f);
	print_tools(f);
	fputs("' ;;\n\t\tsnapshot) _tpuscope_words '", f);
	print_views(f, fe);
	fputs("' ;;\n\t\t*)\n\t\t\t[ \"$COMP_CWORD\" = 1 ] && _tpuscope_words '", f);
	print_commands(f, true, " ");
	fputc(' ', f);
	print_commands(f, false, " ");
	fputs("'\n\t\t\t_tpuscope_files ;;\n\t\tesac\n\t\treturn\n\tfi\n", f);
	each_use(f, fe, bash_option);
	fputs("\t_tpuscope_words \"$options\"\n}\ncomplete -F _tpuscope tpuscope\n", f);
}

static void zsh_option(FILE *f, const struct use *u)
{
	const struct option_row *row = u->row;
	const char *behind = !row->arg ? "" : option_arg_optional(row) ? "=-" : "=";

	fprintf(f, "\t[[ $at == (%s) ]] && options+=(", u->places);
	for (int letter = 0; letter < (row->letter ? 2 : 1); letter++) {
		if (letter)
			fprintf(f, " '-%c%s[", row->letter, row->arg ? "+" : "");
		else
			fprintf(f, "'--%s%s[", row->name, behind);
		print_quoted(f, row->help);
		fputs("]", f);
		if (row->arg)
			fprintf(f, "%s%s:", option_arg_optional(row) ? "::" : ":", row->name);
		if (u->values == VALUES_LIST)
			fprintf(f, "(%s)", u->words);
		else if (row->arg)
			fputs(u->values == VALUES_FILE ? "_files" : " ", f);
		fputs("'", f);
	}
	fputs(")\n", f);
}

static void print_zsh(FILE *f, const struct frontend *fe)
{
	fputs("#compdef tpuscope\n# made by tpuscope --completion=zsh\n"
	      "_tpuscope()\n{\n\tlocal at=view\n\tlocal -a options\n"
	      "\tif (( CURRENT > 2 )); then\n\t\tcase $words[2] in\n\t\t(",
	    f);
	print_commands(f, true, "|");
	fputs(") at=$words[2]; (( CURRENT > 3 )) && at+=.$words[3] ;;\n\t\t(", f);
	print_commands(f, false, "|");
	fputs(") at=$words[2] ;;\n\t\tesac\n\tfi\n", f);
	each_use(f, fe, zsh_option);
	fputs("\tcase $at in\n\t(report) _arguments -s $options '1: :(report)' '2:TOOL:(", f);
	print_tools(f);
	fputs(")' ;;\n\t(snapshot) _arguments -s $options '1: :(snapshot)' '2:VIEW:(", f);
	print_views(f, fe);
	fputs(")' ;;\n\t(*.*) _arguments -s $options '1: : ' '2: : ' '*:PATH:_files' ;;\n"
	      "\t(view) _arguments -s $options '1: :{(( CURRENT == 2 )) && compadd -- ",
	    f);
	print_commands(f, true, " ");
	fputc(' ', f);
	print_commands(f, false, " ");
	fputs("; _files}' '*:PATH:_files' ;;\n"
	      "\t(*) _arguments -s $options '1: : ' '*:PATH:_files' ;;\n"
	      "\tesac\n}\nif [ \"$funcstack[1]\" = _tpuscope ]; then\n\t_tpuscope \"$@\"\nelse\n"
	      "\tcompdef _tpuscope tpuscope\nfi\n",
	    f);
}

static void fish_help(FILE *f, const char *text)
{
	fputs(" -d '", f);
	for (; *text; text++) {
		if (strchr("'\\", *text))
			fputc('\\', f);
		fputc(*text, f);
	}
	fputs("'\n", f);
}

static void fish_option(FILE *f, const struct use *u)
{
	const struct option_row *row = u->row;

	fputs("complete -c tpuscope -n '__tpuscope_at", f);
	for (const char *p = u->places; *p; p += strspn(p, "|")) {
		fprintf(f, " \"%.*s\"", (int)strcspn(p, "|"), p);
		p += strcspn(p, "|");
	}
	fprintf(f, "' -l %s", row->name);
	if (row->letter)
		fprintf(f, " -s %c", row->letter);
	if (u->values == VALUES_LIST)
		fprintf(f, " %s -a '%s'", option_arg_optional(row) ? "-f" : "-x", u->words);
	else if (row->arg)
		fputs(u->values == VALUES_FILE ? " -r -F" : " -x", f);
	fish_help(f, row->help);
}

static void print_fish(FILE *f, const struct frontend *fe)
{
	size_t n;
	const struct command_row *c = command_table(&n);

	fputs("# fish completion for tpuscope, made by tpuscope --completion=fish\n"
	      "function __tpuscope_at\n"
	      "\tset -l words (commandline -opc)\n"
	      "\tset -l at view\n"
	      "\tif contains -- \"$words[2]\" ",
	    f);
	print_commands(f, true, " ");
	fputs("\n\t\tset at (string join . -- $words[2..3])\n\telse if contains -- \"$words[2]\" ", f);
	print_commands(f, false, " ");
	fputs("\n\t\tset at $words[2]\n\tend\n"
	      "\tfor place in $argv\n\t\tstring match -q -- $place $at; and return 0\n\tend\n"
	      "\treturn 1\nend\n"
	      "complete -c tpuscope -f\n",
	    f);
	for (size_t i = 1; i < n; i++) {
		fputs("complete -c tpuscope -n 'test (count (commandline -opc)) -eq 1' -a ", f);
		fputs(c[i].name, f);
		fish_help(f, c[i].help);
	}
	for (const struct report_tool *t = report_tools; t->name; t++) {
		fprintf(f, "complete -c tpuscope -n '__tpuscope_at report' -a %s", t->name);
		fish_help(f, t->help);
	}
	fputs("complete -c tpuscope -n '__tpuscope_at snapshot' -a '", f);
	print_views(f, fe);
	fputs("'\ncomplete -c tpuscope -n 'not __tpuscope_at report snapshot; "
	      "and not string match -q -- \"-*\" (commandline -ct)' -F\n",
	    f);
	each_use(f, fe, fish_option);
}

int cli_completion(FILE *f, const char *shell, const struct frontend *fe, struct err *err)
{
	static const struct {
		const char *name;
		void (*print)(FILE *, const struct frontend *);
	} shells[] = { { "bash", print_bash }, { "zsh", print_zsh }, { "fish", print_fish } };

	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
		if (!strcmp(shells[i].name, shell)) {
			shells[i].print(f, fe);
			return 0;
		}
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--completion %s: must be one of bash, zsh, fish",
	    shell);
}
