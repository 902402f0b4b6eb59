/* bench-run TPUSCOPE DIR EVENTS: times the program on the captures of bench-gen and prints each figure next
 * to its floor: the least work that any reader of the same file must do (map it, walk all events, fill
 * 25-byte columns with nesting depths), done here in a child process in the same run.  CPU is user + system
 * time, memory is the peak resident set, both from wait4().  The best of three runs counts.  This is not a
 * test: the exit status is 0 unless something could not be measured. */
#include "config.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "analyze/interval/interval.h"
#include "analyze/trace/prepare.h"
#include "base/mem.h"
#include "load/load.h"

#define RUNS 3

struct cost {
	double cpu, wall, rss;
};

struct columns {
	int64_t *start, *dur;
	uint32_t *name, *args;
	uint8_t *depth;
	size_t n, cap;
};

static const uint8_t *map(const char *path, size_t *size)
{
	struct stat st;
	int fd = open(path, O_RDONLY);
	void *p;

	if (fd < 0 || fstat(fd, &st) ||
	    (p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)) == MAP_FAILED)
		_exit(1);
	*size = (size_t)st.st_size;
	return p;
}

static void push(struct columns *c, int64_t start, int64_t dur, uint32_t name, uint32_t args)
{
	if (c->n == c->cap) {
		c->cap = c->cap ? c->cap * 2 : 1024;
		c->start = realloc(c->start, c->cap * 8);
		c->dur = realloc(c->dur, c->cap * 8);
		c->name = realloc(c->name, c->cap * 4);
		c->args = realloc(c->args, c->cap * 4);
		if (!c->start || !c->dur || !c->name || !c->args)
			_exit(1);
	}
	c->start[c->n] = start;
	c->dur[c->n] = dur;
	c->name[c->n] = name;
	c->args[c->n++] = args;
}

static void depths(struct columns *c)
{
	int64_t end[256];
	int open = 0;

	c->depth = malloc(c->n + 1);
	for (size_t i = 0; i < c->n; i++) {
		while (open && end[open - 1] <= c->start[i])
			open--;
		c->depth[i] = (uint8_t)open;
		if (open < 255)
			end[open++] = c->start[i] + c->dur[i];
	}
}

static const uint8_t *varint(const uint8_t *p, uint64_t *v)
{
	uint64_t r = 0;
	int shift = 0;

	do
		r |= (uint64_t)(*p & 127) << shift, shift += 7;
	while (*p++ & 128);
	*v = r;
	return p;
}

static void walk_event(struct columns *c, const uint8_t *base, const uint8_t *p, const uint8_t *end)
{
	uint64_t name = 0, start = 0, dur = 0, v;
	const uint8_t *at = p;

	while (p < end)
		switch (*p++) {
		case 8:
			p = varint(p, &name);
			break;
		case 16:
			p = varint(p, &start);
			break;
		case 24:
			p = varint(p, &dur);
			break;
		default:
			p = varint(p, &v);
			p += v;
		}
	push(c, (int64_t)start, (int64_t)dur, (uint32_t)name, (uint32_t)(at - base));
}

static void walk(const uint8_t *base, const uint8_t *p, const uint8_t *end, int level)
{
	struct columns c = { 0 };
	uint64_t key, v;

	while (p < end) {
		p = varint(p, &key);
		p = varint(p, &v);
		if ((key & 7) != 2)
			continue;
		if (level == 2 && key == 34)
			walk_event(&c, base, p, p + v);
		else if ((level == 0 && key == 10) || (level == 1 && key == 26))
			walk(base, p, p + v, level + 1);
		p += v;
	}
	depths(&c);
}

static void floor_xspace(const char *path)
{
	size_t n;
	const uint8_t *p = map(path, &n);

	walk(p, p, p + n, 0);
}

/* Finds every "ts" and "dur" and the end of each event with nothing but memchr. */
static void floor_json(const char *path)
{
	struct columns c = { 0 };
	size_t n;
	const char *p = (const char *)map(path, &n), *end = p + n;

	while ((p = memchr(p, '{', (size_t)(end - p)))) {
		int64_t v[2] = { 0, 0 };
		int quotes = 0;

		for (int k = 0; k < 2 && p; k++) {
			const char *q = memmem(p, (size_t)(end - p), k ? "\"dur\":" : "\"ts\":", k ? 6 : 5);

			if (!q || q - p > 200)
				break;
			for (q += k ? 6 : 5; (unsigned)(*q - '0') < 10 || *q == '.'; q++)
				if (*q != '.')
					v[k] = v[k] * 10 + (*q - '0');
			p = q;
		}
		while (p < end && *p != '}')
			quotes += *p++ == '"';
		push(&c, v[0], v[1], (uint32_t)quotes, 0);
		if (p < end)
			p++;
	}
	depths(&c);
}

