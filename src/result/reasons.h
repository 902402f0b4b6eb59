/* The codes that say why a question is not answered, or not wholly, in every JSON document (tpuscope(7), STATUS), each
 * with what to do about it: the rows of reasons.def.  Constants; any thread. */
#ifndef RESULT_REASONS_H
#define RESULT_REASONS_H

#include <stddef.h>

/* numbers of rows, the gravest first */
enum reason {
#define REASON(code, meaning, remedy) REASON_##code,
#include "result/reasons.def"
#undef REASON
	REASONS /* none: everything is answered */
};

struct reason_info {
	const char *code, *meaning, *remedy;
};

const struct reason_info *reason_info(enum reason); /* NULL: there is no such row */
enum reason reason_named(const char *code);         /* REASONS: none is called so, or NULL */

#endif
