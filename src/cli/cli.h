/* The commands of the program.  cli_main() is main() without the terminal: what needs a screen is called
 * through `struct frontend`, which src/main.c fills in (nothing else in src knows ui).  Messages go to
 * stderr as "tpuscope: FILE: what is wrong (at byte N) — what to do". */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "cli/options.h"
#include "load/load.h"

/* what --demo opens; bytes NULL = not asked for */
struct sample {
	const void *bytes;
	size_t size;
	const char *name;
};

struct outfile;

struct frontend {
	int (*view)(const struct options *, const struct sample *, struct err *);
	int (*snapshot)(const struct options *, const struct sample *, FILE *, struct err *);
	int (*bench)(const struct options *, const struct sample *, FILE *, struct err *);
	int (*list)(const struct options *, FILE *, struct err *); /* --list-keys, --list-settings */
	/* settings of the config file that change numbers, into options that nobody gave; mistakes in it are
	 * told on stderr and stop nothing */
	int (*numbers)(struct options *, struct err *);
	/* i-th value of an option that only the screen knows; NULL behind the last */
	const char *(*value)(const char *option, size_t i, char *buf, size_t size);
};

int cli_main(int argc, char **argv, const struct frontend *);

/* paths or the sample; threads, run and host as asked */
struct dump *cli_load(const struct options *, struct err *);
void cli_complain(const struct options *, const struct err *); /* one line on stderr */
/* damage and warnings, one line each on stderr */
void cli_problems(const struct dump *);
int cli_triage(const struct options *, FILE *, struct err *); /* triage.c */
int cli_completion(FILE *, const char *shell, const struct frontend *, struct err *);
/* of the place where it was asked */
void cli_help(FILE *, const struct options *, const struct frontend *);
int cli_digest(struct options *, struct err *);
/* --output, or standard output.  What goes wrong there is said with that name: the options have no paths
 * then, with which messages begin.  close() returns the status, or -1 with err. */
int cli_output_open(struct options *, struct outfile *, struct err *);
int cli_output_close(struct options *, struct outfile *, int status, struct err *);
int cli_sample(const struct options *, struct sample *, struct err *);

#endif
