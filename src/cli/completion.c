#include "config.h"
#include "cli/cli.h"

#include <string.h>

#include "base/err.h"
#include "cli/option_table.h"

enum values { VALUES_NONE, VALUES_FILE, VALUES_LIST };

/* Words separated by blanks: the values an option can have, for VALUES_LIST. */
static enum values values_of(const struct option_row *row, const struct frontend *fe, char *out, size_t size)
{
	char one[80];
	const char *word;

	*out = 0;
	if (!strncmp(row->arg, "FILE", 4))
		return VALUES_FILE;
	for (size_t i = 0; (word = fe->value(row->name, i, one, sizeof one)); i++)
		snprintf(out + strlen(out), size - strlen(out), "%s%s", i ? " " : "", word);
	if (!*out && strchr(row->arg, '|') && !strchr(row->arg, '[')) {
		snprintf(out, size, "%s", row->arg);
		for (char *p = out; (p = strchr(p, '|'));)
			*p = ' ';
	}
	return *out ? VALUES_LIST : VALUES_NONE;
}

/* What stands behind a command: TOOL of report, VIEW of snapshot; "" for the others. */
static void words_behind(const char *command, const struct frontend *fe, char *out, size_t size)
{
	const struct option_row view = { .name = "view", .arg = "VIEW" };

	*out = 0;
	if (!strcmp(command, "snapshot"))
		values_of(&view, fe, out, size);
	if (!strcmp(command, "report"))
		for (const struct report_tool *t = report_tools; t->name; t++)
			snprintf(out + strlen(out), size - strlen(out), "%s%s", *out ? " " : "", t->name);
}

static void all_commands(FILE *f, const char *between)
{
	for (size_t i = 0; options_command(i); i++)
		fprintf(f, "%s%s", i ? between : "", options_command(i));
}

/* The n-th command's bit: 0 = the viewer, which has no name. */
static unsigned bit(size_t n)
{
	static const enum command of[] = { CMD_VIEW, CMD_REPORT, CMD_SNAPSHOT, CMD_BENCH, CMD_TRIAGE, CMD_DIGEST };

	return n < sizeof of / sizeof *of ? 1u << of[n] : 0;
}

/* Text between single quotes of a shell; zsh's brackets end at a bracket of the text. */
static void quoted(FILE *f, const char *s)
{
	for (; *s; s++)
		if (*s == '\'')
			fputs("'\\''", f);
		else
			fputc(*s == '[' ? '(' : *s == ']' ? ')' : *s, f);
}

static void bash_values(FILE *f, const struct option_row *row, const struct frontend *fe)
{
	char words[600];
	enum values v = values_of(row, fe, words, sizeof words);

	fprintf(f, "\t--%s", row->name);
	if (row->letter)
		fprintf(f, " | -%c", row->letter);
	if (v == VALUES_LIST)
		fprintf(f, ") COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", words);
	else
		fprintf(f, ")%s return ;;\n", v == VALUES_FILE ? " COMPREPLY=($(compgen -f -- \"$cur\"));" : "");
}

static void bash_options(FILE *f, const struct option_row *rows, size_t n, size_t command)
{
	fputs(command ? "\t\t" : "\t\t*", f);
	if (command)
		fputs(options_command(command - 1), f);
	fputs(") words='", f);
	for (size_t i = 0, some = 0; i < n; i++)
		if (rows[i].commands & bit(command))
			fprintf(f, "%s--%s", some++ ? " " : "", rows[i].name);
	fputs("' ;;\n", f);
}

static void bash(FILE *f, const struct option_row *rows, size_t n, const struct frontend *fe)
{
	char words[600];

	fputs("# bash completion for tpuscope, made by tpuscope --completion=bash\n"
	    "_tpuscope()\n{\n"
	    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=\n\tCOMPREPLY=()\n"
	    "\tif [ \"$cur\" = = ]; then\n\t\tcur=\n"
	    "\telif [ \"$prev\" = = ]; then\n\t\tprev=${COMP_WORDS[COMP_CWORD-2]}\n\tfi\n"
	    "\tcase $prev in\n", f);
	for (size_t i = 0; i < n; i++)
		if (rows[i].arg)
			bash_values(f, &rows[i], fe);
	fputs("\tesac\n\tif [[ $cur == -* ]]; then\n\t\tcase ${COMP_WORDS[1]} in\n", f);
	for (size_t i = 1; i <= 5; i++)		/* the viewer, whose pattern fits all, comes last */
		if (i % 5 == 0 || options_command(i - 1))
			bash_options(f, rows, n, i % 5);
	fputs("\t\tesac\n\telif [ \"$COMP_CWORD\" = 1 ]; then\n\t\twords='", f);
	all_commands(f, " ");
	fputs("'\n\telif [ \"$COMP_CWORD\" = 2 ]; then\n\t\tcase $prev in\n", f);
	for (size_t i = 0; options_command(i); i++) {
		words_behind(options_command(i), fe, words, sizeof words);
		if (*words)
			fprintf(f, "\t\t%s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n",
			    options_command(i), words);
	}
	fputs("\t\tesac\n\tfi\n"
	    "\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
	    "\t[[ $cur == -* ]] || COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
	    "}\ncomplete -o filenames -F _tpuscope tpuscope\n", f);
}

