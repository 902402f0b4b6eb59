/* Shared by the two halves of the query language: query.c parses it, query_run.c applies it to events. */
#ifndef ANALYZE_EVENTS_INTERNAL_H
#define ANALYZE_EVENTS_INTERNAL_H

#include "analyze/events/query.h"

/* In order of cost: terms decided per kind or track, then those that are cheap per event, then expensive
 * ones. */
enum query_field {
	QUERY_NAME,
	QUERY_CAT,
	QUERY_TRACK,
	QUERY_DUR,
	QUERY_START,
	QUERY_END,
	QUERY_SELF,
	QUERY_STEP,
	QUERY_ARG,
	QUERY_FIELDS
};

enum query_op { OP_MATCH, OP_EQUAL, OP_LESS, OP_AT_MOST, OP_MORE, OP_AT_LEAST };
#define OPS_TEXT (1u << OP_MATCH | 1u << OP_EQUAL)
#define OPS_NUMBER (1u << OP_EQUAL | 1u << OP_LESS | 1u << OP_AT_MOST | 1u << OP_MORE | 1u << OP_AT_LEAST)

struct query_term {
	enum query_field field;
	enum query_op op;
	bool not, has_number;
	char *key, *value; /* key: KEY of arg.KEY, NULL = any */
	struct regex *re;
	int64_t time;
	double number;
};

struct query {
	struct query_term v[QUERY_TERMS_MAX];
	size_t n;
	char *text;
};

#endif
