#include "config.h"
#include "analyze/ptxla/internal.h"

#include <math.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"

#define PERCENTS_MOST 1000 /* in one list */

static const struct {
	const char *name;
	enum ptxla_field field;
} fields[] = {
	{ "TotalSamples: ", FIELD_SAMPLES },
	{ "Accumulator: ", FIELD_ACCUMULATOR },
	{ "ValueRate: ", FIELD_VALUE_RATE },
	{ "Rate: ", FIELD_RATE },
	{ "Percentiles: ", FIELD_PERCENTILES },
	{ "Mean: ", FIELD_MEAN },
	{ "StdDev: ", FIELD_DEVIATION },
};

enum ptxla_field ptxla_field_of(struct slice *s)
{
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (*s->s == *fields[i].name && slice_cut(s, fields[i].name))
			return fields[i].field;
	if (slice_is(*s, "Percentiles:")) {
		s->n = 0;
		return FIELD_PERCENTILES;
	}
	return FIELD_COUNT;
}

struct ptxla_metric *ptxla_metric_add(struct ptxla *x, size_t report, strid name)
{
	struct ptxla_metric *m;

	VEC_PUSH(x->metrics, x->nmetrics, x->metrics_cap);
	m = &x->metrics[x->nmetrics++];
	*m = (struct ptxla_metric){ .report = (uint32_t)report,
		.name = name,
		.percent = x->npercents,
		.samples = INT64_MIN,
		.accumulator = PTXLA_NONE,
		.value_rate = PTXLA_NONE,
		.mean = PTXLA_NONE,
		.deviation = PTXLA_NONE,
		.rate = NAN };
	return m;
}

/* "nan", "-nanB", "infus": a value that is no number, with its unit if it has one.  The slice is moved past it. */
static bool cut_nan(struct slice *s, enum ptxla_unit *unit)
{
	struct slice rest = *s, name;

	slice_cut(&rest, "-");
	if (!slice_cut(&rest, "nan") && !slice_cut(&rest, "inf"))
		return false;
	name = (struct slice){ rest.s, 0 };
	while (name.n < rest.n && !memchr(" ;/", rest.s[name.n], 3))
		name.n++;
	*unit = slice_ends(name, "B") ? PTXLA_BYTES
	    : slice_ends(name, "s")   ? PTXLA_PS
	    : name.n                  ? PTXLA_UNKNOWN
				      : PTXLA_COUNT;
	*s = (struct slice){ rest.s + name.n, rest.n - name.n };
	return true;
}

/* Values of one metric have one unit; one in another is not known. */
static union ptxla_number in_unit(struct ptxla_metric *m, enum ptxla_unit unit, union ptxla_number v)
{
	if (!m->unit)
		m->unit = (uint8_t)unit;
	return m->unit == unit ? v : PTXLA_NONE;
}

/* The unit of a value that is no number; without one it may be of any. */
static void in_nan_unit(struct ptxla_metric *m, enum ptxla_unit unit)
{
	if (unit != PTXLA_COUNT)
		(void)in_unit(m, unit, PTXLA_NONE);
}

/* A value, "/ second" and blanks behind it. */
static bool value_of(struct ptxla_metric *m, struct slice s, union ptxla_number *out)
{
	enum ptxla_unit unit;
	union ptxla_number v;

	if (cut_nan(&s, &unit)) {
		in_nan_unit(m, unit);
		return true;
	}
	if (!ptxla_value(&s, &unit, &v))
		return false;
	s = slice_trim(s);
	if (s.n && !slice_is(s, "/ second"))
		return false;
	*out = in_unit(m, unit, v);
	return true;
}

static void percent_add(struct ptxla *x, struct ptxla_metric *m, double percent, union ptxla_number v)
{
	if (x->npercents == x->percents_cap) {
		x->percents_cap = x->percents_cap ? 2 * x->percents_cap : 64;
		x->percents = xrealloc(x->percents, x->percents_cap, sizeof *x->percents);
		x->values = xrealloc(x->values, x->percents_cap, sizeof *x->values);
	}
	if (!m->npercents)
		m->percent = x->npercents;
	x->percents[x->npercents] = (int32_t)lround(percent * PTXLA_PERCENT);
	x->values[x->npercents++] = v;
	m->npercents++;
}

static bool percent_of(struct slice *s, double *percent)
{
	int64_t whole = 0;
	struct slice rest = *s;

	if (ptxla_integer(&rest, &whole) && rest.n && *rest.s == '%')
		*percent = (double)whole;
	else if (rest = *s, !ptxla_decimal(&rest, percent) || !rest.n || *rest.s != '%')
		return false;
	if (rest.n < 2 || rest.s[1] != '=' || *percent < 0 || *percent > 100)
		return false;
	*s = (struct slice){ rest.s + 2, rest.n - 2 };
	return true;
}

struct slice ptxla_percents(struct ptxla *x, struct ptxla_metric *m, struct slice s)
{
	s = slice_trim(s);
	while (s.n && m->npercents < PERCENTS_MOST) {
		struct slice at = s;
		enum ptxla_unit unit;
		union ptxla_number v = PTXLA_NONE;
		double percent;

		if (!percent_of(&at, &percent))
			return s;
		if (cut_nan(&at, &unit)) {
			in_nan_unit(m, unit);
			while (at.n && *at.s != ';')
				at.s++, at.n--;
		} else if (!ptxla_value(&at, &unit, &v)) {
			return s;
		} else {
			v = in_unit(m, unit, v);
		}
		if (at.n && *at.s != ';')
			return s;
		percent_add(x, m, percent, v);
		at.s += at.n > 0;
		at.n -= at.n > 0;
		s = slice_trim(at);
	}
	return s;
}

bool ptxla_field_set(struct ptxla *x, struct ptxla_metric *m, enum ptxla_field f, struct slice s)
{
	enum ptxla_unit unit;
	struct slice at;

	switch (f) {
	case FIELD_SAMPLES:
		return ptxla_integer(&s, &m->samples) && !slice_trim(s).n && m->samples >= 0;
	case FIELD_ACCUMULATOR:
		at = s;
		m->no_sum = cut_nan(&at, &unit);
		return value_of(m, s, &m->accumulator);
	case FIELD_VALUE_RATE:
		return value_of(m, s, &m->value_rate);
	case FIELD_MEAN:
		return value_of(m, s, &m->mean);
	case FIELD_DEVIATION:
		return value_of(m, s, &m->deviation);
	case FIELD_RATE:
		return cut_nan(&s, &unit) ||
		    (ptxla_decimal(&s, &m->rate) &&
			(!slice_trim(s).n || slice_is(slice_trim(s), "/ second")));
	case FIELD_PERCENTILES:
		return !ptxla_percents(x, m, s).n;
	default:
		return false;
	}
}

bool ptxla_is_partial(const struct ptxla_metric *m)
{
	return !m->name || m->samples < 0 || !(ptxla_known(m->accumulator) || m->no_sum);
}

double ptxla_mean(const struct ptxla_metric *m)
{
	double sum = ptxla_double(m->unit, m->accumulator), mean = ptxla_double(m->unit, m->mean);

	return !isnan(mean) ? mean : m->samples > 0 ? sum / (double)m->samples : NAN;
}

double ptxla_percentile(const struct ptxla *x, const struct ptxla_metric *m, double percent)
{
	int32_t want = (int32_t)lround(percent * PTXLA_PERCENT);

	for (size_t i = m->percent; i < m->percent + m->npercents; i++)
		if (x->percents[i] == want)
			return ptxla_double(m->unit, x->values[i]);
	return NAN;
}
