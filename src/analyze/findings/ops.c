#include "config.h"
#include "analyze/findings/internal.h"

#include <math.h>
#include <string.h>

#include "analyze/hlo/shape.h"
#include "analyze/ops/roofline.h"
#include "analyze/tables/ops.h"
#include "base/text/units.h"

#define TOP 3 /* number of ops that a finding names */

enum op_kind { OP_OTHER, OP_MATMUL, OP_ELEMENTWISE, OP_FORMATTING, OP_COPY_WAIT, OP_CONTAINER, OP_MOVES };

static enum op_kind kind_of(const struct op *o)
{
	static const struct {
		const char *category;
		enum op_kind kind;
	} exact[] = {
		{ "output fusion", OP_MATMUL },
		{ "dot", OP_MATMUL },
		{ "loop fusion", OP_ELEMENTWISE },
		{ "input fusion", OP_ELEMENTWISE },
		{ "non-fusion elementwise", OP_ELEMENTWISE },
		{ "broadcast", OP_ELEMENTWISE },
		{ "data formatting", OP_FORMATTING },
		{ "transpose", OP_FORMATTING },
		{ "reshape", OP_FORMATTING },
		{ "copy", OP_FORMATTING },
		{ "copy-start", OP_COPY_WAIT },
		{ "copy-done", OP_COPY_WAIT },
		{ "while", OP_CONTAINER },
		{ "call", OP_CONTAINER },
		{ "conditional", OP_CONTAINER },
		{ "megacore fusion", OP_CONTAINER },
		{ "async-start", OP_MOVES },
		{ "async-update", OP_MOVES },
		{ "async-done", OP_MOVES },
	};

	if (slice_begins(o->category, "convolution"))
		return OP_MATMUL;
	for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
		if (slice_is(o->category, exact[i].category))
			return exact[i].kind;
	if (roof_is_transfer(o) || step_metric_of(o->category.s, o->category.n) == METRIC_COLLECTIVES)
		return OP_MOVES;
	return OP_OTHER;
}

/* Is the result in the memory of the host, according to its XLA layout? */
static bool is_on_host(const struct op *o)
{
	return memmem(o->expression.s, o->expression.n, "S(5)", 4) ||
	    memmem(o->shape.s, o->shape.n, "S(5)", 4);
}

struct use {
	double flops, hbm;
}; /* shares of the peaks; NaN: not known */

static struct use use_of(const struct opdb *db, const struct op *o)
{
	const struct opsum *s = &o->sum;
	double time = (double)s->time;

	if (!(time > 0) || !(db->peaks.tflops > 0) || !(db->peaks.bw[PEAK_HBM] > 0))
		return (struct use){ NAN, NAN };
	return (struct use){ s->flops / time / db->peaks.tflops,
		s->no_spaces ? 0 : opsum_hbm_only(s) / time * 1e3 / db->peaks.bw[PEAK_HBM] };
}

/* Totals of the ops that a rule selects.  Rows of the database are sorted by time, so the first ones are the
 * longest. */
struct taken {
	double self, cost, flops, hbm;
	size_t n;
	const struct op *top[TOP];
};

static void take_op(struct rule_work *w, struct taken *t, const struct op *o, struct use u, double cost)
{
	double self = (double)o->sum.self;

	t->self += self;
	t->cost += self * cost;
	t->flops += isnan(u.flops) ? 0 : self * u.flops;
	t->hbm += isnan(u.hbm) ? 0 : self * u.hbm;
	if (t->n < TOP)
		t->top[t->n] = o;
	t->n++;
	rule_counts_op(w, o);
}

static int name_of(const struct rule_work *w, const struct op *o, const char **s)
{
	struct slice name = op_short_name(w->in->dump, o);

	*s = name.s;
	return (int)name.n;
}

static void say_top(struct rule_work *w, struct finding *f, const struct taken *t)
{
	const char *s;
	int n;

	for (size_t i = 0; i < t->n && i < TOP; i++) {
		struct use u = use_of(w->in->ops, t->top[i]);
		double share = 100 * rule_op_share(w, (double)t->top[i]->sum.self);

		n = name_of(w, t->top[i], &s);
		if (isnan(u.flops))
			rule_detail(w, f, rule_say(w, "%.*s", n, s), "%.1f %% of op time", share);
		else
			rule_detail(w, f, rule_say(w, "%.*s", n, s),
			    "%.1f %% of op time, FLOPS %.1f %%, HBM %.1f %%", share, u.flops * 100,
			    u.hbm * 100);
	}
	if (t->n)
		rule_at_op(w, f, t->top[0]);
}

