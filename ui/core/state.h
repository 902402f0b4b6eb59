/* The saved state of a capture: one small text file in $XDG_STATE_HOME/tpuscope (or ~/.local/state/tpuscope),
 * named by the capture's content, so that it is found after the files were moved.  It starts with a header
 * (version, capture) that must match, followed by pairs written by kv_write().  It is written through a
 * temporary file and readable by the user only.  The caller frees paths. */
#ifndef CORE_STATE_H
#define CORE_STATE_H

#include "base/err.h"
#include "core/config/kv.h"
#include "model/dump.h"

#define STATE_HEAD 120

/* OTHER: the file is of another version or capture */
enum state_read { STATE_READ, STATE_NONE, STATE_OTHER };

/* computed from the first 64 KiB and the sizes of all files */
void state_head(const struct dump *, char head[STATE_HEAD], uint64_t *id);
char *state_path(uint64_t id); /* NULL: no folder for it */
enum state_read state_read(const char *path, const char *head, struct kv *);
/* creates folders as needed */
int state_write(const char *path, const char *head, const struct kv *, struct err *);

#endif
