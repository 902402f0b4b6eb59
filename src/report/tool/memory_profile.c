#include "config.h"
#include "report/reports.h"

#include <string.h>

#include "analyze/memory/dump.h"
#include "analyze/memprof/pprof.h"
#include "analyze/memprof/profile.h"
#include "analyze/steps/steps.h"
#include "capture/results.h"
#include "report/choose.h"
#include "report/warnings.h"

/* The tables of all kinds of input; those that do not apply are empty. */
enum {
	T_DEVICES,
	T_ACTIVE,
	T_TIMELINE,
	T_GROUPS,
	T_COMPILER,
	T_STACKS,
	T_DUMP,
	TABLES = T_DUMP + DUMP_TABLES
};

struct tables {
	struct table none[TABLES]; /* the empty ones, owned */
	struct table *t[TABLES];
	const struct facts *summary;
};

struct beside_row {
	const struct memory_device *device;
	const struct memory_beside *beside;
};

#define SCHEMA compiler
#define SCHEMA_ROW struct beside_row
#define SCHEMA_DEF "report/tool/memory_compiler.def"
#include "result/schema_def.h"

const struct schema memory_compiler_schema = { SCHEMA_COLUMNS(compiler_columns) };

static void tables_init(struct tables *s)
{
	struct table spare;

	memprof_tables(&s->none[T_DEVICES], &s->none[T_ACTIVE], &s->none[T_TIMELINE]);
	table_begin(&s->none[T_GROUPS], &memprof_groups_schema);
	table_begin(&s->none[T_COMPILER], &memory_compiler_schema);
	pprof_tables(&spare, &s->none[T_STACKS]);
	table_free(&spare);
	memory_dump_tables(s->none + T_DUMP);
	for (int i = 0; i < TABLES; i++)
		s->t[i] = &s->none[i];
}

static void tables_free(struct tables *s)
{
	for (int i = 0; i < TABLES; i++)
		table_free(&s->none[i]);
}

/* Whether a table is printed: text leaves out those of other kinds of input. */
static bool is_printed(const struct report_options *o, const struct tables *s, int i)
{
	if (o->table)
		return report_is_table(o, "memory_profile", i);
	return o->format != REPORT_TEXT || s->t[i]->nrows;
}

static int order_tables(const struct report_options *o, struct tables *s, int most, struct err *e)
{
	struct table *printed[TABLES];

	for (int i = 0; i < TABLES; i++)
		printed[i] = is_printed(o, s, i) || i == most ? s->t[i] : NULL;
	return report_order_tables(o, "memory_profile", printed, TABLES, (size_t)most, e);
}

static void put_tables(struct report *r, const struct report_options *o, const struct tables *s)
{
	report_facts(r, s->summary);
	for (int i = 0; i < TABLES; i++)
		if (is_printed(o, s, i))
			report_whole(r, report_table_name("memory_profile", i), s->t[i]);
}

static const struct file *first_dump(const struct dump *d, size_t *more)
{
	const struct file *first = NULL;

	*more = 0;
	for (size_t i = 0; i < d->nfiles; i++) {
		if (d->files[i].kind != FILE_XLA_DUMP)
			continue;
		*more += first != NULL;
		first = first ? first : &d->files[i];
	}
	return first;
}

static void say_more(struct report *r, const struct dump *d, const struct file *f, size_t more)
{
	report_dump_warnings(r, d);
	if (more)
		report_warning(r, "showing %s; open the %zu other files of its kind one by one", f->base,
		    more);
}

static int of_pprof(const struct dump *d, const struct report_options *o, FILE *out, const struct toolfile *t,
    size_t more, struct err *e)
{
	struct tables s;
	struct pprof p;
	struct report *r;
	int bad;

	tables_init(&s);
	bad = pprof_build(t, &p, e);
	s.t[T_DEVICES] = &p.devices;
	s.t[T_STACKS] = &p.stacks;
	s.summary = &p.summary;
	if (!bad && !(bad = order_tables(o, &s, T_STACKS, e))) {
		r = report_open(o, out, "memory_profile", d);
		say_more(r, d, &d->files[t->file], more);
		if (p.cut)
			report_warning(r, "too many stacks: column stack is incomplete");
		put_tables(r, o, &s);
		bad = report_end(r, e);
	}
	pprof_free(&p);
	tables_free(&s);
	return bad ? -1 : EXIT_OK;
}

