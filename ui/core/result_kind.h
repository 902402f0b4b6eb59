/* How results are made and freed: the rows of results.c and their functions (result_make.c).  A make function
 * runs in the thread of jobs, only reads what its environment points to, and returns NULL or a result that
 * the caller frees; when the job was canceled its result is freed unused. */
#ifndef CORE_RESULT_KIND_H
#define CORE_RESULT_KIND_H

#include "core/results.h"

struct result_kind {
	const char *what;
	unsigned needs; /* bits: the results it is made from */
	void *(*make)(const struct result_env *);
	void (*free)(void *);
};
extern const struct result_kind result_kinds[RESULT_COUNT];

void *result_make_ops(const struct result_env *);
void *result_make_table_ops(const struct result_env *);
void *result_make_hlo_table(const struct result_env *);
void *result_make_framework(const struct result_env *);
void *result_make_overview(const struct result_env *);
void *result_make_input(const struct result_env *);
void *result_make_findings(const struct result_env *);
void *result_make_modules(const struct result_env *);
void *result_make_pod(const struct result_env *);
void *result_make_tf_graph(const struct result_env *);
void *result_make_tf_lines(const struct result_env *);
void *result_make_triage(const struct result_env *);
void *result_make_ptxla(const struct result_env *);
void *result_make_kernels(const struct result_env *);
void *result_make_memory_profile(const struct result_env *);
void result_free_ops(void *);
void result_free_table_ops(void *);
void result_free_hlo_table(void *);
void result_free_framework(void *);
void result_free_overview(void *);
void result_free_input(void *);
void result_free_findings(void *);
void result_free_modules(void *);
void result_free_pod(void *);
void result_free_tf_graph(void *);
void result_free_tf_lines(void *);
void result_free_triage(void *);
void result_free_ptxla(void *);
void result_free_kernels(void *);
void result_free_memory_profile(void *);

#endif
