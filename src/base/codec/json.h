/* JSON output and input.
 * Writer: streams one valid UTF-8 document to a FILE or a growing buffer and takes care of commas and
 * nesting.  Strings may have any bytes and are escaped: broken UTF-8 becomes U+FFFD; controls, DEL, C1 and
 * bidi controls become \uXXXX, so that the text is safe on a terminal.  Doubles have 17 significant digits;
 * NaN and infinities become null.  It is buffered and fast (millions of cells).  json_out_end() closes what
 * is still open, so that even an incomplete document is valid.
 * Reader: a tree for short documents (tests, sidecar files, JSON of older tools) of limited depth
 * (JSON_DEPTH) and size.  All nodes live in the given arena; numbers keep their text.  Chrome traces are not
 * read with it.
 * Numbers have a decimal point because LC_NUMERIC is "C" in this process: main() says so. */
#ifndef BASE_CODEC_JSON_H
#define BASE_CODEC_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"

#define JSON_DEPTH 256

struct json_out;
struct json_out *json_out_file(FILE *);
struct json_out *json_out_mem(void);
void json_out_flush(struct json_out *); /* to its file: what is written so far can be read */
/* Frees the writer.  *text (only in memory; the caller frees it) may be NULL.  Returns -1 when writing
 * failed. */
int json_out_end(struct json_out *, char **text, size_t *len);
void json_obj(struct json_out *);
void json_arr(struct json_out *);
void json_end(struct json_out *); /* closes the innermost object or array */
void json_key(struct json_out *, const char *);
void json_str(struct json_out *, const char *, size_t);
void json_strz(struct json_out *, const char *);
void json_int(struct json_out *, int64_t);
void json_uint(struct json_out *, uint64_t);
void json_double(struct json_out *, double);
void json_bool(struct json_out *, bool);
void json_null(struct json_out *);
void json_raw(struct json_out *, const char *, size_t); /* a complete value that is JSON text already */
/* for layout only: a line break before the next item or closing bracket, or at the end */
void json_newline(struct json_out *);

enum json_type { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };
struct json {
	enum json_type type;
	const char *s;
	size_t len;      /* s, len: text of a number, or bytes of a string */
	const char *key; /* set inside an object */
	struct json *child, *next;
	size_t n; /* number of children */
};
struct json *json_parse(struct arena *, const char *text, size_t len, struct err *);
/* Returns the part of a damaged document before the damage, which err then names (status 0: it is whole).
 * NULL: it is too large. */
struct json *json_parse_cut(struct arena *, const char *text, size_t len, struct err *);
const struct json *json_get(const struct json *obj, const char *key);
double json_num(const struct json *, double otherwise);
/* Also accepts strings that are numbers: "12", "NaN", "-Infinity". */
double json_number(const struct json *, double otherwise);

#endif
