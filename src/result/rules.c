#include "config.h"
#include "result/rules.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/embedded.h"

enum { ID, LABEL, HIGH, MEDIUM, LOW, COST, EVIDENCE, LIMITS, TITLE, ADVICE, COLUMNS };

static const char *const costs[] = {
	[COST_NONE] = "-",
	[COST_TIME] = "time",
	[COST_BYTES] = "bytes",
};

static struct {
	struct arena text;
	struct rule *v;
	size_t n, cap;
	pthread_once_t read;
} table = { .read = PTHREAD_ONCE_INIT };

static bool parse_number(const char *text, double *v)
{
	char *end;

	*v = NAN;
	if (!strcmp(text, "-"))
		return true;
	*v = strtod(text, &end);
	return end != text && !*end && isfinite(*v);
}

/* A row that is wrong is left out, which a test of the table sees. */
static void take_line(char *text)
{
	char *field[COLUMNS], *rest = text;
	struct rule x;
	size_t cost = 0;
	int evidence;

	for (int i = 0; i < COLUMNS; i++)
		if (!(field[i] = strsep(&rest, "\t")) || !*field[i])
			return;
	x = (struct rule){ .id = field[ID],
		.label = field[LABEL],
		.limits = field[LIMITS],
		.title = field[TITLE],
		.advice = field[ADVICE] };
	for (int i = 0; i < RULE_LEVELS; i++)
		if (!parse_number(field[HIGH + i], &x.at[i]))
			return;
	while (cost < sizeof costs / sizeof *costs && strcmp(costs[cost], field[COST]))
		cost++;
	evidence = evidence_named(field[EVIDENCE]);
	if (rest || cost == sizeof costs / sizeof *costs || evidence < 0)
		return;
	x.cost = (enum cost_kind)cost;
	x.evidence = (enum evidence)evidence;
	VEC_ADD(table.v, table.n, table.cap, x);
}

static void read_table(void)
{
	const struct embedded *own = embedded_find("findings.tsv");
	char *text = arena_strndup(&table.text, (const char *)own->bytes, own->size), *line;

	while ((line = strsep(&text, "\n")))
		if (*line && *line != '#')
			take_line(line);
}

const struct rule *rule_row(size_t i)
{
	pthread_once(&table.read, read_table);
	return i < table.n ? &table.v[i] : NULL;
}

const struct rule *rule_named(const char *id)
{
	const struct rule *r;

	for (size_t i = 0; (r = rule_row(i)) && strcmp(r->id, id);)
		i++;
	return r;
}

int rule_level(const struct rule *r, double measure)
{
	int level = 0;

	while (r && level < RULE_LEVELS && !(measure >= r->at[level]))
		level++;
	return r ? level : RULE_LEVELS;
}

double rule_limit(const struct rule *r, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = r ? r->limits : ""; *p; p += strcspn(p, " "), p += strspn(p, " "))
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
	return rule_paragraphs(a, advice, has_words, &(struct advice_case){ slice_of(key), device }, all,
	    "\n");
}
