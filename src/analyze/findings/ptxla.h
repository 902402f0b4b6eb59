/* What the rules about PyTorch/XLA share: those of metrics reports (ptxla_reports.c) and those of what PT_XLA_DEBUG,
 * its profiler and saved graphs say (ptxla_debug.c).  A rule judges each report or file; judging raises a finding
 * there, or notes what was measured.  The runner (findings.c) merges what several reports have in common. */
#ifndef ANALYZE_FINDINGS_PTXLA_H
#define ANALYZE_FINDINGS_PTXLA_H

#include "analyze/findings/internal.h"
#include "analyze/ptxla/ptxla.h"

/* subject: a metric, a counter, a line of code, a graph; NULL: none */
void rule_judge_file(struct rule_work *, bool found, uint32_t file, const char *subject,
    const char *evidence);
/* "aten::nonzero,aten::item": are there only ops that PyTorch/XLA runs on the CPU on purpose? */
bool rule_all_of_host(const char *ops);
/* what torch_xla's own profiler said of this rule */
void rule_notices(struct rule_work *);
/* calls of ops on the CPU, which the summary of such ops lists */
void rule_calls(struct rule_work *);

#endif
