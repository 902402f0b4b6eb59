#include "config.h"
#include "report/reports.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/llo/llo.h"
#include "base/clamp.h"
#include "base/mem.h"
#include "base/text/words.h"
#include "capture/results.h"
#include "model/llo.h"
#include "report/choose.h"
#include "report/warnings.h"

/* What the options choose of the kernels. */
struct chosen {
	const struct report_options *o;
	const struct llo *l;
	size_t only; /* SIZE_MAX: all */
	struct table t[LLO_TABLES], bundles;
	struct table *printed[LLO_TABLES + 1];
};

static int find_kernel(struct chosen *c, struct err *e)
{
	struct choices names = { .n = 0 };

	c->only = SIZE_MAX;
	if (!c->o->kernel)
		return c->o->bundles ? err_set(e, EXIT_USAGE, ERR_NOWHERE, "--bundles needs --kernel NAME")
				     : 0;
	for (size_t i = 0; i < c->l->n; i++) {
		char *name = xstrndup(c->l->v[i].name.s, c->l->v[i].name.n);
		bool same = !strcmp(name, c->o->kernel);

		choices_add(&names, name);
		free(name);
		if (same) {
			c->only = i;
			return 0;
		}
	}
	return choices_refuse(&names, "kernel", c->o->kernel, e);
}

/* Text has the tables of a kernel when it is asked for. */
static bool is_wanted(const struct chosen *c, enum llo_table which)
{
	const struct report_options *o = c->o;

	if (o->table)
		return !strcmp(o->table, llo_table_name[which]);
	if (which == LLO_COMPARE)
		return o->against;
	return which <= LLO_ABOUT || o->format != REPORT_TEXT || o->kernel;
}

static bool wants_bundles(const struct chosen *c)
{
	return c->o->bundles && c->only != SIZE_MAX && (!c->o->table || !strcmp(c->o->table, "bundles"));
}

static int make_tables(struct chosen *c, struct err *e)
{
	bool all = c->o->all || (c->only != SIZE_MAX && c->l->v[c->only].kind == LLO_INFRASTRUCTURE);

	for (int i = 0; i < LLO_TABLES; i++)
		if (is_wanted(c, (enum llo_table)i)) {
			llo_table(c->l, (enum llo_table)i, c->only, all, &c->t[i]);
			c->printed[i] = &c->t[i];
		}
	if (wants_bundles(c)) {
		llo_bundles_table(&c->l->v[c->only], &c->bundles);
		c->printed[LLO_TABLES] = &c->bundles;
	}
	return report_order_tables(c->o, "llo", c->printed, LLO_TABLES + 1, 0, e);
}

static void warn_of(struct report *r, const struct llo_kernel *k)
{
	int n = (int)k->name.n;
	char failed[200] = "";

	for (size_t i = 0; i < k->nchecks; i++)
		if (!k->check[i].good)
			words_add(failed, sizeof failed, ", ", k->check[i].name);
	if (k->failed)
		report_warning(r,
		    "%.*s: checks that do not hold: %s; its files are cut, of several compiles or of a form "
		    "that is not known, and "
		    "numbers that rest on them are not known",
		    n, k->name.s, failed);
	if (k->b.open)
		report_warning(r, "%.*s: its last bundle does not end: the file is cut off", n, k->name.s);
	if (!k->aligned)
		report_warning(r,
		    "%.*s: cycles, stalls and time are not known without packed-bundles-post-ra and "
		    "pre-delay of the same compile; "
		    "--xla_jf_dump_llo_text=true writes them",
		    n, k->name.s);
	if (!k->trips_known)
		report_warning(r,
		    "%.*s: a loop whose trips are not known counts once: cycles are at least these", n,
		    k->name.s);
	if (k->saturated)
		report_warning(r, "%.*s: cycles are more than 64 bits can count", n, k->name.s);
}

static void put_head(struct report *r, const struct dump *d, const struct llo *l)
{
	const struct chip_core *chip = l->kernels ? l->v[0].chip : NULL;
	int64_t cycles = 0;
	double us = 0;
	bool known = l->kernels > 0, lines = false;

	report_dump_warnings(r, d);
	for (size_t i = 0; i < l->kernels; i++) {
		const struct llo_kernel *k = &l->v[i];

		warn_of(r, k);
		known &= k->cycles >= 0;
		cycles = add_clamped(cycles, k->cycles >= 0 ? k->cycles : 0);
		us += k->time_us;
		chip = k->chip == chip ? chip : NULL;
		for (size_t j = 0; j < k->nlines && !lines; j++)
			lines = k->line[j].source;
	}
	if (!llo_any(d))
		report_warning(r,
		    "no LLO dump; compile with LIBTPU_INIT_ARGS=\"--xla_jf_dump_to=DIR "
		    "--xla_jf_dump_llo_text=true "
		    "--xla_mosaic_enable_llo_source_annotations=true\" and name DIR");
	else if (!l->kernels)
		report_warning(r,
		    "no kernel in these files: with --all, what the program needs around kernels is listed, "
		    "too");
	report_sum_int(r, "kernels", (int64_t)l->kernels);
	report_sum_int(r, "modules", (int64_t)l->nmodules);
	report_sum_str(r, "chip", chip ? chip->name : NULL);
	if (known)
		report_sum_int(r, "cycles", cycles);
	report_sum_num(r, "schedule_us", known ? us : NAN);
	report_sum_int(r, "files", (int64_t)l->files);
	report_sum_int(r, "files_passed_over", (int64_t)d->llo_passed_over);
	report_sum_bool(r, "source_lines", lines);
}

static bool any_failed(const struct llo *l)
{
	for (size_t i = 0; i < l->kernels; i++)
		if (l->v[i].failed)
			return true;
	return false;
}

static int put_report(struct capture *c, struct chosen *x, FILE *f, struct err *e)
{
	struct report *r = report_open(x->o, f, "llo", c->base);

	put_head(r, c->base, x->l);
	for (int i = 0; i < LLO_TABLES; i++)
		if (x->printed[i] && (x->t[i].nrows || x->o->table || x->o->format != REPORT_TEXT))
			report_whole(r, llo_table_name[i], &x->t[i]);
	if (x->printed[LLO_TABLES])
		report_whole(r, "bundles", &x->bundles);
	return report_end(r, e);
}

int report_llo(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	struct chosen x = { .o = o };
	const struct llo *l = capture_get(c, RESULT_LLO, NULL, e);
	struct chip_core core;
	struct llo shown;
	int bad;

	if (!l)
		return -1;
	if (o->chip && !chip_core_find(o->chip, &core))
		return err_set(e, EXIT_USAGE, ERR_NOWHERE, "no chip %.40s; chips: v4, v5e, v5p, v6e, tpu7x",
		    o->chip);
	shown = *l;
	shown.against = o->against;
	x.l = &shown;
	bad = find_kernel(&x, e) || make_tables(&x, e) || put_report(c, &x, f, e);
	for (int i = 0; i < LLO_TABLES; i++)
		table_free(&x.t[i]);
	table_free(&x.bundles);
	return bad ? -1 : any_failed(l) ? EXIT_DAMAGED : EXIT_OK;
}
