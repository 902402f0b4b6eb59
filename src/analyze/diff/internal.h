/* What the files that make a side share. */
#ifndef ANALYZE_DIFF_INTERNAL_H
#define ANALYZE_DIFF_INTERNAL_H

#include "analyze/diff/diff.h"
#include "analyze/diff/interval.h"
#include "analyze/diff/match.h"
#include "analyze/diff/side.h"

/* Rows of steps of one core, by start. */
struct side_rows {
	const struct step *v;
	size_t n;
	size_t *at; /* by row: the step, SIZE_MAX: it is not compared */
};

/* Sums the ops of the used steps (scan.c). */
void side_scan(const struct side_input *, const struct side_options *, const struct side_rows *,
    struct side *);
/* a hash of an HLO text without the numbers in names; 0: no text (signature.c) */
uint64_t side_signature(struct slice);
/* Takes the findings that the digest of one host keeps; false: it is none, or has none (digest.c). Those of rules that
 * run over a digest are not those of its capture: they lack single ops. */
bool side_digest_findings(const struct dump *, struct side *);
/* what the program says of itself and its memory (program.c) */
void side_program(const struct side_input *, const struct side_options *, struct side *);
void side_warn(struct side *, const char *code, const char *text); /* the code lasts, the text is copied */
const char *side_text(struct side *, struct slice);                /* a copy */
/* The program with the most time, "jit_f(17)", or the one asked for: the name of its runs.  UINT32_MAX: none ran. */
strid side_main_program(const struct dump *, const char *module);

/* --- comparing --- */

enum { BASE, NEW, SIDES };

/* A row of the waterfall: means per used step and core, ps. */
struct fall {
	enum part_kind kind;
	const struct side_op *op[SIDES]; /* the largest one; NULL: it is not there */
	const char *name;                /* of what is no op; NULL */
	double ps[SIDES];
	int64_t delta;
};

/* An op, or a group of ops, on both sides. */
struct unit {
	const struct side_op *op[SIDES];
	struct slice name[SIDES];
	double self[SIDES], wait[SIDES], runs[SIDES]; /* self: without the wait */
	size_t count[SIDES];                          /* ops */
	bool group;
	const struct member *member;
	size_t nmembers;
};

struct change {
	const char *kind;
	const struct unit *unit; /* NULL: not of an op */
	const char *host;        /* of a straggler; NULL */
	int core;                /* likewise; -1 */
	double delta;
};

struct comparison {
	const struct side *const *v; /* the captures of the base, then the new ones */
	size_t n[SIDES], first[SIDES];
	const struct diff_options *o;
	struct diff *d;
	bool runs;   /* between runs, not steps */
	bool pieces; /* all have findings of rules that need pieces of time */
	bool fatal, same_program;
	bool memory_alone;   /* of programs that did not run: no times */
	double value[SIDES]; /* step times, not rounded */
	double scale, per_example;
	struct interval interval;
	struct matches matches;
	struct unit *unit;
	size_t nunits;
	struct fall *fall;
	size_t nfalls, falls_cap;
	struct change *change;
	size_t nchanges, changes_cap;
	double matched, op_time;
	struct arena text;
};

/* Findings that one of the captures could not have are not compared. */
static inline bool finding_counts(const struct comparison *c, const struct side_finding *f)
{
	return c->pieces || !finding_of_pieces(f->id);
}

struct comparability_row {
	const char *code, *severity, *base, *new, *capture;
};

/* As in a side: of any of its captures. */
const char *no_ops_of(const struct comparison *);
/* ps per used step and core, of a sum over both */
double per_step(const struct side *, double sum);
/* The interval of a value per step, in percent of `own`: values of each capture over all cores.  known false: too few,
 * or own is 0. */
struct interval interval_of_values(const struct comparison *, const struct series *, double own);
struct interval interval_of_unit(const struct comparison *, const struct unit *); /* changes.c */
enum verdict verdict_of(const struct interval *, double margin);

void compare_captures(struct comparison *); /* comparability.c */
void compare_ops(struct comparison *);      /* units.c */
void compare_parts(struct comparison *);    /* waterfall.c */
void compare_changes(struct comparison *);  /* changes.c */
char *change_where(const struct comparison *,
    const struct change *);                           /* where.c: a command; the caller frees */
void compare_memory(struct comparison *);             /* memory.c */
void compare_rest(struct comparison *);               /* rest.c */
int compare_gates(struct comparison *, struct err *); /* gates.c */
void make_tables(struct comparison *);                /* tables.c */
void make_summary(struct comparison *);               /* summary.c */
void largest_remainders(const double *v, size_t n, int64_t total, int64_t *out);

#endif
