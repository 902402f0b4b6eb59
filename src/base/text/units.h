/* Numbers as text for people.  All functions write at most `size` bytes including the NUL and return `buf`.
 * Input units are ps, bytes and plain counts.  The number of digits is fixed per unit, so that columns do not
 * jump.  Nothing depends on the locale; "µs" becomes "us" when `ascii` is set. */
#ifndef BASE_TEXT_UNITS_H
#define BASE_TEXT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MIB 1048576.0
#define GIB 1073741824.0
#define PS_PER_NS 1000LL
#define PS_PER_US 1000000LL
#define PS_PER_MS 1000000000LL
#define PS_PER_S 1000000000000LL

enum time_unit { UNIT_PS, UNIT_NS, UNIT_US, UNIT_MS, UNIT_S, UNIT_COUNT };
extern const int64_t unit_ps[UNIT_COUNT];
const char *unit_name(enum time_unit, bool ascii);

/* the unit in which |ps| is between 1 and 999 */
enum time_unit unit_for(int64_t ps);
/* "967.039 µs", "1.568 s", "0 ps", "750 ps": 3 decimals, none for ps */
char *units_time(char *buf, size_t size, int64_t ps, bool ascii);
/* only the number, rounded half away from zero */
char *units_time_in(char *buf, size_t size, int64_t ps, enum time_unit, int decimals);
/* in the unit of a column, but for times that would lose their digits: they show a unit of their own */
char *units_time_cell(char *buf, size_t size, int64_t ps, enum time_unit, bool ascii);
/* four significant digits without trailing zeros: "394.6 s", "20 ms" */
char *units_time_short(char *buf, size_t size, int64_t ps, bool ascii);
/* to the ps: "8.911940647 ms", "19.500538689510 s" */
char *units_time_exact(char *buf, size_t size, int64_t ps, bool ascii);
/* three decimals, or as many more as leave three digits of v where there would be less than two */
int units_decimals(double v);
char *units_bytes(char *buf, size_t size, double bytes); /* "124.8 MiB" */
char *units_count(char *buf, size_t size, uint64_t n);   /* "26,723" */
/* "104.1 TFLOP/s", "135.3 GB/s", 4 significant digits */
char *units_si(char *buf, size_t size, double v, const char *unit);
char *units_percent(char *buf, size_t size, double fraction); /* "79.9", "100", "0.0" (without the sign) */
/* "2025-03-11 19:41:39" UTC, from ns since 1970 */
char *units_date(char *buf, size_t size, int64_t ns);
int64_t units_step_125(int64_t ps); /* smallest 1, 2 or 5 × 10^k ≥ ps */
/* Parses "1.5ms", "20 us", "300ns", "2s", "1234ps", "5m" (minutes); a plain number is ps.  Returns 0 or
 * -1. */
int units_parse_time(const char *text, int64_t *ps);

#endif
