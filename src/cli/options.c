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

#include "analyze/detail.h"
#include "analyze/memory.h"
#include "base/mem.h"
#include "cli/option_table.h"
#include "version.h"

enum {
	V = 1 << CMD_VIEW, R = 1 << CMD_REPORT, S = 1 << CMD_SNAPSHOT, B = 1 << CMD_BENCH,
	T = 1 << CMD_TRIAGE,
	D = 1 << CMD_DIGEST, OPENS = V | R | S | B | D
};

enum option_id {
	OPT_HELP = 1, OPT_VERSION, OPT_DEMO, OPT_RUN, OPT_HOST, OPT_THREADS, OPT_FORMAT, OPT_OUTPUT,
	OPT_FORCE, OPT_SORT, OPT_TOP, OPT_CORE, OPT_STEP,
	OPT_MODULE, OPT_TABLE, OPT_NAME, OPT_TRACK, OPT_FROM, OPT_TO, OPT_QUERY, OPT_BY, OPT_ARGS, OPT_GROUP,
	OPT_EXCLUDE_IDLE, OPT_METRIC, OPT_TOPOLOGY, OPT_SPACE,
	OPT_SIZE, OPT_KEYS, OPT_COLOR, OPT_ASCII, OPT_MONO, OPT_THEME, OPT_BG, OPT_GLYPHS, OPT_SLOW, OPT_VIEW,
	OPT_CLOCK, OPT_PEAKS, OPT_DEVICE, OPT_LIST_KEYS, OPT_LIST_SETTINGS, OPT_KEYMAP, OPT_CONFIG, OPT_COMPLETION,
	OPT_MOUSE, OPT_NO_STATE,
	OPT_COUNT
};

/* One line per option: everything that --help, getopt and the man page's check know about it. */
static const struct option_row option_rows[] = {
	{ OPT_HELP, "help", NULL, 'h', OPENS | T, "this text" },
	{ OPT_VERSION, "version", NULL, 'V', OPENS | T, "version, libraries and optional features" },
	{ OPT_LIST_KEYS, "list-keys", "text|man", 0, V, "all keys and actions (=FORMAT optional)" },
	{ OPT_LIST_SETTINGS, "list-settings", "text|man", 0, V, "all settings (=FORMAT optional)" },
	{ OPT_COMPLETION, "completion", "bash|zsh|fish", 0, V,
	    "completions for a shell, on standard output" },
	{ OPT_CONFIG, "config", "FILE|none", 0, V | S, "config file to read instead of the usual one" },
	{ OPT_KEYMAP, "keymap", "NAME", 0, V | S, "keys for a keyboard: qwerty, azerty or dvorak" },
	{ OPT_DEMO, "demo", NULL, 0, OPENS, "open the bundled simulated capture" },
	{ OPT_RUN, "run", "NAME", 0, OPENS, "run of a logdir (default: the newest)" },
	{ OPT_HOST, "host", "HOST", 0, OPENS, "only this host" },
	{ OPT_THREADS, "threads", "N", 0, OPENS, "threads for loading (default: one per processor)" },
	{ OPT_PEAKS, "peaks", "TFLOPS,GBPS", 0, OPENS, "peaks of a core, in place of those of the capture" },
	{ OPT_DEVICE, "device", "CHIP", 0, OPENS, "kind of chip, as v5e, where nothing says it: for the memory limit" },
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
	{ OPT_COLOR, "color", "auto|never|8|16|256", 0, V | S,
	    "colours to use (snapshot: never by default)" },
	{ OPT_FORMAT, "format", "text|json|csv", 'f', R | T, "form of a report (default: text)" },
	{ OPT_OUTPUT, "output", "FILE", 'o', R | S | T | D, "write there; an existing file is not replaced" },
	{ OPT_FORCE, "force", NULL, 0, R | S | T | D, "--output may replace an existing file" },
	{ OPT_SORT, "sort", "COL[:asc|:desc]", 0, R, "order of the rows" },
	{ OPT_TOP, "top", "N", 'n', R, "only the first N rows" },
	{ OPT_TABLE, "table", "NAME", 0, R | T, "table of a report that has several (CSV)" },
	{ OPT_CORE, "core", "N", 0, R, "only this core of each host" },
	{ OPT_STEP, "step", "STEP", 0, R, "only this step" },
	{ OPT_MODULE, "module", "MODULE", 0, V | S | R,
	    "memory, reports: this module: name, name(id) or id" },
	{ OPT_BY, "by", "name|track|step", 0, R, "trace: totals by name, track or step" },
	{ OPT_NAME, "name", "REGEX", 0, R, "trace: only events whose name matches" },
	{ OPT_TRACK, "track", "REGEX", 0, R, "trace: only tracks whose \"host plane line\" matches" },
	{ OPT_FROM, "from", "TIME", 0, R, "trace: only events that end after it (1.5ms, 20us, ps)" },
	{ OPT_TO, "to", "TIME", 0, R, "trace: only events that begin before it" },
	{ OPT_QUERY, "query", "QUERY", 0, R, "trace: only events that a query picks: name~re dur>10us" },
	{ OPT_ARGS, "args", NULL, 0, R, "trace: with the stats of each event" },
	{ OPT_GROUP, "group", "program|category|provenance", 0, R, "op_profile: what the tree begins with" },
	{ OPT_EXCLUDE_IDLE, "exclude-idle", NULL, 0, R, "op_profile: without the time between ops" },
	{ OPT_METRIC, "metric", "METRIC", 0, R, "pod: metric to look at (default: collectives_us)" },
	{ OPT_TOPOLOGY, "topology", "XxY[xZ]", 0, V | S | R,
	    "pod: chips along each axis, in place of what is assumed" },
	{ OPT_SPACE, "space", "N", 0, R, "the memory space: 0 HBM, 1 VMEM, 2 Sflag, 3 CMEM, 4 SMEM, 5 Host, 6 SparseCore" },
	{ OPT_SIZE, "size", "COLSxROWS", 0, S | B, "size of the frame (default: 120x40)" },
	{ OPT_KEYS, "keys", "KEYS", 0, S, "keys typed before the frame is taken" },
};
#define NOPTIONS (sizeof option_rows / sizeof *option_rows)

