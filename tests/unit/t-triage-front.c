/* What stands in front of a line of a log, and what a text was packed in: both are taken off before anything is looked
 * for. */
#include "config.h"

#include "analyze/triage/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/cover/cover.h"
#include "analyze/triage/squeeze.h"

#define MESSAGE "no widgets are left, says the frobnicator"

struct seen {
	char text[4][100];
	uint64_t line[4], process[4];
	size_t n;
};

static void see(struct seen *s, const char *text, size_t n, uint64_t line, uint64_t process)
{
	if (s->n == 4)
		return;
	snprintf(s->text[s->n], sizeof s->text[0], "%.*s", (int)n, text);
	s->line[s->n] = line;
	s->process[s->n++] = process;
}

static void see_line(void *ctx, const struct text_line *l)
{
	see(ctx, l->s.s, l->s.n, l->line, l->process);
}

static void read_lines(const char *text, struct seen *s)
{
	static const char *const phrases[] = { "frobnicator" };
	struct text_reader *r = text_reader_new(phrases, 1, see_line, s);

	*s = (struct seen){ .n = 0 };
	text_reader_begin(r, 1);
	text_reader_text(r, text, strlen(text));
	text_reader_end(r);
	text_reader_free(r);
}

/* Time, level, process, thread and place, in any order and padded or not. */
static void fronts_are_taken_off(void **state)
{
	static const char *const fronts[] = {
		"",
		"E1121 07:59:39.906386   14571 init.cc:12] ",
		"I0000 00:00:1795247979.604103 14544 common_lib.cc:860] ",
		"2026-10-03 17:23:56.419040: E file.cc:76] ",
		"2026-10-03 17:23:56.419040: E 1578 a/b/file.cc:76] ",
		"2026-10-03 17:23:56.419040: E    1578 file.cc:76] ",
		"2026-10-03 17:23:56.419040: W 1578123 file.cc:76] ",
		"ERROR 11-14 16:38:22 [core.py:851] ",
		"(EngineCore pid=218) WARNING 11-14 16:38:22 [core.py:851] ",
		"(train pid=7, ip=10.0.0.2) ",
		"[rank3]: ",
		"[default0]: ",
		"[rank: 3] ",
		"[rank: 12] ",
		"[1,13]<stdout>: ",
		"[1,3]<stderr>: ",
		"[pod/train-0/jax-tpu] ",
		"2026-11-22 10:00:01 10.164.0.12 [3] ",
		"2026-11-22T10:00:01.123456789Z stderr F ",
		"2026-11-22T10:00:01.123+00:00 stdout P ",
		"2026-11-22T10:00:01.123456Z ",
		"Nov 22 10:00:01 vm-0 train.sh[991]: ",
		"Nov 22 10:00:01.123456 vm-0 train: ",
		"Nov 22 10:00:01 ",
		"<14>1 2026-11-22T10:00:01.123Z vm-0 python3 123 - - ",
		"<30>Nov  2 10:00:01 vm-0 python3[123]: ",
		"<14>1 2026-11-22T10:00:01.123Z vm-0 python3 123 - [id@1 a=\"]\"] ",
		"2026-11-22T10:00:01+0000 vm-0 train.sh[991]: ",
		"2026-11-24 03:12:01,123 - root - ERROR - ",
		"ERROR:absl:",
		"[2026-11-24 03:12:01,123][__main__][ERROR] - ",
		"2026-11-24 03:12:01.123 | ERROR    | __main__:main:12 - ",
		"[2026-11-24, 03:12:01 UTC] {subprocess.py:93} INFO - ",
		"2026-11-24T03:12:01-05:00 [error    ] ",
		"I 2026-11-24 03:12:01 ",
		"<11>Nov 22 10:00:01 vm-0 python3[123]: ERROR:root:",
		"(EngineCore_DP0 pid=218) ",
		"[rank3]: 2026-10-03 17:23:56.419040: E    1578 file.cc:76] ",
	};
	struct seen s;
	char text[200];

	(void)state;
	for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++) {
		snprintf(text, sizeof text, "%s" MESSAGE "\n", fronts[i]);
		read_lines(text, &s);
		if (s.n != 1 || strcmp(s.text[0], MESSAGE))
			fail_msg("\"%s\" leaves \"%s\"", fronts[i], s.text[0]);
	}
}

/* What a line alone does not show, but the lines of a text: whatever wrote it.  @ is a number. */
static void common_fronts_are_taken_off(void **state)
{
	static const char *const fronts[] = { "worker-@: ", "@: ", " @: ", "[worker@] ", "train-@  | ",
		"node @ stderr: ", "E   ", "> ", "train.log:@:", "     @\t", "remote: ", "[    @.123456] ",
		"#12 @.5 ", "train-0-x7kk2 jax-tpu ",
		"host@.example.com: ", "2026-11-24 03:12:0@,123 ERROR [main] o.a.s.Executor: ",
		"03:12:0@ INFO trainer loop: ", "Nov 24 03:12:0@ localhost train: ",
		"worker-@: 2026-10-03 17:23:56.419040: E    1578 file.cc:76] " };
	static const char *const lines[] = { "first there is another line", MESSAGE,
		"the third one  is shorter", "At last, one with a capital" };
	char text[800];
	struct seen s;

	(void)state;
	for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++) {
		size_t n = 0;

		for (int k = 0; k < 4; k++) {
			for (const char *c = fronts[i]; *c; c++)
				text[n++] = *c == '@' ? (char)('0' + k) : *c;
			n += (size_t)snprintf(text + n, sizeof text - n, "%s\n", lines[k]);
		}
		read_lines(text, &s);
		for (int k = 0; k < 4; k++)
			if ((int)s.n <= k || strcmp(s.text[k], lines[k]))
				fail_msg("\"%s\" leaves \"%s\"", fronts[i], s.text[k]);
	}
}

