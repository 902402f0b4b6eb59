#include "config.h"
#include "result/reasons.h"

#include <string.h>

static const struct reason_info reasons[] = {
#define REASON(code, meaning, remedy) { #code, meaning, remedy },
#include "result/reasons.def"
#undef REASON
};

const struct reason_info *reason_info(enum reason r)
{
	return r < REASONS ? &reasons[r] : NULL;
}

enum reason reason_named(const char *code)
{
	int i = 0;

	while (code && i < REASONS && strcmp(reasons[i].code, code))
		i++;
	return code ? (enum reason)i : REASONS;
}
