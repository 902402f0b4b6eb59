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

#include "analyze/device/peaks.h"
#include "analyze/memory/memory.h"
#include "base/mem.h"
#include "cli/option_table.h"
#include "report/tool/triage.h"
#include "version.h"

enum {
	V = 1 << CMD_VIEW,
	R = 1 << CMD_REPORT,
	S = 1 << CMD_SNAPSHOT,
	B = 1 << CMD_BENCH,
	T = 1 << CMD_TRIAGE,
	D = 1 << CMD_DIGEST,
	OPENS = V | R | S | B | D
};

enum option_id {
	OPT_HELP = 1,
	OPT_VERSION,
	OPT_DEMO,
	OPT_RUN,
	OPT_HOST,
	OPT_THREADS,
	OPT_FORMAT,
	OPT_OUTPUT,
	OPT_FORCE,
	OPT_SORT,
	OPT_TOP,
	OPT_CORE,
	OPT_STEP,
	OPT_MODULE,
	OPT_TABLE,
	OPT_NAME,
	OPT_TRACK,
	OPT_FROM,
	OPT_TO,
	OPT_QUERY,
	OPT_BY,
	OPT_ARGS,
	OPT_GROUP,
	OPT_EXCLUDE_IDLE,
	OPT_METRIC,
	OPT_TOPOLOGY,
	OPT_SPACE,
	OPT_WIDTH,
	OPT_SIZE,
	OPT_KEYS,
	OPT_COLOR,
	OPT_ASCII,
	OPT_MONO,
	OPT_THEME,
	OPT_BG,
	OPT_GLYPHS,
	OPT_SLOW,
	OPT_VIEW,
	OPT_CLOCK,
	OPT_PEAKS,
	OPT_DEVICE,
	OPT_LIST_KEYS,
	OPT_LIST_SETTINGS,
	OPT_LIST_COLUMNS,
	OPT_KEYMAP,
	OPT_CONFIG,
	OPT_COMPLETION,
	OPT_MOUSE,
	OPT_NO_STATE,
	OPT_COUNT
};

/* Everything that --help, getopt, completions and the check of the man page know about an option; the groups
 * of --help come in the order of their first rows. */
