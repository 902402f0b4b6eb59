#include "config.h"

#include "live/chips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/codec/json.h"
#include "base/mem.h"
#include "base/text/units.h"

#define HBM_TOTAL "tpu.runtime.hbm.memory.total.bytes"
#define HBM_USED "tpu.runtime.hbm.memory.usage.bytes"
#define DUTY "tpu.runtime.tensorcore.dutycycle.percent"
#define BANDWIDTH "tpu.runtime.hbm.utilization.percent"
#define IDLE "tpu.runtime.tensorcore.idle_duration.seconds"
#define QUEUE "hlo.queue.size.gauge"
#define EXECUTION "hlo.execution.timing.distribution.microseconds"

VEC_ORDER(by_device, struct chip, UP(device));

static struct chip unknown_chip(int device)
{
	return (struct chip){ device, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
}

const struct chip *chips_find(const struct chips *c, int device)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].device == device)
			return &c->v[i];
	return NULL;
}

void chips_forget(struct chips *c)
{
	for (size_t i = 0; i < c->n; i++)
		c->v[i] = unknown_chip(c->v[i].device);
}

static struct chip *row_of(struct chips *c, size_t *cap, int device)
{
	struct chip *row = (struct chip *)chips_find(c, device);

	if (row)
		return row;
	VEC_ADD(c->v, c->n, *cap, unknown_chip(device));
	return &c->v[c->n - 1];
}

/* What is measured per chip: by its number among the chips that have it. */
static void join_chips(struct chips *c, const struct readings *r, const char *metric, size_t member)
{
	struct chips found = { 0 };
	size_t cap = 0, per;

	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->v[i].metric, metric) && r->v[i].device >= 0)
			row_of(&found, &cap, r->v[i].device)->duty = r->v[i].value;
	VEC_SORT(found.v, found.n, by_device);
	per = found.n && c->n % found.n == 0 ? c->n / found.n : 0;
	for (size_t i = 0; i < c->n && per >= 1 && per <= 2; i++)
		/* cppcheck-suppress invalidPointerCast // the member is a double */
		*(double *)((char *)&c->v[i] + member) = found.v[i / per].duty;
	free(found.v);
}

/* What is measured per device. */
static void take_reading(struct chip *row, const struct reading *r)
{
	if (!strcmp(r->metric, HBM_TOTAL))
		row->total = r->value;
	else if (!strcmp(r->metric, HBM_USED))
		row->used = r->value;
	else if (!strcmp(r->metric, QUEUE))
		row->queue = isnan(row->queue) ? r->value : row->queue + r->value;
	else if (!strcmp(r->metric, EXECUTION)) {
		row->count = r->count;
		row->p50_us = r->p50;
		row->p90_us = r->p90;
		row->p95_us = r->p95;
		row->p999_us = r->p999;
	}
}

static bool is_of_device(const char *metric)
{
	return !strcmp(metric, HBM_TOTAL) || !strcmp(metric, HBM_USED) || !strcmp(metric, QUEUE) ||
	    !strcmp(metric, EXECUTION);
}

bool chips_know(const char *metric)
{
	return is_of_device(metric) || !strcmp(metric, DUTY) || !strcmp(metric, BANDWIDTH) ||
	    !strcmp(metric, IDLE);
}

struct chips chips_of(const struct readings *r)
{
	static const struct {
		const char *metric;
		size_t member;
	} of_chips[] = { { DUTY, offsetof(struct chip, duty) },
		{ BANDWIDTH, offsetof(struct chip, bandwidth) }, { IDLE, offsetof(struct chip, idle_s) } };
	struct chips c = { 0 };
	size_t cap = 0;
	bool none;

	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].device >= 0 && is_of_device(r->v[i].metric))
			take_reading(row_of(&c, &cap, r->v[i].device), &r->v[i]);
	none = !c.n;
	for (size_t i = 0; i < r->n && none; i++) /* nothing but metrics of chips */
		if (r->v[i].device >= 0)
			row_of(&c, &cap, r->v[i].device);
	VEC_SORT(c.v, c.n, by_device);
	for (size_t i = 0; i < sizeof of_chips / sizeof *of_chips; i++)
		join_chips(&c, r, of_chips[i].metric, of_chips[i].member);
	return c;
}

