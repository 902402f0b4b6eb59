/* The command line: one table of options (options.def) gives getopt's list, the help texts, completions
 * and (checked in the tests) the man page.  options_parse() fills the struct from argv; `_` in a long option
 * counts as `-`.  Strings point into argv.  A mistake is an err with EXIT_USAGE that says what is wrong and
 * which command prints help. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "report/reports.h"

enum command {
	CMD_VIEW,
	CMD_REPORT,
	CMD_SNAPSHOT,
	CMD_BENCH,
	CMD_TRIAGE,
	CMD_DIGEST,
	CMD_DIFF,
	CMD_QUERY,
	CMD_EXPORT,
	CMD_CAPTURE,
	CMD_MONITOR,
	CMD_TOP,
	CMD_CACHE,
	CMD_DOCTOR,
	CMD_SCHEMA,
	CMD_GUIDE,
	CMD_HELP,
	CMD_VERSION,
	CMD_LIST_KEYS,
	CMD_LIST_SETTINGS,
	CMD_LIST_COLUMNS,
	CMD_COMPLETION,
	CMD_COUNT
};

/* of the commands that talk to running jobs; NULL, 0: not given, unless it has a default */
struct remote_args {
	const char *addr, *workers, *tpu, *logdir, *session, *spare, *advanced, *dataset_ops, *ignored,
	    *interval;
	int level, queries; /* queries: -1 = not given, 0 = until it is stopped */
	int duration_ms, attempts, delay_ms, host_level, device_level, python_level, grace_s, every, keep;
	bool no_hlo, save_there, allow_remote, no_open, log, cores, continuous;
};

enum { OPTION_GATES = 32 };
/* formats of snapshot, behind those of reports */
enum { FORMAT_SVG = REPORT_ROWS, FORMAT_HTML, FORMAT_FOLDED };

struct helper;
struct options {
	enum command command, place; /* place: the command that --help or the like was given to */
	const char *tool; /* report: TOOL; snapshot: VIEW; query: SQL; NULL: only --help was given */
	const struct report_tool *report_tool; /* of that name */
	const char *const *paths;
	size_t npaths;
	struct report_options report;
	struct remote_args remote;
	int64_t limit; /* of rows; -1 = not given */
	int timeout_s;
	const char *output, *run, *view, *at, *keys, *list_format;
	char *bases;            /* of --against, if there are several; cli_main() frees */
	const char *where;      /* of a finding: view and place; NULL: the view as a whole */
	char view_of_where[32]; /* its view */
	bool mouse, no_state, live;
	const char *theme, *bg, *glyphs;        /* checked by the viewer; NULL = not given */
	const char *config, *keymap;            /* NULL = not given */
	const char *errors;                     /* a table like data/triage.tsv; NULL = not given */
	const char *tpu_ops;                    /* likewise of ops that a TPU runs */
	int rows, cols;                         /* --size, 0 = default */
	int colors;                             /* -1 auto, 0 never, 8, 16, 256 */
	const char *device;                     /* --device: a chip that data/chips.tsv knows; NULL */
	const char *peaks;                      /* --peaks as it was given; NULL */
	uint64_t memory;                        /* --memory in bytes; 0 = not given */
	double peak_flops, peak_hbm;            /* the same in FLOP/s and B/s; 0 = not given */
	bool fetch, yes, remove;                /* remove: --delete of the cache */
	char fetch_gs[64], fetch_s3[64];        /* commands of the config file; "": none */
	const char *gate[OPTION_GATES], *steps; /* --fail-if, each time it was given; --steps FROM-TO */
	int ngates;
	double margin, scale; /* NaN: not given */
	const char *install;  /* of agent-guide; NULL: print it */
	bool lenient, columns, list;
	bool join;
	struct helper *helper; /* of the viewer; NULL: none */
	bool demo, ascii, mono, slow, plain_clock, clock_said, force;
};

int options_parse(struct options *, int argc, char **argv, struct err *);
void options_version(FILE *);                      /* --version: the build, libraries, features */
const char *options_build(char *buf, size_t size); /* its first line */
void options_libraries(char *buf, size_t size);    /* its second line */

#endif
