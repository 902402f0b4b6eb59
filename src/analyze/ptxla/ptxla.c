#include "config.h"
#include "analyze/ptxla/ptxla.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/ptxla/internal.h"
#include "base/mem.h"
#include "base/text/digit.h"

/* --- lines --- */

const char *ptxla_keep(struct ptxla *x, struct slice s)
{
	s = slice_trim(s);
	return s.n ? arena_strndup(&x->text, s.s, s.n < PTXLA_TEXT_MAX ? s.n : PTXLA_TEXT_MAX) : NULL;
}

static struct ptxla_process *process_of(struct ptxla *x, const struct text_line *l)
{
	struct ptxla_work *w = x->work;
	struct ptxla_process *p;

	for (size_t i = w->nprocesses; i-- > 0;)
		if (w->processes[i].key == l->process)
			return &w->processes[i];
	if (w->nprocesses == PTXLA_PROCESSES)
		return &w->processes[0];
	VEC_PUSH(w->processes, w->nprocesses, w->processes_cap);
	p = &w->processes[w->nprocesses++];
	*p = (struct ptxla_process){ .key = l->process,
		.host = l->host.n ? strtab_add(&x->names, l->host.s, l->host.n) : 0,
		.report = SIZE_MAX,
		.metric = SIZE_MAX,
		.unlowered = SIZE_MAX };
	for (int i = 0; i < PTXLA_KINDS; i++)
		p->open[i].at = SIZE_MAX;
	return p;
}

static void ptxla_line(struct ptxla *x, struct ptxla_process *p, uint64_t line, struct slice s)
{
	s = slice_trim(s);
	if (!s.n)
		return;
	if (ptxla_graph_line(x, p, line, s))
		return;
	if (ptxla_metrics_line(x, p, line, s))
		return;
	if (ptxla_debug_line(x, p, line, s) || ptxla_notice_line(x, p, line, s))
		return;
	ptxla_launch_line(x, line, s);
}

static void take_line(void *ctx, const struct text_line *l)
{
	struct ptxla *x = ctx;

	ptxla_line(x, process_of(x, l), l->line, l->s);
}

/* --- texts --- */

void ptxla_begin(struct ptxla *x)
{
	static const char *const phrases[] = { "Metric: ", "Counter: ", "TotalSamples: ", "Accumulator: ",
		"Percentiles: ", "ValueRate: ", "Rate: ", "Value: ", "StdDev: ", "Mean: ",
		"[MetricsData; step=", "Analysis: ", "pt-xla-profiler:", "Unlowered Op", "Root Hashes: (",
		"## BEGIN_GRAPH", "## END_GRAPH", "Graph Hash: ", " graph hash ", "Syncing graph hash ",
		"[TAG ", "C++ Frames:", "*** End stack trace", "[HLO Graph ", "Dumping Computation " };

	*x = (struct ptxla){ .work = xcalloc(1, sizeof *x->work) };
	strtab_init(&x->names);
	strtab_init(&x->work->launches);
	strtab_init(&x->work->tags);
	strtab_init(&x->work->in_report);
	x->work->reader = text_reader_new(phrases, sizeof phrases / sizeof *phrases, take_line, x);
}

/* N of "metrics.txt.N", also when the file is packed; -1: there is none. */
static int64_t ordinal_of(const char *path)
{
	struct slice s = slice_of(path);
	size_t n = 0;
	int64_t v;

	if (!slice_cut_end(&s, ".gz"))
		slice_cut_end(&s, ".zst");
	while (n < s.n && is_digit(s.s[s.n - 1 - n]))
		n++;
	if (!n || n > 9 || n == s.n || s.s[s.n - 1 - n] != '.')
		return -1;
	s = (struct slice){ s.s + s.n - n, n };
	return ptxla_integer(&s, &v) ? v : -1;
}

static void processes_end(struct ptxla *x)
{
	struct ptxla_work *w = x->work;

	for (size_t i = 0; i < w->nprocesses; i++) {
		ptxla_metrics_end(x, &w->processes[i]);
		ptxla_debug_end(x, &w->processes[i]);
		ptxla_graph_end(x, &w->processes[i]);
	}
	w->nprocesses = 0;
}

void ptxla_file(struct ptxla *x, const char *path)
{
	processes_end(x);
	x->work->file = (uint32_t)x->nfiles;
	VEC_ADD(x->files, x->nfiles, x->files_cap,
	    (struct ptxla_file){ .path = arena_strndup(&x->text, path, strlen(path)),
		.ordinal = ordinal_of(path) });
}

static uint64_t lines_in(const char *s, size_t n)
{
	uint64_t lines = 0;
	const char *at = s, *end = s + n;

	while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
		lines++;
		at++;
	}
	return lines;
}

