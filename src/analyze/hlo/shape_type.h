/* Shared by shape.c and shape_text.c: element types by their number in xla_data.proto, as a file says it, which may be
 * any number.  Pure; any thread. */
#ifndef ANALYZE_HLO_SHAPE_TYPE_H
#define ANALYZE_HLO_SHAPE_TYPE_H

#include <stddef.h>
#include <stdint.h>

/* bytes per element unless the layout packs them; 1 when the type is not known */
int64_t shape_type_bytes(int type);

#endif
