/* The functions that read the files of dump.files, one for each kind (model/file_kinds.def): they fill the dump with
 * what file number `file` holds, and keep what they read before damage.  Each returns -1 with err if nothing of it
 * is usable.  One thread, with workers of their own. */
#ifndef LOAD_BUILD_LOADERS_H
#define LOAD_BUILD_LOADERS_H

#include "load/build/context.h"

#define LOADER(id, function) int function(struct load_ctx *, int file, struct err *);
#include "model/file_kinds.def"

#endif
