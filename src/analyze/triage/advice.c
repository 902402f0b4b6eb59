#include "config.h"
#include "analyze/triage/internal.h"

#include <string.h>

#define BETWEEN " | "

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

/* Adds the paragraphs with a condition that holds, or those without one; returns the end. */
static char *add_paragraphs(char *to, const char *text, const char *advice, struct slice sentence,
    bool conditional)
{
	for (const char *p = advice, *next; *p; p = next) {
		const char *bar = strstr(p, BETWEEN), *end = bar ? bar : p + strlen(p), *brace = NULL;

		next = bar ? bar + strlen(BETWEEN) : end;
		if (*p == '{')
			brace = memchr(p, '}', (size_t)(end - p));
		if (conditional != (brace != NULL) ||
		    (brace && !has_phrase((struct slice){ p + 1, (size_t)(brace - p - 1) }, sentence)))
			continue;
		if (brace)
			p = brace + 1 + (brace[1] == ' ');
		if (to > text)
			to = mempcpy(to, BETWEEN, strlen(BETWEEN));
		to = mempcpy(to, p, (size_t)(end - p));
	}
	return to;
}

const char *triage_advice(struct arena *a, const char *advice, struct slice sentence)
{
	char *text = arena_alloc(a, strlen(advice) + 1),
	     *to = add_paragraphs(text, text, advice, sentence, true);

	*add_paragraphs(to, text, advice, sentence, false) = 0;
	return text;
}
