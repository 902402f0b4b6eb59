#include "config.h"
#include "report/reports.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/findings.h"
#include "analyze/memory_pick.h"
#include "base/units.h"

#define WIDTH 100 /* of a report that has none */
#define BESIDE 19 /* severity and cost */

struct page {
	struct table t;
	size_t width;
};

static struct cell *add_line(struct page *p, const char *severity, const char *cost)
{
	struct cell *c = table_row(&p->t);

	c[0] = cell_strz(severity);
	c[1] = cell_strz(cost);
	return c + 2;
}

/* How many bytes of s stand on a line: whole words, at least one. */
static size_t line_length(const char *s, size_t n, size_t width)
{
	size_t at = 0, cols = 0, good = 0;

	for (; at < n && cols < width; at++) {
		good = s[at] == ' ' ? at : good;
		cols += (s[at] & 0xc0) != 0x80;
	}
	if (at == n || s[at] == ' ')
		return at;
	if (good)
		return good;
	return strcspn(s, " ") < n ? strcspn(s, " ") : n;
}

static void add_text(struct page *p, const char *s, size_t n, const char *mark)
{
	for (const char *end = s + n; s < end; mark = "  ") {
		size_t k = line_length(s, (size_t)(end - s), p->width - strlen(mark));
		char *line = xasprintf("%s%.*s", mark, (int)k, s);

		*add_line(p, "", "") = cell_str(table_copy(&p->t, line, strlen(line)), strlen(line));
		free(line);
		s += k;
		s += s < end && *s == ' ';
	}
}

/* For people: evidence, paragraphs of advice and where to look below what was found. */
static void put_findings(struct report *r, const struct findings *f, int width)
{
	static const struct column lines[] = {
		{ "severity", "", "", COL_STRING },
		{ "cost", "cost", "", COL_STRING },
		{ "text", "finding", "", COL_STRING },
	};
	struct page p = { .width = (size_t)(width > 2 * BESIDE ? width : WIDTH) - BESIDE };

	table_init(&p.t, lines, sizeof lines / sizeof *lines);
	for (size_t i = 0; i < f->n; i++) {
		const struct finding *x = &f->v[i];
		char cost[32] = "";

		if (x->cost_kind == COST_TIME)
			snprintf(cost, sizeof cost, "%.1f %%", x->cost * 100);
		else if (x->cost_kind == COST_BYTES)
			units_bytes(cost, sizeof cost, x->cost);
		*add_line(&p, severity_name(x->severity), table_copy(&p.t, cost, strlen(cost))) =
		    cell_strz(x->title);
		add_text(&p, x->evidence, strlen(x->evidence), "");
		for (const char *s = x->advice; *s; s += strspn(s, "\n")) {
			add_text(&p, s, strcspn(s, "\n"), "- ");
			s += strcspn(s, "\n");
		}
	}
	report_whole(r, "findings", &p.t);
	table_free(&p.t);
}

static void put_notes(
    struct report *r, const char *name, const char *label, const struct finding_note *v, size_t n, int width)
{
	const struct column note[] = {
		{ "what", label, "", COL_STRING },
		{ "text", "", "", COL_STRING },
	};
	size_t beside = strlen(label) + 2;
	struct table t;

	if (!n)
		return;
	for (size_t i = 0; i < n; i++)
		beside = strlen(v[i].title) + 2 > beside ? strlen(v[i].title) + 2 : beside;
	table_init(&t, note, sizeof note / sizeof *note);
	for (size_t i = 0; i < n; i++) {
		const char *title = v[i].title;

		for (const char *s = v[i].text, *end = s + strlen(s); s < end; title = "") {
			size_t k =
			    line_length(s, (size_t)(end - s), (width > 60 ? (size_t)width : WIDTH) - beside);
			struct cell *c = table_row(&t);

			c[0] = cell_strz(title);
			c[1] = cell_str(s, k);
			s += k;
			s += s < end && *s == ' ';
		}
	}
	report_whole(r, name, &t);
	table_free(&t);
}

