#include "config.h"
#include "result/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"

enum { ID, LABEL, HIGH, MEDIUM, LOW, COST, EVIDENCE, LIMITS, TITLE, ADVICE, COLUMNS };

static const char *const costs[] = {
	[COST_NONE] = "-",
	[COST_TIME] = "time",
	[COST_BYTES] = "bytes",
};

static int wrong(const struct rules *r, size_t line, const char *what, const char *text, struct err *e)
{
	return err_set(e, EXIT_USAGE, ERR_NOWHERE, "%s: line %zu: %s \"%s\"", r->name, line, what, text);
}

static bool parse_number(const char *text, double *v)
{
	char *end;

	*v = NAN;
	if (!strcmp(text, "-"))
		return true;
	*v = strtod(text, &end);
	return end != text && !*end && isfinite(*v);
}

static int take_line(struct rules *r, bool (*known)(const char *), size_t line, char *text, struct err *e)
{
	char *field[COLUMNS], *rest = text;
	struct rule x = { .line = line };
	size_t cost = 0;
	int evidence;

	for (int i = 0; i < COLUMNS; i++)
		if (!(field[i] = strsep(&rest, "\t")) || !*field[i])
			return wrong(r, line, "too few columns (separated by tabs) after", text, e);
	if (rest)
		return wrong(r, line, "more columns than expected:", rest, e);
	if (known && !known(field[ID]))
		return wrong(r, line, "no rule", field[ID], e);
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->v[i].id, field[ID]))
			return wrong(r, line, "a second row of", field[ID], e);
	for (int i = 0; i < RULE_LEVELS; i++)
		if (!parse_number(field[HIGH + i], &x.at[i]))
			return wrong(r, line, "no number:", field[HIGH + i], e);
	while (cost < sizeof costs / sizeof *costs && strcmp(costs[cost], field[COST]))
		cost++;
	if (cost == sizeof costs / sizeof *costs)
		return wrong(r, line, "unknown cost (must be time, bytes or -):", field[COST], e);
	if ((evidence = evidence_named(field[EVIDENCE])) < 0)
		return wrong(r, line, "unknown kind of evidence:", field[EVIDENCE], e);
	x.cost = (enum cost_kind)cost;
	x.evidence = (enum evidence)evidence;
	x.id = field[ID];
	x.label = field[LABEL];
	x.limits = field[LIMITS];
	x.title = field[TITLE];
	x.advice = field[ADVICE];
	VEC_ADD(r->v, r->n, r->cap, x);
	return 0;
}

int rules_read(struct arena *a, const char *path, bool (*known)(const char *), struct rules *r, struct err *e)
{
	char *text = embedded_or_file(a, "findings.tsv", path, e), *line;
	int bad = 0;

	*r = (struct rules){ .name = path ? path : "findings.tsv" };
	for (size_t n = 1; text && !bad && (line = strsep(&text, "\n")); n++)
		if (*line && *line != '#')
			bad = take_line(r, known, n, line, e);
	if (!bad && (path ? r->n > 0 : true))
		return 0;
	if (!bad && !e->status)
		err_set(e, EXIT_USAGE, ERR_NOWHERE, "%s: the table has no rules", path);
	free(r->v);
	*r = (struct rules){ 0 };
	return -1;
}

double rule_limit(const struct rule *r, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = r->limits; *p; p += strcspn(p, " "), p += strspn(p, " "))
		if (!strncmp(p, name, n) && p[n] == '=')
			return strtod(p + n + 1, NULL);
	return NAN;
}

/* Takes the first of words that are separated by single blanks. */
static struct slice take_word(struct slice *words)
{
	const char *blank = memchr(words->s, ' ', words->n);
	struct slice w = { words->s, blank ? (size_t)(blank - words->s) : words->n };
	size_t used = w.n + (blank != NULL);

	*words = (struct slice){ words->s + used, words->n - used };
	return w;
}

static bool has_words(struct slice words, struct slice of)
{
	while (words.n) {
		struct slice w = take_word(&words), rest = of;
		bool found = false;

		while (rest.n && !found)
			found = slice_same(w, take_word(&rest));
		if (!found)
			return false;
	}
	return true;
}

/* Returns what follows "<words>" before `end`; NULL: the paragraph is for other devices. */
static const char *after_words(const char *p, const char *end, const char *device)
{
	const char *close = *p == '<' ? memchr(p, '>', (size_t)(end - p)) : NULL;

	if (!close)
		return p;
	if (!has_words((struct slice){ p + 1, (size_t)(close - p - 1) },
		slice_of(device ? device : "tpu xla")))
		return NULL;
	return close + 1 + (close[1] == ' ');
}

/* Adds the paragraphs with a condition that holds, or those without one; returns the end. */
static char *add_paragraphs(char *to, const char *text, const char *advice, rule_condition *holds,
    const struct advice_case *of, const char *between)
{
	for (const char *p = advice, *next; *p; p = next) {
		const char *bar = strstr(p, RULE_BETWEEN), *end = bar ? bar : p + strlen(p), *close = NULL;

		next = bar ? bar + strlen(RULE_BETWEEN) : end;
		if (!(p = after_words(p, end, of->device)))
			continue;
		if (*p == '[' || *p == '{')
			close = memchr(p, *p == '[' ? ']' : '}', (size_t)(end - p));
		if (!holds != !close ||
		    (close && !holds((struct slice){ p + 1, (size_t)(close - p - 1) }, of->of)))
			continue;
		if (close)
			p = close + 1 + (close[1] == ' ');
		if (to > text)
			to = stpcpy(to, between);
		to = mempcpy(to, p, (size_t)(end - p));
	}
	return to;
}

const char *rule_paragraphs(struct arena *a, const char *advice, rule_condition *holds,
    const struct advice_case *of, bool all, const char *between)
{
	char *text = arena_alloc(a, strlen(advice) + 1),
	     *to = add_paragraphs(text, text, advice, holds, of, between);

	*(all ? add_paragraphs(to, text, advice, NULL, of, between) : to) = 0;
	return text;
}

const char *rule_advice(struct arena *a, const char *advice, const char *key, const char *device, bool all)
{
	return rule_paragraphs(a, advice, slice_same, &(struct advice_case){ slice_of(key), device }, all,
	    "\n");
}