static const struct option_row option_rows[] = {
	{ OPT_HELP, "help", NULL, 'h', OPENS | T, 0, "show this help" },
	{ OPT_VERSION, "version", NULL, 'V', OPENS | T, 0, "version, libraries and optional features" },
	{ OPT_DEMO, "demo", NULL, 0, OPENS, 0, "open the bundled simulated capture" },
	{ OPT_RUN, "run", "NAME", 0, OPENS, 0, "run of a logdir (default: the newest)" },
	{ OPT_HOST, "host", "HOST", 0, OPENS, 0, "only this host" },
	{ OPT_THREADS, "threads", "N", 0, OPENS, 0, "threads for loading (default: one per processor)" },
	{ OPT_PEAKS, "peaks", "TFLOPS,GBPS", 0, OPENS, 0,
	    "peaks of a core, instead of those in the capture" },
	{ OPT_DEVICE, "device", "CHIP", 0, OPENS, 0,
	    "kind of chip, such as v5e, if the files do not say; sets the memory limit" },
	{ OPT_CONFIG, "config", "FILE|none", 0, OPENS, 0, "config file to read instead of the usual one" },
	{ OPT_VIEW, "view", "VIEW", 0, V, 0, "view to start in" },
	{ OPT_MOUSE, "mouse", NULL, 0, V, 0, "mouse on from the start (F12 switches)" },
	{ OPT_NO_STATE, "no-state", NULL, 0, V, 0, "neither restore nor save the position in the capture" },
	{ OPT_SLOW, "slow", NULL, 'u', V, 0, "for slow lines: no colors, ASCII, progress once a second" },
	{ OPT_LIST_KEYS, "list-keys", "text|man", 0, V, 0, "all keys and actions" },
	{ OPT_LIST_SETTINGS, "list-settings", "text|man", 0, V, 0, "all settings, with the values in force" },
	{ OPT_LIST_COLUMNS, "list-columns", "text|man", 0, V, 0,
	    "all columns of reports and what they mean" },
	{ OPT_COMPLETION, "completion", "bash|zsh|fish", 0, V, 0,
	    "completions for a shell, on standard output" },
	{ OPT_KEYMAP, "keymap", "NAME", 0, V | S, 0, "keys for a keyboard: qwerty, azerty or dvorak" },
	{ OPT_THEME, "theme", "NAME", 0, V | S, 0, "default16, dark256, light256, mono or cb (color-blind)" },
	{ OPT_BG, "bg", "light|dark", 0, V | S, 0,
	    "terminal background (default: from COLORFGBG, else dark)" },
	{ OPT_GLYPHS, "glyphs", "NAME", 0, V | S, 0,
	    "blocks, box, ascii or braille (default: from locale and TERM)" },
	{ OPT_COLOR, "color", "auto|never|8|16|256", 0, V | S, 0,
	    "colors to use (snapshot: never by default)" },
	{ OPT_CLOCK, "clock", "device|plain", 0, V | S | B, 0, "clock of device events in the timeline" },
	{ OPT_ASCII, "ascii", NULL, 0, V | S | B, 0, "ASCII characters only" },
	{ OPT_MONO, "mono", NULL, 0, V | S | B, 0, "no colors (also: NO_COLOR in the environment)" },
	{ OPT_SIZE, "size", "COLSxROWS", 0, S | B, 0, "size of the frame (default: 120x40)" },
	{ OPT_KEYS, "keys", "KEYS", 0, S, 0, "keys typed before the frame is taken" },
	{ OPT_MODULE, "module", "MODULE", 0, V | S | R, TAKES_MODULE,
	    "only this module: name, name(id) or id" },
	{ OPT_TOPOLOGY, "topology", "XxY[xZ]", 0, V | S | R, TAKES_POD,
	    "chips along each axis, instead of the assumed topology" },
	{ OPT_FORMAT, "format", "text|json|csv", 'f', R | T, 0, "output format (default: text)" },
	{ OPT_WIDTH, "width", "N", 0, R | T, 0,
	    "columns of a text report (default: the terminal's, else 100)" },
	{ OPT_TABLE, "table", "NAME", 0, R | T, TAKES_TABLE, "only this table" },
	{ OPT_OUTPUT, "output", "FILE", 'o', R | S | T | D, 0,
	    "write to FILE; does not replace an existing one" },
	{ OPT_FORCE, "force", NULL, 0, R | S | T | D, 0, "let --output replace an existing file" },
	{ OPT_SORT, "sort", "COL[:asc|:desc]", 0, R, 0, "order of the rows" },
	{ OPT_TOP, "top", "N", 'n', R, 0, "only the first N rows" },
	{ OPT_CORE, "core", "N", 0, R, TAKES_CORE, "only this core of each host" },
	{ OPT_STEP, "step", "STEP", 0, R, TAKES_STEP, "only this step" },
	{ OPT_BY, "by", "name|track|step", 0, R, TAKES_EVENTS, "totals by name, track or step" },
	{ OPT_NAME, "name", "REGEX", 0, R, TAKES_EVENTS, "only events whose name matches" },
	{ OPT_TRACK, "track", "REGEX", 0, R, TAKES_EVENTS, "only tracks whose \"host plane line\" matches" },
	{ OPT_FROM, "from", "TIME", 0, R, TAKES_EVENTS,
	    "only events that end after TIME (1.5ms, 20us, ...)" },
	{ OPT_TO, "to", "TIME", 0, R, TAKES_EVENTS, "only events that start before TIME" },
	{ OPT_QUERY, "query", "QUERY", 0, R, TAKES_EVENTS,
	    "only events that match a query: name~re dur>10us" },
	{ OPT_ARGS, "args", NULL, 0, R, TAKES_EVENTS, "include the stats of each event" },
	{ OPT_GROUP, "group", "program|category|provenance", 0, R, TAKES_GROUP, "first level of the tree" },
	{ OPT_EXCLUDE_IDLE, "exclude-idle", NULL, 0, R, TAKES_GROUP, "leave out the time between ops" },
	{ OPT_METRIC, "metric", "METRIC", 0, R, TAKES_POD,
	    "metric of the cores to show (default: collectives_us)" },
	{ OPT_SPACE, "space", "N", 0, R, TAKES_SPACE,
	    "memory space: 0 HBM, 1 VMEM, 2 Sflag, 3 CMEM, 4 SMEM, 5 Host, 6 SparseCore" },
};
#define NOPTIONS (sizeof option_rows / sizeof *option_rows)

