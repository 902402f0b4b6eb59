/* An error travels up as a value: functions return 0 (or a pointer) for success and -1 (or NULL) after
 * filling `struct err`.
 * Nobody below main() prints or exits.  `status` is the exit status the program ends with when nothing better
 * happens (enum exit_status), `at` the byte offset in the input where it went wrong, or ERR_NOWHERE.
 * err_set() may be given NULL.
 * Plain values: nothing to free; one struct belongs to one thread. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdint.h>

#define ERR_NOWHERE UINT64_MAX

enum exit_status {
	EXIT_OK = 0,
	EXIT_NOTHING = 1, /* found, but nothing usable in it */
	EXIT_USAGE = 2,
	EXIT_DAMAGED = 3 /* what could be read was shown */
};

struct err {
	int status; /* 0 = no error */
	uint64_t at;
	char msg[480]; /* "what is wrong — what to do", no file name, no newline */
};

/* returns -1 */
int err_set(struct err *, int status, uint64_t at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#endif
