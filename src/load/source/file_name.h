/* What the names of files tell, whether they are packed (.gz, .zst) or not and in whatever case.  Names are
 * without folders; what is returned points into them.  Pure. */
#ifndef LOAD_SOURCE_FILE_NAME_H
#define LOAD_SOURCE_FILE_NAME_H

#include "base/text/slice.h"

struct slice file_name_plain(const char *name); /* without the ending that says how it is packed */
bool file_name_ends(const char *name, const char *ending);
struct slice file_name_host(const char *name); /* vm.trace.json.gz is a file of host "vm" */

#endif
