#include "config.h"

#include "load/probe/run_time.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

/* Reads a number of that many digits, with a mark or none before it. */
static bool take_number(const char **p, int digits, int least, int most, int *v)
{
	const char *s = *p + (**p && strchr("_-:. T", **p));
	int number = 0;

	for (int i = 0; i < digits; i++, s++) {
		if (!isdigit((unsigned char)*s))
			return false;
		number = number * 10 + (*s - '0');
	}
	if (number < least || number > most)
		return false;
	*v = number;
	*p = s;
	return true;
}

/* A date, which a time of the day may follow; returns how many numbers of them stand there.  2048 is rather a size than
 * a year. */
static int numbers_at(const char *p, struct tm *t)
{
	int n = 0;

	if (!isdigit((unsigned char)*p) || !take_number(&p, 4, 2000, 2047, &t->tm_year) ||
	    !take_number(&p, 2, 1, 12, &t->tm_mon) || !take_number(&p, 2, 1, 31, &t->tm_mday))
		return 0;
	t->tm_year -= 1900;
	t->tm_mon--;
	n = 3 + take_number(&p, 2, 0, 23, &t->tm_hour);
	n += n == 4 && take_number(&p, 2, 0, 59, &t->tm_min);
	n += n == 5 && take_number(&p, 2, 0, 60, &t->tm_sec);
	return n == 3 && isdigit((unsigned char)*p) ? 0 : n;
}

bool run_time(const char *name, bool exact, int64_t *at)
{
	const char *slash = strrchr(name, '/');

	for (const char *p = name = slash ? slash + 1 : name; *p; p++) {
		struct tm t = { .tm_isdst = -1 };
		int n = p == name || !isdigit((unsigned char)p[-1]) ? numbers_at(p, &t) : 0;

		if (n < (exact ? 6 : 3))
			continue;
		*at = mktime(&t);
		return true;
	}
	return false;
}

int64_t run_began(const char *name, int64_t written)
{
	int64_t at;

	return run_time(name, false, &at) ? at : written;
}
