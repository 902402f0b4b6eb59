/* The scalars of an analysis by name (facts.def), in the order in which reports print them: `summary` of a report,
 * gauges of a view.  Ids are static strings that never change, and are XProf's own where XProf has the property.  A
 * value is a cell (table.h); null = not known.  Strings belong to the arena.  The owner frees
 * (facts_free). */
#ifndef RESULT_FACTS_H
#define RESULT_FACTS_H

#include "result/table.h"

struct fact {
	const char *id;
	struct cell v;
};

struct facts {
	struct fact *v;
	size_t n, cap;
	struct arena text;
};

void facts_num(struct facts *, const char *id, double); /* NaN and infinity become null */
void facts_int(struct facts *, const char *id, int64_t);
void facts_known(struct facts *, const char *id, int64_t); /* a negative number becomes null */
void facts_bool(struct facts *, const char *id, bool);
void facts_str(struct facts *, const char *id, const char *); /* copied; NULL becomes null */
void facts_null(struct facts *, const char *id);
const struct cell *facts_get(const struct facts *, const char *id); /* NULL: there is no such id */
double facts_number(const struct facts *, const char *id);          /* NaN: no such id, or null */
const char *facts_text(const struct facts *, const char *id);       /* "": no such id, or null */
/* the same facts; their texts stay those of the other, which must outlive them */
void facts_begin_like(struct facts *, const struct facts *);
void facts_free(struct facts *);

/* What the facts of reports mean: the rows of facts.def. */
struct fact_info {
	const char *tools, *id, *unit, *meaning;
};
const struct fact_info *fact_info(size_t i); /* NULL after the last */
bool fact_is_of(const struct fact_info *, const char *tool);
const char *fact_meaning(const char *id); /* of the overview; "": not known */

#endif
