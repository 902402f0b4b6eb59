/* What the files of logs share. */
#ifndef ANALYZE_LOGS_INTERNAL_H
#define ANALYZE_LOGS_INTERNAL_H

#include "analyze/logs/logs.h"

void logs_merge(struct logs *, struct progress *); /* fills order and n; when canceled, they are empty */

#endif
