/* Memory, reads, files and threads that are refused while a capture is opened and reported: nothing crashes, hangs or
 * leaks, and what is not the same as without the refusal says that something is wrong.
 *
 * The linker puts the wrap functions below in the place of the real ones.  Each sample of each kind of file is a
 * process of its own; there it is opened and reported again and again, with another call refused each time: each of
 * the first ones, and some of the others where there are many.
 *
 *	STARVED_CALLS=100000 make check TESTS=tests/unit/t-starved	refuses every single call
 *	STARVED_SAMPLE=gzip ...						samples whose name has that in it, alone */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/corpus.h"
#include "analyze/trace/prepare.h"
#include "base/mem.h"
#include "load/load.h"
#include "load/watch.h"
#include "../lib/mkreport.h"

enum {
	FIRST = 24, /* so many calls are refused one by one */
	CALLS = 60, /* and so many in all, unless asked otherwise */
	FEW = 8,    /* of a large file */
	SAMPLES_MAX = 150,
	SHORT_READ = 1000, /* bytes */
	SECONDS_PER_SAMPLE = 300
};

/* --- what is refused --- */

enum refusal { MEMORY, READS, FILES, THREADS, REFUSALS };

static const char *const refusal_name[REFUSALS] = { "memory", "reads", "files", "threads" };

static struct {
	bool from_on;               /* the call and all that follow */
	bool read;                  /* nothing can be mapped, and reads are short */
	_Atomic long at[REFUSALS];  /* the call that is refused, from 1 on; 0 = none */
	_Atomic long now[REFUSALS]; /* calls so far */
} starve;

static bool refused(enum refusal what)
{
	long now = ++starve.now[what], at = starve.at[what];
	bool is = at && (now == at || (starve.from_on && now > at));

	if (is && what == MEMORY)
		mem_refused();
	return is;
}

/* Declared as the linker names them: __real_NAME is what NAME was. */
#define WRAP(type, name, what, otherwise, parameters, arguments) \
	type __real_##name parameters; \
	type __wrap_##name parameters; \
	type __wrap_##name parameters \
	{ \
		return refused(what) ? otherwise : __real_##name arguments; \
	} \
	type __wrap_##name parameters

static int refuse_file(void)
{
	errno = EMFILE;
	return -1;
}

WRAP(void *, mem_try, MEMORY, NULL, (void *old, size_t n, size_t size), (old, n, size));
WRAP(int, inflateInit2_, MEMORY, -4, (void *z, int bits, const char *version, int size),
    (z, bits, version, size));
WRAP(int, inflateCopy, MEMORY, -4, (void *to, void *from), (to, from));
WRAP(void *, ZSTD_createDCtx, MEMORY, NULL, (void), ());
WRAP(void *, BrotliDecoderCreateInstance, MEMORY, NULL, (void *make, void *drop, void *own),
    (make, drop, own));
WRAP(int, pthread_create, THREADS, EAGAIN,
    (pthread_t * t, const pthread_attr_t *a, void *(*run)(void *), void *arg), (t, a, run, arg));
WRAP(DIR *, opendir, FILES, (errno = EMFILE, NULL), (const char *path), (path));

int __real_open(const char *, int, ...);
int __wrap_open(const char *, int, ...);
int __wrap_open(const char *path, int flags, ...)
{
	return refused(FILES) ? refuse_file() : __real_open(path, flags, 0666);
}

void *__real_mmap(void *, size_t, int, int, int, off_t);
void *__wrap_mmap(void *, size_t, int, int, int, off_t);
void *__wrap_mmap(void *at, size_t n, int how, int flags, int fd, off_t from)
{
	errno = ENOMEM;
	return fd >= 0 && starve.read ? MAP_FAILED : __real_mmap(at, n, how, flags, fd, from);
}

ssize_t __real_read(int, void *, size_t);
ssize_t __wrap_read(int, void *, size_t);
ssize_t __wrap_read(int fd, void *to, size_t n)
{
	errno = EIO;
	return refused(READS) ? -1 : __real_read(fd, to, n < SHORT_READ || !starve.read ? n : SHORT_READ);
}

/* --- a sample, opened and reported --- */

struct sample {
	char name[300], path[800];
	long calls; /* refused, unless asked otherwise */
};

static struct sample sample[SAMPLES_MAX];
static size_t nsamples;

struct outcome {
	char *text; /* all reports */
	size_t n, problems;
	int status; /* of loading */
	int failed; /* reports that said what is wrong */
	char msg[480];
};

