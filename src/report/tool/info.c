#include "config.h"
#include "report/reports.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/tables/files.h"
#include "base/text/words.h"
#include "model/tf/graph.h"
#include "model/toolfile.h"
#include "report/choose.h"
#include "report/warnings.h"
#include "result/table.h"

struct line {
	const struct track *track;
	const struct counter *counter;
	uint32_t plane;
	int file;
	size_t nth;
};

VEC_ORDER(in_file_order, struct line, UP(file) UP(plane) UP(nth));

/* Lists the tracks of the files, and the counters that are not on a track. */
static struct line *find_lines(const struct dump *d, size_t *n)
{
	const struct trace *t = &d->trace;
	struct line *v = xcalloc(t->ntracks + t->ncounters + 1, sizeof *v);

	*n = 0;
	for (size_t i = 0; i < t->ntracks; i++)
		if (t->tracks[i].file >= 0)
			v[(*n)++] = (struct line){ .track = &t->tracks[i],
				.plane = t->tracks[i].plane,
				.file = t->tracks[i].file,
				.nth = i };
	for (size_t i = 0; i < t->ncounters; i++)
		if (t->counters[i].track < 0 && t->counters[i].n && t->planes[t->counters[i].plane].file >= 0)
			v[(*n)++] = (struct line){ .counter = &t->counters[i],
				.plane = t->counters[i].plane,
				.file = t->planes[t->counters[i].plane].file,
				.nth = t->ntracks + i };
	qsort(v, *n, sizeof *v, in_file_order);
	return v;
}

static bool wanted(const struct dump *d, const struct line *l, const char *host)
{
	return !host || dump_host_is(d, d->trace.planes[l->plane].host, host);
}

static int64_t events_of(const struct line *l)
{
	return (int64_t)(l->track ? l->track->n + l->track->untimed : l->counter->n);
}

static bool times_of(const struct line *l, int64_t *first, int64_t *last)
{
	if (l->track && l->track->n) {
		*first = l->track->first;
		*last = l->track->last;
	} else if (l->counter) {
		*first = l->counter->t[0];
		*last = l->counter->t[l->counter->n - 1];
	}
	return l->counter || l->track->n;
}

struct line_row {
	const struct dump *dump;
	const struct plane *plane;
	const struct line *line;
	bool timed;
	int64_t first, last;
};

static struct cell line_id(const struct line *l, struct arena *text)
{
	char id[24] = "";

	if (l->track)
		snprintf(id, sizeof id, "%" PRId64, l->track->id);
	return cell_str(arena_strndup(text, id, strlen(id)), strlen(id));
}

#define SCHEMA info
#define SCHEMA_ROW struct line_row
#define SCHEMA_DEF "report/tool/info.def"
#include "result/schema_def.h"

const struct schema info_schema = { SCHEMA_COLUMNS(info_columns) };

static void add_row(const struct dump *d, const struct line *l, struct table *t)
{
	struct line_row r = { .dump = d, .plane = &d->trace.planes[l->plane], .line = l };

	r.timed = times_of(l, &r.first, &r.last);
	table_add(t, &r);
}

/* A plane that is in several files of a host counts once per file. */
static int64_t count_planes(const struct dump *d, const struct line *v, size_t n, const char *host)
{
	bool *listed = xcalloc(d->trace.nplanes + 1, sizeof *listed);
	int64_t count = 0;

	for (size_t i = 0; i < n; i++) {
		listed[v[i].plane] = true;
		count += wanted(d, &v[i], host) &&
		    (!i || v[i].plane != v[i - 1].plane || v[i].file != v[i - 1].file);
	}
	for (uint32_t p = 0; p < d->trace.nplanes; p++)
		count += !listed[p] && d->trace.planes[p].file >= 0 &&
		    wanted(d, &(struct line){ .plane = p }, host);
	free(listed);
	return count;
}

/* "h.op_profile.json (op profile), …" */
static void sum_results(struct report *r, const struct dump *d)
{
	char *all = xstrdup("");

	for (size_t i = 0; i < d->ntools; i++) {
		const struct file *f = &d->files[d->tools[i].file];
		char *more = xasprintf("%s%s%s (%s)", all, i ? ", " : "", f->base, file_kind_label(f->kind));

		free(all);
		all = more;
	}
	if (d->ntools)
		report_sum_str(r, "results", all);
	free(all);
}

