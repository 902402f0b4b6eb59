#include "config.h"
#include "cli/cli.h"

#include <ctype.h>
#include <string.h>

#include "base/text/words.h"
#include "cli/option_table.h"
#include "model/dump.h"

#define LEFT 38 /* columns before the explanations */
#define WIDTH 100

/* Prints a row; further lines of its explanation start below the first one. */
static void put_row(FILE *f, const char *left, const char *text)
{
	int at = fprintf(f, "  %-*s", LEFT - 2, left);

	while (*text) {
		size_t n = strcspn(text, " ");

		if (at > LEFT && at + 1 + (int)n > WIDTH)
			at = fprintf(f, "\n%*s", LEFT, "") - 1;
		at += fprintf(f, " %.*s", (int)n, text);
		text += n + strspn(text + n, " ");
	}
	fputc('\n', f);
}

static void put_option(FILE *f, const struct option_row *row, const char *note)
{
	bool optional = option_arg_optional(row);
	char letter[8] = "   ", left[80], text[400];

	if (row->letter)
		snprintf(letter, sizeof letter, "-%c,", row->letter);
	snprintf(left, sizeof left, "%s --%s%s%s%s", letter, row->name,
	    !row->arg      ? ""
		: optional ? "[="
			   : " ",
	    row->arg ? row->arg : "", optional ? "]" : "");
	snprintf(text, sizeof text, "%s%s%s", row->help, *note ? " " : "", note);
	put_row(f, left, text);
}

/* Writes the tools that take an option: "(report pod)", "(report, not info)". */
static void tools_note(const struct option_row *row, char *out, size_t size)
{
	size_t taken = 0, all = 0;
	bool not, first = true;

	for (const struct report_tool *t = report_tools; t->name; t++, all++)
		taken += option_is_for(row, t);
	*out = 0;
	if (taken == all)
		return;
	not = 2 * (all - taken) < taken;
	snprintf(out, size, not ? "(report, not" : "(report");
	for (const struct report_tool *t = report_tools; t->name; t++)
		if (option_is_for(row, t) != not ) {
			snprintf(out + strlen(out), size - strlen(out), "%s %s", first ? "" : ",", t->name);
			first = false;
		}
	snprintf(out + strlen(out), size - strlen(out), ")");
}

/* Returns the only tool that takes an option; NULL when there are others. */
static const struct report_tool *only_tool(const struct option_row *row)
{
	const struct report_tool *one = NULL;

	for (const struct report_tool *t = report_tools; t->name; t++)
		if (option_is_for(row, t)) {
			if (one)
				return NULL;
			one = t;
		}
	return row->commands == 1u << CMD_REPORT ? one : NULL;
}

/* Prints "Everywhere but triage:", "Viewer, snapshot:" or "Report trace:". */
static void put_heading(FILE *f, const struct option_row *row)
{
	size_t n, missing = 0;
	const struct command_row *c = command_table(&n);
	const struct report_tool *tool = only_tool(row);
	char text[160] = "";

	for (size_t i = 0; i < n; i++)
		missing += !(row->commands >> c[i].id & 1);
	for (size_t i = 0; i < n; i++)
		if ((row->commands >> c[i].id & 1) != (missing < 2))
			words_add(text, sizeof text, ", ", *c[i].name ? c[i].name : "viewer");
	if (missing >= 2)
		*text = (char)toupper((unsigned char)*text);
	fprintf(f, "\n%s%s%s%s:\n",
	    missing == 1  ? "Everywhere but "
		: missing ? ""
			  : "Everywhere",
	    text, tool ? " " : "", tool ? tool->name : "");
}

static bool one_group(const struct option_row *a, const struct option_row *b)
{
	return a->commands == b->commands && only_tool(a) == only_tool(b);
}

/* Prints each option once, under the commands that take it. */
static void put_all_options(FILE *f)
{
	size_t n;
	const struct option_row *row = option_table(&n);
	char note[200] = "";

	for (size_t i = 0; i < n; i++) {
		size_t first = 0;

		while (!one_group(&row[first], &row[i]))
			first++;
		if (first < i)
			continue;
		put_heading(f, &row[i]);
		for (size_t k = i; k < n; k++) {
			if (!one_group(&row[k], &row[i]))
				continue;
			*note = 0;
			if (!only_tool(&row[k]))
				tools_note(&row[k], note, sizeof note);
			put_option(f, &row[k], note);
		}
	}
}