static void report_all(struct dump *d, FILE *out, struct outcome *o)
{
	const struct report_options report = { .format = REPORT_TEXT,
		.core = -1,
		.top = -1,
		.width = 100,
		.threads = 2 };

	for (const struct report_tool *t = report_tools; t->name; t++) {
		struct err err = { .at = ERR_NOWHERE };

		fprintf(out, "--- %s\n", t->name);
		o->failed += report_dump(d, t->name, &report, out, &err) != EXIT_OK;
	}
}

static void open_and_report(const char *path, struct outcome *o)
{
	const struct load_options load = { .threads = 2, .texts = true };
	struct err err = { .at = ERR_NOWHERE };
	struct clocks clocks = { 0 };
	char news[300];
	FILE *out = open_memstream(&o->text, &o->n);
	struct dump *d = load_paths(&path, 1, &load, NULL, &err);

	if (!out)
		abort();
	o->status = err.status;
	snprintf(o->msg, sizeof o->msg, "%s", d ? "" : err.msg);
	if (d) {
		report_all(d, out, o);
		load_watch(d, false, news, sizeof news);
		o->status = dump_status(d);
		prepare(d, &clocks, CLOCK_DEVICE, 2, NULL);
		clock_free(&clocks);
		o->problems = problems_count(d->problems, -1) + d->problems->lost;
		dump_close(d);
	}
	fclose(out);
}

static void starved(const char *path, enum refusal what, long at, struct outcome *o)
{
	*o = (struct outcome){ .text = NULL };
	for (int i = 0; i < REFUSALS; i++)
		starve.at[i] = starve.now[i] = 0;
	starve.at[what] = at;
	open_and_report(path, o);
	starve.at[what] = 0;
}

static size_t first_difference(const struct outcome *a, const struct outcome *b)
{
	size_t i = 0;

	while (i < a->n && i < b->n && a->text[i] == b->text[i])
		i++;
	return i;
}

static void print_line_at(const char *what, const struct outcome *o, size_t at)
{
	size_t from = at, to = at;

	while (from && o->text[from - 1] != '\n')
		from--;
	while (to < o->n && o->text[to] != '\n')
		to++;
	printf("#   %s: %.*s\n", what, (int)(to - from), o->text + from);
}

/* Whether the user learns of what is missing. */
static bool is_said(const struct outcome *o, const struct outcome *whole)
{
	return *o->msg || o->status != whole->status || o->problems > whole->problems ||
	    o->failed > whole->failed;
}

static int check_outcome(const struct outcome *o, const struct outcome *whole, enum refusal what, long at)
{
	bool same = o->n == whole->n && (!o->n || !memcmp(o->text, whole->text, o->n));

	if (o->status == EXIT_NOTHING && !*o->msg && !o->n)
		printf("# %s %ld%s: nothing is said\n", refusal_name[what], at,
		    starve.from_on ? " and on" : "");
	else if (!same && !is_said(o, whole)) {
		printf("# %s %ld%s: other output, and nothing is said\n", refusal_name[what], at,
		    starve.from_on ? " and on" : "");
		print_line_at("was", whole, first_difference(o, whole));
		print_line_at("now", o, first_difference(o, whole));
	} else
		return 0;
	return 1;
}

/* The n-th step of those that visit all calls, or the first ones and some of the rest. */
static long call_at(long step, long calls, long most)
{
	long first = most / 2 < FIRST ? most / 2 : FIRST;

	return calls <= most || step <= first ? step
					      : first + (step - first) * (calls - first) / (most - first);
}

static int refuse_each(const char *path, const struct outcome *whole, enum refusal what, long calls,
    long most)
{
	int failed = 0;

	for (long step = 1; step <= (calls < most ? calls : most); step++) {
		long at = call_at(step, calls, most);
		struct outcome o;

		fprintf(stderr, "%s %ld of %ld%s\n", refusal_name[what], at, calls,
		    starve.from_on ? " and on" : ""); /* shown when it crashes */
		starved(path, what, at, &o);
		failed += check_outcome(&o, whole, what, at);
		free(o.text);
	}
	return failed;
}

static int walk_sample(const char *path, long most)
{
	struct outcome whole, read;
	long calls[REFUSALS];
	int failed = 0;

	starved(path, MEMORY, 0, &whole);
	for (int i = 0; i < REFUSALS; i++)
		calls[i] = starve.now[i];
	for (int i = 0; i < REFUSALS; i++)
		if (i != READS)
			failed += refuse_each(path, &whole, (enum refusal)i, calls[i], most);
	starve.from_on = true;
	for (int i = 0; i < REFUSALS; i++)
		if (i != READS)
			failed += refuse_each(path, &whole, (enum refusal)i, calls[i], most);
	starve.read = true;
	starved(path, READS, 0, &read);
	if (read.n != whole.n || memcmp(read.text, whole.text, read.n)) {
		printf("# read in small pieces, it is another\n");
		failed++;
	}
	failed += refuse_each(path, &whole, READS, starve.now[READS], most);
	free(read.text);
	free(whole.text);
	return failed;
}

