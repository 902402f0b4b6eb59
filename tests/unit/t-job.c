/* Background jobs: order, restarting, drop, close, results delivered in the screen's thread. */
#include "config.h"

#include "core/job.h"

#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "core/app.h"

struct work {
	int rounds; /* duration in ms */
	bool endless, again;
	pthread_t screen;
	_Atomic int begun, went_through;
	int done, dropped, value;
	struct work *next; /* added by done() */
};

static struct app app;
static char order[64];

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

static void run(void *ctx, struct progress *p)
{
	struct work *w = ctx;

	w->begun++;
	w->value = 0;
	progress_begin(p, (uint64_t)w->rounds);
	for (int i = 0; i < w->rounds || w->endless; i++) {
		if (progress_canceled(p))
			return;
		nap();
		progress_add(p, 1, 0);
		w->value++;
	}
	w->went_through++;
}

static void done(struct app *a, void *ctx);
static void drop(void *ctx);

static void add(struct work *w)
{
	w->screen = pthread_self();
	jobs_add(&app, &(struct job){ "working", run, done, drop, w });
}

static void done(struct app *a, void *ctx)
{
	struct work *w = ctx;

	assert_ptr_equal(a, &app);
	assert_true(pthread_equal(w->screen, pthread_self()));
	assert_false(jobs_busy(a, w));
	w->done++;
	snprintf(order + strlen(order), sizeof order - strlen(order), "%d", w->value);
	if (w->next)
		add(w->next);
	if (w->again) {
		w->again = false;
		w->dropped--; /* of this round */
		add(w);
	}
}

static void drop(void *ctx)
{
	((struct work *)ctx)->dropped++;
}

/* The loop. */
static void turn_until_idle(void)
{
	jobs_turn(&app);
	while (jobs_busy(&app, NULL)) {
		struct pollfd p = { jobs_fd(&app), POLLIN, 0 };

		assert_true(p.fd >= 0);
		assert_int_equal(poll(&p, 1, 10000), 1);
		assert_true(jobs_turn(&app));
	}
	assert_int_equal(jobs_fd(&app), -1);
}

static void begin(void)
{
	memset(&app, 0, sizeof app);
	order[0] = '\0';
}

static void in_the_order_asked_for(void **state)
{
	struct work a = { .rounds = 3 }, b = { .rounds = 1 }, c = { .rounds = 2 };

	(void)state;
	begin();
	assert_int_equal(jobs_fd(&app), -1);
	assert_false(jobs_busy(&app, NULL));
	assert_false(jobs_turn(&app));
	b.next = &c;
	add(&a);
	add(&b);
	assert_int_equal(jobs_fd(&app), -1); /* not before the next turn of the loop */
	assert_true(jobs_busy(&app, &a) && jobs_busy(&app, &b) && !jobs_busy(&app, &c));
	turn_until_idle();
	assert_string_equal(order, "312");
	assert_true(a.done == 1 && b.done == 1 && c.done == 1);
	assert_true(a.dropped == 1 && b.dropped == 1 && c.dropped == 1);
	jobs_close(&app);
	assert_null(app.jobs);
}

static void dropped_at_work_or_waiting(void **state)
{
	struct work a = { .endless = true }, b = { .rounds = 2 }, c = { .rounds = 3 };

	(void)state;
	begin();
	add(&a);
	add(&b);
	add(&c);
	jobs_turn(&app);
	jobs_drop(&app, &b);
	assert_true(jobs_fd(&app) >= 0); /* the first continues */
	assert_true(b.dropped == 1 && !a.dropped);
	jobs_drop(&app, &a);
	assert_true(a.dropped == 1 && !a.done);
	turn_until_idle();
	assert_string_equal(order, "3");
	assert_true(!b.begun && !b.done && c.done == 1);
	jobs_drop(&app, &c);
	assert_null(app.jobs); /* everything is freed with the last one */
}

static void what_is_waited_for_comes_first(void **state)
{
	struct work idle = { .rounds = 20 }, later = { .rounds = 1 }, a = { .rounds = 3 },
		    b = { .rounds = 2 };

	(void)state;
	begin();
	jobs_add_idle(&app, &(struct job){ "idle", run, done, drop, &idle });
	jobs_add_idle(&app, &(struct job){ "idle", run, done, drop, &later });
	idle.screen = later.screen = pthread_self();
	jobs_turn(&app);
	while (!idle.begun)
		nap();
	add(&a);
	assert_int_equal(jobs_fd(&app), -1); /* the running job was stopped */
	jobs_turn(&app);
	add(&b);
	assert_true(jobs_fd(&app) >= 0); /* this one is not stopped */
	turn_until_idle();
	assert_string_equal(order, "32201");
	assert_true(idle.begun == 2 && a.begun == 1 && b.begun == 1);
	jobs_close(&app);
}

static void closing_does_not_wait(void **state)
{
	struct work a = { .endless = true }, b = { .rounds = 1 };
	struct timespec from, to;
	long ms;

	(void)state;
	begin();
	add(&a);
	add(&b);
	jobs_turn(&app);
	while (!a.begun)
		nap();
	clock_gettime(CLOCK_MONOTONIC, &from);
	jobs_close(&app);
	clock_gettime(CLOCK_MONOTONIC, &to);
	ms = (to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000;
	assert_in_range(ms, 0, 1000);
	assert_true(a.dropped == 1 && b.dropped == 1 && !a.done && !b.done && !b.begun);
	assert_null(app.jobs);
	jobs_close(&app);
}

static void without_a_loop(void **state)
{
	struct work a = { .rounds = 2, .again = true }, b = { .rounds = 1 }, idle = { .rounds = 1 };

	(void)state;
	begin();
	assert_false(jobs_finish(&app));
	add(&a);
	add(&b);
	assert_true(jobs_finish(&app));
	assert_string_equal(order, "212");
	assert_false(jobs_finish(&app));
	jobs_add_idle(&app, &(struct job){ "idle", run, done, drop, &idle });
	idle.screen = pthread_self();
	assert_false(jobs_awaited(&app));
	assert_false(jobs_finish(&app)); /* it is idle … */
	assert_int_equal(idle.done, 0);
	jobs_await(&app, &idle); /* … until it is awaited */
	assert_true(jobs_finish(&app));
	assert_int_equal(idle.done, 1);
	add(&b);
	jobs_turn(&app); /* a running job is finished, too */
	assert_true(jobs_finish(&app));
	assert_int_equal(b.done, 2);
	jobs_close(&app);
}

static void said_after_a_while(void **state)
{
	struct work a = { .rounds = 100000 };
	const char *what;
	int percent = -2;

	(void)state;
	begin();
	assert_null(jobs_what(&app, &percent));
	add(&a);
	jobs_turn(&app);
	assert_null(jobs_what(&app, &percent));
	while (!(what = jobs_what(&app, &percent)))
		nap();
	assert_string_equal(what, "working");
	assert_in_range(percent, 0, 99);
	assert_true(a.begun);
	jobs_close(&app);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_the_order_asked_for),
		cmocka_unit_test(dropped_at_work_or_waiting),
		cmocka_unit_test(closing_does_not_wait),
		cmocka_unit_test(what_is_waited_for_comes_first),
		cmocka_unit_test(without_a_loop),
		cmocka_unit_test(said_after_a_while),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
