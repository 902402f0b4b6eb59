/* What `tpuscope doctor` found, in the order in which it looked: a list of checks, each with what is so and, where
 * something is better changed, what to do.  Texts are copied; checks_free() frees them. */
#ifndef BASE_CHECKS_H
#define BASE_CHECKS_H

#include <stddef.h>

enum check_state { CHECK_OK, CHECK_WARN, CHECK_OFF }; /* OFF: not there, and that is no fault */

struct checks {
	struct check {
		const char *name;
		enum check_state state;
		char *value, *advice; /* advice: NULL = none */
	} * v;
	size_t n, cap;
};

/* name: constant; advice: NULL = none */
void checks_add(struct checks *, const char *name, enum check_state, const char *advice, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
void checks_free(struct checks *);

#endif
