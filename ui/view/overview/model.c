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
#include "view/frames.h"
#include "widget/text.h"

enum { WARNING_LINES = 6 };

/* The parts of a step: kinds of the cores' time, or, without cores, columns of the table of steps. */
static const struct overview_part tpu_layers[] = {
	{ KIND_MATMUL, { NULL } },
	{ KIND_COMPUTE, { NULL } },
	{ KIND_ANY_COMPUTE, { NULL } },
	{ KIND_COLLECTIVE, { NULL } },
	{ KIND_COPY, { NULL } },
	{ KIND_IO, { NULL } },
	{ KIND_HOST_WAIT, { NULL } },
	{ KIND_IDLE, { NULL } },
}, file_layers[] = {
	{ KIND_ANY_COMPUTE, { "tcComputeTimeMs" } },
	{ KIND_SPARSECORE, { "scv0ComputeTimeMs", "scv0InfeedTimeMs" } },
	{ KIND_IO, { "tcInfeedTimeMs", "tcOutfeedTimeMs", "hostTransferTimeMs" } },
	{ KIND_IDLE, { "tcIdleTimeMs" } },
};

static const struct overview_part *layers_of(const struct overview *o, size_t *n)
{
	if (o->tpu && o->file) {
		*n = sizeof file_layers / sizeof *file_layers;
		return file_layers;
	}
	*n = o->tpu ? sizeof tpu_layers / sizeof *tpu_layers : OVERVIEW_PARTS;
	return o->tpu ? tpu_layers : overview_parts;
}

/* --- steps --- */

/* Layers of cores are kinds in their order. */
static void add_core(const struct step_core *v, struct ov_step *s, double *infeed)
{
	for (int k = 0; k < KIND_OPS; k++)
		s->layer[k] += (double)v->kind[k] / 1e9;
	s->layer[KIND_IDLE] += (double)v->ps[METRIC_IDLE] / 1e9;
	s->mean += (double)v->total / 1e9;
	s->longest = fmax(s->longest, (double)v->total / 1e9);
	*infeed += (double)v->ps[METRIC_INFEED] / 1e9;
}

/* Returns the infeed that was measured, in ms. */
static double step_from_cores(const struct step_cores *c, size_t at, int one, struct ov_step *s)
{
	double n = 0, infeed = 0;

	for (size_t k = 0; k < c->ncores; k++)
		if (step_core_at(c, k, at)->total >= 0 && (one < 0 || c->core[k].core == one)) {
			add_core(step_core_at(c, k, at), s, &infeed);
			n++;
		}
	for (size_t k = 0; k < OV_LAYERS && n > 0; k++)
		s->layer[k] /= n;
	s->mean = n > 0 ? s->mean / n : 0;
	s->name = c->step[at].name;
	s->name_len = c->step[at].name_len;
	return n > 0 ? infeed / n : 0;
}

/* Where no op waits for input, part of the idle time counts as input wait, as in the table of steps. */
static void take_wait(const struct table *t, size_t row, double infeed, struct ov_step *s)
{
	double wait = table_number(t, row, "infeedPercentAverage") / 100 * s->mean;

	if (!(infeed > 0) && wait > 0) {
		wait = fmin(wait, s->layer[KIND_IDLE]);
		s->layer[KIND_HOST_WAIT] += wait;
		s->layer[KIND_IDLE] -= wait;
	}
}

static void step_from_row(const struct overview *o, size_t row, struct ov_step *s)
{
	const struct table *t = &o->steps;
	double input = table_number(t, row, o->tpu ? "tcInfeedTimeMs" : "infeedTimeMs");
	size_t n;
	const struct overview_part *layer = layers_of(o, &n);

	for (size_t k = 0; k < n; k++)
		for (int i = 0; i < 3 && layer[k].column[i]; i++)
			s->layer[k] += fmax(0, table_number(t, row, layer[k].column[i]));
	s->longest = s->mean = table_number(t, row, "stepTimeMs");
	s->wait_min = s->wait_max = s->mean > 0 ? input / s->mean : NAN;
}