/* Does the capture have what the rule needs?  If not, says why. */
static bool has(struct rule_work *w, const char *why)
{
	if (why)
		rule_unknown(w, "%s", why);
	return !why;
}

static bool has_ops(struct rule_work *w)
{
	return has(w, rule_no_ops(w));
}

static bool has_kinds(struct rule_work *w)
{
	return has(w, rule_no_kinds(w));
}

static bool has_peaks(struct rule_work *w)
{
	const struct opdb *db = w->in->ops;

	if (!has_kinds(w))
		return false;
	if (db->no_flops == db->n && db->no_bytes == db->n)
		return has(w, "ops state no FLOPs and no bytes");
	if (db->no_flops == db->n || db->no_bytes == db->n)
		return has(w, db->no_bytes == db->n ? "ops state no bytes" : "ops state no FLOPs");
	return has(w, db->peaks.tflops > 0 && db->peaks.bw[PEAK_HBM] > 0 ? NULL : rule_no_peaks);
}

static const char *all_hbm(const struct opdb *db)
{
	return db->no_mem * 2 > db->n ? " (bytes of an unstated memory count as HBM)" : "";
}

/* Copies between memories are done by the DMA engine while other ops run, so their bytes do not count. */
void rule_memory_bound(struct rule_work *w)
{
	const struct opdb *db = w->in->ops;
	struct taken t = { 0 };
	struct finding *f;
	double high, low;

	if (!has_peaks(w))
		return;
	high = rule_limit(w->rule, "hbm") / 100;
	low = rule_limit(w->rule, "flops") / 100;
	for (size_t i = 0; i < db->n; i++) {
		enum op_kind k = kind_of(&db->v[i]);
		struct use u = use_of(db, &db->v[i]);

		if (!db->v[i].sparse && k != OP_CONTAINER && k != OP_MOVES && k != OP_COPY_WAIT &&
		    u.hbm >= high && u.flops < low)
			take_op(w, &t, &db->v[i], u, 1 - u.flops);
	}
	if (!(f = rule_raise(w, 100 * rule_step_share(w, t.self), rule_step_share(w, t.cost), NULL))) {
		rule_checked(w, "%.1f %% of op time", 100 * rule_op_share(w, t.self));
		return;
	}
	f->evidence =
	    rule_say(w, "%s at %.0f %% of HBM bandwidth (%.0f GB/s), FLOPS %.1f %%: %.1f %% of op time%s",
		rule_ops(w, t.n), 100 * t.hbm / t.self, t.hbm / t.self * db->peaks.bw[PEAK_HBM],
		100 * t.flops / t.self, 100 * rule_op_share(w, t.self), all_hbm(db));
	say_top(w, f, &t);
}

void rule_elementwise(struct rule_work *w)
{
	const struct opdb *db = w->in->ops;
	struct taken t = { 0 };
	struct finding *f;
	double high;

	if (!has_peaks(w))
		return;
	high = rule_limit(w->rule, "hbm") / 100;
	for (size_t i = 0; i < db->n; i++) {
		struct use u = use_of(db, &db->v[i]);

		if (!db->v[i].sparse && kind_of(&db->v[i]) == OP_ELEMENTWISE && u.hbm >= high)
			take_op(w, &t, &db->v[i], u, 1);
	}
	if (!(f = rule_raise(w, 100 * rule_step_share(w, t.self), rule_step_share(w, t.self), NULL))) {
		rule_checked(w, "%.1f %% of op time", 100 * rule_op_share(w, t.self));
		return;
	}
	f->evidence = rule_say(w, "%s at %.0f %% of HBM bandwidth: %.1f %% of op time%s", rule_ops(w, t.n),
	    100 * t.hbm / t.self, 100 * rule_op_share(w, t.self), all_hbm(db));
	say_top(w, f, &t);
}

/* Says why the longest of them are slow, as far as their shapes tell. */
static const char *reason_of(struct rule_work *w, const struct taken *t)
{
	struct {
		double small, brief, memory;
	} r = { 0 };
	double sum = 0;

	for (size_t i = 0; i < t->n && i < TOP; i++) {
		const struct op *o = t->top[i];
		double self = (double)o->sum.self;

		sum += self;
		r.small += rule_fit_small(w, o) ? self : 0;
		r.brief += o->sum.occurrences &&
			(double)o->sum.time / (double)o->sum.occurrences <
			    rule_limit(w->rule, "brief_us") * (double)PS_PER_US
		    ? self
		    : 0;
		r.memory += use_of(w->in->ops, o).hbm * 100 >= rule_limit(w->rule, "memory") ? self : 0;
	}
	if (r.small * 2 > sum)
		return "small";
	if (r.memory * 2 > sum)
		return "memory";
	return r.brief * 2 > sum ? "brief" : NULL;
}

