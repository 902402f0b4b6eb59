/* What is inside fusions, from the HLO modules of the dump (model/hlo.h):
 * read when the program is first asked for.  Instructions are pb-c messages of the dump; the
 * caller frees it (contents_free).  Damaged protos have no contents and are counted, as are fusions
 * that hold themselves: walking from body to body comes to an end.  One thread. */
#ifndef ANALYZE_HLO_CONTENTS_H
#define ANALYZE_HLO_CONTENTS_H

#include "base/text/slice.h"
#include "hlo.pb-c.h"
#include "model/dump.h"

#define HLO_DEPTH 16 /* fusions inside each other */

struct hlo_contents;

struct hlo_contents *contents_new(const struct dump *);
void contents_free(struct hlo_contents *);
/* The instruction of that name in a program; NULL = not known. */
const Pb__HloInstructionProto *contents_instruction(struct hlo_contents *, uint64_t program,
    struct slice name);
/* The computation a fusion runs, without which it is NULL; parameters and tuples are no contents. */
const Pb__HloComputationProto *contents_body(struct hlo_contents *, uint64_t program,
    const Pb__HloInstructionProto *);
bool contents_is(const Pb__HloInstructionProto *);
size_t contents_missing(
    const struct hlo_contents *); /* programs asked for that have no proto that can be read */
/* fusions without contents because these would have no end */
size_t contents_endless(const struct hlo_contents *);

#endif
