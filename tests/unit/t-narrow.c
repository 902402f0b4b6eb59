/* A process that shows files can neither start programs nor open connections; files, pipes and threads stay. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/narrow.h"

static bool is_narrow(void)
{
	char line[200];
	bool found = false;
	FILE *f = fopen("/proc/self/status", "r");

	while (f && fgets(line, sizeof line, f))
		found |= !strcmp(line, "Seccomp:\t2\n");
	if (f)
		fclose(f);
	return found;
}

static void *tries(void *to)
{
	int ends[2];

	execl("/bin/true", "true", (char *)NULL);
	*(bool *)to = errno == EPERM && socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EPERM &&
	    socket(AF_UNIX, SOCK_STREAM, 0) < 0 && errno == EPERM && open("/dev/null", O_RDONLY) >= 0 &&
	    !pipe(ends);
	return NULL;
}

/* 0: as it should be, 2: this kernel cannot */
static int child(void)
{
	pthread_t thread;
	bool in_thread = false, here = false;

	narrow();
	if (!is_narrow())
		return 2;
	tries(&here);
	if (pthread_create(&thread, NULL, tries, &in_thread) || pthread_join(thread, NULL))
		return 1;
	return here && in_thread ? 0 : 1;
}

static void refused(void **state)
{
	pid_t pid = fork();
	int status;

	(void)state;
	if (!pid)
		_exit(child());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 2)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(refused) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
