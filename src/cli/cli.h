/* The commands of the program.  cli_main() is main() without the terminal: what needs a screen is called
 * through `struct frontend`, which src/main.c fills in (nothing else in src knows ui).  Messages go to
 * stderr as "tpuscope: FILE: what is wrong; what to do (at byte N)". */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "cli/options.h"
#include "load/load.h"

/* the capture that --demo opens; bytes NULL = no --demo */
struct sample {
	const void *bytes;
	size_t size;
	const char *name;
};

struct outfile;
struct checks;

/* A running job to watch on a screen.  The servers were looked up; those of other machines were agreed to. */
struct live {
	const char *servers;
	int interval_ms; /* of top */
	int queries;     /* of monitor; 0 = no limit */
};

struct frontend {
	int (*view)(const struct options *, const struct sample *, struct err *);
	int (*live)(const struct options *, const struct live *, struct err *);
	int (*snapshot)(const struct options *, const struct sample *, FILE *, struct err *);
	int (*bench)(const struct options *, const struct sample *, FILE *, struct err *);
	int (*list)(const struct options *, FILE *, struct err *); /* --list-keys, --list-settings */
	/* copies settings of the config file that change results into options that were not given, and reads the
	 * user's table of errors; mistakes in those files are printed to stderr and do not stop the program */
	int (*numbers)(struct options *, struct err *);
	/* copies commands of the config file: fetch.gs, fetch.s3 */
	int (*commands)(struct options *, struct err *);
	/* i-th value of an option that only ui knows; NULL after the last */
	const char *(*value)(const char *option, size_t i, char *buf, size_t size);
	/* adds what is known about the terminal and the user's files */
	int (*screen)(const struct options *, struct checks *, struct err *);
	report_more_tables *table; /* of views, for --list-columns */
};

int cli_main(int argc, char **argv, const struct frontend *);

/* Loads the paths or the sample. */
struct dump *cli_load(const struct options *, struct err *);
/* the same of some of the paths, of a run of theirs; run NULL: the newest */
struct dump *cli_load_paths(const struct options *, const char *const *paths, size_t n, const char *run,
    struct err *);
void cli_complain(const struct options *, const struct err *); /* one line on stderr */
/* prints damage and warnings to stderr, one line each */
void cli_problems(struct dump *);
int cli_triage(const struct options *, FILE *, struct err *); /* triage.c */
int cli_completion(FILE *, const char *shell, const struct frontend *, struct err *);
/* for the command that --help was given to */
void cli_help(FILE *, const struct options *, const struct frontend *);
int cli_digest(struct options *, struct err *);
int cli_export(struct options *, struct err *);
int cli_diff(struct options *, struct err *);
int cli_doctor(struct options *, const struct frontend *, struct err *);
/* Judges --fail-if of one capture and says which holds: EXIT_HELD, EXIT_UNJUDGED, or the status as it was. */
int cli_gates(const struct options *, struct capture *, int status, struct err *);
int cli_schema(struct options *, struct err *);
int cli_guide(struct options *, struct err *);
int cli_monitor(struct options *, const struct frontend *, struct err *);
int cli_top(struct options *, const struct frontend *, struct err *);
int cli_capture(struct options *, const struct frontend *, struct err *);
/* Where texts from servers and files go that are printed as they come: standard output, through safe_out() if that is a
 * terminal.  To be flushed. */
FILE *cli_stdout(void);
/* Open and close --output, or standard output.  Their errors name that file, so they clear the paths, whose
 * name would come first otherwise.  close() returns the status, or -1 with err. */
int cli_output_open(struct options *, struct outfile *, struct err *);
int cli_output_close(struct options *, struct outfile *, int status, struct err *);

#endif
