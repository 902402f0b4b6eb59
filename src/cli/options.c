#include "config.h"
#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <pcre2.h>
#include <zlib.h>
#include <protobuf-c/protobuf-c.h>

#include "base/mem.h"
#include "cli/option_table.h"
#include "version.h"

enum {
	V = 1 << CMD_VIEW, R = 1 << CMD_REPORT, S = 1 << CMD_SNAPSHOT, B = 1 << CMD_BENCH, OPENS = V | R | S | B
};

enum option_id {
	OPT_HELP = 1, OPT_VERSION, OPT_DEMO, OPT_RUN, OPT_HOST, OPT_THREADS, OPT_FORMAT, OPT_OUTPUT, OPT_FORCE, OPT_SORT, OPT_TOP, OPT_CORE, OPT_STEP,
	OPT_MODULE, OPT_TABLE, OPT_NAME, OPT_TRACK, OPT_FROM, OPT_TO, OPT_QUERY, OPT_BY, OPT_ARGS, OPT_GROUP, OPT_EXCLUDE_IDLE,
	OPT_SIZE, OPT_KEYS, OPT_COLOR, OPT_ASCII, OPT_MONO, OPT_THEME, OPT_BG, OPT_GLYPHS, OPT_SLOW, OPT_VIEW,
	OPT_CLOCK, OPT_LIST_KEYS, OPT_LIST_SETTINGS, OPT_KEYMAP, OPT_CONFIG, OPT_COMPLETION, OPT_MOUSE, OPT_NO_STATE
};

/* One line per option: everything that --help, getopt and the man page's check know about it. */
static const struct option_row option_rows[] = {
	{ OPT_HELP, "help", NULL, 'h', OPENS, "this text" },
	{ OPT_VERSION, "version", NULL, 'V', OPENS, "version, libraries and optional features" },
	{ OPT_LIST_KEYS, "list-keys", "text|man", 0, V, "all keys and actions (=FORMAT optional)" },
	{ OPT_LIST_SETTINGS, "list-settings", "text|man", 0, V, "all settings (=FORMAT optional)" },
	{ OPT_COMPLETION, "completion", "bash|zsh|fish", 0, V, "completions for a shell, on standard output" },
	{ OPT_CONFIG, "config", "FILE|none", 0, V | S, "config file to read instead of the usual one" },
	{ OPT_KEYMAP, "keymap", "NAME", 0, V | S, "keys for a keyboard: qwerty, azerty or dvorak" },
	{ OPT_DEMO, "demo", NULL, 0, OPENS, "open the bundled simulated capture" },
	{ OPT_RUN, "run", "NAME", 0, OPENS, "run of a logdir (default: the newest)" },
	{ OPT_HOST, "host", "HOST", 0, OPENS, "only this host" },
	{ OPT_THREADS, "threads", "N", 0, OPENS, "threads for loading (default: one per processor)" },
	{ OPT_VIEW, "view", "VIEW", 0, V, "view to begin with" },
	{ OPT_CLOCK, "clock", "device|plain", 0, V | S | B, "clock of device events in the timeline" },
	{ OPT_ASCII, "ascii", NULL, 0, V | S | B, "no characters beyond ASCII" },
	{ OPT_MONO, "mono", NULL, 0, V | S | B, "no colours (also: NO_COLOR in the environment)" },
	{ OPT_THEME, "theme", "NAME", 0, V | S, "default16, dark256, light256, mono or cb (colour-blind)" },
	{ OPT_BG, "bg", "light|dark", 0, V | S, "ground of the terminal (default: by COLORFGBG, else dark)" },
	{ OPT_GLYPHS, "glyphs", "NAME", 0, V | S, "blocks, box, ascii or braille (default: by locale, TERM)" },
	{ OPT_SLOW, "slow", NULL, 'u', V, "for bad lines: no colours, ASCII, rare progress" },
	{ OPT_MOUSE, "mouse", NULL, 0, V, "mouse on from the start (F12 switches)" },
	{ OPT_NO_STATE, "no-state", NULL, 0, V, "neither use nor save the last place in the capture" },
	{ OPT_COLOR, "color", "auto|never|8|16|256", 0, V | S, "colours to use (snapshot: never by default)" },
	{ OPT_FORMAT, "format", "text|json|csv", 'f', R, "form of a report (default: text)" },
	{ OPT_OUTPUT, "output", "FILE", 'o', R | S, "write there; an existing file is not replaced" },
	{ OPT_FORCE, "force", NULL, 0, R | S, "--output may replace an existing file" },
	{ OPT_SORT, "sort", "COL[:asc|:desc]", 0, R, "order of the rows" },
	{ OPT_TOP, "top", "N", 'n', R, "only the first N rows" },
	{ OPT_TABLE, "table", "NAME", 0, R, "table of a report that has several (CSV)" },
	{ OPT_CORE, "core", "N", 0, R, "only this core of each host" },
	{ OPT_STEP, "step", "STEP", 0, R, "only this step" },
	{ OPT_MODULE, "module", "REGEX", 0, R, "only modules that match" },
	{ OPT_BY, "by", "name|track|step", 0, R, "trace: totals by name, track or step" },
	{ OPT_NAME, "name", "REGEX", 0, R, "trace: only events whose name matches" },
	{ OPT_TRACK, "track", "REGEX", 0, R, "trace: only tracks whose \"host plane line\" matches" },
	{ OPT_FROM, "from", "TIME", 0, R, "trace: only events that end after it (1.5ms, 20us, ps)" },
	{ OPT_TO, "to", "TIME", 0, R, "trace: only events that begin before it" },
	{ OPT_QUERY, "query", "QUERY", 0, R, "trace: only events that a query picks: name~re dur>10us" },
	{ OPT_ARGS, "args", NULL, 0, R, "trace: with the stats of each event" },
	{ OPT_GROUP, "group", "program|category|provenance", 0, R, "op_profile: what the tree begins with" },
	{ OPT_EXCLUDE_IDLE, "exclude-idle", NULL, 0, R, "op_profile: without the time between ops" },
	{ OPT_SIZE, "size", "COLSxROWS", 0, S | B, "size of the frame (default: 120x40)" },
	{ OPT_KEYS, "keys", "KEYS", 0, S, "keys typed before the frame is taken" },
};
#define NOPTIONS (sizeof option_rows / sizeof *option_rows)

