/* An instruction of HLO text taken apart: "%name = SHAPE opcode(OPERANDS), ATTRIBUTES".  Parts are pieces of the text;
 * those that it lacks are empty.  Pure. */
#ifndef ANALYZE_PIECES_HLO_LINE_H
#define ANALYZE_PIECES_HLO_LINE_H

#include "base/text/slice.h"

struct hlo_line {
	struct slice shape, opcode, operands, attributes;
};

struct hlo_line hlo_line_of(struct slice text);
struct slice hlo_line_last_operand(const struct hlo_line *); /* its name, without the % */
struct slice hlo_text_head(struct slice text);               /* what is before the first " = " */

#endif
