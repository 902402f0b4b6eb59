/* What the compiler leaves of a program with --xla_dump_to (model/hlo.h), as far as the memory of the program
 * is concerned.  The message with all its buffers may be missing when compiling failed, so hlo_dump_join() keeps
 * one module of each program, the latest pass, and gives it the texts that tell of buffers.  Files that were
 * not opened are looked for beside those that were.  Called while loading, by one thread. */
#ifndef LOAD_HLO_HLO_DUMP_H
#define LOAD_HLO_HLO_DUMP_H

#include <stdbool.h>
#include <stddef.h>

#include "model/dump.h"

const char *hlo_dump_device(const char *path); /* "TPU v5 lite"; static, NULL = not known */
bool hlo_dump_is_oom(const char *path);        /* compiling the program ran out of memory */
void hlo_dump_join(struct dump *);

#endif
