#include "config.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/codec/pbread.h"
#include "base/text/utf8.h"
#include "remote/metrics/internal.h"
#include "runtime_metrics.pb-c.h"

#define ATTRIBUTES_MAX 16
#define METRICS_MOST 4096 /* of one answer: a host has eight chips, and some ten classes of sizes */
#define CLASSES_MOST 512
#define READINGS_MOST 16384 /* of all answers */

double metrics_percentile(const int64_t *count, size_t n, double scale, double growth, double q)
{
	double total = 0, target, left;

	for (size_t i = 0; i < n; i++)
		total += count[i] > 0 ? (double)count[i] : 0;
	if (!(total > 0))
		return NAN;
	target = floor(total * q);
	left = total;
	for (size_t i = n; i-- > 0;) {
		double in = count[i] > 0 ? (double)count[i] : 0;

		left -= in;
		if (left <= target && in > 0)
			return scale * pow(growth, (double)i - 1) * (1 + (target - left) / in * (growth - 1));
	}
	return NAN;
}

static void take_number(struct reading *r, const Metrics__Metric *m)
{
	const Metrics__Gauge *g = m->gauge;
	const Metrics__Counter *c = m->counter;

	if (g)
		r->value = g->has_as_double ? g->as_double
		    : g->has_as_int         ? (double)g->as_int
		    : g->has_as_bool        ? g->as_bool
					    : NAN;
	else if (c)
		r->value = c->has_as_double ? c->as_double : c->has_as_int ? (double)c->as_int : NAN;
	if (!isfinite(r->value))
		r->value = NAN;
}

/* The distributions of one device and label: of a class of sizes a server may send several, and its percentiles are
 * those of all of them. */
struct class
{
	size_t reading;
	int64_t *buckets;
	size_t n;
	double scale, growth; /* 0: buckets of another kind, or not the same in all */
	double count, sum;
};

static struct class *class_of(struct class *v, size_t n, const struct readings *out, const struct reading *r)
{
	for (size_t i = 0; i < n; i++) {
		const struct reading *x = &out->v[v[i].reading];

		if (x->device == r->device && !strcmp(x->label, r->label))
			return &v[i];
	}
	return NULL;
}

static void add_distribution(struct class *c, const Metrics__Distribution *d)
{
	const Metrics__ExponentialBuckets *e =
	    d->bucket_options ? d->bucket_options->exponential_buckets : NULL;
	double scale = e ? e->scale : 0, growth = e ? e->growth_factor : 0;

	if (!c->buckets) {
		c->scale = scale;
		c->growth = growth;
	} else if (c->scale < scale || c->scale > scale || c->growth < growth || c->growth > growth)
		c->scale = 0;
	if (!c->buckets || d->n_bucket_counts > c->n) {
		c->buckets = xrealloc(c->buckets, d->n_bucket_counts + 1, sizeof *c->buckets);
		memset(c->buckets + c->n, 0, (d->n_bucket_counts + 1 - c->n) * sizeof *c->buckets);
		c->n = d->n_bucket_counts;
	}
	for (size_t i = 0; i < d->n_bucket_counts; i++)
		c->buckets[i] = add_clamped(c->buckets[i], d->bucket_counts[i] > 0 ? d->bucket_counts[i] : 0);
	if (d->count > 0) {
		c->count += (double)d->count;
		c->sum += (double)d->count * d->mean;
	}
}

static void finish_class(const struct class *c, struct reading *r)
{
	const struct {
		double *to, q;
	} want[] = { { &r->p50, .5 }, { &r->p90, .9 }, { &r->p95, .95 }, { &r->p999, .999 } };

	r->distribution = true;
	r->count = c->count;
	r->value = c->count > 0 ? c->sum / c->count : NAN;
	for (size_t i = 0; i < 4; i++)
		*want[i].to = c->scale > 0 && c->growth > 1
		    ? metrics_percentile(c->buckets, c->n, c->scale, c->growth, want[i].q)
		    : NAN;
}

/* An attribute is the device, or says something else about what was measured. */
static void take_attribute(struct reading *r, const Metrics__Attribute *a, int depth)
{
	const Metrics__AttrValue *v = a ? a->value : NULL;
	const char *key = a && a->key ? a->key : "", *text = v && v->string_attr ? v->string_attr : "";
	size_t n = strlen(r->label);
	char clean[48];
	bool device = strstr(key, "device") || strstr(key, "chip");

	if (!v)
		return;
	if (v->kvlist_attr && depth < 2) {
		for (size_t i = 0; i < v->kvlist_attr->n_attributes && i < ATTRIBUTES_MAX; i++)
			take_attribute(r, v->kvlist_attr->attributes[i], depth + 1);
	} else if (v->has_int_attr && (device || !depth) && v->int_attr >= 0 && v->int_attr < 1 << 20) {
		r->device = (int)v->int_attr;
	} else if (device && isdigit((unsigned char)*text) && strlen(text) < 7) {
		r->device = atoi(text);
	} else if (*text) {
		utf8_clean_text(clean, sizeof clean, text);
		snprintf(r->label + n, sizeof r->label - n, "%s%s", n ? " " : "", clean);
	}
}

void readings_decode(struct readings *out, const struct reading *of, const uint8_t *bytes, size_t n)
{
	struct arena a = { 0 };
	const Metrics__MetricResponse *m = pb_read(&metrics__metric_response__descriptor, &a, bytes, n, NULL);
	struct class *v = NULL, *c;
	size_t nv = 0, cap = 0;

	for (size_t i = 0;
	     m && m->metric && i < m->metric->n_metrics && i < METRICS_MOST && out->n < READINGS_MOST; i++) {
		const Metrics__Metric *one = m->metric->metrics[i];
		struct reading r = { .metric = of->metric,
			.from = of->from,
			.server = of->server,
			.device = -1,
			.value = NAN,
			.count = NAN,
			.p50 = NAN,
			.p90 = NAN,
			.p95 = NAN,
			.p999 = NAN };

		take_attribute(&r, one->attribute, 0);
		c = one->distribution ? class_of(v, nv, out, &r) : NULL;
		if (one->distribution && !c && nv < CLASSES_MOST) {
			VEC_ADD(v, nv, cap, (struct class){ .reading = out->n });
			c = &v[nv - 1];
			VEC_ADD(out->v, out->n, out->cap, r);
		} else if (!one->distribution) {
			take_number(&r, one);
			VEC_ADD(out->v, out->n, out->cap, r);
		}
		if (c)
			add_distribution(c, one->distribution);
	}
	for (size_t i = 0; i < nv; i++) {
		finish_class(&v[i], &out->v[v[i].reading]);
		free(v[i].buckets);
	}
	free(v);
	arena_free(&a);
}

void readings_free(struct readings *r)
{
	free(r->v);
	*r = (struct readings){ 0 };
}
