/* Who launched the runs of programs: the event of the host that enqueued each, which the run names (_c) or which
 * has the same run_id and core, and the thread that began the launch, found from that event back over the events
 * around it that consume what another thread produced.  Times of the host are on the plain clock.  The dump is only
 * read; one thread at a time.  The caller frees. */
#ifndef ANALYZE_PIECES_LAUNCHES_H
#define ANALYZE_PIECES_LAUNCHES_H

#include "analyze/pieces/cut.h"

struct launches;

struct launches *launches_read(const struct dump *, struct progress *);
void launches_free(struct launches *);
/* Finds the runs of a core, and fills in when they were enqueued and what their threads did for input. */
void launches_fill(struct launches *, struct cut_core *);
/* The track that began the launch of a run; CUT_NONE: not known */
uint32_t launches_thread(const struct launches *, const struct cut_run *);

#endif
