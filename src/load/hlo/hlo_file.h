/* HLO modules without parsing them whole: hlo_list() fills dump.modules from the XSpaces and results of tools
 * that were read; HLO files add theirs when they are loaded (load_hlo_file()). */
#ifndef LOAD_HLO_HLO_FILE_H
#define LOAD_HLO_HLO_FILE_H

#include "load/build/context.h"
#include "model/dump.h"

void hlo_list(struct dump *);

#endif