static const struct { enum command id; const char *name, *usage, *help; } commands[] = {
	{ CMD_VIEW, "", "[PATH...]", "open the viewer: a logdir, a run folder, or files of any known kind" },
	{ CMD_REPORT, "report", "TOOL PATH...", "the same numbers on stdout, as text, JSON or CSV" },
	{ CMD_SNAPSHOT, "snapshot", "VIEW PATH...", "one frame of a view on stdout" },
	{ CMD_BENCH, "bench", "PATH...", "load, walk a fixed script of frames, print the times" },
};
#define NCOMMANDS (sizeof commands / sizeof *commands)

const struct option_row *options_table(size_t *n)
{
	*n = NOPTIONS;
	return option_rows;
}

const char *options_command(size_t i)
{
	return i + 1 < NCOMMANDS ? commands[i + 1].name : NULL;
}

bool option_arg_optional(const struct option_row *row)
{
	return row->id == OPT_LIST_KEYS || row->id == OPT_LIST_SETTINGS;
}

static int number(const char *text, long low, long high, const char *option, long *out, struct err *err)
{
	char *end;

	errno = 0;
	*out = strtol(text, &end, 10);
	if (errno || end == text || *end || *out < low || *out > high)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--%s %s: should be a number from %ld to %ld", option, text, low, high);
	return 0;
}

static int choice(const char *text, const char *const *names, const char *option, struct err *err)
{
	char all[120] = "";

	for (int i = 0; names[i]; i++) {
		if (!strcmp(text, names[i]))
			return i;
		snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", names[i]);
	}
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--%s %s: should be one of %s", option, text, all);
}

static int set_size(struct options *o, const char *text, struct err *err)
{
	int n = 0;

	if (sscanf(text, "%dx%d%n", &o->cols, &o->rows, &n) != 2 || text[n] || o->cols < 1 || o->rows < 1 || o->cols > 1000 || o->rows > 1000)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--size %s: should be COLSxROWS, for example 120x40", text);
	return 0;
}

