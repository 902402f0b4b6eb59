#include "config.h"
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/ioctl.h>

#include "analyze/memory/memory.h"
#include "base/file/embedded.h"
#include "base/file/outfile.h"
#include "base/helper.h"
#include "base/memcap.h"
#include "base/text/safe_out.h"
#include "base/text/utf8.h"
#include "cli/fetch.h"
#include "cli/narrow.h"
#include "load/source/source.h"
#include "load/watch.h"
#include "sql/sql.h"

#define SAMPLE "simulated-v5e-4chip.xplane.pb.gz"

static bool ascii_only(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

void cli_complain(const struct options *o, const struct err *err)
{
	char text[1600], file[400] = "", at[40] = "";

	if (o->npaths == 1 && err->status != EXIT_USAGE) {
		utf8_clean(file, sizeof file - 2, o->paths[0], strlen(o->paths[0]), ascii_only());
		strcat(file, ": ");
	}
	utf8_clean(text, sizeof text, err->msg, strlen(err->msg), ascii_only());
	if (err->at != ERR_NOWHERE)
		snprintf(at, sizeof at, " (at byte %llu)", (unsigned long long)err->at);
	fprintf(stderr, "tpuscope: %s%s%s\n", file, text, at);
}

void cli_problems(struct dump *dump)
{
	char news[300]; /* stands in the problems, too */

	load_watch(dump, false, news, sizeof news);
	for (size_t i = 0; i < dump->problems->n; i++) {
		const struct problem *p = &dump->problems->v[i];
		const char *path = p->file >= 0 ? dump->files[p->file].path : NULL;
		char file[400] = "", text[1600], at[40] = "";

		if (p->level == PROBLEM_NOTE)
			continue;
		if (path) {
			utf8_clean(file, sizeof file - 2, path, strlen(path), ascii_only());
			strcat(file, ": ");
		}
		utf8_clean(text, sizeof text, p->text, strlen(p->text), ascii_only());
		if (p->at != ERR_NOWHERE)
			snprintf(at, sizeof at, " (at byte %llu)", (unsigned long long)p->at);
		fprintf(stderr, "tpuscope: %s%s%s", file, text, at);
		fprintf(stderr, p->count > 1 ? ", %llu times\n" : "\n", (unsigned long long)p->count);
	}
}

static int cli_sample(const struct options *o, struct sample *s, struct err *err)
{
	const struct embedded *e;

	*s = (struct sample){ 0 };
	if (!o->demo)
		return 0;
	if (!(e = embedded_find(SAMPLE)))
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "this program was built without the sample");
	*s = (struct sample){ e->bytes, e->size, SAMPLE };
	return 0;
}

static struct load_options load_options_of(const struct options *o, const char *run)
{
	return (struct load_options){ .threads = o->report.threads,
		.run = run,
		.host = o->report.host,
		.join = o->join,
		.peak_flops = o->peak_flops,
		.peak_hbm = o->peak_hbm,
		.device = o->device,
		.texts = o->report_tool && o->report_tool->takes & READS_TEXTS };
}

struct dump *cli_load_paths(const struct options *o, const char *const *paths, size_t n, const char *run,
    struct err *err)
{
	struct load_options load = load_options_of(o, run);
	struct dump *d = load_paths(paths, n, &load, NULL, err);

	if (d)
		memory_check_device(d);
	return d;
}

/* The dump that --against names comes behind the others. */
static struct dump *load_given(const struct options *o, struct err *err)
{
	const char **paths;
	struct dump *d;

	if (!o->report.against || o->command != CMD_REPORT)
		return cli_load_paths(o, o->paths, o->npaths, o->run, err);
	paths = xcalloc(o->npaths + 1, sizeof *paths);
	for (size_t i = 0; i < o->npaths; i++)
		paths[i] = o->paths[i];
	paths[o->npaths] = o->report.against;
	d = cli_load_paths(o, paths, o->npaths + 1, o->run, err);
	free(paths);
	return d;
}

struct dump *cli_load(const struct options *o, struct err *err)
{
	struct load_options load = load_options_of(o, o->run);
	struct sample sample;
	struct dump *d;

	if (cli_sample(o, &sample, err))
		return NULL;
	if (!sample.bytes)
		return load_given(o, err);
	if ((d = load_memory(sample.bytes, sample.size, sample.name, &load, err)))
		memory_check_device(d);
	return d;
}

