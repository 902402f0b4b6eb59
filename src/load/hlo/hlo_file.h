/* HLO modules as a glance finds them: hlo_list() makes dump.modules of the XSpaces and results of tools
 * that were read; files of their own add theirs when they are loaded (load_hlo_file() in load.h). */
#ifndef LOAD_HLO_HLO_FILE_H
#define LOAD_HLO_HLO_FILE_H

#include "load/build/context.h"
#include "model/dump.h"

void hlo_list(struct dump *);

int load_hlo_file(struct load_ctx *, int file, struct err *); /* one module: model/hlo.h */

#endif