static const struct command_row commands[] = {
	{ CMD_VIEW, "", "[PATH...]", "open the viewer: a logdir, a run folder, or files of any known kind" },
	{ CMD_REPORT, "report", "TOOL PATH...", "the same numbers on stdout, as text, JSON or CSV" },
	{ CMD_SNAPSHOT, "snapshot", "VIEW PATH...", "one frame of a view on stdout" },
	{ CMD_BENCH, "bench", "PATH...", "load, draw a fixed script of frames, print the times" },
	{ CMD_TRIAGE, "triage", "[FILE|-]...", "find out what went wrong, from logs and error messages" },
	{ CMD_DIGEST, "digest", "HOSTFILE... -o FILE",
	    "write the sums of one host to a small file; many of them open as one pod" },
};
#define NCOMMANDS (sizeof commands / sizeof *commands)

const struct option_row *option_table(size_t *n)
{
	*n = NOPTIONS;
	return option_rows;
}

const struct command_row *command_table(size_t *n)
{
	*n = NCOMMANDS;
	return commands;
}

bool option_is_for(const struct option_row *row, const struct report_tool *tool)
{
	return !row->tools || (tool->takes & row->tools);
}

const char *option_table_name(enum command command, const struct report_tool *tool, size_t i)
{
	if (command == CMD_TRIAGE)
		return report_triage_table(i);
	return tool && tool->tables ? tool->tables[i] : NULL;
}

bool option_arg_optional(const struct option_row *row)
{
	return row->id == OPT_LIST_KEYS || row->id == OPT_LIST_SETTINGS || row->id == OPT_LIST_COLUMNS;
}

static int parse_number(const char *text, long low, long high, const char *option, long *out, struct err *err)
{
	char *end;

	errno = 0;
	*out = strtol(text, &end, 10);
	if (errno || end == text || *end || *out < low || *out > high)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--%s %s: must be a number from %ld to %ld",
		    option, text, low, high);
	return 0;
}

/* Returns the index of `text` in the words "a|b|c" of an option, or -1 with err. */
static int index_of_word(const char *text, const struct option_row *row, struct err *err)
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
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--%s %s: must be one of %s", row->name, text, all);
}

static int set_size(struct options *o, const char *text, struct err *err)
{
	int n = 0;

	if (sscanf(text, "%dx%d%n", &o->cols, &o->rows, &n) != 2 || text[n] || o->cols < 1 || o->rows < 1 ||
	    o->cols > 1000 || o->rows > 1000)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "--size %s: must be COLSxROWS, for example 120x40", text);
	return 0;
}

