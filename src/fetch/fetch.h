/* Captures that are not local: gs://, s3://, hdfs://, http(s)://.  There is no storage client here.  fetch_command()
 * says what to type; fetch_get() runs the user's own tool (argv, never a shell) into a cache and returns the path of
 * what it got, for the caller to free: a run folder, or a file that the URL named.  A file has its name in the cache
 * only when it is complete; one that is there with the size and time of the listing is not fetched again.  cache_*()
 * list and delete what was fetched.  Credentials are the tool's affair.  Main thread. */
#ifndef FETCH_FETCH_H
#define FETCH_FETCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

bool fetch_is_url(const char *path);
/* "gcloud storage cp -r 'gs://…' ./…", quoted for a shell, by the first tool that is on PATH; the caller frees.
 * NULL with err: an address that nobody should type. */
char *fetch_command(const char *url, struct err *);

struct fetch_options {
	const char *run;      /* NULL: the newest */
	const char *own;      /* "mytool get %s %d": a command of the user's own; NULL: none */
	int (*stopped)(void); /* more than 0: it should end */
	/* n files of so many bytes are to be fetched; false: better not */
	bool (*agree)(void *ctx, size_t n, uint64_t bytes);
	void (*tell)(void *ctx, uint64_t done, uint64_t total,
	    const char *name); /* once per second; total 0: not known */
	void *ctx;
};
char *fetch_get(const char *url, const struct fetch_options *, struct err *);

/* A line for each address that was fetched: id, size, files, address. */
int cache_list(FILE *, struct err *);
int cache_delete(const char *id_or_url, struct err *); /* "all": everything */

/* For `tpuscope doctor`: the folder of what was fetched and its bytes, the caller frees, NULL: there is none; and the
 * tools, by whether they are on PATH, with commas between. */
char *fetch_cache(uint64_t *bytes);
void fetch_programs(char *there, char *not_there, size_t size);

#endif
