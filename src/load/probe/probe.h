/* Recognizes the kind of a file, first by its content and then by its name.  probe_kind() is pure. */
#ifndef LOAD_PROBE_PROBE_H
#define LOAD_PROBE_PROBE_H

#include "model/dump.h"

enum file_kind probe_kind(const char *name, const uint8_t *head, size_t nhead, const uint8_t *tail,
    size_t ntail);
/* What the name says, for files whose content does not decide. */
enum file_kind probe_name(const char *name);

/* Tells the kind of a file by its content; FILE_UNKNOWN also if it cannot be opened. */
enum file_kind probe_file(const char *path);

#endif
