#include "config.h"

#include "cli/remote.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

#define MANY 100
#define OLD_TPU_PORT \
	8470 /* of the TPU itself, in the commands of old guides; its profiler listens beside it */
#define OLD_PROFILER_PORT 8466

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
	signals += number == SIGINT ? 1 : MANY;
}

static const int counted[] = { SIGINT, SIGTERM, SIGHUP };

static void set_handlers(void (*handler)(int))
{
	struct sigaction s = { .sa_handler = handler };

	for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
		sigaction(counted[i], &s, NULL);
}

void interrupts_count(void)
{
	signals = 0;
	set_handlers(count_signal);
}

void interrupts_obey(void)
{
	set_handlers(SIG_DFL);
}

int interrupts(void)
{
	return signals;
}

static void map_old_port(struct address *a)
{
	if (a->port != OLD_TPU_PORT)
		return;
	a->port = OLD_PROFILER_PORT;
	snprintf(a->text, sizeof a->text, strchr(a->host, ':') ? "[%s]:%d" : "%s:%d", a->host, a->port);
	fprintf(stderr, "tpuscope: port %d is the TPU itself; asking its profiler on port %d\n", OLD_TPU_PORT,
	    OLD_PROFILER_PORT);
}

static bool somebody_agrees(const char *where)
{
	char answer[16] = "";

	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return false;
	fprintf(stderr, "%s is another machine: the connection is not encrypted. Continue? [y/N] ", where);
	return fgets(answer, sizeof answer, stdin) && (*answer == 'y' || *answer == 'Y');
}

static int check_remote(const struct address *a, const struct endpoint *to, const struct options *o,
    struct err *err)
{
	if (to->loopback || o->remote.allow_remote || somebody_agrees(a->text))
		return 0;
	return err_set(err, EXIT_USAGE, ERR_NOWHERE,
	    "%s is another machine, and the connection is not encrypted; use a tunnel (ssh -L "
	    "%d:localhost:%d "
	    "%s, then --addr localhost:%d), or add --allow-remote",
	    a->text, a->port, a->port, a->host, a->port);
}

int remote_begin(struct remote *r, const struct options *o, const char *list, struct err *err)
{
	char text[160];
	int bad = address_list(&r->address, &r->n, list, o->remote.workers ? OLD_PROFILER_PORT : 0, err);

	r->to = xcalloc(r->n + 1, sizeof *r->to);
	for (size_t i = 0; i < r->n && !bad; i++) {
		struct address *a = &r->address[i];

		map_old_port(a);
		bad = address_look_up(a, &r->to[i], err) || check_remote(a, &r->to[i], o, err) ? -1 : 0;
		if (!bad && a->port && r->to[i].loopback && address_ambiguous(a->port, text, sizeof text))
			fprintf(stderr, "tpuscope: %s\n", text);
	}
	if (bad)
		remote_end(r);
	return bad;
}

void remote_end(struct remote *r)
{
	free(r->address);
	free(r->to);
	*r = (struct remote){ 0 };
}