static int set_option(struct options *o, enum option_id id, const char *arg, struct err *err)
{
	static const char *const formats[] = { "text", "json", "csv", NULL }, *const groups[] = { "name", "track", "step", NULL },
	    *const profiles[] = { "program", "category", "provenance", NULL },
	    *const clocks[] = { "device", "plain", NULL }, *const colors[] = { "auto", "never", "8", "16", "256", NULL };
	static const int color_values[] = { -1, 0, 8, 16, 256 };
	long n;
	int i;

	switch (id) {
	case OPT_HELP: o->command = CMD_HELP; break;
	case OPT_VERSION: o->command = CMD_VERSION; break;
	case OPT_LIST_KEYS: o->command = CMD_LIST_KEYS; o->list_format = arg; break;
	case OPT_LIST_SETTINGS: o->command = CMD_LIST_SETTINGS; o->list_format = arg; break;
	case OPT_COMPLETION: o->command = CMD_COMPLETION; o->list_format = arg; break;
	case OPT_CONFIG: o->config = arg; break;
	case OPT_KEYMAP: o->keymap = arg; break;
	case OPT_DEMO: o->demo = true; break;
	case OPT_RUN: o->run = arg; break;
	case OPT_HOST: o->report.host = arg; break;
	case OPT_THREADS:
		if (number(arg, 1, 256, "threads", &n, err))
			return -1;
		o->threads = o->report.threads = (int)n;
		break;
	case OPT_VIEW: o->view = arg; break;
	case OPT_CLOCK:
		if ((i = choice(arg, clocks, "clock", err)) < 0)
			return -1;
		o->plain_clock = i == 1;
		o->clock_said = true;
		break;
	case OPT_ASCII: o->ascii = true; break;
	case OPT_MONO: o->mono = true; break;
	case OPT_MOUSE: o->mouse = true; break;
	case OPT_NO_STATE: o->no_state = true; break;
	case OPT_THEME: o->theme = arg; break;
	case OPT_BG: o->bg = arg; break;
	case OPT_GLYPHS: o->glyphs = arg; break;
	case OPT_SLOW: o->slow = true; break;
	case OPT_COLOR:
		if ((i = choice(arg, colors, "color", err)) < 0)
			return -1;
		o->colors = color_values[i];
		break;
	case OPT_FORMAT:
		if ((i = choice(arg, formats, "format", err)) < 0)
			return -1;
		o->report.format = (enum report_format)i;
		break;
	case OPT_OUTPUT: o->output = arg; break;
	case OPT_FORCE: o->force = true; break;
	case OPT_SORT: o->report.sort = arg; break;
	case OPT_TOP:
		if (number(arg, 0, LONG_MAX, "top", &n, err))
			return -1;
		o->report.top = n;
		break;
	case OPT_TABLE: o->report.table = arg; break;
	case OPT_CORE:
		if (number(arg, 0, INT_MAX, "core", &n, err))
			return -1;
		o->report.core = (int)n;
		break;
	case OPT_STEP: o->report.step = arg; break;
	case OPT_MODULE: o->report.module = arg; break;
	case OPT_BY:
		if (choice(arg, groups, "by", err) < 0)
			return -1;
		o->report.by = arg;
		break;
	case OPT_NAME: o->report.name = arg; break;
	case OPT_TRACK: o->report.track = arg; break;
	case OPT_FROM: o->report.from = arg; break;
	case OPT_TO: o->report.to = arg; break;
	case OPT_QUERY: o->report.query = arg; break;
	case OPT_ARGS: o->report.args = true; break;
	case OPT_GROUP:
		if (choice(arg, profiles, "group", err) < 0)
			return -1;
		o->report.group = arg;
		break;
	case OPT_EXCLUDE_IDLE: o->report.exclude_idle = true; break;
	case OPT_SIZE: return set_size(o, arg, err);
	case OPT_KEYS: o->keys = arg; break;
	}
	return 0;
}

static void underscores(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!strncmp(argv[i], "--", 2))
			for (char *p = argv[i] + 2; *p && *p != '='; p++)
				if (*p == '_')
					*p = '-';
}

static int take_command(struct options *o, int *argc, char ***argv, struct err *err)
{
	for (size_t i = 1; i < NCOMMANDS && *argc > 1; i++) {
		if (strcmp((*argv)[1], commands[i].name))
			continue;
		o->command = commands[i].id;
		--*argc;
		++*argv;
		if (o->command == CMD_BENCH)
			return 0;
		if (*argc > 1 && (*argv)[1][0] != '-') {
			o->tool = (*argv)[1];
			--*argc;
			++*argv;
			return 0;
		}
		for (int k = 1; k < *argc; k++)
			if (!strcmp((*argv)[k], "--help") || !strcmp((*argv)[k], "-h"))
				return 0;
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "%s needs a %s right behind it — see tpuscope --help", commands[i].name,
		    o->command == CMD_REPORT ? "TOOL" : "VIEW");
	}
	return 0;
}

