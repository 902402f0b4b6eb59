#include "config.h"
#include "view/overview/overview.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyze/overview/environment.h"
#include "analyze/ops/opdb.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "core/app.h"
#include "result/advice.h"
#include "result/rules.h"
#include "view/frames.h"
#include "widget/text.h"

enum { WARNING_LINES = 6 };

/* Kinds without any time are left out of the legend. */
static void make_layers(struct overview_view *v)
{
	for (size_t k = 0; k < v->account->nkinds; k++)
		v->layer[k] = kind_part(v->account->kind[k], false, 0);
}

/* --- gauges --- */

/* The color of a share where a high value is bad, by the rule that would find it. */
static enum role waste_role(const char *rule, double v)
{
	int level = rule_level(rule_named(rule), 100 * v);

	return isnan(v) ? ROLE_DIM : !level ? ROLE_BAD : level < RULE_LEVELS ? ROLE_WARN : ROLE_GOOD;
}

static void make_gauges(struct overview_view *v, const struct overview *o)
{
	static const struct ov_gauge table[OV_GAUGE_COUNT] = {
		{ .title = "Step time", .number = OVERVIEW_STEP_MS, .view = "timeline" },
		{ .title = "Input wait", .number = OVERVIEW_INPUT, .view = "input" },
		{ .title = "Duty cycle", .number = OVERVIEW_DUTY, .view = "timeline" },
		{ .title = "MFU", .number = OVERVIEW_MFU, .view = "ops" },
		{ .title = "HBM bandwidth", .number = OVERVIEW_HBM, .view = "roofline" },
		{ .title = "Device idle", .number = OVERVIEW_IDLE, .view = "timeline" },
	};
	/* gauges of a profiler's result that lacks the usual numbers; it wrote 0 for what it did not
	 * measure */
	static const struct ov_gauge of_file[OV_GAUGE_COUNT] = {
		[3] = { .title = "MXU busy", .number = OVERVIEW_MXU, .view = "ops" },
		[4] = { .title = "HBM bandwidth", .number = OVERVIEW_MEMORY, .view = "ops" },
	};

	for (int i = 0; i < OV_GAUGE_COUNT; i++) {
		struct ov_gauge *g = &v->gauge[i];

		*g = o->file && of_file[i].title && o->number[of_file[i].number] > 0 ? of_file[i] : table[i];
		g->value = o->number[g->number];
		if (i > 0)
			g->value /= 100;
		g->role = i == 1 ? waste_role("input_bound", g->value)
		    : i == 5     ? waste_role("host_overhead", g->value)
				 : bar_use_role(g->value);
	}
	if (!isnan(overview_hidden_input(o))) {
		v->gauge[1].value = NAN;
	} else if (!o->tpu && v->account->nsteps) {
		v->gauge[1].number = OVERVIEW_INPUT_MS;
		v->gauge[1].value = o->number[OVERVIEW_INPUT_MS] / o->number[OVERVIEW_STEP_MS];
		v->gauge[1].role = waste_role("input_bound", v->gauge[1].value);
	}
}

/* --- cores, hosts, environment --- */

static void make_cores(struct overview_view *v, const struct app *app)
{
	const struct dump *d = app->cap->dump;
	bool one = d->nhosts < 2;
	/* runs of several programs have no mean that says anything: their sum does */
	double times = v->account->several ? (double)v->account->nsteps : 1;

	v->ncores = v->account->ncores;
	v->core = xcalloc(v->ncores + 1, sizeof *v->core);
	for (size_t k = 0; k < v->ncores; k++) {
		const struct account_core *a = &v->account->core[k];
		struct ov_core *c = &v->core[k];

		*c = (struct ov_core){ .host = a->host,
			.core = a->core,
			.step = a->core_time,
			.busy = times * a->busy,
			.wait = times * (a->infeed + a->host_wait),
			.collectives = times * a->collective };
		snprintf(c->name, sizeof c->name, one ? "%.*score %d" : "%.*s:%d",
		    c->host < 0 || one ? 0 : (int)dump_host_short(d, c->host).n,
		    dump_host_short(d, c->host).s, c->core);
	}
}

