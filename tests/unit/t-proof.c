/* Proofs of findings as text: for the `where` column, and for people. */
#include "config.h"
#include "result/proof.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text/regex.h"
#include "model/dump.h"

static struct dump *dump;

static int setup(void **state)
{
	(void)state;
	dump = dump_new();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	dump_close(dump);
	return 0;
}

static struct proof proof(enum evidence e, enum ref_kind kind, const char *text)
{
	struct proof p = proof_of(e);

	p.kind = kind;
	p.text = text;
	return p;
}

static void reads(struct proof p, const char *where, const char *say)
{
	char *text = proof_where(&p), buf[96];

	assert_string_equal(text, where);
	assert_string_equal(proof_say(&p, dump, buf, sizeof buf), say);
	free(text);
}

static void kinds_of_reference(void **state)
{
	struct proof p;

	(void)state;
	reads(proof_of(EVIDENCE_BUFFERS), "memory:", "");
	reads(proof(EVIDENCE_OP_TIME, REF_OP, "fusion.33"), "ops:fusion.33", "fusion.33");
	reads(proof(EVIDENCE_STEP_TIME, REF_STEP, "train 7"), "overview:step train 7", "step train 7");
	reads(proof(EVIDENCE_CORES, REF_CHANNEL, "12"), "pod:channel 12", "channel 12");
	reads(proof(EVIDENCE_CORES, REF_COLLECTIVE, "all-reduce.2"), "pod:collective all-reduce.2",
	    "collective all-reduce.2");
	p = proof(EVIDENCE_EVENTS, REF_TIME, "");
	p.first = 1500000000;
	reads(p, "timeline:", "1.500000000 ms");
}

static void modules_and_buffers(void **state)
{
	static const char name[] = "jit_a_name_that_would_fill_the_whole_line_and_more_of_it_than_there_is";
	struct proof p = proof(EVIDENCE_BUFFERS, REF_MODULE, "");

	(void)state;
	p.module = "jit_step";
	reads(p, "memory:module jit_step", "module jit_step");
	p.program = 17;
	reads(p, "memory:module jit_step(17)", "module jit_step(17)");
	p.module = name;
	reads(p, "memory:module 17", "module 17");
	p.kind = REF_BUFFER;
	p.text = "fusion.1{0}";
	reads(p, "memory:buffer fusion.1{0} module 17", "buffer fusion.1{0} module 17");
	p.program = 0;
	reads(p, "memory:buffer fusion.1{0}", "buffer fusion.1{0}");
}

/* Texts for people use names of hosts; a single host is not named. */
static void cores_of_hosts(void **state)
{
	struct proof core = proof(EVIDENCE_CORES, REF_CORE, ""),
		     step = proof(EVIDENCE_EVENTS, REF_STEP, "train 7");

	(void)state;
	core.core = 5;
	reads(core, "pod:core 5", "core 5");
	core.host = 0;
	reads(core, "pod:core 0:5", "core 0:5"); /* a host that does not exist */
	dump_host(dump, "w-0", 3);
	reads(core, "pod:core 0:5", "core 5");
	dump_host(dump, "w-1", 3);
	reads(core, "pod:core 0:5", "core 5 of w-0");
	step.host = 1;
	step.core = 2;
	reads(step, "timeline:step train 7 core 1:2", "step train 7 core 2 of w-1");
}

/* The text for people is shortened, that of the table is not. */
static void long_names(void **state)
{
	char name[300] = "", buf[16], *text;
	struct proof p = proof(EVIDENCE_OP_TIME, REF_OP, name);

	(void)state;
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = 0;
	text = proof_where(&p);
	assert_int_equal(strlen(text), strlen("ops:") + strlen(name));
	assert_int_equal(strlen(proof_say(&p, dump, buf, sizeof buf)), sizeof buf - 1);
	free(text);
}

static size_t matches(const struct regex *re, const char *s)
{
	struct regex_scratch *scratch = regex_scratch_new(re);
	bool yes = regex_match(re, scratch, s, strlen(s), NULL, NULL);

	regex_scratch_free(scratch);
	return yes;
}

/* It finds its members alone: whole names, and nothing in them is a pattern. */
static void filter_of_members(void **state)
{
	struct proof p = proof(EVIDENCE_OP_TIME, REF_OP, "fusion.3");
	struct err err = { 0 };
	struct regex *re;
	char *text;

	(void)state;
	assert_null(proof_filter(&p));
	p.members = "fusion.3\na(b\nan\\Eend";
	p.nmembers = 3;
	text = proof_filter(&p);
	re = regex_new(text, REGEX_SMART_CASE, &err);
	assert_non_null(re);
	assert_string_equal(regex_shown(re), "3 ops of the finding");
	assert_true(matches(re, "fusion.3"));
	assert_true(matches(re, "a(b"));
	assert_false(matches(re, "fusion.33"));
	assert_false(matches(re, "fusion_3"));
	assert_false(matches(re, "add(fusion.3)"));
	regex_free(re);
	free(text);
}

static void names_of_evidence(void **state)
{
	(void)state;
	assert_int_equal(evidence_named("op_time"), EVIDENCE_OP_TIME);
	assert_int_equal(evidence_named("files"), EVIDENCE_FILES);
	assert_int_equal(evidence_named("timeline"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_of_reference),
		cmocka_unit_test(modules_and_buffers),
		cmocka_unit_test(cores_of_hosts),
		cmocka_unit_test(long_names),
		cmocka_unit_test(filter_of_members),
		cmocka_unit_test(names_of_evidence),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
