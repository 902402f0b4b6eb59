#include "config.h"
#include "result/advice.h"

struct advice {
	const char *id, *severity, *title, *evidence, *advice;
};

#define SCHEMA advice
#define SCHEMA_ROW struct advice
#define SCHEMA_DEF "result/advice.def"
#include "result/schema_def.h"

const struct schema advice_schema = { SCHEMA_COLUMNS(advice_columns) };

void advice_init(struct table *t)
{
	table_begin(t, &advice_schema);
}

void advice_add(struct table *t, const char *id, const char *severity, const char *title,
    const char *evidence, const char *advice)
{
	table_add(t, &(struct advice){ id, severity, title, evidence, advice });
}