static const struct { enum command id; const char *name, *usage, *help; } commands[] = {
	{ CMD_VIEW, "", "[PATH...]", "open the viewer: a logdir, a run folder, or files of any known kind" },
	{ CMD_REPORT, "report", "TOOL PATH...", "the same numbers on stdout, as text, JSON or CSV" },
	{ CMD_SNAPSHOT, "snapshot", "VIEW PATH...", "one frame of a view on stdout" },
	{ CMD_BENCH, "bench", "PATH...", "load, walk a fixed script of frames, print the times" },
	{ CMD_TRIAGE, "triage", "FILE|-...", "what went wrong, from logs and error messages: findings on stdout" },
	{ CMD_DIGEST, "digest", "HOSTFILE... -o FILE",
	    "the sums of one host in a small file: many open as one pod" },
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
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--%s %s: should be a number from %ld to %ld",
		    option, text, low, high);
	return 0;
}

/* Which of the words "a|b|c" of an option it is; -1 with err. */
static int choice(const char *text, const struct option_row *row, struct err *err)
{
	char all[120] = "";
	size_t n;
	int i = 0;

	for (const char *p = row->arg; *p; p += n + (p[n] == '|'), i++) {
		n = strcspn(p, "|");
		if (strlen(text) == n && !strncmp(text, p, n))
			return i;
		snprintf(all + strlen(all), sizeof all - strlen(all), "%s%.*s", i ? ", " : "", (int)n, p);
	}
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--%s %s: should be one of %s", row->name, text, all);
}

static int set_size(struct options *o, const char *text, struct err *err)
{
	int n = 0;

	if (sscanf(text, "%dx%d%n", &o->cols, &o->rows, &n) != 2 || text[n] || o->cols < 1 || o->rows < 1 ||
	    o->cols > 1000 || o->rows > 1000)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "--size %s: should be COLSxROWS, for example 120x40", text);
	return 0;
}

/* Options that do no more than fill a member: a text, one of the words of the table, a flag, or another
 * command. */
