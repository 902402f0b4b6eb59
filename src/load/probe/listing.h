/* The names in a folder, sorted, without hidden ones, and what each file is by its name, or by its content where the
 * logdir says so.  A folder that is there and cannot be read is noted in the logdir.  The result belongs to the caller
 * (listing_free). */
#ifndef LOAD_PROBE_LISTING_H
#define LOAD_PROBE_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct logdir;

/* Kinds of files by name, the best first.  The content is checked later. */
enum sort { XSPACE, JSON, LINKED_JSON, OLD_TRACE, TABLE, OTHER_TRACE, TOOL, HLO, LOG, TEXT, NOTHING };

struct listing {
	enum sort *sort; /* of each file; NULL: only the names are known */
	char **name;
	size_t n, cap;
};

struct listing listing_of(struct logdir *, const char *dir, mode_t kind); /* S_IFREG or S_IFDIR */
struct listing listing_files(struct logdir *, const char *dir);
void listing_free(struct listing *);
enum sort listing_best(const struct listing *); /* NOTHING when there are none */
bool listing_is_kind(const char *dir, const char *name, mode_t kind);
/* Returns the sort of a file; *at: where the suffix that decides it starts. */
enum sort listing_sort_at(const char *name, size_t *at);
int listing_by_bytes(const void *, const void *); /* for qsort() and bsearch() of names */

#endif