static int write_report(const struct dump *d, const struct report_options *o, FILE *f,
    const struct findings *v, const struct overview *overview, struct err *e)
{
	static const char *const names[] = { "high", "medium", "low" };
	int64_t n[3] = { 0 };
	struct report *r;
	struct table t;
	int bad;

	findings_table(v, NULL, v->n, &t);
	if (report_order(o, &t, e)) {
		table_free(&t);
		return -1;
	}
	r = report_begin(f, o->format, o->width, "findings", d);
	report_dump_warnings(r, d);
	if (d->trace.ntracks || d->trace.ncounters)
		report_warnings(r, &overview->warnings);
	for (size_t i = 0; i < v->n; i++)
		n[v->v[i].severity]++;
	report_sum_int(r, "findings", (int64_t)v->n);
	for (int i = 0; i < 3; i++)
		report_sum_int(r, names[i], n[i]);
	if (o->format != REPORT_TEXT || o->sort || o->top >= 0) {
		report_whole(r, NULL, &t);
	} else {
		put_findings(r, v, o->width);
		put_notes(r, "checked", "checked, nothing to report", v->checked, v->nchecked, o->width);
		put_notes(r, "missing", "not in this capture", v->missing, v->nmissing, o->width);
	}
	bad = report_end(r, e);
	table_free(&t);
	return bad;
}

int report_make_findings(const struct dump *d, const struct report_options *o, const struct steps *steps,
    const struct opdb *db, const struct overview *overview, struct findings *f, struct err *e)
{
	struct overview_options options = { .host = o->host, .core = o->core, .threads = o->threads };
	const struct toolfile *file = input_toolfile(d, o->host, NULL);
	int asked = o->module ? hlo_module_find(d, o->module) : -1;
	struct pod_options whole = { .topology = o->topology, .threads = o->threads,
	    .cores = &overview->cores };
	bool is_pod = !o->host && o->core < 0 && overview->cores.ncores > 1;
	struct memory_profile profile;
	struct pod pod;
	struct input_pipeline input;
	struct memory memory;
	const struct hlo_module *module;
	int bad;

	if (o->module && asked < 0)
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "no module \"%s\" — a name, name(id) or id; report memory lists them", o->module);
	if (file)
		input_from_toolfile(file, &input);
	else
		input_pipeline_build(d, steps, overview, &options, &input);
	module = memory_pick(d, db, asked, NULL, &memory);
	memory_profile_build(d, steps->groups, o->host, NULL, &profile);
	is_pod = is_pod && !pod_build(d, steps, &whole, &pod, NULL);
	bad = findings_build(
	    &(struct finding_input){ .dump = d,
		.steps = steps,
		.ops = db,
		.overview = overview,
		.input = &input,
		.memory = module ? &memory : NULL,
		.module = module,
		.profile = &profile,
		.pod = is_pod ? &pod : NULL },
	    f, e);
	if (is_pod)
		pod_free(&pod);
	memory_profile_free(&profile);
	if (module)
		memory_free(&memory);
	input_pipeline_free(&input);
	return bad;
}

int report_findings(struct dump *d, const struct report_options *o, FILE *f, struct err *e)
{
	struct steps steps;
	struct opdb_options ops = {
		.host = o->host, .core = o->core, .threads = o->threads, .steps = &steps
	};
	struct overview_options options = { .host = o->host, .core = o->core, .threads = o->threads };
	const struct toolfile *file;
	struct findings findings;
	struct overview overview;
	struct opdb db;
	int bad;

	if (report_check(o, "findings", TAKES_CORE | TAKES_MODULE, e))
		return -1;
	steps_find(d, &steps, false);
	opdb_build(d, &ops, &db);
	if ((file = overview_toolfile(d, o->host, NULL)) || (file = input_toolfile(d, o->host, NULL)))
		overview_from_toolfile(file, &overview);
	else
		overview_build(d, &steps, &db, &options, &overview);
	if (!(bad = report_make_findings(d, o, &steps, &db, &overview, &findings, e))) {
		bad = write_report(d, o, f, &findings, &overview, e);
		findings_free(&findings);
	}
	overview_free(&overview);
	opdb_free(&db);
	steps_free(&steps);
	return bad ? -1 : EXIT_OK;
}
