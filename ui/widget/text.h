/* Shortened texts of ops, and numbers as texts.  Texts that are given to a buffer always end with NUL; widths are
 * columns, lengths bytes.  Pure; any thread. */
#ifndef WIDGET_TEXT_H
#define WIDGET_TEXT_H

#include <stddef.h>

#include "base/text/regex.h"

/* HLO text shortened to fit a line: without layouts, the op's own name, called computations and the tuple
 * types of operands: "bf16[8,512] fusion(bf16[8,64] %a)".  Text that is not HLO is returned whole.  The
 * caller frees it. */
char *text_short_hlo(const char *full);
/* "/model/a.py:100"; only the file name of a long path; points into `path` */
const char *text_short_path(const char *path);
/* bytes that fit on a line of w columns: up to a space, if there is one in the second half */
size_t text_wrap(const char *, size_t len, int w);

/* What a pattern matched first, with what is around it: "…rt_element_type f32[8] mul…"; "" = no match */
char *text_match(char *buf, size_t size, const struct regex *, const char *, size_t len);

void text_ms(char *buf, size_t size, double ms);            /* "1.540 ms"; "–" for NaN */
void text_percent(char *buf, size_t size, double fraction); /* "38.4 %"; "–" for NaN */
/* "124.8 MiB", "15.48 GiB": two decimals from 1 GiB */
char *text_bytes(char *buf, size_t size, double bytes);

#endif
