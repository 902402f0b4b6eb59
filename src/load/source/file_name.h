/* What file names say, compressed (.gz, .zst) or not, in upper or lower case.  Names are without folders;
 * results point into them.  Pure. */
#ifndef LOAD_SOURCE_FILE_NAME_H
#define LOAD_SOURCE_FILE_NAME_H

#include "base/text/slice.h"

struct slice file_name_plain(const char *name); /* without the suffix for compression */
bool file_name_ends(const char *name, const char *ending);
struct slice file_name_host(const char *name); /* vm.trace.json.gz is a file of host "vm" */

#endif
