/* Rules of findings, each tried on a scene that it must find and on one that is nearly so.  What a scene is,
 * each test says by itself: struct scene, how it is made, and struct rule_scenes:
 *
 *	static struct rule_scenes rules = { case_at, nodes, scene_free, NULL, NULL, NULL };
 *	… { RULE_TESTS(&rules), cmocka_unit_test(…) … } */
#ifndef TESTS_RULECASE_H
#define TESTS_RULECASE_H

#include <stdlib.h>
#include <string.h>

#include "analyze/findings/findings.h"
#include "base/file/embedded.h"
#include "base/mem.h"

struct scene;

struct rule_case {
	const char *id;
	struct scene *(*make)(bool bad);
	enum severity severity;
	const char *evidence, *where; /* a part of it; all of it */
};

struct rule_scenes {
	const struct rule_case *(*at)(size_t i); /* NULL: no more */
	void (*nodes)(struct scene *, struct findings *);
	void (*free)(struct scene *);
	void (*more)(const struct finding *, size_t i); /* what else must hold of case i; may be NULL */
	const char
	    *hint; /* id of a rule that raises nothing: its evidence is a part of the hint; may be NULL */
	const char *evidence; /* the kinds of evidence of its rows; NULL: those of no other test */
};

static inline const struct finding *finding_of(const struct findings *f, const char *id)
{
	for (size_t i = 0; i < f->n; i++)
		if (!strcmp(f->v[i].id, id))
			return &f->v[i];
	return NULL;
}

static inline const struct finding_check *check_of(const struct findings *f, const char *id)
{
	for (size_t i = 0; i < f->nchecks; i++)
		if (!strcmp(f->check[i].id, id))
			return &f->check[i];
	return NULL;
}

/* Each rule has one outcome at most, and those of all findings are found. */
static inline void expect_outcomes(const struct findings *f)
{
	size_t count[CHECK_STATES] = { 0 };

	for (size_t i = 0; i < f->nchecks; i++) {
		assert_ptr_equal(check_of(f, f->check[i].id), &f->check[i]);
		assert_true(*f->check[i].text && *f->check[i].label);
		count[f->check[i].state]++;
	}
	assert_memory_equal(count, f->count, sizeof count);
	for (size_t i = 0; i < f->n; i++)
		assert_int_equal(check_of(f, f->v[i].id)->state, CHECK_FOUND);
}

static inline bool is_hint(const struct rule_scenes *r, const struct rule_case *c)
{
	return r->hint && !strcmp(c->id, r->hint);
}

static inline bool is_hinted(const struct findings *f, const struct rule_case *c)
{
	const struct finding_check *k = check_of(f, c->id);

	return k && k->state == CHECK_HINT && strstr(k->text, c->evidence);
}

static void each_rule_finds_its_cause(void **state)
{
	const struct rule_scenes *r = *state;
	const struct rule_case *c;

	for (size_t i = 0; (c = r->at(i)); i++) {
		struct scene *x = c->make(true);
		const struct finding *one;
		struct findings f;
		char *where;

		r->nodes(x, &f);
		expect_outcomes(&f);
		one = finding_of(&f, c->id);
		if (is_hint(r, c) && !is_hinted(&f, c))
			fail_msg("%s: no hint", c->id);
		if (is_hint(r, c)) {
			assert_null(one);
			findings_free(&f);
			r->free(x);
			continue;
		}
		if (!one)
			fail_msg("%s: not raised", c->id);
		where = proof_where(&one->proof);
		if (one->severity != c->severity || !strstr(one->evidence, c->evidence) ||
		    strcmp(where, c->where))
			fail_msg("%s: %s, \"%s\", %s", c->id, severity_name(one->severity), one->evidence,
			    where);
		free(where);
		assert_true(*one->title && *one->advice);
		assert_null(strstr(one->advice, " | "));
		assert_null(strchr(one->advice, '['));
		if (r->more)
			r->more(one, i);
		findings_free(&f);
		r->free(x);
	}
}

static void no_rule_speaks_without_cause(void **state)
{
	const struct rule_scenes *r = *state;
	const struct rule_case *c;

	for (size_t i = 0; (c = r->at(i)); i++) {
		struct scene *x = c->make(false);
		const struct finding *one;
		struct findings f;

		r->nodes(x, &f);
		one = finding_of(&f, c->id);
		expect_outcomes(&f);
		if (one)
			fail_msg("%s was raised: %s", c->id, one->evidence);
		if (is_hint(r, c) && is_hinted(&f, c))
			fail_msg("%s: a hint", c->id);
		findings_free(&f);
		r->free(x);
	}
}

static bool is_of(const struct rule_scenes *r, const char *line)
{
	static const char *const kinds[] = { "\tbuffers\t", "\tallocations\t", "\tptxla\t", "\ttexts\t",
		"\tllo\t" };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strstr(line, kinds[i]))
			return r->evidence && strstr(r->evidence, kinds[i]);
	return !r->evidence;
}

/* Every row of the table has its case, and every case its row. */
static void every_row_of_the_table_is_tested(void **state)
{
	const struct rule_scenes *r = *state;
	const struct embedded *e = embedded_find("findings.tsv");
	char *text, *rest, *line;
	size_t rows = 0, cases = 0;

	assert_non_null(e);
	text = rest = xstrndup((const char *)e->bytes, e->size);
	while ((line = strsep(&rest, "\n"))) {
		const struct rule_case *c;
		const char *id = strsep(&line, "\t");

		if (!*id || *id == '#')
			continue;
		assert_non_null(line);
		if (!is_of(r, line))
			continue;
		rows++;
		for (size_t i = 0; (c = r->at(i)) && strcmp(c->id, id); i++)
			;
		if (!c)
			fail_msg("no test of %s", id);
	}
	free(text);
	while (r->at(cases))
		cases++;
	assert_int_equal(rows, cases);
}

#define RULE_TESTS(rules) \
	cmocka_unit_test_prestate(each_rule_finds_its_cause, rules), \
	    cmocka_unit_test_prestate(no_rule_speaks_without_cause, rules), \
	    cmocka_unit_test_prestate(every_row_of_the_table_is_tested, rules)

#endif
