/* Remembers which lines of a tree the user opened and closed.  A line is identified by a hash of its path of
 * names, so its state survives a new order, filter or table. */
#ifndef WIDGET_FOLD_H
#define WIDGET_FOLD_H

#include <stddef.h>
#include <stdint.h>

enum fold_state { FOLD_LEAF, FOLD_CLOSED, FOLD_OPEN };
enum { FOLD_INDENT = 16 }; /* largest indentation, in columns */

/* open: 1 open, -1 closed, 0 the default; least: show at least this many children */
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
/* creates it if needed; valid until the next call */
struct fold_mark *fold_mark(struct fold_marks *, uint64_t key);

#endif
