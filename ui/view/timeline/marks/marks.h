/* What a user puts onto the timeline: intervals with a name, one of them current (its ends move), and bookmarks;
 * both in one list.  Marks are times of a plane, ps, and outlive a change of clock or host; t1 is the first moment
 * behind an interval.  `sc` is given once; marks_free() frees the rest. */
#ifndef VIEW_TIMELINE_MARKS_H
#define VIEW_TIMELINE_MARKS_H

#include "view/timeline/scene/scene.h"

enum { MARKS_MAX = 60 };

struct mark {
	char name[64];
	bool interval;
	uint32_t plane; /* whose times these are; UINT32_MAX = no host's */
	int64_t t0, t1; /* the interval; of a bookmark: what was in view */
	int64_t cursor;
	uint64_t row; /* bookmark: id of the node */
};

struct marks {
	struct scene *sc;
	struct mark v[MARKS_MAX];
	int n;
	int at;               /* current interval + 1, 0 = none */
	int named;            /* automatic names given so far */
	bool moves_begin;     /* which end of it moves */
	struct history names; /* typed for bookmarks */
};

void marks_free(struct marks *);
int64_t marks_shift(const struct marks *, const struct mark *); /* from its times to the cursor's now */
struct mark *marks_current(const struct marks *);               /* NULL = no interval */
int marks_find(const struct marks *, const char *name);         /* -1 */

/* a new current interval, in times as the cursor is; name NULL = automatic */
void marks_set(struct marks *, int64_t t0, int64_t t1, const char *name);
unsigned marks_toggle(struct marks *); /* the interval of what is selected */
/* the end that moves, from edge to edge; makes an interval if there is none */
unsigned marks_move_end(struct marks *, int dir, int count);
unsigned marks_other_end(struct marks *);              /* moves from now on */
void marks_bookmark(struct marks *, const char *name); /* "" = an automatic name */
/* a bookmark, under a name to be typed, which done() gets; the same place again takes it away */
unsigned marks_ask(struct marks *, void (*done)(struct view *, const char *name));
/* menu of all marks; on_pick() calls marks_go() */
unsigned marks_menu(struct marks *, void (*on_pick)(struct app *, int));
bool marks_go(struct marks *, int i);
/* :mark, :unmark, :bookmark, :goto NAME; false = not one of these */
bool marks_command(struct marks *, const char *name, const char *arg);
/* what may stand behind :goto and :unmark */
void marks_words(const struct marks *, const char *command, void (*offer)(void *, const char *), void *ctx);

void marks_save(const struct marks *, struct kv *);
void marks_restore(struct marks *, const struct kv *);
void marks_draw(struct marks *, struct canvas *); /* over rows, gutter and ruler; picks, too */

#endif
