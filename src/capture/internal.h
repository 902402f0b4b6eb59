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

#define RESULT_FUNCTIONS(name) \
	void *result_make_##name(const struct result_env *); \
	void result_free_##name(void *)

RESULT_FUNCTIONS(ops);
RESULT_FUNCTIONS(table_ops);
RESULT_FUNCTIONS(hlo_table);
RESULT_FUNCTIONS(framework);
RESULT_FUNCTIONS(overview);
RESULT_FUNCTIONS(input);
RESULT_FUNCTIONS(findings);
RESULT_FUNCTIONS(modules);
RESULT_FUNCTIONS(pod);
RESULT_FUNCTIONS(tf_graph);
RESULT_FUNCTIONS(tf_lines);
RESULT_FUNCTIONS(triage);
RESULT_FUNCTIONS(ptxla);
RESULT_FUNCTIONS(kernels);
RESULT_FUNCTIONS(memory_profile);

#endif
