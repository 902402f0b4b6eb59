/* Recognizes what PyTorch/XLA prints in a text, which may be a log of something else around it, by phrases that
 * nothing else has; what comes first decides.  FILE_UNKNOWN: there is none.  Pure. */
#ifndef LOAD_PROBE_PTXLA_TEXT_H
#define LOAD_PROBE_PTXLA_TEXT_H

#include "model/dump.h"

enum file_kind ptxla_text_kind(const char *, size_t);

#endif
