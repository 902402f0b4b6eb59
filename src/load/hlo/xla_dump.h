/* Loads texts of the compiler, and logs: they are kept in file.content for the analyses. */
#ifndef LOAD_HLO_XLA_DUMP_H
#define LOAD_HLO_XLA_DUMP_H

#include "load/build/context.h"

int load_text(struct load_ctx *, int file, struct err *);

#endif
