/* The files that the compiler writes about the memory of a program with --xla_dump_to (model/hlo.h).  If
 * compiling failed, the proto may have no buffers, so hlo_dump_join() keeps one module per program, the
 * latest pass, and attaches the texts about its buffers.  Files that were not opened are searched beside those
 * that were.  Called while loading, by one thread. */
#ifndef LOAD_HLO_HLO_DUMP_H
#define LOAD_HLO_HLO_DUMP_H

#include <stdbool.h>
#include <stddef.h>

#include "model/dump.h"

const char *hlo_dump_device(struct arena *, const char *path); /* "TPU v5 lite", NULL = not known */
bool hlo_dump_is_oom(const char *path);                        /* compiling the program ran out of memory */
void hlo_dump_join(struct dump *);

#endif
