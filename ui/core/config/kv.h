/* Ordered name-value pairs, in which views save what to restore later.  A name may occur several times
 * (bookmarks, folds).  Names are words without spaces; values are any text (escaped when written).  kv_read()
 * reads what kv_write() wrote, one pair a line ("name value", with \n \r \t \\ escaped); invalid lines are
 * skipped and at most KV_LINES are read.  The struct owns its strings; kv_free() frees them, and { 0 } is an
 * empty one. */
#ifndef CORE_CONFIG_KV_H
#define CORE_CONFIG_KV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define KV_LINES 100000

struct kv {
	struct kv_pair {
		char *name, *value;
	} * v;
	size_t n, cap;
};

void kv_put(struct kv *, const char *name, const char *value); /* appends, also if the name exists */
void kv_putf(struct kv *, const char *name, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void kv_put_int(struct kv *, const char *name, int64_t);
const char *kv_get(const struct kv *, const char *name); /* the first; NULL = none */
/* for (size_t i = 0; (s = kv_next(kv, "mark", &i));) … */
const char *kv_next(const struct kv *, const char *name, size_t *at);
/* false: no such name or not a number; *out is unchanged */
bool kv_get_int(const struct kv *, const char *name, int64_t *out);
void kv_add(struct kv *, const char *prefix, const struct kv *from); /* appends all pairs, as prefix + name */
/* the inverse: copies the pairs whose name starts with prefix, without it */
void kv_part(const struct kv *, const char *prefix, struct kv *out);
bool kv_same(const struct kv *, const struct kv *);
void kv_write(const struct kv *, FILE *);
void kv_read(struct kv *, const char *bytes, size_t n);
/* Writes all in one line, name=value;name=value, with \; \\ and \n in values; the caller frees it. */
char *kv_line(const struct kv *);
void kv_read_line(struct kv *, const char *text);
void kv_free(struct kv *);

#endif
