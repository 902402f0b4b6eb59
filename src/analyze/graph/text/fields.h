/* Fields of a message that are asked for by number, and numbers and texts as HLO text has them.  A field that is
 * not there, or is of another type, is empty or 0.  Lists are made in the arena given.  Pure. */
#ifndef ANALYZE_GRAPH_TEXT_FIELDS_H
#define ANALYZE_GRAPH_TEXT_FIELDS_H

#include <stdio.h>

#include "analyze/hlo/shape.h"
#include "base/codec/wire.h"

bool field_first(struct slice message, uint32_t field, struct wire *);
/* The next field of that number with a length; false: there are no more. */
bool field_next(struct wire *, uint32_t field, struct slice *);
struct slice field_slice(struct slice message, uint32_t field);
int64_t field_number(struct slice message, uint32_t field);
/* packed or not */
struct shape_list field_numbers(struct arena *, struct slice message, uint32_t field);

void put_slice(FILE *, struct slice);
void put_escaped(FILE *, struct slice);                                     /* "a \"name\"\n" */
void put_numbers(FILE *, const struct shape_list *, const char *separator); /* 1,2,3 */
/* Writes the numbers of a repeated field: {1,2,3} */
void put_list(FILE *, struct slice message, uint32_t field);

#endif
