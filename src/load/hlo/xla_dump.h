/* Texts of the compiler and logs: file.content gives them to who reads them. */
#ifndef LOAD_HLO_XLA_DUMP_H
#define LOAD_HLO_XLA_DUMP_H

#include "load/build/context.h"

int load_text(struct load_ctx *, int file, struct err *);

#endif
