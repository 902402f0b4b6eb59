/* Shared by the files behind replay.h. */
#ifndef ANALYZE_REPLAY_INTERNAL_H
#define ANALYZE_REPLAY_INTERNAL_H

#include "analyze/replay/replay.h"

/* borders.c: finds the steps of all cores; leaves out cores without ops */
void borders_find(struct replay *, const uint32_t *plane, size_t n);
/* connect.c: who meets whom */
void connect_cores(struct replay *);
/* the pair of a core in an exchange; NODE_NONE: it takes no part */
uint32_t replay_exchanged(const struct replay *, uint32_t exchange, uint32_t core);
/* stretch.c: finds them, after the segments */
void stretches_make(struct replay_core *);
/* place.c: where the clocks of the cores are, from what they meet in; the meeting of a member */
void place_cores(struct replay *);
const struct meeting *replay_meeting(const struct replay *, uint32_t member);
/* sums.c: the parts of all cores and steps */
void sums_make(struct replay *);
int64_t replay_wait(const struct replay *, const struct node *);     /* of a node, for other cores */
int64_t node_first(const struct replay_core *, const struct node *); /* in its own step */

/* change.c: a node when something is changed.  NULL: nothing is. */
double change_own(const struct change *, const struct replay *, size_t core, const struct node *);
double change_stretch(const struct change *, const struct replay *, size_t core,
    const struct stretch *); /* NaN: its nodes have to be looked at */
double change_transfer(const struct change *, const struct replay *, const struct node *, double transfer);
double change_idle(const struct change *, const struct node *);
bool change_touches(const struct change *); /* after a replay: did it make anything another length? */
double change_gap(const struct change *, const struct replay *, size_t core, const struct node *);
/* what a change makes of the gap before a run, and of a link */
double change_gap_most(const struct change *, size_t core, uint32_t run, double gap);
double change_off(const struct change *, const struct pair *, size_t core, double off);
bool change_is_known(const struct change *, const struct replay *);

/* run.c: replays; out: by core and step + 1.  calibrate: the same, to measure launches and links, or NULL.  false: it
 * cannot end */
bool replay_run(const struct replay *, const struct change *, struct replay *calibrate, double *out);
double *replay_room(const struct replay *);
/* the longest core of each step */
void replay_steps(const struct replay *, const double *out, double *step);

/* path.c: right after a replay without change */
void path_make(const struct replay *, struct path *);
void path_free(struct path *);

#endif