/* Options that only set a member: a text, one of the words of the table, a flag, or another command. */
static const struct {
	enum { IS_OTHER, IS_TEXT, IS_WORD, IS_FLAG, IS_COMMAND } kind;
	size_t at;
	enum command command;
} members[OPT_COUNT] = {
#define MEMBER(option, kind, member) [OPT_##option] = { kind, offsetof(struct options, member), CMD_VIEW }
#define COMMAND(option) [OPT_##option] = { IS_COMMAND, offsetof(struct options, list_format), CMD_##option }
	COMMAND(HELP),
	COMMAND(VERSION),
	COMMAND(LIST_KEYS),
	COMMAND(LIST_SETTINGS),
	COMMAND(LIST_COLUMNS),
	COMMAND(COMPLETION),
	MEMBER(CONFIG, IS_TEXT, config),
	MEMBER(KEYMAP, IS_TEXT, keymap),
	MEMBER(RUN, IS_TEXT, run),
	MEMBER(HOST, IS_TEXT, report.host),
	MEMBER(VIEW, IS_TEXT, view),
	MEMBER(THEME, IS_TEXT, theme),
	MEMBER(BG, IS_TEXT, bg),
	MEMBER(GLYPHS, IS_TEXT, glyphs),
	MEMBER(OUTPUT, IS_TEXT, output),
	MEMBER(SORT, IS_TEXT, report.sort),
	MEMBER(STEP, IS_TEXT, report.step),
	MEMBER(MODULE, IS_TEXT, report.module),
	MEMBER(NAME, IS_TEXT, report.name),
	MEMBER(TRACK, IS_TEXT, report.track),
	MEMBER(FROM, IS_TEXT, report.from),
	MEMBER(TO, IS_TEXT, report.to),
	MEMBER(QUERY, IS_TEXT, report.query),
	MEMBER(KEYS, IS_TEXT, keys),
	MEMBER(BY, IS_WORD, report.by),
	MEMBER(GROUP, IS_WORD, report.group),
	MEMBER(DEMO, IS_FLAG, demo),
	MEMBER(ASCII, IS_FLAG, ascii),
	MEMBER(MONO, IS_FLAG, mono),
	MEMBER(MOUSE, IS_FLAG, mouse),
	MEMBER(NO_STATE, IS_FLAG, no_state),
	MEMBER(SLOW, IS_FLAG, slow),
	MEMBER(FORCE, IS_FLAG, force),
	MEMBER(ARGS, IS_FLAG, report.args),
	MEMBER(EXCLUDE_IDLE, IS_FLAG, report.exclude_idle),
	MEMBER(METRIC, IS_TEXT, report.metric),
	MEMBER(TOPOLOGY, IS_TEXT, report.topology),
#undef COMMAND
#undef MEMBER
};

static int set_table(struct options *o, const char *name, struct err *err)
{
	char list[200] = "";
	const char *one;

	for (size_t i = 0; (one = option_table_name(o->place, o->report_tool, i)); i++) {
		if (!strcmp(name, one)) {
			o->report.table = name;
			return 0;
		}
		snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", one);
	}
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--table %s: must be one of %s", name, list);
}

static int set_number(struct options *o, const struct option_row *row, const char *arg, struct err *err)
{
	static const struct {
		enum option_id id;
		long low, high;
	} limits[] = {
		{ OPT_THREADS, 1, 256 },
		{ OPT_TOP, 0, LONG_MAX },
		{ OPT_WIDTH, 40, 100000 },
		{ OPT_CORE, 0, INT_MAX },
		{ OPT_SPACE, 0, INT_MAX },
	};
	size_t i = 0;
	long n;

	while ((int)limits[i].id != row->id)
		i++;
	if (parse_number(arg, limits[i].low, limits[i].high, row->name, &n, err))
		return -1;
	switch (limits[i].id) {
	case OPT_THREADS:
		o->threads = o->report.threads = (int)n;
		break;
	case OPT_TOP:
		o->report.top = n;
		break;
	case OPT_WIDTH:
		o->report.width = (int)n;
		break;
	case OPT_CORE:
		o->report.core = (int)n;
		break;
	default:
		o->report.space = (int)n;
	}
	return 0;
}