static const struct {
	enum { IS_OTHER, IS_TEXT, IS_WORD, IS_FLAG, IS_COMMAND } kind;
	size_t at;
	enum command command;
}
    members[OPT_COUNT] = {
#define MEMBER(option, kind, member) [OPT_##option] = { kind, offsetof(struct options, member), CMD_VIEW }
#define COMMAND(option) [OPT_##option] = { IS_COMMAND, offsetof(struct options, list_format), CMD_##option }
	COMMAND(HELP), COMMAND(VERSION), COMMAND(LIST_KEYS), COMMAND(LIST_SETTINGS), COMMAND(COMPLETION),
	MEMBER(CONFIG, IS_TEXT, config), MEMBER(KEYMAP, IS_TEXT, keymap), MEMBER(RUN, IS_TEXT, run),
	MEMBER(HOST, IS_TEXT, report.host), MEMBER(VIEW, IS_TEXT, view), MEMBER(THEME, IS_TEXT, theme),
	MEMBER(BG, IS_TEXT, bg), MEMBER(GLYPHS, IS_TEXT, glyphs), MEMBER(OUTPUT, IS_TEXT, output),
	MEMBER(SORT, IS_TEXT, report.sort), MEMBER(TABLE, IS_TEXT, report.table),
	    MEMBER(STEP, IS_TEXT, report.step),
	MEMBER(MODULE, IS_TEXT, report.module), MEMBER(NAME, IS_TEXT, report.name),
	    MEMBER(TRACK, IS_TEXT, report.track),
	MEMBER(FROM, IS_TEXT, report.from), MEMBER(TO, IS_TEXT, report.to),
	    MEMBER(QUERY, IS_TEXT, report.query),
	MEMBER(KEYS, IS_TEXT, keys), MEMBER(BY, IS_WORD, report.by), MEMBER(GROUP, IS_WORD, report.group),
	MEMBER(DEMO, IS_FLAG, demo), MEMBER(ASCII, IS_FLAG, ascii), MEMBER(MONO, IS_FLAG, mono),
	MEMBER(MOUSE, IS_FLAG, mouse), MEMBER(NO_STATE, IS_FLAG, no_state), MEMBER(SLOW, IS_FLAG, slow),
	MEMBER(FORCE, IS_FLAG, force), MEMBER(ARGS, IS_FLAG, report.args),
	    MEMBER(EXCLUDE_IDLE, IS_FLAG, report.exclude_idle),
	MEMBER(METRIC, IS_TEXT, report.metric), MEMBER(TOPOLOGY, IS_TEXT, report.topology),
#undef COMMAND
#undef MEMBER
};

/* What is more than a member. */
static int set_other(struct options *o, const struct option_row *row, const char *arg, struct err *err)
{
	static const int color_values[] = { -1, 0, 8, 16, 256 };
	long n = 0;
	int i;

	switch ((enum option_id)row->id) {
	case OPT_THREADS:
		if (number(arg, 1, 256, row->name, &n, err))
			return -1;
		o->threads = o->report.threads = (int)n;
		return 0;
	case OPT_TOP:
		if (number(arg, 0, LONG_MAX, row->name, &n, err))
			return -1;
		o->report.top = n;
		return 0;
	case OPT_CORE:
		if (number(arg, 0, INT_MAX, row->name, &n, err))
			return -1;
		o->report.core = (int)n;
		return 0;
	case OPT_SPACE:
		if (number(arg, 0, INT_MAX, row->name, &n, err))
			return -1;
		o->report.space = (int)n;
		return 0;
	case OPT_CLOCK:
		if ((i = choice(arg, row, err)) < 0)
			return -1;
		o->plain_clock = i == 1;
		o->clock_said = true;
		return 0;
	case OPT_PEAKS:
		if (peaks_parse(arg, &o->peak_flops, &o->peak_hbm))
			return err_set(err, EXIT_USAGE, ERR_NOWHERE,
			    "--peaks %s: should be TFLOP/s and GB/s of a core, for example 459,2765", arg);
		return 0;
	case OPT_DEVICE:
		if (memory_limit(arg) < 0)
			return err_set(err, EXIT_USAGE, ERR_NOWHERE,
			    "--device %s: should be a chip that is known, as v4, v5e, v5p, v6e", arg);
		o->device = arg;
		return 0;
	case OPT_COLOR:
		if ((i = choice(arg, row, err)) < 0)
			return -1;
		o->colors = color_values[i];
		return 0;
	case OPT_FORMAT:
		if ((i = choice(arg, row, err)) < 0)
			return -1;
		o->report.format = (enum report_format)i;
		return 0;
	case OPT_SIZE: return set_size(o, arg, err);
	default: return 0;
	}
}