/* Uses the rows of the table; if there are none, the runs of a program that were counted as steps. */
static void make_steps(struct overview_view *v, const struct overview *o)
{
	const struct table *t = &o->steps;
	bool hidden = !isnan(overview_hidden_input(o)), of_rows = !o->tpu || o->file;

	v->nsteps = t->nrows || of_rows ? t->nrows : o->cores.nsteps;
	v->step = xcalloc(v->nsteps + 1, sizeof *v->step);
	v->number = xcalloc(v->nsteps + 1, sizeof *v->number);
	for (size_t i = 0; i < v->nsteps; i++) {
		size_t at = i < o->nsteps ? o->step[i].step : i;
		struct ov_step *s = &v->step[i];
		double infeed;

		s->number = overview_step_label(o, t, i, v->number[i]);
		if (of_rows) {
			step_from_row(o, i, s);
			continue;
		}
		s->wait_min = s->wait_max = NAN;
		infeed = step_from_cores(&o->cores, at, v->one, s);
		if (i < t->nrows && v->one < 0)
			take_wait(t, i, infeed, s);
		if (i < t->nrows && v->one < 0 && !hidden) {
			s->wait_min = table_number(t, i, "infeedPercentMin") / 100;
			s->wait_max = table_number(t, i, "infeedPercentMax") / 100;
		}
	}
	v->mean = 0;
	for (size_t i = 0; i < v->nsteps; i++)
		v->mean += v->step[i].longest / (double)v->nsteps;
}

/* Layers without any time are left out of the legend. */
static void make_layers(struct overview_view *v, const struct overview *o)
{
	size_t n, kept = 0;
	const struct overview_part *layer = layers_of(o, &n);

	for (size_t k = 0; k < n; k++) {
		double sum = 0;

		for (size_t i = 0; i < v->nsteps; i++)
			sum += v->step[i].layer[k];
		if (!(sum > 0))
			continue;
		for (size_t i = 0; i < v->nsteps; i++)
			v->step[i].layer[kept] = v->step[i].layer[k];
		v->kind[kept] = layer[k].kind;
		v->layer[kept++] = kind_part(layer[k].kind, false, 0);
	}
	v->nlayers = kept;
}

size_t overview_view_slowest(const struct overview_view *v)
{
	size_t slowest = 0;

	for (size_t i = 1; i < v->nsteps; i++)
		if (v->step[i].longest > v->step[slowest].longest)
			slowest = i;
	return slowest;
}

/* --- gauges --- */

/* The color of a share where a high value is bad. */
static enum role waste_role(double v)
{
	return isnan(v) ? ROLE_DIM : v >= .2 ? ROLE_BAD : v >= .05 ? ROLE_WARN : ROLE_GOOD;
}

static void make_gauges(struct overview_view *v, const struct overview *o)
{
	static const struct ov_gauge table[OV_GAUGE_COUNT] = {
		{ .title = "Step time", .id = "steptime_ms_average", .view = "timeline" },
		{ .title = "Input wait", .id = "infeed_percent_average", .view = "input" },
		{ .title = "Duty cycle", .id = "device_duty_cycle_percent", .view = "timeline" },
		{ .title = "MFU", .id = "mfu_percent", .view = "ops" },
		{ .title = "HBM bandwidth", .id = "hbm_bandwidth_utilization_percent", .view = "roofline" },
		{ .title = "Device idle", .id = "device_idle_time_percent", .view = "timeline" },
	};
	/* gauges of a profiler's result that lacks the usual numbers; it wrote 0 for what it did not
	 * measure */
	static const struct ov_gauge of_file[OV_GAUGE_COUNT] = {
		[3] = { .title = "MXU busy", .id = "mxu_utilization_percent", .view = "ops" },
		[4] = { .title = "HBM bandwidth",
		    .id = "memory_bw_utilization_relative_to_hw_limit",
		    .view = "ops" },
	};

	for (int i = 0; i < OV_GAUGE_COUNT; i++) {
		struct ov_gauge *g = &v->gauge[i];

		*g = o->file && of_file[i].id && facts_number(&o->summary, of_file[i].id) > 0 ? of_file[i]
											      : table[i];
		g->value = facts_number(&o->summary, g->id);
		if (i > 0)
			g->value /= 100;
		g->role = i == 1 || i == 5 ? waste_role(g->value) : bar_use_role(g->value);
	}
	if (!isnan(overview_hidden_input(o))) {
		v->gauge[1].value = NAN;
	} else if (!o->tpu && v->nsteps) {
		v->gauge[1].id = "infeed_time_ms_avg";
		v->gauge[1].value = facts_number(&o->summary, "infeed_time_ms_avg") / v->gauge[0].value;
		v->gauge[1].role = waste_role(v->gauge[1].value);
	}
}

/* --- cores, hosts, environment --- */

