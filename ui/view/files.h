/* The files of the run: what each is, how much was in it, what was wrong with it and where, and how the
 * device clocks of its planes relate to the capture's. */
#ifndef VIEW_FILES_H
#define VIEW_FILES_H

#include "core/view.h"

extern const struct view_ops view_files;

#endif