static void put_options_of(FILE *f, const struct options *o)
{
	size_t n;
	const struct option_row *row = option_table(&n);
	char note[200];

	fputs("\nOptions:\n", f);
	for (size_t i = 0; i < n; i++) {
		if (!(row[i].commands >> o->place & 1) ||
		    (o->report_tool && !option_is_for(&row[i], o->report_tool)))
			continue;
		*note = 0;
		if (o->place == CMD_REPORT && !o->report_tool)
			tools_note(&row[i], note, sizeof note);
		put_option(f, &row[i], note);
	}
}

static void put_tools(FILE *f)
{
	fputs("\nTOOL is one of:\n", f);
	for (const struct report_tool *t = report_tools; t->name; t++)
		put_row(f, t->name, t->help);
}

static void put_tables(FILE *f, const struct options *o)
{
	char list[300] = "";
	const char *name;

	for (size_t i = 0; (name = option_table_name(o->place, o->report_tool, i)); i++)
		words_add(list, sizeof list, ", ", name);
	if (*list) {
		fputc('\n', f);
		put_row(f, "tables", list);
	}
}

static void put_views(FILE *f, const struct frontend *fe)
{
	char list[300] = "", one[40];
	const char *view;

	for (size_t i = 0; (view = fe->value("view", i, one, sizeof one)); i++)
		words_add(list, sizeof list, ", ", view);
	fputc('\n', f);
	put_row(f, "VIEW", list);
}

static void put_path(FILE *f)
{
	static const struct file digest = { .digest = 1 };
	char kinds[800] = "";

	for (enum file_kind k = 0; k < FILE_KIND_COUNT; k++)
		if (file_kind_opens(k))
			words_add(kinds, sizeof kinds, ", ", file_kind_label(k));
	words_add(kinds, sizeof kinds, ", ", file_label_of(&digest));
	fputs("\nPATH is a file (- = standard input, gzip and zstd are recognized by content), a run folder, "
	      "or a logdir.\n",
	    f);
	put_row(f, "kinds of files that it opens", kinds);
}

static void put_overview(FILE *f)
{
	size_t n;
	const struct command_row *c = command_table(&n);

	fputs("tpuscope - open Cloud TPU / XLA performance captures in the terminal\n\n", f);
	for (size_t i = 0; i < n; i++) {
		char left[64];

		snprintf(left, sizeof left, "tpuscope %s%s%s", c[i].name, *c[i].name ? " " : "", c[i].usage);
		put_row(f, left, c[i].help);
	}
	put_path(f);
	put_tools(f);
	put_all_options(f);
	fputs("\nOptions of a single command: tpuscope COMMAND --help, tpuscope report TOOL --help.\n"
	      "Exit status: 0 success, 1 nothing usable in the input, 2 wrong usage, 3 damaged input "
	      "(what could be read was shown), 4 a --fail-if holds, 5 diff: not comparable, or not to be "
	      "judged.\n"
	      "Keys: ? in the viewer, or tpuscope --list-keys.  More: man tpuscope\n",
	    f);
}

void cli_help(FILE *f, const struct options *o, const struct frontend *fe)
{
	size_t n;
	const struct command_row *c = command_table(&n);
	const struct report_tool *t = o->report_tool;

	if (o->place == CMD_VIEW) {
		put_overview(f);
		return;
	}
	while (c->id != o->place)
		c++;
	if (t)
		fprintf(f, "tpuscope %s %s%s\n%s\n", c->name, t->name, strchr(c->usage, ' '), t->help);
	else
		fprintf(f, "tpuscope %s %s\n%s\n", c->name, c->usage, c->help);
	if (o->place != CMD_TRIAGE && o->place < CMD_CAPTURE)
		put_path(f);
	if (o->place == CMD_REPORT && !t)
		put_tools(f);
	if (o->place == CMD_SNAPSHOT)
		put_views(f, fe);
	put_tables(f, o);
	put_options_of(f, o);
}
