/* What is inside fusions, from the HLO modules of the dump (model/hlo.h).  A program is read when it is first
 * asked for.  Instructions are protobuf-c messages that belong to the dump; the caller frees the struct
 * (contents_free).  Damaged protos have no contents and are counted.  So are fusions that contain themselves,
 * so that walking from body to body always ends.  One thread. */
#ifndef ANALYZE_HLO_CONTENTS_H
#define ANALYZE_HLO_CONTENTS_H

#include "base/text/slice.h"
#include "hlo.pb-c.h"
#include "model/dump.h"

#define HLO_DEPTH 16 /* levels of fusions inside each other */

struct hlo_contents;

struct hlo_contents *contents_new(const struct dump *);
void contents_free(struct hlo_contents *);
/* Returns the instruction of that name in a program; NULL = not known. */
const Pb__HloInstructionProto *contents_instruction(struct hlo_contents *, uint64_t program,
    struct slice name);
/* Returns the computation that a fusion runs; NULL for anything that is not a fusion.  contents_is() tells
 * whether an instruction of it counts as contents: parameters and tuples do not. */
const Pb__HloComputationProto *contents_body(struct hlo_contents *, uint64_t program,
    const Pb__HloInstructionProto *);
bool contents_is(const Pb__HloInstructionProto *);
/* number of requested programs whose proto is missing or unreadable */
size_t contents_missing(const struct hlo_contents *);
/* number of fusions without contents because these would never end */
size_t contents_endless(const struct hlo_contents *);

#endif