int options_parse(struct options *o, int argc, char **argv, struct err *err)
{
	struct option longs[NOPTIONS + 1] = { 0 };
	char shorts[2 * NOPTIONS + 2] = ":";

	*o = (struct options){ .command = CMD_VIEW, .colors = -1, .report = { .core = -1, .top = -1 } };
	if (take_command(o, &argc, &argv, err))
		return -1;
	underscores(argc, argv);
	for (size_t i = 0; i < NOPTIONS; i++) {
		const struct option_row *row = &option_rows[i];
		size_t n = strlen(shorts);

		longs[i] = (struct option){ row->name, !row->arg ? no_argument : option_arg_optional(row) ? optional_argument :
		    required_argument, NULL, (int)row->id + 256 };
		if (row->letter)
			snprintf(shorts + n, sizeof shorts - n, "%c%s", row->letter, row->arg ? ":" : "");
	}
	enum command command = o->command;
	opterr = 0;
	for (int c; (c = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
		const struct option_row *row = NULL;

		for (size_t i = 0; i < NOPTIONS; i++)
			if (c == (int)option_rows[i].id + 256 || (option_rows[i].letter && c == option_rows[i].letter))
				row = &option_rows[i];
		if (c == ':')
			return err_set(err, EXIT_USAGE, ERR_NOWHERE, "%s needs a value — see tpuscope --help", argv[optind - 1]);
		if (!row)
			return err_set(err, EXIT_USAGE, ERR_NOWHERE, "%s is not an option — see tpuscope --help", argv[optind - 1]);
		if (!(row->commands & 1u << command))
			return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--%s is not an option of %s — see tpuscope --help", row->name,
			    command == CMD_VIEW ? "the viewer" : commands[command].name);
		if (set_option(o, (enum option_id)row->id, optarg, err))
			return -1;
	}
	o->paths = (const char *const *)argv + optind;
	o->npaths = (size_t)(argc - optind);
	if (o->command >= CMD_HELP)
		return 0;
	if (!o->npaths && !o->demo)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "which capture? — give a logdir, a run folder or files, or --demo; see tpuscope --help");
	if (o->npaths && o->demo)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--demo opens the bundled sample: give no PATH with it");
	return 0;
}

static void help_options(FILE *f, unsigned commands_wanted, unsigned not_in)
{
	for (size_t i = 0; i < NOPTIONS; i++) {
		const struct option_row *row = &option_rows[i];
		char left[64];

		if (!(row->commands & commands_wanted) || (row->commands & not_in))
			continue;
		snprintf(left, sizeof left, "%c%c%c --%s%s%s", row->letter ? '-' : ' ', row->letter ? row->letter : ' ', row->letter ? ',' : ' ',
		    row->name, row->arg ? (option_arg_optional(row) ? "[=" : " ") : "", row->arg ? row->arg : "");
		if (option_arg_optional(row))
			strcat(left, "]");
		fprintf(f, "  %-36s %s\n", left, row->help);
	}
}

void options_help(FILE *f)
{
	fputs("tpuscope - open Cloud TPU / XLA performance captures in the terminal\n\n", f);
	for (size_t i = 0; i < NCOMMANDS; i++) {
		char left[64];

		snprintf(left, sizeof left, "tpuscope %s%s%s", commands[i].name, *commands[i].name ? " " : "", commands[i].usage);
		fprintf(f, "  %-36s %s\n", left, commands[i].help);
	}
	fputs("\nPATH is a file (- = standard input, gzip is told by content), a run folder, or a logdir.\n\nTOOL is one of:\n", f);
	for (const struct report_tool *t = report_tools; t->name; t++)
		fprintf(f, "  %-36s %s\n", t->name, t->help);
	fputs("\nEverywhere:\n", f);
	help_options(f, OPENS, 0);
	fputs("\nExit status: 0 fine, 1 nothing usable in the input, 2 wrong usage, 3 damaged input (what could be read was shown).\n"
	    "Keys: ? in the viewer, or tpuscope --list-keys.  More: man tpuscope\n", f);
}

void options_version(FILE *f)
{
	char pcre[64] = "";

	pcre2_config(PCRE2_CONFIG_VERSION, pcre);
	pcre[strcspn(pcre, " ")] = 0;
	fprintf(f, "tpuscope %s%s\n", PACKAGE_VERSION, TPUSCOPE_GIT[0] ? " (" TPUSCOPE_GIT ")" : "");
	fprintf(f, "ncursesw %s, protobuf-c %s, zlib %s, pcre2 %s\n", NCURSES_USED, protobuf_c_version(), zlibVersion(), pcre);
	fprintf(f, "features: %ssnappy %snghttp2 %sjansson%s\n",
#ifdef HAVE_SNAPPY
	    "+",
#else
	    "-",
#endif
#ifdef HAVE_NGHTTP2
	    "+",
#else
	    "-",
#endif
#ifdef HAVE_JANSSON
	    "+",
#else
	    "-",
#endif
#ifdef ENABLE_SANITIZE
	    " sanitizers"
#else
	    ""
#endif
	    );
}