void rule_matmul_low(struct rule_work *w)
{
	static const struct {
		const char *key, *text;
	} reasons[] = {
		{ "small", "dimensions below 128" },
		{ "memory", "bound by HBM" },
		{ "brief", "each run is only microseconds" },
	};
	const struct opdb *db = w->in->ops;
	struct taken t = { 0 };
	struct finding *f;
	double low, cost;
	const char *key, *why = NULL;

	if (!has_peaks(w))
		return;
	low = rule_limit(w->rule, "flops") / 100;
	for (size_t i = 0; i < db->n; i++) {
		struct use u = use_of(db, &db->v[i]);
		double best = u.flops > u.hbm ? u.flops : u.hbm;

		if (!db->v[i].sparse && kind_of(&db->v[i]) == OP_MATMUL && db->v[i].sum.flops > 0 &&
		    u.flops < low)
			take_op(w, &t, &db->v[i], u, best < 1 ? 1 - best : 0);
	}
	cost = rule_step_share(w, t.cost);
	key = reason_of(w, &t);
	if (!(f = rule_raise(w, 100 * cost, cost, key))) {
		rule_checked(w, "%.1f %% of the time lost", 100 * cost);
		return;
	}
	for (size_t i = 0; key && i < sizeof reasons / sizeof *reasons; i++)
		if (!strcmp(reasons[i].key, key))
			why = reasons[i].text;
	f->evidence = rule_say(w, "%s at %.0f %% of peak FLOPS, HBM %.0f %%: %.1f %% of op time%s%s",
	    rule_ops(w, t.n), 100 * t.flops / t.self, 100 * t.hbm / t.self, 100 * rule_op_share(w, t.self),
	    why ? "; " : "", why ? why : "");
	say_top(w, f, &t);
}

/* Does the HLO text, "%copy.1 = f32[8]{0} copy(f32[8]{0} %a)", say that nothing but the place changes? */
static bool keeps_layout(const struct op *o)
{
	const char *end = o->expression.s + o->expression.n, *result, *operand;
	struct arena arena = { 0 };
	struct shape to, from;
	bool same = false;
	size_t n;

	result = memmem(o->expression.s, o->expression.n, " = ", 3);
	if (result && (n = shape_parse(&arena, result + 3, (size_t)(end - result) - 3, &to))) {
		operand = result + 3 + n;
		if ((size_t)(end - operand) > 6 && !memcmp(operand, " copy(", 6))
			same = shape_parse(&arena, operand + 6, (size_t)(end - operand) - 6, &from) &&
			    shape_same_layout(&to, &from);
	}
	arena_free(&arena);
	return same;
}

/* Time and traffic of the ops of a kind. */
struct moved {
	struct taken all;
	double bytes, kept; /* bytes: HBM traffic; kept: self time of copies that keep the layout */
};

static void take_moves(struct rule_work *w, enum op_kind kind, bool host, struct moved *m)
{
	const struct opdb *db = w->in->ops;

	*m = (struct moved){ 0 };
	for (size_t i = 0; i < db->n; i++) {
		const struct op *o = &db->v[i];
		enum op_kind k = kind_of(o);

		if (o->sparse || is_on_host(o) != host)
			continue;
		if (host ? k != OP_FORMATTING && k != OP_COPY_WAIT && k != OP_MOVES : k != kind)
			continue;
		take_op(w, &m->all, o, use_of(db, o), 1);
		m->bytes += opsum_hbm_only(&o->sum);
		m->kept += kind == OP_FORMATTING && keeps_layout(o) ? (double)o->sum.self : 0;
	}
}

static struct finding *raise_moves(struct rule_work *w, const struct moved *m, const char *key,
    const char *what)
{
	double share = rule_op_share(w, m->all.self), cost = rule_step_share(w, m->all.self);
	struct finding *f = rule_raise(w, 100 * cost, cost, key);
	char text[40];

	if (!f) {
		rule_checked(w, m->all.n ? "%.1f %% of op time" : "none", 100 * share);
		return NULL;
	}
	f->evidence = rule_say(w, "%s, %.1f %% of op time: %s", rule_ops(w, m->all.n), 100 * share, what);
	if (m->bytes > 0)
		f->evidence = rule_say(w, "%s (%s of HBM traffic)", f->evidence,
		    units_bytes(text, sizeof text, m->bytes));
	say_top(w, f, &m->all);
	return f;
}