static int of_text(const struct dump *d, const struct report_options *o, FILE *out, const struct file *f,
    size_t more, struct err *e)
{
	struct tables s;
	struct memory_dump m;
	struct report *r;
	size_t n;
	const uint8_t *bytes = f->content ? f->content(f->source, &n, e) : NULL;
	int bad;

	if (!bytes)
		return -1;
	tables_init(&s);
	bad = memory_dump_parse((const char *)bytes, n, &m, e);
	for (int i = 0; i < DUMP_TABLES; i++)
		s.t[T_DUMP + i] = &m.table[i];
	s.summary = &m.summary;
	if (!bad &&
	    !(bad = order_tables(o, &s,
		  m.table[DUMP_REPORT].nrows ? T_DUMP + DUMP_REPORT : T_DUMP + DUMP_ALLOCATIONS, e))) {
		r = report_open(o, out, "memory_profile", d);
		say_more(r, d, f, more);
		put_tables(r, o, &s);
		bad = report_end(r, e);
	}
	memory_dump_free(&m);
	tables_free(&s);
	return bad ? -1 : EXIT_OK;
}

static void warn(struct report *r, const struct dump *d, const struct memory_profile *p)
{
	report_dump_warnings(r, d);
	if (!p->ndevices)
		report_warning(r, "%s", memprof_missing(d));
	if (p->others)
		report_warning(r, "%zu more hosts have memory events; choose one with --host", p->others);
}

static int of_events(struct capture *c, const struct report_options *o, FILE *out, struct err *e)
{
	const struct memory_profile *p = capture_get(c, RESULT_MEMORY_PROFILE, NULL, e);
	const struct memory_besides *beside = p ? capture_get(c, RESULT_MEMORY_BESIDE, NULL, e) : NULL;
	struct table devices, active, timeline;
	struct tables s;
	struct report *r;
	int bad;

	if (!beside)
		return -1;
	tables_init(&s);
	for (size_t i = 0; i < p->ndevices; i++) {
		memprof_groups_table(p, i, s.t[T_GROUPS]);
		table_add(s.t[T_COMPILER], &(struct beside_row){ &p->device[i], &beside->v[i] });
	}
	table_begin_like(&devices, &p->devices);
	table_begin_like(&active, &p->active);
	table_begin_like(&timeline, &p->timeline);
	s.t[T_DEVICES] = &devices;
	s.t[T_ACTIVE] = &active;
	s.t[T_TIMELINE] = &timeline;
	s.summary = &p->summary;
	if (o->format == REPORT_TEXT) {
		memprof_label_steps(&active, &c->steps, p->host);
		memprof_label_steps(&timeline, &c->steps, p->host);
	}
	if (!(bad = order_tables(o, &s, T_ACTIVE, e))) {
		r = report_open(o, out, "memory_profile", c->base);
		warn(r, c->base, p);
		put_tables(r, o, &s);
		bad = report_end(r, e);
	}
	table_free(&devices);
	table_free(&active);
	table_free(&timeline);
	tables_free(&s);
	return bad ? -1 : EXIT_OK;
}

int report_memory_profile(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct dump *d = c->base;
	const struct toolfile *t;
	const struct file *text;
	size_t more;

	if (memprof_any(d))
		return of_events(c, o, f, e);
	if ((t = toolfile_find(d, FILE_PPROF, NULL, &more)))
		return of_pprof(d, o, f, t, more, e);
	if ((text = first_dump(d, &more)))
		return of_text(d, o, f, text, more, e);
	if (!d->trace.nplanes)
		return err_set(e, EXIT_NOTHING, ERR_NOWHERE,
		    "no memory profile in it: it needs a capture, a memory.prof, or a buffer assignment, "
		    "live "
		    "ranges or usage reports of XLA (--xla_dump_to)");
	return of_events(c, o, f, e);
}
