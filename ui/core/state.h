/* The saved state of a capture: one small text file in $XDG_STATE_HOME/tpuscope (or ~/.local/state/tpuscope),
 * named by the capture's content, so that files that were moved keep theirs.  It begins with a head (version,
 * capture) that must be the same; then pairs as kv_write() makes them.  Written through a temporary name,
 * for the user alone.  Paths are the caller's to free. */
#ifndef CORE_STATE_H
#define CORE_STATE_H

#include "base/err.h"
#include "core/config/kv.h"
#include "model/dump.h"

#define STATE_HEAD 120

enum state_read { STATE_READ, STATE_NONE, STATE_OTHER }; /* OTHER: of another version or capture */

/* of the first 64 KiB and the sizes of all files */
void state_head(const struct dump *, char head[STATE_HEAD], uint64_t *id);
char *state_path(uint64_t id); /* NULL: no place for it */
enum state_read state_read(const char *path, const char *head, struct kv *);
/* makes the folders */
int state_write(const char *path, const char *head, const struct kv *, struct err *);

#endif
