/* Runs fake-job (fake_http.c) beside a unit test.  fakejob_end() ends it. */
#ifndef TESTS_FAKERUN_H
#define TESTS_FAKERUN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

struct fakejob {
	pid_t pid;
	int in;
	char port[12];
};

/* args end with NULL; NULLs among the first ones are left out */
static inline struct fakejob fakejob_start(const char *const *args)
{
	const char *build = getenv("top_builddir");
	char path[400], *argv[12] = { path };
	struct fakejob job = { 0 };
	int in[2], out[2];
	ssize_t n;

	snprintf(path, sizeof path, "%s/tests/lib/fake-job", build ? build : ".");
	for (int i = 0; args[i] && i < 10; i++)
		argv[i + 1] = (char *)args[i];
	if (pipe(in) || pipe(out))
		abort();
	job.pid = fork();
	if (!job.pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		close(in[1]);
		close(out[0]);
		execv(path, argv);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	job.in = in[1];
	n = read(out[0], job.port, sizeof job.port - 1);
	job.port[n > 0 ? n - 1 : 0] = 0;
	close(out[0]);
	return job;
}

static inline void fakejob_end(struct fakejob *job)
{
	close(job->in);
	waitpid(job->pid, NULL, 0);
}

#endif
