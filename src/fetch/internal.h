/* What the files of this room share: the tools and their commands (tools.c), running one (run.c), listings (listing.c),
 * which files of it are fetched (choose.c), folders of the cache (cache.c). */
#ifndef FETCH_INTERNAL_H
#define FETCH_INTERNAL_H

#include <stddef.h>

#include "fetch/fetch.h"

enum listing_form { LIST_NONE, LIST_GOOGLE, LIST_AWS, LIST_S5CMD };

/* Commands are words with blanks between; %s and %d each are a word of their own: the address and the place. */
struct fetch_tool {
	const char *scheme, *program, *list, *copy, *tree;
	enum listing_form form;
	const char *page;
};
const struct fetch_tool *fetch_tool_for(const char *url,
    bool installed); /* installed: one that is on PATH; NULL */
/* Splits a command into words; the caller frees with fetch_words_free(). */
char **fetch_words(const char *command, const char *source, const char *place);
void fetch_words_free(char **);
int fetch_check_url(const char *url, struct err *);

struct fetch_bytes {
	char *s; /* terminated */
	size_t n, cap;
};
/* Runs a command in a process group of its own, without standard input, to its end.  out: gets its output; NULL: it
 * goes nowhere.  turn: called about four times a second.  -1 with err: it failed, with the last lines that it wrote
 * to stderr, or was stopped. */
int fetch_run(char *const *argv, struct fetch_bytes *out, const struct fetch_options *,
    void (*turn)(void *ctx), void *ctx, struct err *);

struct fetch_file {
	char *url;
	const char *name; /* in url */
	size_t folder;    /* length of the part of url that is its folder */
	uint64_t bytes;
	int64_t time; /* s since 1970; 0: not known */
};
struct fetch_list {
	struct fetch_file *v;
	size_t n, cap;
};
void fetch_list_parse(struct fetch_list *, const char *text, const char *url, enum listing_form);
void fetch_list_free(struct fetch_list *);
/* Keeps the files of one run that a viewer opens; *run gets its name, in a file of the list. */
int fetch_choose(struct fetch_list *, const char *url, const char *run, char **name, struct err *);

char *cache_folder(const char *url, struct err *); /* makes it; the caller frees */
/* Waits until no other process fetches into the folder; closing what is returned lets the next one in.  -1: err */
int cache_lock(const char *folder, const struct fetch_options *, struct err *);
int cache_make_folders(const char *path, struct err *);
int cache_remove_tree(const char *path, struct err *);
uint64_t cache_size(const char *path, size_t *files);

#endif