/* --- samples --- */

static void add_sample(const char *name, const char *path, long calls)
{
	const char *wanted = getenv("STARVED_SAMPLE");

	if (wanted && !strstr(name, wanted))
		return;
	if (nsamples == SAMPLES_MAX)
		abort();
	snprintf(sample[nsamples].name, sizeof sample->name, "%s", name);
	sample[nsamples].calls = calls;
	snprintf(sample[nsamples++].path, sizeof sample->path, "%s", path);
}

/* Every file of the corpora, by a name that tells its kind. */
static void add_folder(const char *folder, const char *as)
{
	char path[800], link[800], name[600];
	struct dirent **names;
	int n;

	snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", getenv("top_srcdir"), folder);
	if ((n = scandir(path, &names, NULL, alphasort)) <= 0)
		abort();
	for (int i = 0; i < n; i++) {
		if (names[i]->d_name[0] != '.') {
			snprintf(name, sizeof name, "%s/%s", folder, names[i]->d_name);
			snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", getenv("top_srcdir"), name);
			snprintf(link, sizeof link, "%s-%d", folder, i);
			if (mkdir(link, 0777) && errno != EEXIST)
				abort();
			snprintf(link, sizeof link, "%s-%d/%s", folder, i, as);
			unlink(link);
			if (symlink(path, link))
				abort();
			add_sample(name, link, CALLS);
		}
		free(names[i]);
	}
	free(names);
}

static void add_samples(void)
{
	char path[800];

	for (size_t i = 0; i < CORPUS_FOLDERS; i++)
		add_folder(corpus_folders[i][0], corpus_folders[i][1]);
	snprintf(path, sizeof path, "%s/tests/snap/old-run", getenv("top_srcdir"));
	add_sample("old-run", path, CALLS);
	snprintf(path, sizeof path, "%s/data/sample/simulated-v5e-4chip.xplane.pb.gz", getenv("top_srcdir"));
	add_sample("demo", path, FEW);
}

/* --- */

static void enter_scratch(void)
{
	char path[800];

	snprintf(path, sizeof path, "%s/tests/scratch", getenv("top_builddir"));
	mkdir(path, 0777);
	strcat(path, "/starved");
	if ((mkdir(path, 0777) && errno != EEXIST) || chdir(path))
		abort();
}

/* What it wrote to stderr, the last lines: the refusal in work, what the sanitizers say. */
static void print_log(const char *name)
{
	char line[400], *last[40] = { NULL };
	FILE *f = fopen(name, "r");
	size_t n = 0;

	while (f && fgets(line, sizeof line, f)) {
		free(last[n % 40]);
		last[n++ % 40] = strdup(line);
	}
	for (size_t i = 0; i < 40; i++, n++)
		if (last[n % 40])
			printf("# %s", last[n % 40]);
	for (size_t i = 0; i < 40; i++)
		free(last[i]);
	if (f)
		fclose(f);
}

static bool sample_apart(const struct sample *s, long most)
{
	int status = 0;
	pid_t pid;

	fflush(NULL);
	if ((pid = fork()) < 0)
		abort();
	if (!pid) {
		if (!freopen("log", "w", stderr))
			abort();
		alarm(SECONDS_PER_SAMPLE);
		exit(walk_sample(s->path, most) > 0);
	}
	while (waitpid(pid, &status, 0) < 0)
		;
	if (WIFSIGNALED(status))
		printf("# ended by signal %d\n", WTERMSIG(status));
	if (status && (!WIFEXITED(status) || WEXITSTATUS(status) != 1))
		print_log("log");
	return !status;
}

int main(void)
{
	const char *most = getenv("STARVED_CALLS");
	int failed = 0;

	if (!getenv("top_srcdir") || !getenv("top_builddir"))
		return 99;
	enter_scratch();
	add_samples();
	printf("1..%zu\n", nsamples);
	for (size_t i = 0; i < nsamples; i++) {
		bool good = sample_apart(&sample[i], most ? strtol(most, NULL, 10) : sample[i].calls);

		printf("%s %zu - %s\n", good ? "ok" : "not ok", i + 1, sample[i].name);
		failed += !good;
	}
	return failed > 0;
}