static void make_hosts(struct overview_view *v, const struct app *app, const struct overview *o)
{
	bool hidden = !isnan(overview_hidden_input(o));

	v->hosts = true;
	v->ncores = o->nhosts;
	v->core = xcalloc(o->nhosts + 1, sizeof *v->core);
	for (size_t i = 0; i < o->nhosts; i++) {
		const struct overview_host *h = &o->host[i];
		struct slice shown = dump_host_short(app->cap->dump, h->host);

		v->core[i] = (struct ov_core){ .host = h->host,
			.core = -1,
			.step = h->steps.steps ? h->steps.avg_ms : NAN,
			.wait = h->steps.steps && h->tpu && !hidden ? h->steps.infeed_avg / 100 : NAN,
			.busy = h->idle / 100,
			.collectives = NAN };
		snprintf(v->core[i].name, sizeof v->core[i].name, "%.*s", (int)(shown.n < 64 ? shown.n : 63),
		    shown.s);
	}
}

static void __attribute__((format(printf, 4, 5)))
add_fact(struct overview_view *v, size_t most, const char *label, const char *fmt, ...)
{
	struct ov_fact *f;
	va_list ap;

	if (v->nfacts == most)
		return;
	f = &v->fact[v->nfacts++];
	snprintf(f->label, sizeof f->label, "%s", label);
	va_start(ap, fmt);
	vsnprintf(f->value, sizeof f->value, fmt, ap);
	va_end(ap);
}

static const char *count_text(double n, char *buf, size_t size)
{
	snprintf(buf, size, isnan(n) ? "–" : "%.0f", n);
	return buf;
}

/* Times since 1970 come last, because they matter least. */
static void add_environment(struct overview_view *v, const struct overview *o, size_t most, bool times)
{
	for (size_t i = 0; i < o->environment.nrows; i++) {
		struct slice name = cell_text(table_at(&o->environment, i, ENVIRONMENT_name)),
			     value = cell_text(table_at(&o->environment, i, ENVIRONMENT_value));
		char label[40], date[32];

		if (slice_begins(name, "profile_") != times)
			continue;
		snprintf(label, sizeof label, "%.*s", (int)(name.n < 39 ? name.n : 39), name.s ? name.s : "");
		if (times && environment_date(value, date, sizeof date)) {
			add_fact(v, most, strstr(label, "start") ? "start (UTC)" : "end (UTC)", "%s", date);
			continue;
		}
		for (char *s = label; *s; s++)
			*s = *s == '_' ? ' ' : *s;
		if (!strncmp(label, "hbm ", 4))
			memcpy(label, "HBM", 3);
		add_fact(v, most, label, "%.*s", (int)(value.n < 119 ? value.n : 119),
		    value.s ? value.s : "");
	}
}

/* Splits a text into lines, because the card is narrow. */
static void text_lines(struct overview_view *v, size_t most, const char *sign, const struct cell *cell)
{
	struct slice s = cell_text(cell);
	const char *text = s.s;
	size_t len = s.n;

	for (int line = 0; len && line < WARNING_LINES; line++) {
		size_t n = utf8_fit(text, len, frame_forms[FORM_OVERVIEW].beside.card - 4), cut = n;

		while (cut && n < len && text[cut] != ' ')
			cut--;
		n = cut ? cut : n;
		add_fact(v, most, line ? "" : sign, "%.*s", (int)n, text);
		v->fact[v->nfacts - 1].warning = true;
		n += n < len && text[n] == ' ';
		text += n;
		len -= n;
	}
}

/* Do the shapes of the program say it? */
static bool has_batch(const struct overview *o)
{
	for (size_t i = 0; i < o->environment.nrows; i++)
		if (slice_begins(cell_text(table_at(&o->environment, i, ENVIRONMENT_name)), "batch_size"))
			return true;
	return false;
}