static void make_cores(struct overview_view *v, const struct app *app, const struct overview *o)
{
	const struct step_cores *s = &o->cores;
	const struct dump *d = app->cap->dump;
	bool one = d->nhosts < 2;
	bool hidden = !isnan(overview_hidden_input(o));

	v->ncores = s->ncores;
	v->core = xcalloc(s->ncores + 1, sizeof *v->core);
	for (size_t k = 0; k < s->ncores; k++) {
		struct ov_core *c = &v->core[k];
		double n = 0;

		c->host = s->core[k].host;
		c->core = s->core[k].core;
		snprintf(c->name, sizeof c->name, one ? "%.*score %d" : "%.*s:%d",
		    c->host < 0 || one ? 0 : (int)dump_host_short(d, c->host).n,
		    dump_host_short(d, c->host).s, c->core);
		for (size_t i = 0; i < s->nsteps; i++) {
			const struct step_core *x = step_core_at(s, k, i);

			if (x->total < 0)
				continue;
			c->step += (double)x->total / 1e9;
			c->busy += (double)(x->total - x->ps[METRIC_IDLE] - x->ps[METRIC_INFEED] -
				       x->ps[METRIC_COLLECTIVES]) /
			    1e9;
			c->wait += (double)x->ps[METRIC_INFEED] / 1e9;
			c->collectives += (double)x->ps[METRIC_COLLECTIVES] / 1e9;
			n++;
		}
		c->step = n > 0 ? c->step / n : NAN;
		c->busy = n > 0 ? c->busy / n : NAN;
		c->wait = n > 0 && !hidden ? c->wait / n : NAN;
		c->collectives = n > 0 ? c->collectives / n : NAN;
	}
}

static int host_of(const struct dump *d, const char *name, size_t len)
{
	for (size_t h = 0; h < d->nhosts; h++)
		if (strtab_len(&d->str, d->hosts[h].name) == len &&
		    !memcmp(strtab_str(&d->str, d->hosts[h].name), name, len))
			return (int)h;
	return -1;
}

