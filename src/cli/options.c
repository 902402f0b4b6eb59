#include "config.h"
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pcre2.h>
#include <zlib.h>
#include <protobuf-c/protobuf-c.h>
#ifdef HAVE_BROTLI
#include <brotli/decode.h>
#endif
#ifdef HAVE_NGHTTP2
#include <nghttp2/nghttp2.h>
#endif
#ifdef HAVE_SQLITE
#include <sqlite3.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "analyze/device/peaks.h"
#include "analyze/memory/memory.h"
#include "base/mem.h"
#include "base/memcap.h"
#include "base/text/words.h"
#include "cli/option_table.h"
#include "result/tool_names.h"
#include "report/tool/triage.h"
#include "version.h"

enum {
	V = 1 << CMD_VIEW,
	R = 1 << CMD_REPORT,
	S = 1 << CMD_SNAPSHOT,
	B = 1 << CMD_BENCH,
	T = 1 << CMD_TRIAGE,
	D = 1 << CMD_DIGEST,
	F = 1 << CMD_DIFF,
	Q = 1 << CMD_QUERY,
	E = 1 << CMD_EXPORT,
	C = 1 << CMD_CAPTURE,
	M = 1 << CMD_MONITOR,
	L = 1 << CMD_TOP,
	K = 1 << CMD_CACHE,
	X = 1 << CMD_DOCTOR,
	Z = 1 << CMD_SCHEMA,
	G = 1 << CMD_GUIDE,
	OPENS = V | R | S | B | D | F | Q | E,
	ALL = OPENS | T | C | M | L | K | X | Z | G
};

enum option_id {
#define OPTION(id, ...) OPT_##id,
#include "cli/options.def"
#undef OPTION
};

/* Everything that --help, getopt, completions and the check of the man page know about an option; the groups
 * of --help come in the order of their first rows. */
static const struct option_row option_rows[] = {
#define FLAG(member) .how = SETS_FLAG, .at = offsetof(struct options, member)
#define TEXT(member) .how = SETS_TEXT, .at = offsetof(struct options, member)
#define WORD(member) .how = SETS_WORD, .at = offsetof(struct options, member)
#define NUMBER(member, least, most) \
	.how = SETS_NUMBER, .at = offsetof(struct options, member), .low = least, .high = most
#define COMMAND(id) .how = SETS_COMMAND, .at = offsetof(struct options, list_format), .command = CMD_##id
#define OTHER .how = SETS_OTHER
#define OPTION(id, name, arg, letter, commands, tools, set, help) \
	{ OPT_##id, name, arg, letter, commands, tools, help, { set } },
#include "cli/options.def"
#undef OPTION
#undef OTHER
#undef COMMAND
#undef NUMBER
#undef WORD
#undef TEXT
#undef FLAG
};
#define NOPTIONS (sizeof option_rows / sizeof *option_rows)

static const struct command_row commands[] = {
	{ CMD_VIEW, "", "[PATH...]", "open the viewer: a logdir, a run folder, or files of any known kind",
	    "/tmp/logdir", "--demo" },
	{ CMD_REPORT, "report", "TOOL PATH...", "the same numbers on stdout, as text, JSON or CSV",
	    "findings /tmp/logdir", "hlo_stats /tmp/logdir --top 20 --format csv" },
	{ CMD_SNAPSHOT, "snapshot", "VIEW PATH...", "one frame of a view on stdout",
	    "timeline /tmp/logdir --size 120x40", "overview --demo" },
	{ CMD_BENCH, "bench", "PATH...", "load, draw a fixed script of frames, print the times",
	    "/tmp/logdir", "--demo" },
	{ CMD_TRIAGE, "triage", "[FILE|-]...", "find out what went wrong, from logs and error messages",
	    "/tmp/job.log", "- </tmp/job.log" },
	{ CMD_DIGEST, "digest", "HOSTFILE... -o FILE",
	    "summarize one host in a small file; many of these open as one pod",
	    "host0.xplane.pb -o host0.digest", "--demo -o demo.digest" },
	{ CMD_DIFF, "diff", "BASE NEW...",
	    "what changed from one capture to another, and whether that is certain", "/tmp/before /tmp/after",
	    "/tmp/before /tmp/after --format json" },
	{ CMD_QUERY, "query", "SQL PATH...",
	    "rows of an SQL query over the events and all tables of a capture",
	    "'SELECT name, us(self_ps) FROM slices' /tmp/logdir --top 5", "- --demo <FILE.sql" },
	{ CMD_EXPORT, "export", "PATH...", "self times of ops as folded stacks, for flame graphs",
	    "--format folded /tmp/logdir -o ops.folded", "/tmp/after --against /tmp/before" },
	{ CMD_CAPTURE, "capture", "--addr HOST:PORT --logdir DIR",
	    "capture a running job, and open what was captured", "--addr localhost:9012 --logdir /tmp/logdir",
	    "--addr localhost:9012 --logdir /tmp/logdir --duration-ms 2000" },
	{ CMD_MONITOR, "monitor", "--addr HOST:PORT",
	    "idle time, utilization and step times of a running job, updated live", "--addr localhost:9012",
	    "--addr localhost:9012 --num-queries 1 --format json" },
	{ CMD_TOP, "top", "[HOST:PORT,...]",
	    "memory in use, duty cycle and queues of the chips of this TPU VM", "--log", "--cores" },
	{ CMD_CACHE, "cache", "[--delete ID|ADDRESS|all]...", "list or delete what --fetch downloaded",
	    "--delete all", "--delete gs://bucket/logdir" },
	{ CMD_DOCTOR, "doctor", "", "what this terminal and this machine lack, and what to do about it", "",
	    "--format json" },
	{ CMD_SCHEMA, "schema", "[TOOL]",
	    "all tables and columns of reports and of query; of a TOOL the JSON Schema of its document",
	    "steps", "--list" },
	{ CMD_GUIDE, "agent-guide", "[--install DIR]",
	    "what a coding agent needs to know to use this program, as a SKILL.md", "",
	    "--install ~/.claude/skills" },
};
#define NCOMMANDS (sizeof commands / sizeof *commands)

/* Names that options had in capture_tpu_profile and other programs that are used in guides. */
static const struct {
	const char *name;
	enum option_id id;
} old_names[] = {
	{ "service-addr", OPT_ADDR },
	{ "master-tpu-unsecure-channel", OPT_ADDR },
	{ "num-tracing-attempts", OPT_ATTEMPTS },
	{ "host-tracer-level", OPT_HOST_LEVEL },
	{ "device-tracer-level", OPT_DEVICE_LEVEL },
	{ "python-tracer-level", OPT_PYTHON_LEVEL },
};
#define NOLD (sizeof old_names / sizeof *old_names)

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
	const char *of = command == CMD_TRIAGE ? "triage"
	    : command == CMD_DIFF              ? "diff"
	    : tool                             ? tool->name
					       : NULL;

	return of ? report_table_name(of, i) : NULL;
}

