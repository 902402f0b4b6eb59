/* Errors are passed up as values: functions return 0 (or a pointer) for success, or fill in a `struct err`
 * and return -1 (or NULL).  Nothing below main() prints or exits.  `status` is the exit status of the program
 * if this error ends it (enum exit_status); `at` is the byte offset in the input where it occurred, or
 * ERR_NOWHERE.  err_set() accepts NULL.  Plain values: nothing to free; one struct belongs to one thread. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdint.h>

#define ERR_NOWHERE UINT64_MAX

enum exit_status {
	EXIT_OK = 0,
	EXIT_NOTHING = 1, /* nothing usable in the input */
	EXIT_USAGE = 2,
	EXIT_DAMAGED = 3, /* damaged input; what could be read was shown */
	EXIT_HELD = 4,    /* a --fail-if holds */
	EXIT_UNJUDGED = 5 /* captures that cannot be compared, or a --fail-if that nobody can judge */
};

struct err {
	int status; /* 0 = no error */
	uint64_t at;
	char msg[480]; /* "what is wrong; what to do", without file name or newline */
};

/* returns -1 */
int err_set(struct err *, int status, uint64_t at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#endif