/* Sets the width of text: --width, else the terminal's, else 100. */
static void set_width(struct options *o)
{
	struct winsize ws;

	if (o->report.width)
		return;
	o->report.width = 100;
	if (!o->output && isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) && ws.ws_col >= 40)
		o->report.width = ws.ws_col;
}

static int name_output(struct options *o, struct err *err)
{
	const char *name = o->output && strcmp(o->output, "-") ? o->output : "stdout";
	char why[sizeof err->msg];

	memcpy(why, err->msg, sizeof why);
	o->npaths = 0;
	return err_set(err, err->status, ERR_NOWHERE, "%s: %s", name, why);
}

FILE *cli_stdout(void)
{
	static FILE *door;

	if (!door && isatty(STDOUT_FILENO))
		door = safe_out(stdout);
	return door ? door : stdout;
}

/* Frames have sequences for the terminal on purpose, and names in them are safe; digests are no text. */
static bool is_document(enum command c)
{
	return c != CMD_SNAPSHOT && c != CMD_BENCH && c != CMD_DIGEST;
}

int cli_output_open(struct options *o, struct outfile *out, struct err *err)
{
	if (outfile_open(out, o->output ? o->output : "-", o->force, err))
		return name_output(o, err);
	if (out->f == stdout && isatty(STDOUT_FILENO) && is_document(o->command)) {
		FILE *door = safe_out(stdout);

		out->f = door ? door : stdout;
	}
	return 0;
}

int cli_output_close(struct options *o, struct outfile *out, int status, struct err *err)
{
	bool broken = status < 0 && ferror(out->f); /* err says so already */

	if (status < 0)
		outfile_drop(out);
	else if (outfile_close(out, err))
		broken = true;
	return broken ? name_output(o, err) : status;
}

static int do_columns(struct options *o, struct err *err)
{
	struct outfile out;

	if (cli_output_open(o, &out, err))
		return -1;
	report_columns_of(out.f, o->report_tool->name);
	return cli_output_close(o, &out, EXIT_OK, err);
}

static int do_report(struct options *o, struct err *err)
{
	struct outfile out;
	struct capture *c;
	struct dump *dump;
	int status;

	if (o->columns)
		return do_columns(o, err);
	if (!(dump = cli_load(o, err)))
		return -1;
	c = capture_of(dump, o->report.threads);
	set_width(o);
	if (cli_output_open(o, &out, err)) {
		capture_close(c);
		return -1;
	}
	status = report_run(o->report_tool, c, &o->report, out.f, err);
	status = cli_output_close(o, &out, status, err);
	cli_problems(dump);
	if (status == EXIT_OK)
		status = dump_status(dump) == EXIT_DAMAGED ? EXIT_DAMAGED : EXIT_OK;
	if (status >= 0 && o->ngates)
		status = cli_gates(o, c, status, err);
	capture_close(c);
	return status;
}

/* The capture that --against names; NULL with err, or without err where there is none. */
static struct capture *base_of(const struct options *o, struct err *err)
{
	struct dump *d = NULL;

	if (o->report.against && !(d = cli_load_paths(o, &o->report.against, 1, NULL, err)))
		return NULL;
	return d ? capture_of(d, o->report.threads) : NULL;
}

static bool is_damaged(const struct capture *c)
{
	return c && dump_status(c->base) == EXIT_DAMAGED;
}

static int run_query(struct options *o, const char *text, struct err *err)
{
	const struct sql_options so = { .text = text,
		.format = o->report.format,
		.width = o->report.width,
		.threads = o->report.threads,
		.limit = o->limit,
		.timeout_s = o->timeout_s };
	struct dump *dump = cli_load(o, err);
	struct capture *c, *base;
	struct outfile out;
	int status;

	if (!dump)
		return -1;
	c = capture_of(dump, o->report.threads);
	base = base_of(o, err);
	status = o->report.against && !base ? -1 : cli_output_open(o, &out, err);
	if (!status) {
		bool kept;

		status = sql_run(c, base, &so, out.f, err);
		kept = !status || err->status == EXIT_NOTHING;
		if (cli_output_close(o, &out, kept ? EXIT_OK : -1, err))
			status = -1;
	}
	cli_problems(dump);
	if (!status && (is_damaged(c) || is_damaged(base)))
		status = EXIT_DAMAGED;
	capture_close(c);
	capture_close(base);
	return status;
}

