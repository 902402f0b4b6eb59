/* What triage reads: texts, members of archives, folders; dumps are matched with the errors of their module, other
 * files are skipped.  What cannot be read is complained of on stderr and counted.  Texts of PyTorch/XLA are judged,
 * too: triage_read_end(), after triage_end(), adds findings that say what they are and what is wrong by them.
 * The caller owns the triage and calls triage_read_free(). */
#ifndef CLI_TRIAGE_READ_H
#define CLI_TRIAGE_READ_H

#include "analyze/ptxla/ptxla.h"
#include "analyze/triage/triage.h"
#include "model/dump.h"

struct triage_read {
	struct triage *triage;
	size_t failed;
	struct ptxla x;
	bool any; /* x has been begun */
	/* texts of each kind, the first of them, and what to name to open it */
	struct triage_seen {
		size_t n;
		char *path, *opens;
	} seen[FILE_KIND_COUNT];
};

/* A file that is named is read whatever it is. */
void triage_read_file(struct triage_read *, const char *path);
void triage_read_folder(struct triage_read *, const char *path);
void triage_read_end(struct triage_read *);
void triage_read_free(struct triage_read *);

#endif