static void make_hosts(struct overview_view *v, const struct app *app, const struct overview *o)
{
	const struct table *t = &o->hosts;
	bool hidden = !isnan(overview_hidden_input(o));

	v->hosts = true;
	v->ncores = t->nrows;
	v->core = xcalloc(t->nrows + 1, sizeof *v->core);
	for (size_t i = 0; i < t->nrows; i++) {
		struct ov_core *c = &v->core[i];
		size_t len;
		const char *name = table_string(t, i, "host", &len);
		struct slice shown;

		c->host = host_of(app->cap->dump, name, len);
		shown = c->host >= 0 ? dump_host_short(app->cap->dump, c->host) : (struct slice){ name, len };
		snprintf(c->name, sizeof c->name, "%.*s", (int)(shown.n < 64 ? shown.n : 63), shown.s);
		c->core = -1;
		c->step = table_number(t, i, "steptime_ms_average");
		c->wait = hidden ? NAN : table_number(t, i, "infeed_percent_average") / 100;
		c->busy = table_number(t, i, "device_idle_time_percent") / 100;
		c->collectives = NAN;
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

/* "94.1 %", of a fact that is a percentage */
static const char *percent_of(const struct overview *o, const char *id, char *buf, size_t size)
{
	text_percent(buf, size, facts_number(&o->summary, id) / 100);
	return buf;
}

static const char *count_of(const struct overview *o, const char *id, char *buf, size_t size)
{
	double n = facts_number(&o->summary, id);

	snprintf(buf, size, isnan(n) ? "–" : "%.0f", n);
	return buf;
}

/* Times since 1970 come last, because they matter least. */
static void add_environment(struct overview_view *v, const struct overview *o, size_t most, bool times)
{
	size_t len, vlen;

	for (size_t i = 0; i < o->environment.nrows; i++) {
		const char *name = table_string(&o->environment, i, "name", &len),
			   *value = table_string(&o->environment, i, "value", &vlen);
		char label[40], date[32];

		if (slice_begins((struct slice){ name, len }, "profile_") != times)
			continue;
		snprintf(label, sizeof label, "%.*s", (int)(len < 39 ? len : 39), name);
		if (times && environment_date((struct slice){ value, vlen }, date, sizeof date)) {
			add_fact(v, most, strstr(label, "start") ? "start (UTC)" : "end (UTC)", "%s", date);
			continue;
		}
		for (char *s = label; *s; s++)
			*s = *s == '_' ? ' ' : *s;
		if (!strncmp(label, "hbm ", 4))
			memcpy(label, "HBM", 3);
		add_fact(v, most, label, "%.*s", (int)(vlen < 119 ? vlen : 119), value);
	}
}

/* Splits a text into lines, because the card is narrow. */
static void text_lines(struct overview_view *v, size_t most, const char *sign, const char *text, size_t len)
{
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

static void make_facts(struct overview_view *v, const struct overview *o)
{
	size_t advice = o->file ? o->recommendations.nrows : 0, len,
	       most = 16 + o->environment.nrows + WARNING_LINES * (o->warnings.nrows + advice);
	char a[24], b[24];

	v->fact = xcalloc(most, sizeof *v->fact);
	add_fact(v, most, "hosts", "%s   cores %s", count_of(o, "host_count", a, sizeof a),
	    count_of(o, "device_core_count", b, sizeof b));
	if (*facts_text(&o->summary, "device_type"))
		add_fact(v, most, "device", "%s", facts_text(&o->summary, "device_type"));
	if (!o->file) {
		add_fact(v, most, "roofline eff.", "%s",
		    percent_of(o, "roofline_efficiency_percent", a, sizeof a));
		add_fact(v, most, "ops device/host", "%s / %s",
		    percent_of(o, "device_tf_op_percent", a, sizeof a),
		    percent_of(o, "host_tf_op_percent", b, sizeof b));
	}
	add_environment(v, o, most, false);
	add_environment(v, o, most, true);
	for (size_t i = 0; i < o->warnings.nrows; i++) {
		const char *text = table_string(&o->warnings, i, "text", &len);

		text_lines(v, most, "!", text, len);
	}
	for (size_t i = 0; i < advice; i++) {
		const char *text = table_string(&o->recommendations, i, "title", &len);

		text_lines(v, most, "*", text, len);
	}
}

/* --- all --- */

void overview_view_model_free(struct overview_view *v)
{
	free(v->step);
	free(v->number);
	free(v->core);
	free(v->fact);
	v->step = NULL;
	v->number = NULL;
	v->core = NULL;
	v->fact = NULL;
	v->nsteps = v->ncores = v->nfacts = v->nlayers = 0;
	v->hosts = false;
	v->o = NULL;
}

void overview_view_model(struct overview_view *v, const struct app *app, const struct overview *o)
{
	size_t here;

	overview_view_model_free(v);
	v->o = o;
	v->no_ops = op_lack(app->cap->dump);
	v->one = app->cap->scope.op_core;
	make_steps(v, o);
	make_layers(v, o);
	make_gauges(v, o);
	if (o->hosts.nrows > 1)
		make_hosts(v, app, o);
	else
		make_cores(v, app, o);
	make_facts(v, o);
	v->list[OV_GAUGES].n = OV_GAUGE_COUNT;
	v->list[OV_STEPS].n = v->nsteps ? 1 : 0;
	v->list[OV_OPS].n = o->top_ops.nrows;
	v->list[OV_CORES].n = v->ncores;
	v->list[OV_ENVIRONMENT].n = v->nfacts;
	if ((here = overview_step_named(o, &o->steps, v->wanted)) < v->nsteps)
		v->here = here;
	if (!*v->wanted || v->here >= v->nsteps)
		v->here = overview_view_slowest(v);
}

const char *overview_view_severity(const struct overview_view *v, size_t i)
{
	static const char *const sign[] = { "!!", "!", "·" };

	return sign[v->findings->v[i].severity];
}

void overview_view_line(const struct overview_view *v, enum ov_part part, size_t i, char *buf, size_t size)
{
	const char *text;
	char n[24];
	size_t len;

	switch (part) {
	case OV_GAUGES:
		if (i)
			text_percent(n, sizeof n, v->gauge[i].value);
		else
			text_ms(n, sizeof n, v->gauge[i].value);
		snprintf(buf, size, "%s %s", v->gauge[i].title, n);
		break;
	case OV_STEPS:
		text_ms(n, sizeof n, v->step[v->here].longest);
		snprintf(buf, size, "step %s %s", v->step[v->here].number, n);
		break;
	case OV_OPS:
		text = table_string(&v->o->top_ops, i, "operation", &len);
		text_percent(n, sizeof n, table_number(&v->o->top_ops, i, "selfTimePercent"));
		snprintf(buf, size, "%.*s %s", (int)(len < size ? len : size), text, n);
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