static void read_lines(struct ptxla *x, const char *s, size_t n, uint64_t line)
{
	struct ptxla_work *w = x->work;

	text_reader_begin(w->reader, line);
	text_reader_text(w->reader, s, n);
	text_reader_end(w->reader);
	for (size_t i = 0; i < w->nprocesses; i++)
		ptxla_metrics_end(x, &w->processes[i]);
}

/* The lines of a graph come as they are: they are many, and nothing is put around them. */
static size_t read_graph(struct ptxla *x, const char *s, size_t n, size_t at, uint64_t *line)
{
	struct ptxla_process *p = process_of(x, &(struct text_line){ .line = *line });

	while (at < n) {
		const char *end = memchr(s + at, '\n', n - at);
		size_t len = (size_t)((end ? end : s + n) - s) - at;

		if (!ptxla_graph_line(x, p, *line, slice_trim((struct slice){ s + at, len })))
			break;
		at += len + (end != NULL);
		*line += end != NULL;
	}
	return at;
}

/* Beginnings of reports and graphs, which are read whole and not line by line. */
static const char *const starts[] = { "\n[MetricsData; step=", "\n## BEGIN_GRAPH\n", "\nIR {\n",
	"\ndigraph G {\n  node", "\n[HLO Graph " };
enum { STARTS = sizeof starts / sizeof *starts };

/* The next of them from `from` on; n: there is none. */
static size_t next_start(const char *s, size_t n, size_t from, const char *start)
{
	const char *at;

	if (!from && n >= strlen(start + 1) && !memcmp(s, start + 1, strlen(start + 1)))
		return 0;
	from -= from > 0;
	at = from < n ? memmem(s + from, n - from, start, strlen(start)) : NULL;
	return at ? (size_t)(at - s) + 1 : n;
}

/* A file of many reports has no graphs, but for those that are marked: it is not searched for the others. */
void ptxla_text(struct ptxla *x, const char *s, size_t n)
{
	int nstarts = !next_start(s, n, 0, starts[0]) && n ? 2 : STARTS;
	size_t at = 0, from, next[STARTS], first = n;
	uint64_t line = 1;

	x->damaged += n && memchr(s, 0, n) != NULL;
	for (int i = 0; i < nstarts; i++) {
		next[i] = next_start(s, n, 0, starts[i]);
		first = next[i] < first ? next[i] : first;
	}
	while (at < n) {
		from = at;
		if (at == next[0])
			ptxla_plain(x, s, n, &at, &line);
		else if (at == first)
			at = read_graph(x, s, n, at, &line);
		first = n;
		for (int i = 0; i < nstarts; i++) {
			if (next[i] < at || (next[i] == at && at == from))
				next[i] = next_start(s, n, at + (at == from), starts[i]);
			first = next[i] < first ? next[i] : first;
		}
		if (at > from)
			continue;
		/* what is read line by line ends where something of these begins */
		read_lines(x, s + at, first - at, line);
		line += lines_in(s + at, first - at);
		at = first;
	}
}

/* --- the end --- */

/* Rows of a report lie together, in their order; they begin with its number. */
static void *rows_order(const struct ptxla *x, void *rows, size_t n, size_t size)
{
	char *from = rows, *to = xcalloc(n + 1, size);
	size_t *at = xcalloc(x->nreports + 1, sizeof *at);
	uint32_t report;

	for (size_t i = 0; i < n; i++) {
		memcpy(&report, from + i * size, sizeof report);
		at[report + 1]++;
	}
	for (size_t i = 0; i < x->nreports; i++)
		at[i + 1] += at[i];
	for (size_t i = 0; i < n; i++) {
		memcpy(&report, from + i * size, sizeof report);
		memcpy(to + at[report]++ * size, from + i * size, size);
	}
	free(at);
	free(rows);
	return to;
}

static void rows_of_reports(struct ptxla *x)
{
	if (x->work->mixed) {
		x->metrics = rows_order(x, x->metrics, x->nmetrics, sizeof *x->metrics);
		x->counters = rows_order(x, x->counters, x->ncounters, sizeof *x->counters);
	}
	for (size_t i = 0; i < x->nreports; i++)
		x->reports[i].nmetrics = x->reports[i].ncounters = 0;
	for (size_t i = 0; i < x->nmetrics; i++) {
		struct ptxla_report *r = &x->reports[x->metrics[i].report];

		r->metric = r->nmetrics++ ? r->metric : i;
	}
	for (size_t i = 0; i < x->ncounters; i++) {
		struct ptxla_report *r = &x->reports[x->counters[i].report];

		r->counter = r->ncounters++ ? r->counter : i;
	}
}