bool option_arg_optional(const struct option_row *row)
{
	return row->id == OPT_LIST_KEYS || row->id == OPT_LIST_SETTINGS || row->id == OPT_LIST_COLUMNS ||
	    row->id == OPT_DATASET_OPS || row->id == OPT_TIMESTAMP;
}

static int parse_number(const char *text, long low, long high, const char *option, long *out, struct err *err)
{
	char *end;

	errno = 0;
	*out = strtol(text, &end, 10);
	if (errno || end == text || *end || *out < low || *out > high)
		return high == LONG_MAX
		    ? err_set(err, EXIT_USAGE, ERR_NOWHERE, "--%s %s: must be a number, %ld or more", option,
			  text, low)
		    : err_set(err, EXIT_USAGE, ERR_NOWHERE, "--%s %s: must be a number from %ld to %ld",
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

static int set_memory(struct options *o, const char *text, struct err *err)
{
	static const char letters[] = "KMGT";
	char *end;
	double n = strtod(text, &end);
	const char *letter = *end ? strchr(letters, toupper((unsigned char)*end)) : NULL;

	if (letter) {
		n = ldexp(n, 10 * (int)(letter - letters + 1));
		end += !strcmp(end + 1, "iB") ? 3 : !strcmp(end + 1, "B") ? 2 : 1;
	}
	if (!letter || *end || !(n >= (double)MEMCAP_LEAST && n < (double)(1ull << 62)))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "--memory %s: must be a size with its unit, at least %lluM, for example 4G", text,
		    (unsigned long long)MEMCAP_LEAST >> 20);
	o->memory = (uint64_t)n;
	return 0;
}

static int set_table(struct options *o, const char *name, struct err *err)
{
	char list[200] = "";
	const char *one;

	for (size_t i = 0; (one = option_table_name(o->place, o->report_tool, i)); i++) {
		if (!strcmp(name, one)) {
			o->report.table = name;
			return 0;
		}
		words_add(list, sizeof list, ", ", one);
	}
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--table %s: must be one of %s", name, list);
}

static int add_gate(struct options *o, const char *arg, struct err *err)
{
	if (o->ngates == OPTION_GATES)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "--fail-if: at most %d times; join them with commas", OPTION_GATES);
	o->gate[o->ngates++] = arg;
	return 0;
}

