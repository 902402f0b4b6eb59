/* Where the proof of a finding stands: "view:reference", read in this one place.  References: "op NAME" (or
 * the bare name), "step N", "core HOST:CORE", "step N core HOST:CORE", "module NAME", "buffer NAME",
 * "buffer NAME module NAME(ID)", "track
 * NAME" (plane and line as the timeline names them), "channel ID" (or the name of one of its ops),
 * "collective NAME", or none.  Names of ops are those that the op tables
 * show; with a database the op that takes most time is meant, else any event of that name.  Pure. */
#ifndef CORE_WHERE_H
#define CORE_WHERE_H

#include "analyze/opdb.h"
#include "core/view.h"

struct where {
	char view[24];
	char text[96];  /* for people: "step 3", "core 5 of w-0", "fusion.33"; "" = none */
	struct ref ref; /* REF_NONE: the view alone */
};

/* -1: no view named, or the capture has nothing of that name; view and text are what could be read. */
int where_parse(const char *where, const struct dump *, const struct opdb *, struct where *);

#endif