static void zsh_option(FILE *f, const struct option_row *row, const struct frontend *fe)
{
	char words[600];
	const char *behind = !row->arg ? "" : option_arg_optional(row) ? "=-" : "=";
	enum values v = row->arg ? values_of(row, fe, words, sizeof words) : VALUES_NONE;

	for (int letter = 0; letter < (row->letter ? 2 : 1); letter++) {
		if (letter)
			fprintf(f, " \\\n\t\t'-%c%s[", row->letter, row->arg ? "+" : "");
		else
			fprintf(f, " \\\n\t\t'--%s%s[", row->name, behind);
		quoted(f, row->help);
		fputs("]", f);
		if (row->arg)
			fprintf(f, "%s%s:", option_arg_optional(row) ? "::" : ":", row->name);
		if (v == VALUES_LIST)
			fprintf(f, "(%s)", words);
		else if (v == VALUES_FILE)
			fputs("_files", f);
		else if (row->arg)
			fputs(" ", f);
		fputs("'", f);
	}
}

static void zsh(FILE *f, const struct option_row *rows, size_t n, const struct frontend *fe)
{
	char words[600];

	fputs("#compdef tpuscope\n# made by tpuscope --completion=zsh\n_tpuscope()\n{\n\tcase ${words[2]} in\n", f);
	for (size_t c = 1; c <= 5; c++) {
		const char *name = c < 5 ? options_command(c - 1) : NULL;

		if (c < 5 && !name)
			continue;
		words_behind(name ? name : "", fe, words, sizeof words);
		fprintf(f, "\t(%s)\n\t\t_arguments -s", name ? name : "*");
		for (size_t i = 0; i < n; i++)
			if (rows[i].commands & bit(c % 5))
				zsh_option(f, &rows[i], fe);
		if (name)
			fprintf(f, " \\\n\t\t'1: :(%s)'", name);
		else {
			fputs(" \\\n\t\t'1: :{compadd -- ", f);
			all_commands(f, " ");
			fputs("; _files}'", f);
		}
		if (*words)
			fprintf(f, " \\\n\t\t'2: :(%s)'", words);
		fputs(" \\\n\t\t'*:PATH:_files'\n\t\t;;\n", f);
	}
	fputs("\tesac\n}\nif [ \"$funcstack[1]\" = _tpuscope ]; then\n\t_tpuscope \"$@\"\nelse\n"
	    "\tcompdef _tpuscope tpuscope\nfi\n", f);
}

static void fish_condition(FILE *f, const struct option_row *row)
{
	fputs(" -n '", f);
	if (row->commands & bit(0)) {
		bool some = false;

		fputs("not __fish_seen_subcommand_from", f);
		for (size_t i = 0; options_command(i); i++)
			if (!(row->commands & bit(i + 1))) {
				fprintf(f, " %s", options_command(i));
				some = true;
			}
		if (!some)
			fputs(" -", f);
	} else {
		fputs("__fish_seen_subcommand_from", f);
		for (size_t i = 0; options_command(i); i++)
			if (row->commands & bit(i + 1))
				fprintf(f, " %s", options_command(i));
	}
	fputs("'", f);
}

static void fish(FILE *f, const struct option_row *rows, size_t n, const struct frontend *fe)
{
	char words[600];

	fputs("# fish completion for tpuscope, made by tpuscope --completion=fish\n", f);
	fputs("complete -c tpuscope -n __fish_use_subcommand -a '", f);
	all_commands(f, " ");
	fputs("'\n", f);
	for (size_t i = 0; options_command(i); i++) {
		words_behind(options_command(i), fe, words, sizeof words);
		if (*words)
			fprintf(f, "complete -c tpuscope -n '__fish_seen_subcommand_from %s' -a '%s'\n",
			    options_command(i), words);
	}
	for (size_t i = 0; i < n; i++) {
		enum values v = rows[i].arg ? values_of(&rows[i], fe, words, sizeof words) : VALUES_NONE;

		fputs("complete -c tpuscope", f);
		fish_condition(f, &rows[i]);
		fprintf(f, " -l %s", rows[i].name);
		if (rows[i].letter)
			fprintf(f, " -s %c", rows[i].letter);
		if (v == VALUES_LIST)
			fprintf(f, " -x -a '%s'", words);
		else if (rows[i].arg)
			fputs(v == VALUES_FILE ? " -r -F" : " -x", f);
		fputs(" -d '", f);
		for (const char *s = rows[i].help; *s; s++) {
			if (strchr("'\\", *s))
				fputc('\\', f);
			fputc(*s, f);
		}
		fputs("'\n", f);
	}
}

int cli_completion(FILE *f, const char *shell, const struct frontend *fe, struct err *err)
{
	static const struct {
		const char *name;
		void (*print)(FILE *, const struct option_row *, size_t, const struct frontend *);
	} shells[] = { { "bash", bash }, { "zsh", zsh }, { "fish", fish } };
	size_t n;
	const struct option_row *rows = options_table(&n);

	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
		if (!strcmp(shells[i].name, shell)) {
			shells[i].print(f, rows, n, fe);
			return 0;
		}
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--completion %s: should be one of bash, zsh, fish", shell);
}
