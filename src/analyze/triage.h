/* What a text says went wrong (graph-logs.md §4, 5; the contract of `triage`): out-of-memory messages in all their forms, libtpu, TF, JAX and PyTorch/XLA logs, set-up errors; several files at once.
 * The text is streamed in blocks (any size, ≥ 150 MB/s); lines are freed of prefixes, ANSI sequences and repr escapes, and matched against data/triage.tsv (kinds, core phrases, severity) before any
 * expensive pattern runs.  Tables have the columns of the contract; occurrences of one error are merged.  What is unknown is null.  Texts belong to the triage; the caller frees.
 * One thread; triage_text() may be called with pieces of a stream. */
#ifndef ANALYZE_TRIAGE_H
#define ANALYZE_TRIAGE_H

#include "analyze/facts.h"

struct triage {
	struct facts summary;
	struct table errors, buffers, requirement, spaces, report, logs, findings;
	struct arena text;
	struct triage_work *work;
};

void triage_begin(struct triage *);
void triage_file(struct triage *, const char *path);			/* what follows is of this file */
void triage_text(struct triage *, const char *bytes, size_t n);
void triage_dump(struct triage *, const char *path);			/* a dump of a module that lies beside: offered to errors of that module */
void triage_end(struct triage *);					/* merges, counts, makes the findings */
void triage_free(struct triage *);

#endif
