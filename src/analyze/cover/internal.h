/* What the kinds of covers share.  A kind reads the bytes of the packed text one after the other and puts those of the
 * text into the line that is being made. */
#ifndef ANALYZE_COVER_INTERNAL_H
#define ANALYZE_COVER_INTERNAL_H

#include <stdbool.h>

#include "analyze/cover/cover.h"
#include "base/text/slice.h"

#define COVER_DEPTH 64 /* of objects and arrays; deeper ones hold no text */
#define COVER_NAME 32  /* bytes of a key that is compared */

struct cover_kind {
	bool (*is)(struct slice head);
	void (*read)(struct cover *, struct slice); /* c->line counts the line ends that it reads */
};

/* The text of an escape as it comes, byte by byte. */
struct cover_escape {
	int left; /* digits that follow; -1: the kind of escape, 0: none */
	uint32_t value, high;
	bool byte; /* of two digits */
};

struct cover_json {
	bool array[COVER_DEPTH];
	unsigned depth;
	bool string, plain, any; /* plain: a line that is no JSON; any: something was read */
	bool key, named, fresh;  /* the string is a key; a value follows; nothing of the string was taken */
	char name[COVER_NAME];
	size_t nname;
	const struct cover_member *member; /* of the string; NULL: it is not taken */
	struct cover_escape escape;
	bool pieces; /* a "log" goes on in the next one, if it has no line end */
};

struct cover {
	void (*give)(void *ctx, const char *, size_t n, uint64_t line);
	void *ctx;
	const struct cover_kind *kind; /* NULL: not known yet, or none */
	bool known;
	char *head; /* until it is known */
	size_t nhead, head_cap;
	uint64_t line; /* of the packed text */
	bool open;     /* the last of them has no end */
	char *out;     /* the line that is being made */
	size_t nout, out_cap;
	uint64_t out_line;
	struct cover_json json;
	char quote; /* of the literal; 0: it was not read yet */
};

extern const struct cover_kind cover_json, cover_literal, cover_returns, cover_doubled;

void cover_put(struct cover *, const char *, size_t); /* a line end in it ends the line */
void cover_end_line(struct cover *, bool empty);      /* empty: also one without a byte */

/* escape.c: takes the bytes behind a backslash one by one, puts what they mean; false: it is over */
void cover_escape_begin(struct cover_escape *);
bool cover_escape_byte(struct cover *, struct cover_escape *, char);

#endif