static int set_real(double *to, const char *arg, const char *name, struct err *err)
{
	char *end;

	*to = strtod(arg, &end);
	if (end == arg || *end || !(*to > 0) || !isfinite(*to))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--%s %s: must be a number above 0", name, arg);
	return 0;
}

/* A frame has other formats than a document. */
static int set_format(struct options *o, const struct option_row *row, const char *arg, struct err *err)
{
	int i = index_of_word(arg, row, err);
	bool frame = i == REPORT_TEXT || i >= REPORT_MARKDOWN;

	if (i < 0)
		return -1;
	if (o->place == CMD_SNAPSHOT     ? !frame || i == FORMAT_FOLDED
		: o->place == CMD_EXPORT ? i != FORMAT_FOLDED
					 : i >= FORMAT_SVG)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--format %s: %s", arg,
		    o->place == CMD_SNAPSHOT     ? "a frame has text, markdown, svg or html"
			: o->place == CMD_EXPORT ? "export has folded; the others are of report TOOL"
			: i == FORMAT_FOLDED     ? "only export has it"
						 : "only snapshot has it");
	o->report.format = (enum report_format)i;
	return 0;
}

/* Several captures are one side of a comparison. */
static int take_base(struct options *o, const char *arg, struct err *err)
{
	char *all;

	if (!o->report.against) {
		o->report.against = arg;
		return 0;
	}
	if (o->place == CMD_REPORT || o->place == CMD_QUERY)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "--against is given twice; diff takes several bases, others take one");
	all = xasprintf("%s,%s", o->report.against, arg);
	free(o->bases);
	o->report.against = o->bases = all;
	return 0;
}

/* Sets options that take more than assigning a member. */
static int set_other(struct options *o, const struct option_row *row, const char *arg, struct err *err)
{
	static const int color_values[] = { -1, 0, 8, 16, 256 };
	long n;
	int i;

	switch ((enum option_id)row->id) {
	case OPT_TOP:
		/* of a query, it is --limit, of which 0 means all rows */
		if (parse_number(arg, o->place == CMD_QUERY, LONG_MAX, row->name, &n, err))
			return -1;
		o->report.top = o->limit = n;
		return 0;
	case OPT_AGAINST:
		return take_base(o, arg, err);
	case OPT_LIMIT:
		if (parse_number(arg, 0, LONG_MAX, row->name, &n, err))
			return -1;
		o->limit = n;
		return 0;
	case OPT_CLOCK:
		if ((i = index_of_word(arg, row, err)) < 0)
			return -1;
		o->plain_clock = i == 1;
		o->clock_said = true;
		return 0;
	case OPT_MEMORY:
		return set_memory(o, arg, err);
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
		return set_format(o, row, arg, err);
	case OPT_SIZE:
		return set_size(o, arg, err);
	case OPT_FAIL_IF:
		return add_gate(o, arg, err);
	case OPT_MARGIN:
		return set_real(&o->margin, arg, row->name, err);
	case OPT_SCALE:
		return set_real(&o->scale, arg, row->name, err);
	case OPT_WHATIF:
		if (o->report.nwhatifs == REPORT_WHATIFS)
			return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--whatif: at most %d times",
			    REPORT_WHATIFS);
		o->report.whatif[o->report.nwhatifs++] = arg;
		return 0;
	case OPT_TABLE:
		return set_table(o, arg, err);
	default:
		return 0;
	}
}