/* Sums up the digests: their version, the files that they were made from, and what they lack. */
static void sum_digests(struct report *r, const struct dump *d)
{
	const struct file *first = NULL;
	uint32_t low = UINT32_MAX, high = 0;
	char text[300];
	size_t n = 0;

	for (size_t i = 0; i < d->nfiles; i++) {
		const struct file *f = &d->files[i];

		if (!f->digest)
			continue;
		first = n++ ? first : f;
		low = f->digest < low ? f->digest : low;
		high = f->digest > high ? f->digest : high;
	}
	if (!n)
		return;
	report_sum_int(r, "digests", (int64_t)n);
	snprintf(text, sizeof text, low < high ? "%u to %u" : "%u", low, high);
	report_sum_str(r, "digest_version", text);
	snprintf(text, sizeof text, "%.200s%s", first->digest_of ? first->digest_of : "unknown",
	    n > 1 ? ", …" : "");
	report_sum_str(r, "digest_of", text);
	report_sum_str(r, "digest_lacks",
	    "ops but collectives and transfers (their sums are there), ops of one step, ops of SparseCores, "
	    "contents of fusions");
}

/* "graph_def: 32 nodes; meta_graph serve: 32 nodes, 2 functions" */
static void sum_graphs(struct report *r, const struct dump *d)
{
	char text[400] = "", one[120];

	for (size_t i = 0; i < d->ngraphs; i++) {
		const struct tf_graph *g = &d->graphs[i];

		snprintf(one, sizeof one, "%s%s%.40s: %" PRIu64 " %s", tf_source_name(g->source),
		    g->tag ? " " : "", g->tag ? g->tag : "", g->nodes,
		    g->source == TF_KERAS ? "layers" : "nodes");
		if (g->functions)
			snprintf(one + strlen(one), sizeof one - strlen(one), ", %" PRIu64 " functions",
			    g->functions);
		words_add(text, sizeof text, "; ", strlen(text) + sizeof one < sizeof text ? one : "…");
		if (strlen(text) + sizeof one >= sizeof text)
			break;
	}
	if (d->ngraphs)
		report_sum_str(r, "graphs", text);
}

/* Readers also learn what each file is; documents for programs have their files above. */
static void put_files(struct report *r, const struct dump *d)
{
	struct table t;

	files_table(d, &t);
	report_whole(r, "files", &t);
	table_free(&t);
}

int report_info(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct dump *d = c->base;
	struct table t;
	struct report *r;
	size_t n;
	int64_t events = 0, first = INT64_MAX, last = INT64_MIN, a, b;

	struct line *v = find_lines(d, &n);

	table_begin(&t, &info_schema);
	for (size_t i = 0; i < n; i++) {
		if (!wanted(d, &v[i], o->host))
			continue;
		add_row(d, &v[i], &t);
		events += events_of(&v[i]);
		if (times_of(&v[i], &a, &b)) {
			first = a < first ? a : first;
			last = b > last ? b : last;
		}
	}
	size_t lines = t.nrows;
	int64_t planes = count_planes(d, v, n, o->host);

	free(v);
	if (report_order(o, &t, e)) {
		table_free(&t);
		return -1;
	}
	r = report_open(o, f, "info", d);
	report_dump_warnings(r, d);
	report_sum_int(r, "files", (int64_t)dump_captures(d));
	report_sum_int(r, "planes", planes);
	report_sum_int(r, "lines", (int64_t)lines);
	report_sum_int(r, "events", events);
	report_sum_int(r, "dropped", 0);
	if (lines || !report_for_people(r))
		report_sum_int(r, "span_ps", last > first ? last - first : 0);
	if (lines || !report_for_people(r))
		report_sum_int(r, "origin_ns", d->origin_ns);
	report_sum_int(r, "problems", (int64_t)problems_count(d->problems, -1));
	sum_results(r, d);
	sum_digests(r, d);
	sum_graphs(r, d);
	if (report_for_people(r))
		put_files(r, d);
	if (lines || !report_for_people(r))
		report_whole(r, NULL, &t);
	table_free(&t);
	return report_end(r, e) ? -1 : EXIT_OK;
}
