/* What a text says went wrong (tpuscope(7), TRIAGE): out-of-memory messages
 * in all their forms, libtpu, TF, JAX and PyTorch/XLA logs, set-up errors; several files at once.  The
 * text is streamed in blocks (any size, >= 150 MB/s); lines are freed of prefixes, ANSI sequences and
 * repr escapes, and matched against data/triage.tsv (kinds, core phrases, severity) before any
 * expensive pattern runs. Tables have the columns of `triage`; occurrences of one error are
 * merged.  What is unknown is null. Texts belong to the triage; the caller frees.  One thread;
 * triage_text() may be called with pieces of a stream. */
#ifndef ANALYZE_TRIAGE_TRIAGE_H
#define ANALYZE_TRIAGE_TRIAGE_H

#include "analyze/memory/memory.h"
#include "base/progress.h"
#include "model/dump.h"
#include "result/facts.h"

struct triage {
	struct facts summary;
	struct table errors, buffers, requirement, spaces, report, logs, findings;
	struct arena text;
	struct triage_work *work;
};

void triage_begin(struct triage *);
void triage_file(struct triage *, const char *path); /* what follows is of this file */
void triage_text(struct triage *, const char *bytes, size_t n);
/* a dump of a module that lies beside: offered to errors of that module */
void triage_dump(struct triage *, const char *path);
void triage_end(struct triage *); /* merges, counts, makes the findings */
/* after the end: the largest buffers at the peak of the module of an error whose text lists none;
 * findings are made again */
void triage_add_peak(struct triage *, size_t error, const struct memory *);
void triage_free(struct triage *);

/* The same from the module of that name in a dump, if it has one: newer libtpu leaves the list of
 * buffers out of its message. */
void triage_list_from(const struct dump *, struct triage *, size_t error);

/* All of the above for a dump: its texts are read, its modules stand for the dumps.  What was
 * cancelled is half a triage. */
void triage_of_dump(const struct dump *, struct progress *, struct triage *);
bool triage_has_texts(const struct dump *);

/* What the name of a framework op says that it does: its last part, of a kernel the one before. */
const char *triage_op(const char *op_name, size_t *n);

/* The lines of a text: where each begins, how many bytes of prefixes it has, and the severity of the record
 * that it stands in (D I W E F, blank = none). */
struct triage_lines {
	size_t *at;
	uint16_t *prefix;
	char *severity;
	size_t n, cap;
};
void triage_lines_find(const char *text, size_t n, struct progress *, struct triage_lines *);
void triage_lines_free(struct triage_lines *);

#endif
