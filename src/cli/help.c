#include "config.h"
#include "cli/cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text/words.h"
#include "cli/option_table.h"
#include "model/dump.h"

enum { LEFT = 36 /* columns before the explanations */, NARROW = 26, WIDE = 100, PIPE = 80 };

static int width = PIPE;

/* The terminal's width, up to where lines become hard to read; COLUMNS if it is set; 80 in a pipe or a file. */
static int width_of(FILE *f)
{
	const char *columns = getenv("COLUMNS");
	struct winsize ws;
	long n = columns ? strtol(columns, NULL, 10) : 0;

	if (n < 1 && isatty(fileno(f)) && !ioctl(fileno(f), TIOCGWINSZ, &ws))
		n = ws.ws_col;
	return n < 1 ? PIPE : n < 2 * NARROW ? 2 * NARROW : n > WIDE ? WIDE : (int)n;
}

static int left_of(void)
{
	return width < PIPE ? NARROW : LEFT;
}

/* Prints a paragraph, in lines of the width. */
static void put_text(FILE *f, const char *text)
{
	int at = 0;

	while (*text) {
		size_t n = strcspn(text, " ");

		if (at && at + 1 + (int)n > width)
			at = fprintf(f, "\n") - 1;
		at += fprintf(f, "%s%.*s", at ? " " : "", (int)n, text);
		text += n + strspn(text + n, " ");
	}
	fputc('\n', f);
}

/* Prints a row; further lines of its explanation start below the first one. */
static void put_row(FILE *f, const char *left, const char *text)
{
	int from = left_of(), at = fprintf(f, "  %-*s", from - 2, left);

	while (*text) {
		size_t n = strcspn(text, " ");

		if (at > from && at + 1 + (int)n > width)
			at = fprintf(f, "\n%*s", from, "") - 1;
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

	fputs("\nOptions, its own first:\n", f);
	for (int shared = 1; shared <= 32; shared++)
		for (size_t i = 0; i < n; i++) {
			if (!(row[i].commands >> o->place & 1) ||
			    __builtin_popcount(row[i].commands) != shared ||
			    (o->report_tool && !option_is_for(&row[i], o->report_tool)))
				continue;
			*note = 0;
			if (o->place == CMD_REPORT && !o->report_tool)
				tools_note(&row[i], note, sizeof note);
			put_option(f, &row[i], note);
		}
}

static void put_examples(FILE *f, const struct command_row *c, const struct report_tool *t)
{
	fputs("\nExamples:\n", f);
	for (size_t i = 0; i < 2; i++)
		if (t)
			fprintf(f, "  tpuscope report %s %s\n", t->name,
			    i ? "--demo --format json" : "/tmp/logdir");
		else
			fprintf(f, "  tpuscope %s%s%s\n", c->name, *c->name ? " " : "",
			    i ? c->another : c->example);
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

static void put_path(FILE *f, bool kinds_too)
{
	static const struct file digest = { .digest = 1 };
	char kinds[800] = "";

	for (enum file_kind k = 0; k < FILE_KIND_COUNT; k++)
		if (file_kind_opens(k))
			words_add(kinds, sizeof kinds, ", ", file_kind_label(k));
	words_add(kinds, sizeof kinds, ", ", file_label_of(&digest));
	fputc('\n', f);
	put_text(f,
	    "PATH is a file (- = standard input, gzip and zstd are recognized by content), a run folder, "
	    "or a logdir.");
	if (kinds_too)
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
	put_examples(f, c, NULL);
	put_path(f, true);
	put_tools(f);
	put_all_options(f);
	fputc('\n', f);
	put_text(f, "Options of a single command: tpuscope COMMAND --help, tpuscope report TOOL --help.");
	put_text(f,
	    "Exit status: 0 success, 1 nothing usable in the input, 2 wrong usage, 3 damaged input "
	    "(what could be read was shown), 4 a --fail-if holds, 5 diff: not comparable, or not to be "
	    "judged.");
	put_text(f, "Keys: ? in the viewer, or tpuscope --list-keys.  More: man tpuscope");
}

void cli_help(FILE *f, const struct options *o, const struct frontend *fe)
{
	size_t n;
	const struct command_row *c = command_table(&n);
	const struct report_tool *t = o->report_tool;

	width = width_of(f);
	if (o->place == CMD_VIEW) {
		put_overview(f);
		return;
	}
	while (c->id != o->place)
		c++;
	if (t)
		fprintf(f, "tpuscope %s %s%s\n", c->name, t->name, strchr(c->usage, ' '));
	else
		fprintf(f, "tpuscope %s %s\n", c->name, c->usage);
	put_text(f, t ? t->help : c->help);
	put_examples(f, c, t);
	if (o->place != CMD_TRIAGE && o->place < CMD_CAPTURE)
		put_path(f, false);
	if (o->place == CMD_REPORT && !t)
		put_tools(f);
	if (o->place == CMD_SNAPSHOT)
		put_views(f, fe);
	put_tables(f, o);
	put_options_of(f, o);
}
