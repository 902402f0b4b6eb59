#include "config.h"

#include "view/timeline/viewport/utc.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/text/digit.h"
#include "base/text/units.h"
#include "model/dump.h"

#define DAY_S INT64_C(86400)
#define EPOCH_LEAST INT64_C(1000000000000000000) /* the year 2001: smaller origins are not Unix times */

int64_t utc_anchor(const struct dump *d)
{
	return d->origin_ns >= EPOCH_LEAST ? d->origin_ns : d->start_unix_ns > 0 ? d->start_unix_ns : 0;
}

int utc_decimals(int64_t ps)
{
	int64_t u = PS_PER_S;
	int n = 0;

	for (; u > ps && n < 12; n++)
		u /= 10;
	return n;
}

/* Splits into whole seconds since 1970 and the remaining ps: together they do not fit in 64 bits. */
static int64_t split_time(int64_t anchor_ns, int64_t t, int64_t *ps)
{
	int64_t seconds = floor_div(anchor_ns, 1000000000),
		more = (anchor_ns - seconds * 1000000000) * PS_PER_NS, whole = floor_div(t, PS_PER_S);

	more += t - whole * PS_PER_S;
	if (more >= PS_PER_S) {
		more -= PS_PER_S;
		whole++;
	}
	*ps = more;
	return seconds + whole;
}

char *utc_text(int64_t anchor_ns, int64_t t, int decimals, bool day, char *buf, size_t size)
{
	int64_t ps;
	time_t when = (time_t)split_time(anchor_ns, t, &ps);
	struct tm tm = { 0 };
	char head[40], tail[16];

	gmtime_r(&when, &tm);
	strftime(head, sizeof head, day ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &tm);
	snprintf(tail, sizeof tail, "%012lld", (long long)ps);
	if (decimals > 0)
		snprintf(buf, size, "%s.%.*s", head, decimals > 12 ? 12 : decimals, tail);
	else
		snprintf(buf, size, "%s", head);
	return buf;
}

/* Reads as many digits as there are, at most `most`; -1: none. */
static int64_t read_digits(const char **s, int most)
{
	int64_t v = 0;
	int n = 0;

	for (; n < most && is_digit(**s); ++*s, n++)
		v = v * 10 + (**s - '0');
	return n ? v : -1;
}

static bool skip_char(const char **s, char c)
{
	if (**s != c)
		return false;
	++*s;
	return true;
}

/* Reads "20" or "20.010"; returns ps. */
static int64_t read_seconds(const char **s)
{
	int64_t v = read_digits(s, 2), unit = PS_PER_S;

	if (v < 0 || v > 59)
		return -1;
	v *= PS_PER_S;
	if (skip_char(s, '.'))
		for (; is_digit(**s); ++*s) {
			unit /= 10;
			v += (**s - '0') * unit;
		}
	return v;
}

/* Reads a time of day; returns ps since midnight, -1 = none. */
static int64_t read_clock(const char **s)
{
	int64_t hour = read_digits(s, 2), minute = skip_char(s, ':') ? read_digits(s, 2) : -1, ps = 0;

	if (hour < 0 || hour > 23 || minute < 0 || minute > 59)
		return -1;
	if (skip_char(s, ':') && (ps = read_seconds(s)) < 0)
		return -1;
	return (hour * 60 + minute) * 60 * PS_PER_S + ps;
}

/* Reads "2026-11-21 "; returns days since 1970, INT64_MIN = no day given. */
static int64_t read_day(const char **s)
{
	const char *p = *s;
	struct tm tm = { 0 };
	int64_t year = read_digits(&p, 4), month = skip_char(&p, '-') ? read_digits(&p, 2) : -1,
		day = skip_char(&p, '-') ? read_digits(&p, 2) : -1;

	if (month < 1 || month > 12 || day < 1 || day > 31 || (!skip_char(&p, ' ') && !skip_char(&p, 'T')))
		return INT64_MIN;
	*s = p;
	tm.tm_year = (int)year - 1900;
	tm.tm_mon = (int)month - 1;
	tm.tm_mday = (int)day;
	return floor_div(timegm(&tm), DAY_S);
}

/* Times that are months away are clamped to the range of times. */
static int64_t moment_on_day(int64_t anchor_ns, int64_t day, int64_t of_day)
{
	int64_t seconds = floor_div(anchor_ns, 1000000000), ns = anchor_ns - seconds * 1000000000, t;

	if (__builtin_mul_overflow(day * DAY_S - seconds, PS_PER_S, &t) ||
	    __builtin_add_overflow(t, of_day - ns * PS_PER_NS, &t))
		return day * DAY_S < seconds ? INT64_MIN : INT64_MAX;
	return t;
}

int utc_parse(int64_t anchor_ns, int64_t first, int64_t last, const char *text, int64_t *t)
{
	int64_t day = read_day(&text), of_day = read_clock(&text), ps;

	while (*text == ' ')
		text++;
	if (of_day < 0 || (*text && strcmp(text, "Z") && strcmp(text, "UTC")))
		return -1;
	if (day == INT64_MIN) { /* the first day of the run on which that time is inside the run */
		day = floor_div(split_time(anchor_ns, first, &ps), DAY_S);
		if (moment_on_day(anchor_ns, day, of_day) < first &&
		    moment_on_day(anchor_ns, day + 1, of_day) <= last)
			day++;
	}
	*t = moment_on_day(anchor_ns, day, of_day);
	return 0;
}

/* Round times of day, as far apart as their texts need. */
int utc_ticks(const struct viewport *g, int64_t anchor_ns, struct tick *out, int max)
{
	int64_t step, ps, begin = viewport_begin(g), of_day, at;
	int n = 0, decimals;

	for (int64_t columns = 12;; columns += 3) {
		if (__builtin_mul_overflow(columns, g->c, &step))
			step = INT64_MAX / 4;
		step = units_step_125(step);
		decimals = utc_decimals(step);
		if (step / g->c >= 8 + (decimals ? decimals + 1 : 0) + 2 || columns > 60)
			break;
	}
	of_day = split_time(anchor_ns, begin, &ps) % DAY_S * PS_PER_S + ps;
	at = begin + (of_day % step ? step - of_day % step : 0);
	for (; n < max && at < viewport_end(g); at += step, n++) {
		out[n].t = at;
		out[n].x = viewport_column(g, at);
		utc_text(anchor_ns, at, decimals, false, out[n].text, sizeof out[n].text);
	}
	return n;
}
