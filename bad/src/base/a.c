#include "model/trace.h"