void ptxla_end(struct ptxla *x)
{
	processes_end(x);
	rows_of_reports(x);
	for (size_t i = 0; i < x->nfiles; i++)
		x->files[i].reports += x->files[i].loose;
	for (size_t i = 0; i < x->nlaunches; i++)
		ptxla_launch_end(&x->launches[i]);
	for (size_t i = 0; i < x->nanalyses; i++)
		x->analyses[i].user = ptxla_user_frame(x->analyses[i].frames, x->analyses[i].nframes);
	for (size_t i = 0; i < x->nunlowered; i++)
		x->unlowered[i].user = ptxla_user_frame(x->unlowered[i].frames, x->unlowered[i].nframes);
}

static void ptxla_process_free(struct ptxla_process *p)
{
	free(p->counter);
	free(p->list);
	free(p->roots);
}

void ptxla_free(struct ptxla *x)
{
	struct ptxla_work *w = x->work;

	for (size_t i = 0; w && i < w->nprocesses; i++)
		ptxla_process_free(&w->processes[i]);
	if (w) {
		text_reader_free(w->reader);
		strtab_free(&w->launches);
		strtab_free(&w->tags);
		strtab_free(&w->in_report);
		free(w->tag_rows);
		free(w->processes);
		free(w);
	}
	for (size_t i = 0; i < x->nanalyses; i++)
		free(x->analyses[i].frames);
	for (size_t i = 0; i < x->nunlowered; i++)
		free(x->unlowered[i].frames);
	free(x->files);
	free(x->reports);
	free(x->metrics);
	free(x->counters);
	free(x->percents);
	free(x->values);
	free(x->notices);
	free(x->analyses);
	free(x->unlowered);
	free(x->graphs);
	free(x->launches);
	strtab_free(&x->names);
	arena_free(&x->text);
}

/* --- a dump --- */

void ptxla_of_dump(const struct dump *d, struct progress *p, struct ptxla *x)
{
	struct err e;

	ptxla_begin(x);
	for (size_t i = 0; i < d->nfiles && !progress_canceled(p); i++) {
		const struct file *f = &d->files[i];
		size_t n = 0;
		const char *s =
		    file_is_log(f) && f->content ? (const char *)f->content(f->source, &n, &e) : NULL;

		if (!s || !n)
			continue;
		ptxla_file(x, f->path);
		ptxla_text(x, s, n);
	}
	ptxla_end(x);
}

bool ptxla_any(const struct dump *d)
{
	for (size_t i = 0; i < d->nfiles; i++)
		if (file_kind_is_ptxla(d->files[i].kind))
			return true;
	return false;
}

bool ptxla_has_metrics(const struct ptxla *x)
{
	return x->nmetrics || x->ncounters;
}

bool ptxla_has_debug(const struct ptxla *x)
{
	return x->nanalyses || x->nnotices || x->nunlowered || x->ngraphs || x->nlaunches;
}

/* Goes back from the end: what has rows and whose host was not seen in that file is the last. */
size_t *ptxla_last_reports(const struct ptxla *x, size_t *n)
{
	size_t *v = xcalloc(x->nreports + 1, sizeof *v), from = 0;

	*n = 0;
	for (size_t i = x->nreports; i-- > 0;) {
		const struct ptxla_report *r = &x->reports[i];
		bool seen = !r->nmetrics && !r->ncounters;

		if (*n && x->reports[v[*n - 1]].file != r->file)
			from = *n;
		for (size_t k = from; k < *n && !seen; k++)
			seen = x->reports[v[k]].host == r->host;
		if (!seen)
			v[(*n)++] = i;
	}
	for (size_t i = 0; i < *n / 2; i++) {
		size_t other = v[i];

		v[i] = v[*n - 1 - i];
		v[*n - 1 - i] = other;
	}
	return v;
}

const struct ptxla_metric *ptxla_metric(const struct ptxla *x, size_t report, const char *name)
{
	const struct ptxla_report *r = &x->reports[report];
	strid id = strtab_find(&x->names, name, strlen(name));

	for (size_t i = r->metric; i < r->metric + r->nmetrics; i++)
		if (x->metrics[i].name == id && id)
			return &x->metrics[i];
	return NULL;
}

int64_t ptxla_counter(const struct ptxla *x, size_t report, const char *name)
{
	const struct ptxla_report *r = &x->reports[report];
	strid id = strtab_find(&x->names, name, strlen(name));

	for (size_t i = r->counter; i < r->counter + r->ncounters; i++)
		if (x->counters[i].name == id)
			return x->counters[i].value;
	return INT64_MIN;
}

const char *ptxla_class(struct slice name)
{
	return slice_begins(name, "aten::") ? "aten" : slice_begins(name, "xla::") ? "xla" : "other";
}

bool ptxla_tells_executions(const struct ptxla *x)
{
	bool told = !x->nanalyses;

	for (size_t i = 0; i < x->nanalyses && !told; i++)
		told = x->analyses[i].kind == PTXLA_EXECUTION || x->analyses[i].kind == PTXLA_UNEXPECTED;
	for (size_t i = 0; i < x->nlaunches && !told; i++)
		told = x->launches[i].count > 0;
	return told;
}
