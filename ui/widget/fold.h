/* What the user opened and closed in a tree of lines.  A line is known by a key, a hash of its path of
 * names, so that what is open outlives another order, filter or table. */
#ifndef WIDGET_FOLD_H
#define WIDGET_FOLD_H

#include <stddef.h>
#include <stdint.h>

enum fold_state { FOLD_LEAF, FOLD_CLOSED, FOLD_OPEN };
enum { FOLD_INDENT = 16 }; /* columns that levels take at most */

/* 1 open, -1 closed, 0 as it is by itself; at least so many of its children are shown. */
struct fold_mark {
	uint64_t key;
	uint32_t least;
	int8_t open;
};
struct fold_marks {
	struct fold_mark *v;
	size_t n, cap;
};

uint64_t fold_key(uint64_t parent, const char *name, size_t len, unsigned kind); /* parent 1: none */
const struct fold_mark *fold_find(const struct fold_marks *, uint64_t key);      /* NULL = none */
/* made when there is none; until the next one */
struct fold_mark *fold_mark(struct fold_marks *, uint64_t key);

#endif
