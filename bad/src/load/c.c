#include "config.h"
#include "base/err.h"
#  include "core/canvas.h"
