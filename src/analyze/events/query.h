/* A small language to select events: terms separated by blanks, all of which must hold; `!` before a term
 * negates it.
 *
 * 	name~RE  name=TEXT		name of the event
 * 	dur>10us dur<=2ms self>… start>=1s end<…	times with a unit, as for units_parse_time()
 * 	cat=all-reduce  cat~RE		category in the file (if there is none, the name without its number),
 * 					or class: matmul compute copy collective io host wait other
 * 	track~RE  track=TEXT		"host plane line"; = takes the line, the plane, or "TPU:2", "TPU:2 XLA Ops"
 * 	step=3  step>10			the step an event begins in, by its names (steps_is()): "101" as on the
 * 					ruler of the timeline
 * 	arg.KEY~RE  arg.KEY=VALUE  arg.KEY>N	a stat of the event or of its kind; numbers compare by value
 * 	arg~RE  arg=VALUE		any stat, as "KEY=VALUE"; = compares only the value
 * 	WORD				name~WORD
 *
 * There may be blanks around the sign.  Values with blanks need quotes, "…" (with \" and \\ inside).  Patterns
 * are PCRE2 with smart case, as in a search.
 * query_new() compiles a query.  query_bind() prepares it for a dump: what can be decided per kind of event or
 * per track is decided once, when the first such event is checked; query_event() checks the rest for one event,
 * cheap terms first.  A query is read-only once made.  A bound one belongs to one thread and is valid as long
 * as no track and no kind of event is added. */
#ifndef ANALYZE_EVENTS_QUERY_H
#define ANALYZE_EVENTS_QUERY_H

#include "analyze/steps/steps.h"
#include "base/text/regex.h"
#include "model/dump.h"

#define QUERY_TERMS_MAX 32

struct query;
struct query_run;

/* Returns NULL when the text is wrong: err says what, and at which character; err.at is the byte. */
struct query *query_new(const char *text, struct err *);
void query_free(struct query *);
bool query_wants_steps(const struct query *);
bool query_wants_name(const struct query *);
bool query_wants_args(const struct query *); /* must read the stats of events: slow */

/* Is a search text a query?  It is if one of its words is a term; texts that begin with \Q never are. */
bool query_meant(const char *text);
/* Returns a hint for when nothing was found: "; unknown field 'flops'; did you mean arg.flops?", or "". */
char *query_hint(const char *text, char *buf, size_t size);
/* The i-th field with the sign that most often follows it, for completion: "name~", "dur>"; NULL: no more. */
char *query_word(size_t i, char *buf, size_t size);
bool query_word_is(const char *field);
/* Compiles a search text as a pattern.  A query is only checked, and its text is compiled literally. */
struct regex *query_regex(const char *text, struct err *);
/* Did one of its patterns reach the limit of the library?  Fills err (base/text/regex.h). */
bool query_too_expensive(const struct query *, struct err *);

/* Steps may be NULL when the query does not need them.  Query, dump and steps must outlive the result. */
struct query_run *query_bind(const struct query *, const struct dump *, const struct steps *);
void query_unbind(struct query_run *);
bool query_track(struct query_run *, uint32_t track);           /* Can any event of it match? */
bool query_event(struct query_run *, uint32_t track, size_t i); /* for tracks that can match */

#endif
