/* Names are looked up beside a table that is still loaded, in a thread of its own. */
#include "config.h"

#include "core/load/finder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "../lib/mktrie.h"

#define BESIDE "t-finder.SSTABLE"
#define FILE_NAME "t-finder.trie.SSTABLE"

enum { NAMES = 200, EVENTS = 300 };

/* What came last, and how often something came. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t came;
	int n;
	struct trie_want want;
	struct trie_hits hits;
} answer = { .lock = PTHREAD_MUTEX_INITIALIZER, .came = PTHREAD_COND_INITIALIZER };

static void take_answer(void *ctx, const struct trie_want *want, const struct trie_hits *hits)
{
	(void)ctx;
	pthread_mutex_lock(&answer.lock);
	answer.n++;
	answer.want = *want;
	answer.hits = *hits;
	pthread_cond_signal(&answer.came);
	pthread_mutex_unlock(&answer.lock);
}

static struct finder finder;

static void begin(const char *path)
{
	answer.n = 0;
	answer.want = (struct trie_want){ .dir = 0 };
	finder = FINDER_INIT;
	finder.found = take_answer;
	finder_table(&finder, path);
}

static int tear_down(void **state)
{
	(void)state;
	finder_end(&finder);
	return 0;
}

static void ask(const char *text)
{
	struct trie_want w = { .dir = 1 };

	snprintf(w.text, sizeof w.text, "%s", text);
	finder_ask(&finder, &w);
}

static void until_answered(const char *text)
{
	struct timespec late;
	int refused = 0;

	clock_gettime(CLOCK_REALTIME, &late);
	late.tv_sec += 60;
	pthread_mutex_lock(&answer.lock);
	while (!refused && strcmp(answer.want.text, text) != 0)
		refused = pthread_cond_timedwait(&answer.came, &answer.lock, &late);
	pthread_mutex_unlock(&answer.lock);
	assert_int_equal(refused, 0);
}

static void write_trie(size_t cut)
{
	struct trie_name names[NAMES] = { { 0 } };
	char text[NAMES][20];
	FILE *f = fopen(FILE_NAME, "wb");
	struct pb file;

	for (int k = 0; k < NAMES; k++) {
		snprintf(text[k], sizeof text[k], "fusion.%d", k);
		names[k].name = text[k];
		for (uint64_t i = 0; i < EVENTS; i++)
			trie_name_add(&names[k], '7', 1 + i * 1000 + (uint64_t)k, 0);
	}
	file = trie_table(names, NAMES, TRIE_PREFIXES);
	assert_non_null(f);
	assert_int_equal(fwrite(file.b, 1, file.n - cut, f), file.n - cut);
	assert_int_equal(fclose(f), 0);
	pb_free(&file);
}

static void answers(void **state)
{
	(void)state;
	write_trie(0);
	begin(BESIDE);
	assert_true(finder_can(&finder));
	ask("fusion.17");
	until_answered("fusion.17");
	assert_int_equal(answer.hits.n, 11 * EVENTS);
	assert_int_equal(answer.hits.at, 18);
	assert_int_equal(answer.hits.rank, 1);
	assert_int_equal(answer.hits.problem.status, 0);
	ask("Fusion");
	until_answered("Fusion");
	assert_int_equal(answer.hits.n, 0);
	tear_down(state);
	assert_false(finder_can(&finder));
	unlink(FILE_NAME);
}

static void last_question_counts(void **state)
{
	char text[20];

	(void)state;
	write_trie(0);
	for (int i = 0; i < 20; i++) {
		begin(BESIDE);
		for (int k = 0; k < NAMES; k++) {
			snprintf(text, sizeof text, "fusion.%d", k);
			ask(text);
		}
		if (i % 2) {
			until_answered("fusion.199");
			assert_int_equal(answer.hits.n, EVENTS);
		}
		tear_down(state);
		answer.n = 0;
		ask("fusion.1");
		assert_int_equal(answer.n, 0);
	}
	unlink(FILE_NAME);
}

static void nothing_beside(void **state)
{
	(void)state;
	begin(BESIDE);
	assert_false(finder_can(&finder));
	tear_down(state);
	begin("t-finder.tracetable");
	assert_false(finder_can(&finder));
	tear_down(state);
}

/* The file may be damaged, or go before it is opened: the answer says so. */
static void damaged(void **state)
{
	FILE *f;

	(void)state;
	write_trie(100);
	begin(BESIDE);
	ask("fusion.17");
	until_answered("fusion.17");
	assert_int_equal(answer.hits.problem.status, EXIT_DAMAGED);
	assert_int_equal(answer.hits.n, 11 * EVENTS);
	tear_down(state);

	f = fopen(FILE_NAME, "wb");
	assert_non_null(f);
	assert_int_equal(fclose(f), 0);
	begin(BESIDE);
	assert_true(finder_can(&finder));
	ask("fusion.17");
	until_answered("fusion.17");
	assert_true(answer.hits.problem.status);
	assert_int_equal(answer.hits.n, 0);
	tear_down(state);

	begin(BESIDE);
	unlink(FILE_NAME);
	ask("fusion.17");
	until_answered("fusion.17");
	assert_true(answer.hits.problem.status);
	ask("fusion.18");
	until_answered("fusion.18");
	assert_true(answer.hits.problem.status);
	tear_down(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(answers, tear_down),
		cmocka_unit_test_teardown(last_question_counts, tear_down),
		cmocka_unit_test_teardown(nothing_beside, tear_down),
		cmocka_unit_test_teardown(damaged, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