static void make_facts(struct overview_view *v, const struct overview *o)
{
	const char *device = facts_text(&o->summary, "device_type");
	size_t advice = o->file ? o->recommendations.nrows : 0,
	       most = 16 + o->environment.nrows + WARNING_LINES * (o->warnings.nrows + advice);
	const struct cell *known = facts_get(&o->summary, "host_idle_known");
	char a[24], b[24], c[24];

	v->fact = xcalloc(most, sizeof *v->fact);
	add_fact(v, most, "hosts", "%s   cores %s", count_text(o->number[OVERVIEW_HOSTS], a, sizeof a),
	    count_text(o->number[OVERVIEW_CORES], b, sizeof b));
	if (*device)
		add_fact(v, most, "device", "%s", device);
	if (!o->file) {
		text_percent(a, sizeof a, o->number[OVERVIEW_ROOFLINE] / 100);
		add_fact(v, most, "of the roofline", "%s", a);
		text_percent(a, sizeof a, o->number[OVERVIEW_DEVICE_OPS] / 100);
		text_percent(c, sizeof c,
		    known && known->type == CELL_BOOL && known->u.b
			? facts_number(&o->summary, "host_idle_time_percent") / 100
			: NAN);
		add_fact(v, most, "host idle", "%s", c);
		text_percent(c, sizeof c, facts_number(&o->summary, "flops_utilization_percent") / 100);
		add_fact(v, most, "FLOPS utilization", "%s", c);
		add_fact(v, most, "framework ops", "%s on device", a);
	}
	if (!o->file && !has_batch(o))
		add_fact(v, most, "batch size", "–");
	add_environment(v, o, most, false);
	add_environment(v, o, most, true);
	for (size_t i = 0; i < o->warnings.nrows; i++)
		text_lines(v, most, "!", table_at(&o->warnings, i, 0));
	for (size_t i = 0; i < advice; i++)
		text_lines(v, most, "*", table_at(&o->recommendations, i, ADVICE_title));
}

/* --- all --- */

void overview_view_model_free(struct overview_view *v)
{
	free(v->core);
	free(v->fact);
	v->core = NULL;
	v->fact = NULL;
	v->ncores = v->nfacts = 0;
	v->hosts = false;
	v->o = NULL;
	v->account = &account_none;
}

void overview_view_model(struct overview_view *v, const struct app *app, const struct overview *o,
    const struct account *a)
{
	size_t here;

	overview_view_model_free(v);
	v->o = o;
	v->account = a;
	v->no_ops = op_lack(app->cap->dump);
	v->one = app->cap->scope.op_core;
	make_layers(v);
	make_gauges(v, o);
	if (o->nhosts > 1)
		make_hosts(v, app, o);
	else
		make_cores(v, app);
	make_facts(v, o);
	v->list[OV_GAUGES].n = OV_GAUGE_COUNT;
	v->list[OV_STEPS].n = a->nsteps ? 1 : 0;
	v->list[OV_OPS].n = o->ntop;
	v->list[OV_CORES].n = v->ncores;
	v->list[OV_ENVIRONMENT].n = v->nfacts;
	if ((here = overview_step_named(o, &o->steps, v->wanted)) < a->nsteps)
		v->here = here;
	if (!*v->wanted || v->here >= a->nsteps)
		v->here = account_slowest(a);
}

const char *overview_view_severity(const struct overview_view *v, size_t i)
{
	static const char *const sign[] = { "!!", "!", "·" };

	return sign[v->findings->v[i].severity];
}

void overview_view_line(const struct overview_view *v, enum ov_part part, size_t i, char *buf, size_t size)
{
	struct slice name;
	char n[24];

	switch (part) {
	case OV_GAUGES:
		if (i)
			text_percent(n, sizeof n, v->gauge[i].value);
		else
			text_ms(n, sizeof n, v->gauge[i].value);
		snprintf(buf, size, "%s %s", v->gauge[i].title, n);
		break;
	case OV_STEPS:
		text_ms(n, sizeof n, v->account->step_of[v->here].step);
		snprintf(buf, size, "step %s %s", v->account->step_of[v->here].number, n);
		break;
	case OV_OPS:
		name = v->o->top[i].name;
		text_percent(n, sizeof n, v->o->top[i].share);
		snprintf(buf, size, "%.*s %s", (int)(name.n < size ? name.n : size), name.n ? name.s : "", n);
		break;
	case OV_FINDINGS:
		snprintf(buf, size, "%s %s", overview_view_severity(v, i), v->findings->v[i].title);
		break;
	case OV_CORES:
		text_ms(n, sizeof n, v->core[i].step);
		snprintf(buf, size, "%s %s", v->core[i].name, n);
		break;
	default:
		snprintf(buf, size, "%s %s", v->fact[i].label, v->fact[i].value);
		break;
	}
}