static void floor_inflate(const char *path)
{
	static char block[1 << 18];
	gzFile f = gzopen(path, "rb");

	while (f && gzread(f, block, sizeof block) > 0)
		;
}

static int measure(void (*fn)(const char *), const char *const *argv, const char *path, const char *to,
    struct cost *best)
{
	for (int run = 0; run < RUNS; run++) {
		struct timespec a, b;
		struct rusage ru;
		int status;
		pid_t pid;

		clock_gettime(CLOCK_MONOTONIC, &a);
		if (!(pid = fork())) {
			int fd = open(to ? to : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0600);

			dup2(fd, 1);
			if (fn) {
				fn(path);
				_exit(0);
			}
			execv(argv[0], (char *const *)(uintptr_t)argv);
			_exit(127);
		}
		if (pid < 0 || wait4(pid, &status, 0, &ru) < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
			return -1;
		clock_gettime(CLOCK_MONOTONIC, &b);
		struct cost c = { (double)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) +
			    (double)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) * 1e-6,
			(double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) * 1e-9,
			(double)ru.ru_maxrss * 1024 };
		if (!run || c.cpu < best->cpu)
			best->cpu = c.cpu;
		if (!run || c.wall < best->wall)
			best->wall = c.wall;
		if (!run || c.rss < best->rss)
			best->rss = c.rss;
	}
	return 0;
}

static void row(const char *what, double value, const char *unit, double limit, double floor_value)
{
	printf("%-44s %10.3f %-9s", what, value, unit);
	if (limit > 0)
		printf(" limit %9.3f", limit);
	if (floor_value > 0)
		printf("   %6.2f x floor %.3f", value / floor_value, floor_value);
	putchar('\n');
}

static double member(const char *text, const char *key)
{
	char quoted[40];
	const char *p;

	snprintf(quoted, sizeof quoted, "\"%s\":", key);
	return (p = strstr(text, quoted)) ? strtod(p + strlen(quoted), NULL) : -1;
}

static int frames(const char *tpuscope, const char *path, const char *to, double events)
{
	const char *const argv[] = { tpuscope, "bench", path, "--size", "300x60", NULL };
	char text[2048] = "";
	struct cost c;
	FILE *f;

	if (measure(NULL, argv, NULL, to, &c) || !(f = fopen(to, "r")))
		return -1;
	text[fread(text, 1, sizeof text - 1, f)] = 0;
	fclose(f);
	row("frame at 300x60, p50", member(text, "frame_ms_p50"), "ms", 2, 0);
	row("frame at 300x60, p99", member(text, "frame_ms_p99"), "ms", 5, 0);
	row("regex search over all events", member(text, "search_ms"), "ms", 150 * events / 5e6, 0);
	row("names of half the run", member(text, "area_ms"), "ms", 30 * events / 5e6, 0);
	return member(text, "frame_ms_p50") < 0 ? -1 : 0;
}

static double clock_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void take_best(double *best, double since, int run)
{
	double ms = clock_ms() - since;

	if (!run || ms < *best)
		*best = ms;
}

static int64_t sum_durations(const struct trace *t)
{
	int64_t sum = 0;

	for (size_t k = 0; k < t->ntracks; k++)
		for (size_t i = 0; i < t->tracks[k].n; i++)
			sum += track_dur(&t->tracks[k], i);
	return sum;
}

/* All statistics of an interval, here the whole run on all tracks; the floor is one pass over the
 * durations. */
static int interval(const char *path, double events)
{
	struct err err = { .at = ERR_NOWHERE };
	struct load_options options = { 0 };
	struct dump *d = load_paths(&path, 1, &options, NULL, &err);
	struct clocks clocks = { 0 };
	double ours = 0, least = 0;
	volatile int64_t sum = 0;
	uint32_t *tracks;

	if (!d)
		return -1;
	prepare(d, &clocks, CLOCK_PLAIN, 2, NULL);
	tracks = xcalloc(d->trace.ntracks + 1, sizeof *tracks);
	for (size_t i = 0; i < d->trace.ntracks; i++)
		tracks[i] = (uint32_t)i;
	for (int run = 0; run < 3 * RUNS; run++) {
		double begun = clock_ms();
		struct interval v;

		interval_begin(&v, d, tracks, d->trace.ntracks, d->trace.first, d->trace.last + 1);
		interval_step(&v, -1);
		take_best(&ours, begun, run);
		interval_free(&v);
		begun = clock_ms();
		sum += sum_durations(&d->trace);
		take_best(&least, begun, run);
	}
	(void)sum;
	row("statistics of an interval, ranks and union", ours, "ms", 30 * events / 5e6, least);
	free(tracks);
	clock_free(&clocks);
	dump_close(d);
	return 0;
}