/* The message with the line of the SQL where it is wrong, and a mark below the place. */
static int point_at(const struct options *o, const char *text, struct err *err)
{
	size_t at = err->at < strlen(text) ? (size_t)err->at : strlen(text), begin = at, n;
	char before[400], line[400];

	while (begin && text[begin - 1] != '\n' && at - begin < 60)
		begin--;
	n = strcspn(text + begin, "\r\n");
	err->at = ERR_NOWHERE;
	cli_complain(o, err);
	utf8_clean(before, sizeof before, text + begin, at - begin, ascii_only());
	utf8_clean(line, sizeof line, text + begin, n < 76 ? n : utf8_head(text + begin, n, 76),
	    ascii_only());
	fprintf(stderr, "  %s\n  %*s^\n", line, utf8_cols(before, strlen(before)), "");
	return err->status;
}

static int do_query(struct options *o, struct err *err)
{
	struct outfile out;
	char *text = NULL;
	size_t cap = 0;
	int status = 0;

	if (*o->tool == '.')
		return cli_output_open(o, &out, err)
		    ? -1
		    : cli_output_close(o, &out, sql_about(out.f, o->tool, err), err);
	if (strcmp(o->tool, "-"))
		text = xstrdup(o->tool);
	else if (getdelim(&text, &cap, '\0', stdin) < 0)
		status = err_set(err, EXIT_USAGE, ERR_NOWHERE, "query -: no SQL on standard input");
	if (!status)
		status = run_query(o, text, err);
	if (status < 0 && err->status == EXIT_USAGE && err->at != ERR_NOWHERE)
		status = point_at(o, text, err);
	free(text);
	return status;
}

static int do_frame(struct options *o, const struct frontend *fe, struct err *err)
{
	struct sample sample;
	struct outfile out;
	int status;

	if (cli_sample(o, &sample, err))
		return -1;
	if (cli_output_open(o, &out, err))
		return -1;
	status = (o->command == CMD_BENCH ? fe->bench : fe->snapshot)(o, &sample, out.f, err);
	return cli_output_close(o, &out, status, err);
}

static int do_triage(struct options *o, struct err *err)
{
	struct outfile out;
	int status;

	set_width(o);
	if (cli_output_open(o, &out, err))
		return -1;
	status = cli_triage(o, out.f, err);
	return cli_output_close(o, &out, status, err);
}

/* --help, --version, --completion and the --list options */
static int list_columns(const char *format, const struct frontend *fe, FILE *f, struct err *err)
{
	bool man = format && !strcmp(format, "man");

	if (format && !man && strcmp(format, "text"))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--list-columns=%s: must be text or man",
		    format);
	report_list_columns(f, fe->table, man);
	return EXIT_OK;
}

static int do_list(struct options *o, const struct frontend *fe, struct err *err)
{
	struct outfile out;
	int status = EXIT_OK;

	if (cli_output_open(o, &out, err))
		return -1;
	if (o->command == CMD_HELP)
		cli_help(out.f, o, fe);
	else if (o->command == CMD_VERSION)
		options_version(out.f);
	else if (o->command == CMD_LIST_COLUMNS)
		status = list_columns(o->list_format, fe, out.f, err);
	else if (o->command == CMD_COMPLETION)
		status = cli_completion(out.f, o->list_format, fe, err);
	else
		status = fe->list(o, out.f, err);
	return cli_output_close(o, &out, status ? -1 : EXIT_OK, err);
}

/* Commands that show files: they start no programs and need no network. */
static bool shows_files(enum command c)
{
	return c == CMD_VIEW || c == CMD_REPORT || c == CMD_TRIAGE || c == CMD_DIGEST || c == CMD_EXPORT ||
	    c == CMD_DIFF || c == CMD_QUERY || c == CMD_BENCH || c == CMD_SNAPSHOT;
}

static int do_cache(struct options *o, struct err *err)
{
	struct outfile out;

	return cli_output_open(o, &out, err) ? -1 : cli_output_close(o, &out, cli_cache(o, out.f, err), err);
}

static bool is_missing(const char *path)
{
	return strcmp(path, "-") && access(path, F_OK) && errno == ENOENT;
}