struct chips chips_of_bus(const struct local_chips *l)
{
	struct chips c = { 0 };
	size_t cap = 0;

	for (int i = 0; i < (int)l->n * l->per_chip; i++)
		row_of(&c, &cap, i)->total = l->per_chip == 1 ? l->hbm : NAN;
	return c;
}

void chips_free(struct chips *c)
{
	free(c->v);
	*c = (struct chips){ 0 };
}

static void put_number(FILE *f, int width, double v, int digits)
{
	char text[40];

	snprintf(text, sizeof text, "%.*f", digits, v);
	/* a dash takes three bytes and one column */
	fprintf(f, " %*s", isnan(v) ? width + 2 : width, isnan(v) ? "–" : text);
}

void chips_write_text(const struct readings *r, time_t t, FILE *f)
{
	struct chips c = chips_of(r);
	struct tm tm;
	char text[40];

	localtime_r(&t, &tm);
	strftime(text, sizeof text, "%H:%M:%S", &tm);
	fprintf(f,
	    "%s\ndevice  HBM used GiB  of GiB  duty %%  HBM bandwidth %%   idle s  queue   p50 us  p99.9 "
	    "us\n",
	    text);
	for (size_t i = 0; i < c.n; i++) {
		const struct chip *v = &c.v[i];

		fprintf(f, "%6d", v->device);
		put_number(f, 13, v->used / GIB, 2);
		put_number(f, 7, v->total / GIB, 2);
		put_number(f, 7, v->duty, 1);
		put_number(f, 16, v->bandwidth, 1);
		put_number(f, 8, v->idle_s, 1);
		put_number(f, 6, v->queue, 0);
		put_number(f, 8, v->p50_us, 1);
		put_number(f, 9, v->p999_us, 1);
		fputc('\n', f);
	}
	if (!c.n)
		fputs("no metric of a device\n", f);
	chips_free(&c);
}

static const char *const column[] = { "value", "count", "p50", "p90", "p95", "p999" };

static void numbers_of(const struct reading *r, double out[6])
{
	const double v[] = { r->value, r->count, r->p50, r->p90, r->p95, r->p999 };

	memcpy(out, v, sizeof v);
}

static void put_quoted(FILE *f, const char *s)
{
	fputc('"', f);
	for (; *s; s++)
		fputs(*s == '"' ? "\"\"" : (char[]){ *s, 0 }, f);
	fputc('"', f);
}

void chips_write_csv(const struct readings *r, time_t t, bool first, FILE *f)
{
	double v[6];

	if (first)
		fputs("time,metric,device,label,value,count,p50,p90,p95,p999\r\n", f);
	for (size_t i = 0; i < r->n; i++) {
		fprintf(f, "%lld,", (long long)t);
		if (strpbrk(r->v[i].metric, ",\"\r\n")) /* a server chooses these names */
			put_quoted(f, r->v[i].metric);
		else
			fputs(r->v[i].metric, f);
		fputc(',', f);
		if (r->v[i].device >= 0)
			fprintf(f, "%d", r->v[i].device);
		fputc(',', f);
		put_quoted(f, r->v[i].label);
		numbers_of(&r->v[i], v);
		for (int k = 0; k < 6; k++)
			isnan(v[k]) ? fputc(',', f) : fprintf(f, ",%.17g", v[k]);
		fputs("\r\n", f);
	}
}

void chips_write_json(const struct readings *r, time_t t, FILE *f)
{
	struct json_out *j = json_out_file(f);
	double v[6];

	json_obj(j);
	json_key(j, "time");
	json_int(j, t);
	json_key(j, "readings");
	json_arr(j);
	for (size_t i = 0; i < r->n; i++) {
		json_obj(j);
		json_key(j, "metric");
		json_strz(j, r->v[i].metric);
		json_key(j, "device");
		r->v[i].device >= 0 ? json_int(j, r->v[i].device) : json_null(j);
		json_key(j, "label");
		json_strz(j, r->v[i].label);
		numbers_of(&r->v[i], v);
		for (int k = 0; k < (r->v[i].distribution ? 6 : 1); k++) {
			json_key(j, column[k]);
			json_double(j, v[k]); /* NaN becomes null */
		}
		json_end(j);
	}
	json_end(j);
	json_end(j);
	json_out_end(j, NULL, NULL);
	fputc('\n', f);
}
