#include "config.h"
#include "analyze/triage/internal.h"

#include <string.h>

#include "result/rules.h"

#define SAID_MAX 64 /* longest text that is taken out of a sentence */

/* Cuts what stands before `mark` off the list; the rest, if there is no mark. */
static struct slice next_part(struct slice *list, const char *mark)
{
	const char *at = slice_find(*list, mark);
	size_t n = at ? (size_t)(at - list->s) : list->n, next = at ? n + strlen(mark) : n;
	struct slice part = { list->s, n };

	*list = (struct slice){ list->s + next, list->n - next };
	return part;
}

/* "a & b & !c": does the sentence have a and b, and not c? */
static bool has_all(struct slice phrases, struct slice sentence)
{
	while (phrases.n) {
		struct slice p = next_part(&phrases, " & ");
		bool wanted = !slice_cut(&p, "!");

		if (!p.n || (memmem(sentence.s, sentence.n, p.s, p.n) != NULL) != wanted)
			return false;
	}
	return true;
}

/* One of several such, separated by ", ". */
static bool has_phrase(struct slice phrases, struct slice sentence)
{
	while (phrases.n)
		if (has_all(next_part(&phrases, ", "), sentence))
			return true;
	return false;
}

/* Returns what follows the phrase in the sentence: "(16, 128)", a number, or a word. */
static struct slice said_behind(struct slice sentence, struct slice phrase)
{
	const char *at = memmem(sentence.s, sentence.n, phrase.s, phrase.n), *end = sentence.s + sentence.n,
		   *to;

	if (!at || !phrase.n)
		return (struct slice){ NULL, 0 };
	at += phrase.n;
	if (at < end && *at == '(' && (to = memchr(at, ')', (size_t)(end - at))))
		return (struct slice){ at, (size_t)(to + 1 - at) };
	to = at;
	while (to != end && *to > ' ' && !memchr(",;()'\"", *to, 6))
		to++;
	to -= to > at && memchr(".:", to[-1], 2);
	return (struct slice){ at, (size_t)(to - at) };
}

static bool is_slot(struct slice s, struct slice *phrase, struct slice *other)
{
	const char *end = s.n && *s.s == '[' ? memchr(s.s, ']', s.n) : NULL,
		   *bar = end ? memchr(s.s, '|', (size_t)(end - s.s)) : NULL;

	if (!bar)
		return false;
	*phrase = (struct slice){ s.s + 1, (size_t)(bar - s.s - 1) };
	*other = (struct slice){ bar + 1, (size_t)(end - bar - 1) };
	return true;
}

/* Puts what the sentence says into the slots "[phrase|other text]". */
static const char *fill_slots(struct arena *a, const char *advice, struct slice sentence)
{
	struct slice s = slice_of(advice), phrase, other, said;
	size_t slots = 0;
	char *text, *out;

	for (size_t i = 0; i < s.n; i++)
		slots += s.s[i] == '[';
	if (!slots)
		return advice;
	text = out = arena_alloc(a, s.n + slots * SAID_MAX + 1);
	while (s.n) {
		size_t n = 1;

		if (is_slot(s, &phrase, &other)) {
			said = said_behind(sentence, phrase);
			said = said.n && said.n <= SAID_MAX ? said : other;
			out = mempcpy(out, said.s, said.n);
			n = phrase.n + other.n + 3;
		} else {
			*out++ = *s.s;
		}
		s = (struct slice){ s.s + n, s.n - n };
	}
	*out = 0;
	return text;
}

bool triage_advice_is_special(const char *advice, struct slice sentence)
{
	struct arena a = { 0 };
	bool special = *rule_paragraphs(&a, advice, has_phrase, &(struct advice_case){ .of = sentence },
	    false, RULE_BETWEEN);

	arena_free(&a);
	return special;
}

const char *triage_advice(struct arena *a, const char *advice, struct slice sentence)
{
	advice = rule_paragraphs(a, advice, has_phrase, &(struct advice_case){ .of = sentence }, true,
	    RULE_BETWEEN);
	return fill_slots(a, advice, sentence);
}
