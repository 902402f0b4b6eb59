/* What was wrong with the input, collected instead of printed: the files view, `report info` and stderr show
 * it.  Equal texts about one file are counted, not repeated.  PROBLEM_MAX different ones are kept, those that
 * matter most, the rest is only counted.  problem_add() may be called from several loader threads at once (it
 * locks).  Owned by the dump. */
#ifndef MODEL_PROBLEM_H
#define MODEL_PROBLEM_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define PROBLEM_MAX 1000

/* NOTE does not count as a problem of the file; DAMAGE makes the exit status 3. */
enum problem_level { PROBLEM_NOTE, PROBLEM_WARN, PROBLEM_DAMAGE };

struct problem {
	enum problem_level level;
	int file;    /* index in dump.files, -1 = the run as a whole */
	uint64_t at; /* byte offset of the first occurrence, ERR_NOWHERE if there is none */
	uint64_t count;
	char *text;
};

struct problems {
	struct problem *v;
	size_t n, cap;
	uint64_t lost; /* different ones beyond PROBLEM_MAX */
	pthread_mutex_t lock;
};

struct problems *problems_new(void);
void problems_free(struct problems *);
void problem_add(struct problems *, enum problem_level, int file, uint64_t at, uint64_t count,
    const char *fmt, ...) __attribute__((format(printf, 6, 7)));
uint64_t problems_count(const struct problems *, int file); /* WARN and DAMAGE; file -1 = all files */

#endif