static int set_option(struct options *o, const struct option_row *row, const char *arg, struct err *err)
{
	void *member = (char *)o + row->set.at;
	long n;

	switch (row->set.how) {
	case SETS_FLAG:
		*(bool *)member = true;
		return 0;
	case SETS_NUMBER:
		if (parse_number(arg, row->set.low, row->set.high, row->name, &n, err))
			return -1;
		*(int *)member = (int)n;
		return 0;
	case SETS_WORD:
		if (index_of_word(arg, row, err) < 0)
			return -1;
		/* fall through */
	case SETS_TEXT:
		*(const char **)member = arg;
		return 0;
	case SETS_COMMAND:
		*(const char **)member = arg;
		o->command = row->set.command;
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

/* "pod:step 101 core 0:2" is a view and what a finding says is there. */
static void take_where(struct options *o, const char **view)
{
	const char *colon = *view ? strchr(*view, ':') : NULL;

	if (!colon || (size_t)(colon - *view) >= sizeof o->view_of_where)
		return;
	memcpy(o->view_of_where, *view, (size_t)(colon - *view));
	o->where = *view;
	*view = o->view_of_where;
}

/* Takes the word after the command: TOOL of report, VIEW of snapshot. */
static int take_word(struct options *o, int *argc, char ***argv, struct err *err)
{
	bool report = o->place == CMD_REPORT;
	const char *what = report ? "TOOL" : o->place == CMD_QUERY ? "query" : "VIEW";
	const char *near = NULL;
	char all[300] = "";

	if (!report && o->place != CMD_SNAPSHOT && o->place != CMD_QUERY)
		return 0;
	if (*argc < 2 || ((*argv)[1][0] == '-' && (o->place != CMD_QUERY || (*argv)[1][1])))
		return asks_for_help(*argc, *argv)
		    ? 0
		    : err_set(err, EXIT_USAGE, ERR_NOWHERE,
			  "%s needs a %s as its first argument; see tpuscope %s --help",
			  commands[o->place].name, what, commands[o->place].name);
	++*argv;
	o->tool = report ? tool_report(**argv) : o->place == CMD_SNAPSHOT ? tool_view(**argv) : **argv;
	--*argc;
	for (const struct report_tool *t = report_tools; report && t->name; t++) {
		if (!strcmp(t->name, o->tool))
			o->report_tool = t;
		if (word_is_typo(o->tool, strlen(o->tool), t->name))
			near = t->name;
		words_add(all, sizeof all, ", ", t->name);
	}
	if (!report || o->report_tool)
		return 0;
	return near
	    ? err_set(err, EXIT_USAGE, ERR_NOWHERE, "unknown report '%s'; did you mean %s?", o->tool, near)
	    : err_set(err, EXIT_USAGE, ERR_NOWHERE, "unknown report '%s'; reports: %s", o->tool, all);
}

static bool is_like(const char *word, const char *name)
{
	return !strcmp(word, name) || word_is_typo(word, strlen(word), name);
}

/* A first word that is no command, and no file, either: what was meant. */
static int check_command(const char *word, struct err *err)
{
	static const char unknown[] = "unknown command '%s'; did you mean %s%s?";

	if (*word == '-' || !access(word, F_OK) || errno != ENOENT)
		return 0;
	for (size_t i = 1; i < NCOMMANDS; i++)
		if (word_is_typo(word, strlen(word), commands[i].name))
			return err_set(err, EXIT_USAGE, ERR_NOWHERE, unknown, word, "", commands[i].name);
	for (const struct report_tool *t = report_tools; t->name; t++)
		if (is_like(tool_report(word), t->name))
			return err_set(err, EXIT_USAGE, ERR_NOWHERE, unknown, word, "report ", t->name);
	if (is_like(word, "help") || is_like(word, "version"))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, unknown, word, "--",
		    is_like(word, "help") ? "help" : "version");
	return 0;
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
	return *argc > 1 ? check_command((*argv)[1], err) : 0;
}

static const struct option_row *option_of_letter(int c)
{
	for (size_t i = 0; i < NOPTIONS; i++)
		if (c == option_rows[i].id + 256 || (option_rows[i].letter && c == option_rows[i].letter))
			return &option_rows[i];
	return NULL;
}

static int err_unknown_option(const char *word, const char *help, struct err *err)
{
	size_t n = strcspn(word, "=");

	for (size_t i = 0; i < NOPTIONS && n > 3; i++)
		if (word_is_typo(word + 2, n - 2, option_rows[i].name))
			return err_set(err, EXIT_USAGE, ERR_NOWHERE,
			    "unknown option %.*s; did you mean --%s?", (int)n, word, option_rows[i].name);
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "unknown option %s; see %s", word, help);
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
			return err_unknown_option(argv[optind - 1], help, err);
		if (check_place(o, row, err) || set_option(o, row, optarg, err))
			return -1;
	}
	return 0;
}

