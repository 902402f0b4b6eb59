/* How results are made and freed: the rows of kinds.c and their functions (make.c).  A make function only reads what
 * its environment points to, and returns NULL or a result that the caller frees; when it was canceled its result is
 * freed unused. */
#ifndef CAPTURE_INTERNAL_H
#define CAPTURE_INTERNAL_H

#include "capture/results.h"

struct result_env {
	const struct capture *c;
	struct progress *progress;
	struct err *err; /* says why NULL is returned */
};

struct result_kind {
	const char *what;
	unsigned needs; /* bits: the results it is made from */
	void *(*make)(const struct result_env *);
	void (*free)(void *);
};
extern const struct result_kind result_kinds[RESULT_COUNT];
/* bits: of the pieces of the cores' time */
#define RESULT_PIECES (1u << RESULT_CORE_TIMES | 1u << RESULT_COMMUNICATION | 1u << RESULT_IDLE)
/* bits: one thread makes it, in little memory; others may be made beside it */
extern const unsigned result_singles;
#define FINDINGS_EITHER (1u << RESULT_FIRST_FINDINGS | 1u << RESULT_FINDINGS)

/* ops.c: the ops that the scope asks for: options to sum them, and what the options point to. -1: there are none, and
 * err says why; then there is nothing to free. */
struct ops_pick {
	struct opdb_options options;
	uint64_t *programs;
	struct op_window *windows;
	int64_t total; /* length of the step, ps; -1: the whole capture */
};
int ops_pick(const struct result_env *, struct ops_pick *);
void ops_pick_free(struct ops_pick *);
int ops_of_scope(const struct result_env *, struct opdb *);

#define RESULT_FUNCTIONS(name) \
	void *result_make_##name(const struct result_env *); \
	void result_free_##name(void *)

RESULT_FUNCTIONS(ops);
RESULT_FUNCTIONS(table_ops);
RESULT_FUNCTIONS(hlo_table);
RESULT_FUNCTIONS(framework);
RESULT_FUNCTIONS(overview);
RESULT_FUNCTIONS(account);
RESULT_FUNCTIONS(input);
RESULT_FUNCTIONS(levers);
RESULT_FUNCTIONS(findings);
RESULT_FUNCTIONS(diff);
RESULT_FUNCTIONS(deltas);
void *result_make_first_findings(const struct result_env *);
void *result_make_mended(const struct result_env *);
RESULT_FUNCTIONS(modules);
RESULT_FUNCTIONS(pod);
RESULT_FUNCTIONS(pod_beside);
RESULT_FUNCTIONS(tf_graph);
RESULT_FUNCTIONS(tf_lines);
RESULT_FUNCTIONS(triage);
RESULT_FUNCTIONS(ptxla);
RESULT_FUNCTIONS(kernels);
RESULT_FUNCTIONS(llo);
RESULT_FUNCTIONS(memory_profile);
RESULT_FUNCTIONS(memory_beside);
RESULT_FUNCTIONS(steps);
RESULT_FUNCTIONS(op_steps);
RESULT_FUNCTIONS(core_times);
RESULT_FUNCTIONS(communication);
RESULT_FUNCTIONS(scopes);
RESULT_FUNCTIONS(idle);
RESULT_FUNCTIONS(replay);
RESULT_FUNCTIONS(memory);

#endif