/* Files that are not there are what is wrong first, without a terminal, too.  A first word that is not there and looks
 * like no path was meant for a command. */
static int check_files(const struct options *o, const struct frontend *fe, struct err *err)
{
	size_t missing = 0;
	const char *word = o->npaths ? o->paths[0] : "", *view;
	char buf[64];

	while (missing < o->npaths && is_missing(o->paths[missing]))
		missing++;
	if (!missing || (missing < o->npaths && word[strcspn(word, "./:")]))
		return 0;
	if (word[strcspn(word, "./:")])
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s%sno such file or directory",
		    o->npaths > 1 ? word : "", o->npaths > 1 ? ": " : "");
	for (size_t i = 0; (view = fe->value("view", i, buf, sizeof buf)); i++)
		if (!strcmp(view, word))
			return err_set(err, EXIT_USAGE, ERR_NOWHERE,
			    "'%s' is a view, which --view %s PATH opens, not a command or a file", word,
			    word);
	return err_set(err, EXIT_USAGE, ERR_NOWHERE,
	    "'%s' is no command and no file; tpuscope --help lists the commands", word);
}

static int run_mode(struct options *o, const struct frontend *fe, struct err *err)
{
	struct sample sample;

	if (o->command == CMD_VIEW && isatty(STDOUT_FILENO))
		o->helper = helper_start();
	if (shows_files(o->command) && !o->live)
		narrow();
	switch (o->command) {
	case CMD_HELP:
	case CMD_VERSION:
	case CMD_LIST_KEYS:
	case CMD_LIST_SETTINGS:
	case CMD_LIST_COLUMNS:
	case CMD_COMPLETION:
		o->output = NULL;
		return do_list(o, fe, err);
	case CMD_REPORT:
		return fe->numbers(o, err) ? -1 : do_report(o, err);
	case CMD_TRIAGE:
		return fe->numbers(o, err) ? -1 : do_triage(o, err);
	case CMD_QUERY:
		set_width(o);
		return fe->numbers(o, err) ? -1 : do_query(o, err);
	case CMD_DIGEST:
		return fe->numbers(o, err) ? -1 : cli_digest(o, err);
	case CMD_EXPORT:
		return fe->numbers(o, err) ? -1 : cli_export(o, err);
	case CMD_DIFF:
		set_width(o);
		return fe->numbers(o, err) ? -1 : cli_diff(o, err);
	case CMD_DOCTOR:
		return cli_doctor(o, fe, err);
	case CMD_CACHE:
		return do_cache(o, err);
	case CMD_SCHEMA:
	case CMD_GUIDE:
		return o->command == CMD_GUIDE ? cli_guide(o, err) : cli_schema(o, err);
	case CMD_CAPTURE:
		return o->remote.level ? cli_monitor(o, fe, err) : cli_capture(o, fe, err);
	case CMD_MONITOR:
		return cli_monitor(o, fe, err);
	case CMD_TOP:
		return cli_top(o, fe, err);
	case CMD_BENCH:
		return fe->numbers(o, err) ? -1 : do_frame(o, fe, err);
	case CMD_SNAPSHOT:
		return do_frame(o, fe, err);
	default:
		return cli_sample(o, &sample, err) || check_files(o, fe, err) ? -1
									      : fe->view(o, &sample, err);
	}
}

/* A stream that the caller closed must not become the next file that is opened: messages would go into it.  In its
 * place is something that cannot be used either. */
static void keep_closed_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			_exit(EXIT_NOTHING);
}

int cli_main(int argc, char **argv, const struct frontend *fe)
{
	struct err err = { .at = ERR_NOWHERE };
	struct options o;
	int status = -1;

	keep_closed_streams();
	source_guard_install();
	signal(SIGXFSZ, SIG_IGN); /* write() fails with an error instead of a core dump */
	if (options_parse(&o, argc, argv, &err)) {
		o.npaths = 0;
	} else {
		if (o.memory)
			memcap_set(o.memory);
		status = shows_files(o.command) ? cli_fetch(&o, fe, &err) : EXIT_OK;
		status = status ? status : run_mode(&o, fe, &err);
		helper_end(o.helper);
	}
	if (status < 0) {
		cli_complain(&o, &err);
		status = err.status ? err.status : EXIT_NOTHING;
	}
	free(o.bases);
	return status;
}
