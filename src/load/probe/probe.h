/* Recognizes the kind of a file, first by its content and then by its name; FILE_UNKNOWN: neither says it.
 * probe_kind() and probe_name() are pure; the others read the file, in any thread, and keep nothing of it. */
#ifndef LOAD_PROBE_PROBE_H
#define LOAD_PROBE_PROBE_H

#include "model/dump.h"

enum file_kind probe_kind(const char *name, const uint8_t *head, size_t nhead, const uint8_t *tail,
    size_t ntail);
/* What the name says, for files whose content does not decide. */
enum file_kind probe_name(const char *name);

/* Tells the kind of a file by its content; FILE_UNKNOWN also if it cannot be opened. */
enum file_kind probe_file(const char *path);

/* A file whose first byte alone is damaged, which would hide all of it: of those that are not recognized, one that is
 * what its name says with another byte in front.  Returns its content with that, for the caller to close; NULL: it is
 * none.  The path must outlive it. */
struct source *probe_mend(struct source *, const char *path, const uint8_t *head, size_t);

#endif
