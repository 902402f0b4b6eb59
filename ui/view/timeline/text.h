/* Texts of events made to fit: pure functions of their text.  One thread. */
#ifndef VIEW_TIMELINE_TEXT_H
#define VIEW_TIMELINE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

/* HLO text as a line has room for it: no layouts, no name in front, no computations called, no types of
 * tuples read: "bf16[8,512] fusion(bf16[8,64] %a)".
 * Text that is no HLO comes back whole.  The caller frees. */
char *tl_short_hlo(const char *full);
/* "/model/a.py:100"; of a long path the file alone; points into it */
const char *tl_short_path(const char *path);
/* bytes that go on the next line of w columns: up to a blank, if there is one in the second half */
size_t tl_wrap(const char *, size_t len, int w);
/* Times of a column: the largest unit in which three digits are left of the least of them, where the most
 * still fits; else that of the most, and the cells that would lose theirs carry a unit of their own. */
enum time_unit tl_column_unit(int64_t least, int64_t most);
char *tl_cell_time(char *buf, size_t, int64_t ps, enum time_unit, bool ascii);

#endif