/* Sets options that take more than assigning a member. */
static int set_other(struct options *o, const struct option_row *row, const char *arg, struct err *err)
{
	static const int color_values[] = { -1, 0, 8, 16, 256 };
	int i;

	switch ((enum option_id)row->id) {
	case OPT_THREADS:
	case OPT_TOP:
	case OPT_WIDTH:
	case OPT_CORE:
	case OPT_SPACE:
		return set_number(o, row, arg, err);
	case OPT_CLOCK:
		if ((i = index_of_word(arg, row, err)) < 0)
			return -1;
		o->plain_clock = i == 1;
		o->clock_said = true;
		return 0;
	case OPT_PEAKS:
		if (peaks_parse(arg, &o->peak_flops, &o->peak_hbm))
			return err_set(err, EXIT_USAGE, ERR_NOWHERE,
			    "--peaks %s: must be TFLOP/s and GB/s of a core, for example 459,2765", arg);
		o->peaks = arg;
		return 0;
	case OPT_DEVICE:
		if (memory_limit(arg) < 0)
			return err_set(err, EXIT_USAGE, ERR_NOWHERE,
			    "--device %s: must be a known chip, such as v4, v5e, v5p or v6e", arg);
		o->device = arg;
		return 0;
	case OPT_COLOR:
		if ((i = index_of_word(arg, row, err)) < 0)
			return -1;
		o->colors = color_values[i];
		return 0;
	case OPT_FORMAT:
		if ((i = index_of_word(arg, row, err)) < 0)
			return -1;
		o->report.format = (enum report_format)i;
		return 0;
	case OPT_SIZE:
		return set_size(o, arg, err);
	case OPT_TABLE:
		return set_table(o, arg, err);
	default:
		return 0;
	}
}

static int set_option(struct options *o, const struct option_row *row, const char *arg, struct err *err)
{
	void *member = (char *)o + members[row->id].at;

	switch (members[row->id].kind) {
	case IS_FLAG:
		*(bool *)member = true;
		return 0;
	case IS_WORD:
		if (index_of_word(arg, row, err) < 0)
			return -1;
		/* fall through */
	case IS_TEXT:
		*(const char **)member = arg;
		return 0;
	case IS_COMMAND:
		*(const char **)member = arg;
		o->command = members[row->id].command;
		return 0;
	default:
		return set_other(o, row, arg, err);
	}
}

static void dashes_for_underscores(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!strncmp(argv[i], "--", 2))
			for (char *p = argv[i] + 2; *p && *p != '='; p++)
				if (*p == '_')
					*p = '-';
}

/* Writes "report trace" or "the viewer" into `what`, and the command that prints its help into `help`. */
static void place_text(const struct options *o, char *what, char *help, size_t size)
{
	const char *name = commands[o->place].name, *tool = o->report_tool ? o->report_tool->name : "";

	snprintf(what, size, "%s%s%s", *name ? name : "the viewer", *tool ? " " : "", tool);
	snprintf(help, size, "tpuscope %s%s--help", *name ? what : "", *name ? " " : "");
}

static int err_no_path(const struct options *o, struct err *err)
{
	char what[64], help[96];

	place_text(o, what, help, sizeof what);
	return err_set(err, EXIT_USAGE, ERR_NOWHERE,
	    "no capture given; name a logdir, a run folder or files, or use --demo; see %s", help);
}

/* Rejects options that the command, or the TOOL of report, does not take. */
static int check_place(const struct options *o, const struct option_row *row, struct err *err)
{
	char what[64], help[96];

	if ((row->commands & 1u << o->place) && (!o->report_tool || option_is_for(row, o->report_tool)))
		return 0;
	place_text(o, what, help, sizeof what);
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--%s is not an option of %s; see %s", row->name, what,
	    help);
}

static bool asks_for_help(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return true;
	return false;
}

