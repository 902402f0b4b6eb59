/* Texts of the compiler that are no logs and that nothing here reads, so that they are named instead of being taken for
 * logs in which nothing was found: instructions of HLO without their module, StableHLO and other MLIR, logs of
 * --xla_hlo_profile, dumps of LLO.  Pure. */
#ifndef LOAD_PROBE_FOREIGN_H
#define LOAD_PROBE_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

/* What it is, and what to give instead, by its name and its first bytes; NULL: none of them. */
const char *foreign_text(const char *name, const char *s, size_t n);
/* A file of a dump of LLO, by its name: TIME-UNIT-NN-PASS.txt.  *pass: the pass in it, in `name`. */
bool foreign_is_llo(const char *name, const char **pass);

#endif
