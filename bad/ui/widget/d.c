#include "view/timeline.h"
