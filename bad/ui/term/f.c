#include <curses.h>
#include "core/term.h"
#include "load.h"