/* A program of 100,000 instructions: reads it, simulates its heap, makes all tables. */
static int memory(const char *tpuscope, const char *path)
{
	const char *const argv[] = { tpuscope, "report", "memory", path, NULL };
	struct cost c;

	if (access(path, R_OK) || measure(NULL, argv, NULL, NULL, &c))
		return -1;
	row("memory of 100,000 instructions, CPU", c.cpu, "s", 0.5, 0);
	return 0;
}

/* All results that findings are made from, and the rules. */
static int findings(const char *tpuscope, const char *path, double events)
{
	const char *const argv[] = { tpuscope, "report", "findings", path, NULL };
	struct cost c;

	if (measure(NULL, argv, NULL, NULL, &c))
		return -1;
	row("findings of the capture, CPU", c.cpu, "s", 3 * events / 5e6, 0);
	return 0;
}

/* A quarter of a gigabyte of log records, of which each 10,000th is an error. */
static int triage(const char *tpuscope, const char *path)
{
	const char *const argv[] = { tpuscope, "triage", path, NULL };
	const double bytes = 256 << 20;
	struct cost c;
	FILE *f = fopen(path, "w");

	if (!f)
		return -1;
	for (long n = 0; ftell(f) < (long)bytes; n++)
		fprintf(f,
		    n % 10000
			? "I1121 08:25:17.%06ld   22568 compiler.cc:792] HLO_PASSES stage duration: 226.7ms, "
			  "module: jit_step instructions: 5131 fingerprint: 77\n"
			: "E1121 08:25:17.%06ld   22568 compiler.cc:99] Ran out of memory in memory space "
			  "hbm. "
			  "Used 18.50G of 15.75G hbm. Exceeded hbm capacity by 2.76G.\n",
		    n % 1000000);
	if (fclose(f) || measure(NULL, argv, NULL, NULL, &c))
		return -1;
	unlink(path);
	row("triage of 256 MiB of log, CPU", c.cpu, "s", bytes / 150e6, 0);
	row("  peak memory", c.rss / 1048576, "MiB", 0, 0);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *what, *file;
		void (*fn)(const char *);
		double times;
		int wall;
	} rows[] = {
		{ "XSpace, start to first frame, CPU", "big.xplane.pb", floor_xspace, 3, 0 },
		{ "JSON, start to first frame, CPU", "big.trace.json", floor_json, 0, 0 },
		{ "json.gz, start to first frame, wall", "big.trace.json.gz", floor_inflate, 0, 1 },
	};
	char path[4096], out[4096];
	struct stat st;
	int bad = 0;

	if (argc != 4) {
		fprintf(stderr, "usage: bench-run TPUSCOPE DIR EVENTS\n");
		return 2;
	}
	double events = strtod(argv[3], NULL);
	snprintf(out, sizeof out, "%s/bench.out", argv[2]);
	printf("%s, %.0f events\n", argv[1], events);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cost ours, least;

		snprintf(path, sizeof path, "%s/%s", argv[2], rows[i].file);
		const char *const cmd[] = { argv[1], "snapshot", "timeline", path, "--size", "300x60", NULL };
		if (stat(path, &st) || measure(rows[i].fn, NULL, path, NULL, &least) ||
		    measure(NULL, cmd, NULL, NULL, &ours)) {
			printf("%s: could not be measured\n", rows[i].what);
			bad = 1;
			continue;
		}
		double v = rows[i].wall ? ours.wall : ours.cpu, f = rows[i].wall ? least.wall : least.cpu;
		row(rows[i].what, v, "s", rows[i].times * f, f);
		if (!rows[i].wall) /* the inflated data are never all in memory */
			row("  peak memory beyond the file, per event",
			    (ours.rss - (double)st.st_size) / events, "B", i ? 50 : 40, 0);
	}
	snprintf(path, sizeof path, "%s/big.xplane.pb", argv[2]);
	if (frames(argv[1], path, out, events)) {
		puts("tpuscope bench: could not be measured");
		bad = 1;
	}
	unlink(out);
	if (findings(argv[1], path, events)) {
		puts("report findings: could not be measured");
		bad = 1;
	}
	snprintf(out, sizeof out, "%s/big.hlo_proto.pb", argv[2]);
	if (memory(argv[1], out)) {
		puts("report memory: could not be measured");
		bad = 1;
	}
	snprintf(out, sizeof out, "%s/triage.log", argv[2]);
	if (triage(argv[1], out)) {
		puts("triage: could not be measured");
		bad = 1;
	}
	if (interval(path, events)) {
		puts("interval: could not be measured");
		bad = 1;
	}
	return bad;
}
