/* Numbers as text for people.  All write at most `size` bytes with the NUL and return `buf`.  Input units are
 * ps, bytes, plain counts.
 * Digits are fixed per unit, so that columns do not jump; never locale dependent; "µs" becomes "us" when
 * `ascii`. */
#ifndef BASE_TEXT_UNITS_H
#define BASE_TEXT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PS_PER_NS 1000LL
#define PS_PER_US 1000000LL
#define PS_PER_MS 1000000000LL
#define PS_PER_S 1000000000000LL

enum time_unit { UNIT_PS, UNIT_NS, UNIT_US, UNIT_MS, UNIT_S, UNIT_COUNT };
extern const int64_t unit_ps[UNIT_COUNT];
const char *unit_name(enum time_unit, bool ascii);

/* the unit in which |ps| reads 1…999 */
enum time_unit unit_for(int64_t ps);
/* "967.039 µs", "1.568 s", "0 ps", "750 ps": 3 decimals, ps none */
char *units_time(char *buf, size_t size, int64_t ps, bool ascii);
/* number only, rounded half away from zero */
char *units_time_in(char *buf, size_t size, int64_t ps, enum time_unit, int decimals);
/* Times of a column: the largest unit in which three digits are left of the least of them, where the most
 * still fits; else that of the most, and the cells that would lose theirs carry a unit of their own. */
enum time_unit unit_for_column(int64_t least, int64_t most);
char *units_time_cell(char *buf, size_t size, int64_t ps, enum time_unit, bool ascii);
/* four significant digits, no zeros behind them: "394.6 s", "20 ms" */
char *units_time_short(char *buf, size_t size, int64_t ps, bool ascii);
/* to the ps: "8.911940647 ms", "19.500538689510 s" */
char *units_time_exact(char *buf, size_t size, int64_t ps, bool ascii);
char *units_bytes(char *buf, size_t size, double bytes); /* "124.8 MiB" */
char *units_count(char *buf, size_t size, uint64_t n);   /* "26,723" */
/* "104.1 TFLOP/s", "135.3 GB/s", 4 significant digits */
char *units_si(char *buf, size_t size, double v, const char *unit);
char *units_percent(char *buf, size_t size, double fraction); /* "79.9", "100", "0.0" (no sign) */
/* "2025-03-11 19:41:39" UTC, of ns since 1970 */
char *units_date(char *buf, size_t size, int64_t ns);
int64_t units_step_125(int64_t ps); /* smallest 1, 2, 5 × 10^k ≥ ps */
/* "1.5ms", "20 us", "300ns", "2s", "1234ps", "5m"(minutes); plain number = ps; 0 or -1 */
int units_parse_time(const char *text, int64_t *ps);

#endif
