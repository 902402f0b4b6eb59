/* Texts of ops made to fit: pure functions of their text. */
#ifndef WIDGET_TEXT_H
#define WIDGET_TEXT_H

#include <stddef.h>

/* HLO text as a line has room for it: no layouts, no name in front, no computations called, no types of
 * tuples read: "bf16[8,512] fusion(bf16[8,64] %a)".
 * Text that is no HLO comes back whole.  The caller frees. */
char *text_short_hlo(const char *full);
/* "/model/a.py:100"; of a long path the file alone; points into it */
const char *text_short_path(const char *path);
/* bytes that go on the next line of w columns: up to a blank, if there is one in the second half */
size_t text_wrap(const char *, size_t len, int w);

void text_ms(char *buf, size_t size, double ms);            /* "1.540 ms"; "–" for NaN */
void text_percent(char *buf, size_t size, double fraction); /* "38.4 %"; "–" for NaN */
/* "124.8 MiB", "15.48 GiB": with two decimals from a GiB on */
char *text_bytes(char *buf, size_t size, double bytes);

#endif
