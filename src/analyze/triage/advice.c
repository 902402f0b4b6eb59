#include "config.h"
#include "analyze/triage/internal.h"

#include <string.h>

#include "result/rules.h"

/* Is one of the phrases, separated by ", ", in the sentence? */
static bool has_phrase(struct slice phrases, struct slice sentence)
{
	while (phrases.n) {
		const char *comma = memmem(phrases.s, phrases.n, ", ", 2);
		size_t n = comma ? (size_t)(comma - phrases.s) : phrases.n, next = comma ? n + 2 : n;

		if (n && memmem(sentence.s, sentence.n, phrases.s, n))
			return true;
		phrases = (struct slice){ phrases.s + next, phrases.n - next };
	}
	return false;
}

const char *triage_advice(struct arena *a, const char *advice, struct slice sentence)
{
	return rule_paragraphs(a, advice, has_phrase, &(struct advice_case){ .of = sentence }, true,
	    RULE_BETWEEN);
}
