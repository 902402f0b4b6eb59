/* Source files in stacks of Python programs.  Pure. */
#ifndef BASE_TEXT_PYTHON_H
#define BASE_TEXT_PYTHON_H

#include <stdbool.h>

/* Is the file part of Python, of an installed package or of torch, and not of the user's program?  So is what is no
 * file: "<frozen importlib>". */
bool python_is_library(const char *file);

#endif