/* A message that looks like the beginning of a front, and what is none. */
static void messages_stay(void **state)
{
	static const char *const whole[] = { "12:00:01am is when the frobnicator stops",
		"Errors of the frobnicator: 3", "2026-10 is the month of the frobnicator",
		"[1,3] is what the frobnicator says", "[rank: 3]of the frobnicator",
		"Nom 22 10:00:01 of the frobnicator" };
	struct seen s;

	(void)state;
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
		read_lines(whole[i], &s);
		assert_int_equal(s.n, 1);
		assert_string_equal(s.text[0], whole[i]);
	}
}

/* Lines that begin with the name of an error are no front, even if all do. */
static void names_of_errors_stay(void **state)
{
	struct seen s;

	(void)state;
	read_lines("XlaRuntimeError: the frobnicator is full\nXlaRuntimeError: INTERNAL: it stopped\n"
		   "XlaRuntimeError: Permission denied: 3\n",
	    &s);
	assert_int_equal(s.n, 3);
	assert_string_equal(s.text[0], "XlaRuntimeError: the frobnicator is full");
}

static void processes_are_told_apart(void **state)
{
	struct seen s;

	(void)state;
	read_lines("[rank0]: a frobnicator\n[rank1]: a frobnicator\n[rank0]: another frobnicator\n", &s);
	assert_int_equal(s.n, 3);
	assert_true(s.process[0] == s.process[2] && s.process[0] != s.process[1]);
	assert_int_equal(s.line[2], 3);
}

static void see_piece(void *ctx, const char *text, size_t n, uint64_t line)
{
	see(ctx, text, n, line, 0);
}

/* Lines come out of JSON and literals; any other text passes as it is. */
static void covers_are_opened(void **state)
{
	static const struct {
		const char *packed, *first;
		uint64_t line;
	} cases[] = {
		{ "{\"log\":\"a "
		  "\\\"b\\\"\\n\",\"stream\":\"stderr\"}\n{\"log\":\"c\\n\",\"stream\":\"stderr\"}\n",
		    "a \"b\"\n", 1 },
		{ "[\n {\n  \"severity\": \"ERROR\",\n  \"textPayload\": \"\\u00e9t\\u00e9\"\n }\n]\n",
		    "\303\251t\303\251\n", 4 },
		{ "{\"cells\": [{\"outputs\": [{\"text\": [\"one\\n\", \"two\"]}]}]}\n", "one\n", 1 },
		{ "'one\\ntwo\\x21'\n", "one\n", 1 },
		{ "one\rtwo\rthree\r", "one\n", 1 },
		{ "<p>one</p>\n", "<p>one</p>\n", 0 },
		{ "one\ntwo\n", "one\ntwo\n", 0 },
	};
	struct seen s;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (size_t piece = 1; piece < 100; piece += 98) {
			struct cover *c = cover_new(see_piece, &s);
			size_t n = strlen(cases[i].packed);

			s = (struct seen){ .n = 0 };
			for (size_t at = 0; at < n; at += piece)
				cover_text(c, cases[i].packed + at, n - at < piece ? n - at : piece);
			cover_end(c);
			cover_free(c);
			assert_true(s.n > 0);
			assert_string_equal(s.text[0], cases[i].first);
			assert_int_equal(s.line[0], cases[i].line);
		}
}

/* A known sentence is found over a break, wherever it is, whatever the numbers are and with any blanks. */
static void known_sentences_lie_over_breaks(void **state)
{
	static const struct {
		const char *before, *after;
		enum squeeze_joint joint;
	} cases[] = {
		{ "RESOURCE_EXHAUSTED: Attempting to allocate 8.00M. That was", "not possible. There are",
		    SQUEEZE_WORDS },
		{ "RESOURCE_EXHAUSTED: Attempting to allocate 8.00M. That was not pos", "sible. There are",
		    SQUEEZE_WORD },
		{ "Used 56.44G of 15.", "75G hbm. Exceeded hbm capacity by 40.69G.", SQUEEZE_WORD },
		{ "Used  56.44G   of", "15.75G hbm. Exceeded", SQUEEZE_WORDS },
		{ "no widgets are", "left, says the frobnicator", SQUEEZE_UNKNOWN },
		{ "That was not possible.", "saving a checkpoint", SQUEEZE_UNKNOWN },
		{ "", "That was not possible.", SQUEEZE_UNKNOWN },
		{ "what the frobni", "cator says", SQUEEZE_WORD },
	};
	struct squeeze *q = squeeze_new();

	(void)state;
	squeeze_learn(q, slice_of("the frobnicator says"));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (squeeze_across(q, slice_of(cases[i].before), slice_of(cases[i].after)) != cases[i].joint)
			fail_msg("\"%s\" and \"%s\"", cases[i].before, cases[i].after);
	squeeze_free(q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fronts_are_taken_off),
		cmocka_unit_test(common_fronts_are_taken_off),
		cmocka_unit_test(messages_stay),
		cmocka_unit_test(names_of_errors_stay),
		cmocka_unit_test(processes_are_told_apart),
		cmocka_unit_test(covers_are_opened),
		cmocka_unit_test(known_sentences_lie_over_breaks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
