/* A small language to pick events with: terms parted by blanks, all of which must hold; `!` before a term
 * turns it round.
 *
 * 	name~RE  name=TEXT		name of the event
 * 	dur>10us dur<=2ms self>… start>=1s end<…	as units_parse_time() reads it; plain numbers are ps
 * 	cat=all-reduce  cat~RE		category of the file (where it states none, the name without its
 * 					number), or the class: matmul compute copy collective io host wait
 * 					other
 * 	track~RE  track=TEXT		"host plane line"; = the line, the plane, or "TPU:2", "TPU:2 XLA Ops"
 * 	step=3  step>10			the step an event begins in, by what it is called
 * 					(steps_is()); "101" on the ruler of the timeline
 * 	arg.KEY~RE  arg.KEY=VALUE  arg.KEY>N	a stat of the event or of its kind; numbers compare as numbers
 * 	arg~RE  arg=VALUE		any stat, as "KEY=VALUE"; = its value alone
 * 	WORD				name~WORD
 *
 * Blanks may stand around the sign.  Values with blanks stand in "…" (\" and \\ inside).  Patterns are PCRE2
 * with smart case, as in a search.
 * query_new() compiles once; a bound one decides what can be decided per kind of event and per track, once,
 * when the first of them is asked; query_event() asks the rest of one event, cheap terms first.  A query is
 * read-only once made; a bound one belongs to one thread, and holds as long as no track and no kind of
 * event is added. */
#ifndef ANALYZE_EVENTS_QUERY_H
#define ANALYZE_EVENTS_QUERY_H

#include "analyze/steps/steps.h"
#include "base/text/regex.h"
#include "model/dump.h"

#define QUERY_TERMS_MAX 32

struct query;
struct query_run;

/* NULL: err says what and at which character, err.at is the byte */
struct query *query_new(const char *text, struct err *);
void query_free(struct query *);
bool query_wants_steps(const struct query *);
bool query_wants_args(const struct query *); /* reads the stats of events: slow */

/* Is a search text a query?  One of its words is a term; texts that begin with \Q never are. */
bool query_meant(const char *text);
/* What to say when nothing was found: "; flops is not a field (arg.flops?)", or "" */
char *query_hint(const char *text, char *buf, size_t size);
/* What a search text compiles to: a pattern, or of a query (which is checked) its text, literally. */
struct regex *query_regex(const char *text, struct err *);

/* Steps may be NULL when the query does not want them. Query, dump and steps must outlive it. */
struct query_run *query_bind(const struct query *, const struct dump *, const struct steps *);
void query_unbind(struct query_run *);
bool query_track(struct query_run *, uint32_t track);           /* may any event of it pass? */
bool query_event(struct query_run *, uint32_t track, size_t i); /* of a track that passes */

#endif