/* Takes the word after the command: TOOL of report, VIEW of snapshot. */
static int take_word(struct options *o, int *argc, char ***argv, struct err *err)
{
	bool report = o->place == CMD_REPORT;
	char all[300] = "";

	if (!report && o->place != CMD_SNAPSHOT)
		return 0;
	if (*argc < 2 || (*argv)[1][0] == '-')
		return asks_for_help(*argc, *argv)
		    ? 0
		    : err_set(err, EXIT_USAGE, ERR_NOWHERE,
			  "%s needs a %s as its first argument; see tpuscope %s --help",
			  commands[o->place].name, report ? "TOOL" : "VIEW", commands[o->place].name);
	o->tool = *++*argv;
	--*argc;
	for (const struct report_tool *t = report_tools; report && t->name; t++) {
		if (!strcmp(t->name, o->tool))
			o->report_tool = t;
		snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", *all ? ", " : "", t->name);
	}
	return !report || o->report_tool
	    ? 0
	    : err_set(err, EXIT_USAGE, ERR_NOWHERE, "unknown report '%s'; reports: %s", o->tool, all);
}

static int take_command(struct options *o, int *argc, char ***argv, struct err *err)
{
	for (size_t i = 1; i<NCOMMANDS && * argc> 1; i++)
		if (!strcmp((*argv)[1], commands[i].name)) {
			o->command = o->place = commands[i].id;
			--*argc;
			++*argv;
			return take_word(o, argc, argv, err);
		}
	return 0;
}

static const struct option_row *option_of_letter(int c)
{
	for (size_t i = 0; i < NOPTIONS; i++)
		if (c == option_rows[i].id + 256 || (option_rows[i].letter && c == option_rows[i].letter))
			return &option_rows[i];
	return NULL;
}

static int take_options(struct options *o, int argc, char **argv, const struct option *longs,
    const char *shorts, struct err *err)
{
	char what[64], help[96];

	place_text(o, what, help, sizeof what);
	opterr = 0;
	for (int c; (c = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
		const struct option_row *row = option_of_letter(c);

		if (c == ':')
			return err_set(err, EXIT_USAGE, ERR_NOWHERE, "%s needs a value; see %s",
			    argv[optind - 1], help);
		if (!row)
			return err_set(err, EXIT_USAGE, ERR_NOWHERE, "unknown option %s; see %s",
			    argv[optind - 1], help);
		if (check_place(o, row, err) || set_option(o, row, optarg, err))
			return -1;
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
	dashes_for_underscores(argc, argv);
	for (size_t i = 0; i < NOPTIONS; i++) {
		const struct option_row *row = &option_rows[i];
		size_t n = strlen(shorts);

		longs[i] = (struct option){ row->name,
			!row->arg                      ? no_argument
			    : option_arg_optional(row) ? optional_argument
						       : required_argument,
			NULL, (int)row->id + 256 };
		if (row->letter)
			snprintf(shorts + n, sizeof shorts - n, "%c%s", row->letter, row->arg ? ":" : "");
	}
	if (take_options(o, argc, argv, longs, shorts, err))
		return -1;
	o->paths = (const char *const *)argv + optind;
	o->npaths = (size_t)(argc - optind);
	if (o->command >= CMD_HELP)
		return 0;
	if (!o->npaths && !o->demo && o->place != CMD_TRIAGE) /* triage knows where libtpu logs */
		return err_no_path(o, err);
	if (o->npaths && o->demo)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "--demo opens the bundled sample and takes no PATH");
	return 0;
}

void options_version(FILE *f)
{
	char pcre[64] = "";

	pcre2_config(PCRE2_CONFIG_VERSION, pcre);
	pcre[strcspn(pcre, " ")] = 0;
	fprintf(f, "tpuscope %s%s\n", PACKAGE_VERSION, TPUSCOPE_GIT[0] ? " (" TPUSCOPE_GIT ")" : "");
	fprintf(f, "ncursesw %s, protobuf-c %s, zlib %s, pcre2 %s\n", NCURSES_USED, protobuf_c_version(),
	    zlibVersion(), pcre);
	fprintf(f, "features: %szstd %ssnappy%s\n",
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
#ifdef ENABLE_SANITIZE
	    " sanitizers"
#else
	    ""
#endif
	);
}