void rule_data_formatting(struct rule_work *w)
{
	const char *what = "read and written only to change the layout";
	struct finding *f;
	struct moved m;
	bool most;

	if (!has_kinds(w))
		return;
	take_moves(w, OP_FORMATTING, false, &m);
	most = m.kept > m.all.self / 2;
	if (m.kept >= m.all.self)
		what = "copies that keep the layout";
	else if (m.kept > 0)
		what = rule_say(w, "%.1f %% copies that keep the layout, %.1f %% change it",
		    100 * rule_op_share(w, m.kept), 100 * rule_op_share(w, m.all.self - m.kept));
	if ((f = raise_moves(w, &m, most ? "copy" : "layout", what)) && most)
		f->title = "Arrays are copied without a change";
}

void rule_copy_wait(struct rule_work *w)
{
	struct moved m;

	if (!has_kinds(w))
		return;
	take_moves(w, OP_COPY_WAIT, false, &m);
	raise_moves(w, &m, NULL,
	    "waiting for copies between HBM and on-chip memory that were not done in time");
}

void rule_host_copies(struct rule_work *w)
{
	struct moved m;

	if (!has_kinds(w))
		return;
	take_moves(w, OP_COPY_WAIT, true, &m);
	raise_moves(w, &m, NULL, "copies between host memory (S(5)) and the device, which waits");
}

void rule_tiny_ops(struct rule_work *w)
{
	const struct opdb *db = w->in->ops;
	double most, runs = 0, share, cost;
	bool roofs = true;
	struct taken t = { 0 };
	struct finding *f;

	if (!has_ops(w))
		return;
	most = rule_limit(w->rule, "us") * (double)PS_PER_US;
	for (size_t i = 0; i < db->n; i++) {
		const struct op *o = &db->v[i];
		const struct use u = use_of(db, o);
		enum op_kind k = kind_of(o);

		if (o->sparse || !o->sum.occurrences || k == OP_CONTAINER || k == OP_MOVES ||
		    k == OP_COPY_WAIT || (double)o->sum.self / (double)o->sum.occurrences >= most ||
		    fmax(u.flops, u.hbm) * 100 > rule_limit(w->rule, "roof"))
			continue;
		roofs &= !isnan(u.flops);
		take_op(w, &t, o, u, 1);
		runs += (double)o->sum.occurrences;
	}
	share = rule_op_share(w, t.self);
	cost = rule_step_share(w, t.self);
	if (!(f = rule_raise(w, 100 * cost, cost, NULL))) {
		rule_checked(w, "%s%.1f %% of op time", roofs ? "" : "at most ", 100 * share);
		return;
	}
	f->evidence = rule_say(w, "%s of less than %g µs per run: %.0f runs, mean %s, %.1f %% of op time",
	    rule_ops(w, t.n), rule_limit(w->rule, "us"), runs, rule_time(w, t.self / runs), 100 * share);
	say_top(w, f, &t);
}

void rule_custom_calls(struct rule_work *w)
{
	const struct opdb *db = w->in->ops;
	struct taken t = { 0 };
	struct finding *f;

	if (!has_kinds(w))
		return;
	if (!has(w, db->no_flops == db->n ? "ops state no FLOPs" : NULL))
		return;
	for (size_t i = 0; i < db->n; i++)
		if (!db->v[i].sparse && slice_is(db->v[i].category, "custom-call") &&
		    !(db->v[i].sum.flops > 0))
			take_op(w, &t, &db->v[i], use_of(db, &db->v[i]), 1);
	if (!(f = rule_raise(w, 100 * rule_step_share(w, t.self), NAN, NULL))) {
		if (t.n)
			rule_checked(w, "%.1f %% of op time", 100 * rule_op_share(w, t.self));
		return;
	}
	f->evidence = rule_say(w, "%s without FLOPs: %.1f %% of op time; the real MFU is higher than shown",
	    rule_ops(w, t.n), 100 * rule_op_share(w, t.self));
	say_top(w, f, &t);
}

void rule_outside_compilation(struct rule_work *w)
{
	const struct opdb *db = w->in->ops;
	struct taken t = { 0 };
	struct finding *f;
	double share, cost;

	if (!has_kinds(w))
		return;
	for (size_t i = 0; i < db->n; i++)
		if (op_talks_to_host(&db->v[i]))
			take_op(w, &t, &db->v[i], use_of(db, &db->v[i]), 1);
	share = rule_op_share(w, t.self);
	cost = rule_step_share(w, t.self);
	if (!(f = rule_raise(w, 100 * cost, cost, NULL))) {
		rule_checked(w, "%.1f %%", 100 * share);
		return;
	}
	f->evidence = rule_say(w, "%s exchanging data with the host: %.1f %% of op time", rule_ops(w, t.n),
	    100 * share);
	say_top(w, f, &t);
}
