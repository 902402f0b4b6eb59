/* What the user puts onto the timeline: named intervals, one of them current (its ends can be moved), and
 * bookmarks, all in one list.  Marks are times of a plane, in ps, and stay valid after a change of clock or
 * host; t1 is exclusive.  `sc` is set once; marks_free() frees the rest. */
#ifndef VIEW_TIMELINE_MARKS_H
#define VIEW_TIMELINE_MARKS_H

#include "view/timeline/scene/scene.h"

enum { MARKS_MAX = 60 };

struct mark {
	char name[64];
	bool interval;
	uint32_t plane; /* the plane of these times; UINT32_MAX = no host */
	int64_t t0, t1; /* the interval; for a bookmark: what was in view */
	int64_t cursor;
	uint64_t row; /* bookmark: id of the node */
};

struct marks {
	struct scene *sc;
	struct mark v[MARKS_MAX];
	int n;
	int at;               /* current interval + 1, 0 = none */
	int named;            /* automatic names given so far */
	bool moves_begin;     /* the begin is the end that moves */
	struct history names; /* names typed for bookmarks */
};

void marks_free(struct marks *);
/* added to its times gives times as the cursor's */
int64_t marks_shift(const struct marks *, const struct mark *);
struct mark *marks_current(const struct marks *);       /* NULL = no interval */
int marks_find(const struct marks *, const char *name); /* -1 = none */

/* makes a new current interval, in times as the cursor's; name NULL = automatic */
void marks_set(struct marks *, int64_t t0, int64_t t1, const char *name);
void marks_move(struct marks *, int64_t a, int64_t b); /* both ends of the current interval */
void marks_clear(struct marks *);                      /* removes it; says so */
/* shows a gap, in times as the cursor's: the interval "gap", with the cursor inside it */
void marks_gap(struct marks *, int64_t from, int64_t to);
unsigned marks_toggle(struct marks *); /* marks the interval of the selection, or clears it */
/* moves the current end from edge to edge; makes an interval if there is none */
unsigned marks_move_end(struct marks *, int dir, int count);
unsigned marks_other_end(struct marks *);              /* switches the end that moves */
void marks_bookmark(struct marks *, const char *name); /* "" = an automatic name */
/* asks for the name of a bookmark, which done() gets; at the same place again, removes it */
unsigned marks_ask(struct marks *, void (*done)(struct view *, const char *name));
/* menu of all marks; on_pick() calls marks_go() */
unsigned marks_menu(struct marks *, void (*on_pick)(struct app *, int));
bool marks_go(struct marks *, int i);
/* handles :mark, :unmark, :bookmark, :goto NAME; false = not one of these */
bool marks_command(struct marks *, const char *name, const char *arg);
/* completions for :goto and :unmark */
void marks_words(const struct marks *, const char *command, void (*offer)(void *, const char *), void *ctx);

void marks_save(const struct marks *, struct kv *);
void marks_restore(struct marks *, const struct kv *);
void marks_draw(struct marks *, struct canvas *); /* over rows, gutter and ruler; also picks */

#endif
