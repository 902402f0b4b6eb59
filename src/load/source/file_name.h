/* What file names say, compressed (.gz, .zst) or not, in upper or lower case.  Names are without folders, paths may
 * have some; results point into them.  Pure. */
#ifndef LOAD_SOURCE_FILE_NAME_H
#define LOAD_SOURCE_FILE_NAME_H

#include "base/text/slice.h"

struct slice file_name_plain(const char *name); /* without the suffix for compression */
bool file_name_ends(const char *name, const char *ending);
struct slice file_name_host(const char *name); /* vm.trace.json.gz is a file of host "vm" */

/* Returns the length of the port in the name of a host, "_8466" in vm_8466; 0: it has none. */
size_t file_name_port(struct slice host);

/* The place of a process in its job: dp0_vm.xplane.pb is of rank 0 on host "vm", and so is vm.xplane.pb in
 * dp_rank_0/plugins/profile/RUN/.  Takes a path; false: neither the name nor a folder says a rank. */
struct file_rank {
	int rank, of; /* of: the number of stages, 0: it does not say */
	struct slice host;
	struct slice folder; /* the component of the path that says it; n 0: the name does */
};
bool file_name_rank(const char *path, struct file_rank *);
bool file_name_is_rank(struct slice folder); /* dp_rank_0 */

#endif