int options_parse(struct options *o, int argc, char **argv, struct err *err)
{
	struct option longs[NOPTIONS + NOLD + 1] = { 0 };
	char shorts[2 * NOPTIONS + 2] = ":";

	*o = (struct options){
		.command = CMD_VIEW,
		.colors = -1,
		.margin = NAN,
		.scale = NAN,
		.report = { .core = -1, .top = -1, .radius = 1 },
		.limit = -1,
		.timeout_s = 30,
		.remote = { .queries = -1, .attempts = 3, .host_level = 2, .device_level = 1, .grace_s = 300 }
	};
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
	for (size_t i = 0; i < NOLD; i++)
		longs[NOPTIONS + i] =
		    (struct option){ old_names[i].name, required_argument, NULL, (int)old_names[i].id + 256 };
	if (take_options(o, argc, argv, longs, shorts, err))
		return -1;
	take_where(o, o->place == CMD_SNAPSHOT ? &o->tool : &o->view);
	o->paths = (const char *const *)argv + optind;
	o->npaths = (size_t)(argc - optind);
	if (o->command >= CMD_HELP || (o->place == CMD_QUERY && *o->tool == '.'))
		return 0;
	if (o->place == CMD_TOP || o->columns)
		return 0;
	if (o->place == CMD_SCHEMA || o->place == CMD_GUIDE)
		return o->npaths <= (o->place == CMD_SCHEMA)
		    ? 0
		    : err_set(err, EXIT_USAGE, ERR_NOWHERE, "%s takes no PATH", commands[o->place].name);
	if (o->place == CMD_CAPTURE || o->place == CMD_MONITOR || o->place == CMD_DOCTOR)
		return !o->npaths
		    ? 0
		    : err_set(err, EXIT_USAGE, ERR_NOWHERE, "%s takes no PATH%s", commands[o->place].name,
			  o->place == CMD_DOCTOR ? "" : ": the job is --addr");
	if (!o->npaths && !o->demo && o->place != CMD_TRIAGE &&
	    o->place != CMD_CACHE) /* triage knows where libtpu logs */
		return err_no_path(o, err);
	if (o->npaths && o->demo)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "--demo opens the bundled sample and takes no PATH");
	return 0;
}

const char *options_build(char *buf, size_t size)
{
	const char *machine =
#if defined __x86_64__
	    "x86_64";
#elif defined __aarch64__
	    "aarch64";
#else
	    "other processor";
#endif
	const char *libc =
#if defined __GLIBC__
	    "glibc";
#elif defined TPUSCOPE_STATIC
	    "static musl";
#else
	    "musl";
#endif

	snprintf(buf, size, "tpuscope %s (%s%s%s, %s)", PACKAGE_VERSION, TPUSCOPE_GIT,
	    *TPUSCOPE_GIT ? ", " : "", machine, libc);
	return buf;
}

void options_libraries(char *buf, size_t size)
{
	char pcre[64] = "", one[64];

	pcre2_config(PCRE2_CONFIG_VERSION, pcre);
	pcre[strcspn(pcre, " ")] = 0;
	snprintf(buf, size, "ncursesw %s, protobuf-c %s, zlib %s, pcre2 %s", NCURSES_USED,
	    protobuf_c_version(), zlibVersion(), pcre);
#ifdef HAVE_ZSTD
	snprintf(one, sizeof one, "zstd %s", ZSTD_versionString());
	words_add(buf, size, ", ", one);
#endif
#ifdef HAVE_BROTLI
	snprintf(one, sizeof one, "brotli %u.%u.%u", BrotliDecoderVersion() >> 24,
	    BrotliDecoderVersion() >> 12 & 0xfff, BrotliDecoderVersion() & 0xfff);
	words_add(buf, size, ", ", one);
#endif
#ifdef HAVE_NGHTTP2
	snprintf(one, sizeof one, "nghttp2 %s", nghttp2_version(0)->version_str);
	words_add(buf, size, ", ", one);
#endif
#ifdef HAVE_SQLITE
	snprintf(one, sizeof one, "sqlite %s", sqlite3_libversion());
	words_add(buf, size, ", ", one);
#endif
	(void)one;
}

void options_version(FILE *f)
{
	char text[400];

	fprintf(f, "%s\n", options_build(text, sizeof text));
	options_libraries(text, sizeof text);
	fprintf(f, "%s\n", text);
	fprintf(f, "features: %szstd +snappy %sbrotli %snghttp2 %ssqlite%s\n",
#ifdef HAVE_ZSTD
	    "+",
#else
	    "-",
#endif
#ifdef HAVE_BROTLI
	    "+",
#else
	    "-",
#endif
#ifdef HAVE_NGHTTP2
	    "+",
#else
	    "-",
#endif
#ifdef HAVE_SQLITE
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