static int set_option(struct options *o, const struct option_row *row, const char *arg, struct err *err)
{
	void *member = (char *)o + members[row->id].at;

	switch (members[row->id].kind) {
	case IS_FLAG: *(bool *)member = true; return 0;
	case IS_WORD:
		if (choice(arg, row, err) < 0)
			return -1;
		/* fall through */
	case IS_TEXT: *(const char **)member = arg; return 0;
	case IS_COMMAND:
		*(const char **)member = arg;
		o->command = members[row->id].command;
		return 0;
	default: return set_other(o, row, arg, err);
	}
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
		if (o->command == CMD_BENCH || o->command == CMD_TRIAGE || o->command == CMD_DIGEST)
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
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "%s needs a %s right behind it — see tpuscope --help", commands[i].name,
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

		longs[i] = (struct option){ row->name,
		    !row->arg ? no_argument : option_arg_optional(row) ? optional_argument :
		    required_argument, NULL, (int)row->id + 256 };
		if (row->letter)
			snprintf(shorts + n, sizeof shorts - n, "%c%s", row->letter, row->arg ? ":" : "");
	}
	enum command command = o->command;
	opterr = 0;
	for (int c; (c = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
		const struct option_row *row = NULL;

		for (size_t i = 0; i < NOPTIONS; i++)
			if (c == (int)option_rows[i].id + 256 ||
			    (option_rows[i].letter && c == option_rows[i].letter))
				row = &option_rows[i];
		if (c == ':')
			return err_set(err, EXIT_USAGE, ERR_NOWHERE,
			    "%s needs a value — see tpuscope --help", argv[optind - 1]);
		if (!row)
			return err_set(err, EXIT_USAGE, ERR_NOWHERE,
			    "%s is not an option — see tpuscope --help", argv[optind - 1]);
		if (!(row->commands & 1u << command))
			return err_set(err, EXIT_USAGE, ERR_NOWHERE,
			    "--%s is not an option of %s — see tpuscope --help", row->name,
			    command == CMD_VIEW ? "the viewer" : commands[command].name);
		if (set_option(o, row, optarg, err))
			return -1;
	}
	o->paths = (const char *const *)argv + optind;
	o->npaths = (size_t)(argc - optind);
	if (o->command >= CMD_HELP)
		return 0;
	if (!o->npaths && o->command == CMD_TRIAGE)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "which text? — give logs, a folder of them, or - for standard input; see tpuscope --help");
	if (!o->npaths && !o->demo)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "which capture? — give a logdir, a run folder or files, or --demo; see tpuscope --help");
	if (o->npaths && o->demo)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "--demo opens the bundled sample: give no PATH with it");
	return 0;
}

static void help_options(FILE *f, unsigned commands_wanted, unsigned not_in)
{
	for (size_t i = 0; i < NOPTIONS; i++) {
		const struct option_row *row = &option_rows[i];
		char left[64];

		if (!(row->commands & commands_wanted) || (row->commands & not_in))
			continue;
		snprintf(left, sizeof left, "%c%c%c --%s%s%s", row->letter ? '-' : ' ',
		    row->letter ? row->letter : ' ', row->letter ? ',' : ' ',
		    row->name, row->arg ? (option_arg_optional(row) ? "[=" : " ") : "",
		    row->arg ? row->arg : "");
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

		snprintf(left, sizeof left, "tpuscope %s%s%s", commands[i].name,
		    *commands[i].name ? " " : "", commands[i].usage);
		fprintf(f, "  %-36s %s\n", left, commands[i].help);
	}
	fputs("\nPATH is a file (- = standard input, gzip and zstd are told by content), a run folder, or a logdir.\n\nTOOL is one of:\n", f);
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
	fprintf(f, "ncursesw %s, protobuf-c %s, zlib %s, pcre2 %s\n", NCURSES_USED, protobuf_c_version(),
	    zlibVersion(), pcre);
	fprintf(f, "features: %szstd %ssnappy %snghttp2 %sjansson%s\n",
#ifdef HAVE_ZSTD
	    "+",
#else
	    "-",
#endif
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
