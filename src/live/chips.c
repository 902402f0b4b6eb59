#include "config.h"

#include "live/chips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bisect.h"
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

#define MOST 1e15 /* of bytes, percent, seconds */

VEC_ORDER(by_device, struct chip, UP(server) UP(device));

static struct chip unknown_chip(const char *from, int server, int device)
{
	return (struct chip){ from, server, device, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
}

const struct chip *chips_find(const struct chips *c, int server, int device)
{
	size_t i = 0;

	BISECT(i, c->n, c->v[i].server < server || (c->v[i].server == server && c->v[i].device < device));
	return i < c->n && c->v[i].server == server && c->v[i].device == device ? &c->v[i] : NULL;
}

bool chips_share_number(const struct chips *c, int device)
{
	int most = c->n ? c->v[c->n - 1].server : -1, found = 0;

	for (int server = c->n ? c->v[0].server : 0; server <= most && found < 2; server++)
		found += chips_find(c, server, device) != NULL;
	return found > 1;
}

void chips_forget(struct chips *c)
{
	for (size_t i = 0; i < c->n; i++)
		c->v[i] = unknown_chip(c->v[i].from, c->v[i].server, c->v[i].device);
}

/* Rows of all devices that have one of the metrics, without numbers. */
static struct chips rows_of(const struct readings *r, bool (*is_asked)(const char *metric))
{
	struct chips c = { 0 };
	size_t cap = 0, n = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct reading *v = &r->v[i];

		if (v->device >= 0 && is_asked(v->metric))
			VEC_ADD(c.v, c.n, cap, unknown_chip(v->from, v->server, v->device));
	}
	VEC_SORT(c.v, c.n, by_device);
	for (size_t i = 0; i < c.n; i++)
		if (!i || by_device(&c.v[n - 1], &c.v[i]))
			c.v[n++] = c.v[i];
	c.n = n < DEVICES_MAX ? n : DEVICES_MAX;
	return c;
}

/* Where the rows of the next server begin. */
static size_t end_of_server(const struct chips *c, size_t from)
{
	size_t i = from;

	while (i < c->n && c->v[i].server == c->v[from].server)
		i++;
	return i;
}

/* A value that cannot be true is unknown. */
static double plausible(double v)
{
	return v >= 0 && v <= MOST ? v : NAN;
}

static bool is_duty(const char *metric)
{
	return !strcmp(metric, DUTY);
}

static bool is_bandwidth(const char *metric)
{
	return !strcmp(metric, BANDWIDTH);
}

static bool is_idle(const char *metric)
{
	return !strcmp(metric, IDLE);
}

/* Joins a metric that is measured per chip, by the chip's number among those of the same server that have it. */
static void join_chips(struct chips *c, const struct readings *r, bool (*is_asked)(const char *),
    size_t member)
{
	struct chips found = rows_of(r, is_asked);
	size_t a = 0;

	for (size_t i = 0; i < r->n; i++) {
		struct chip *row = r->v[i].device >= 0 && is_asked(r->v[i].metric)
		    ? (struct chip *)chips_find(&found, r->v[i].server, r->v[i].device)
		    : NULL;

		if (row)
			row->duty = plausible(r->v[i].value);
	}
	for (size_t at = 0, end; at < c->n; at = end) {
		size_t b, per;

		end = end_of_server(c, at);
		while (a < found.n && found.v[a].server < c->v[at].server)
			a = end_of_server(&found, a);
		b = a < found.n && found.v[a].server == c->v[at].server ? end_of_server(&found, a) : a;
		per = b > a && (end - at) % (b - a) == 0 ? (end - at) / (b - a) : 0;
		for (size_t i = at; i < end && per >= 1 && per <= 2; i++)
			/* cppcheck-suppress invalidPointerCast // the member is a double */
			*(double *)((char *)&c->v[i] + member) = found.v[a + (i - at) / per].duty;
		a = b;
	}
	free(found.v);
}

/* Takes a metric that is measured per device. */
static void take_reading(struct chip *row, const struct reading *r)
{
	if (!strcmp(r->metric, HBM_TOTAL))
		row->total = plausible(r->value);
	else if (!strcmp(r->metric, HBM_USED))
		row->used = plausible(r->value);
	else if (!strcmp(r->metric, QUEUE))
		row->queue = plausible(isnan(row->queue) ? r->value : row->queue + r->value);
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
	return is_of_device(metric) || is_duty(metric) || is_bandwidth(metric) || is_idle(metric);
}

static bool is_any(const char *metric)
{
	(void)metric;
	return true;
}

struct chips chips_of(const struct readings *r)
{
	static const struct {
		bool (*is_asked)(const char *);
		size_t member;
	} of_chips[] = { { is_duty, offsetof(struct chip, duty) },
		{ is_bandwidth, offsetof(struct chip, bandwidth) },
		{ is_idle, offsetof(struct chip, idle_s) } };
	struct chips c = rows_of(r, is_of_device);

	if (!c.n) { /* nothing but metrics of chips */
		free(c.v);
		c = rows_of(r, is_any);
	}
	for (size_t i = 0; i < r->n; i++) {
		struct chip *row = (struct chip *)chips_find(&c, r->v[i].server, r->v[i].device);

		if (row)
			take_reading(row, &r->v[i]);
	}
	for (size_t i = 0; i < sizeof of_chips / sizeof *of_chips; i++)
		join_chips(&c, r, of_chips[i].is_asked, of_chips[i].member);
	return c;
}

struct chips chips_of_bus(const struct local_chips *l)
{
	struct chips c = { 0 };
	size_t cap = 0;

	for (int i = 0; i < (int)l->n * l->per_chip && i < DEVICES_MAX; i++) {
		VEC_ADD(c.v, c.n, cap, unknown_chip(NULL, 0, i));
		c.v[i].total = l->per_chip == 1 ? l->hbm : NAN;
	}
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
	bool several = c.n && c.v[0].server != c.v[c.n - 1].server;

	localtime_r(&t, &tm);
	strftime(text, sizeof text, "%H:%M:%S", &tm);
	fprintf(f,
	    "%s\ndevice  HBM used GiB  of GiB  duty %%  HBM bandwidth %%   idle s  queue   p50 us  p99.9 "
	    "us%s\n",
	    text, several ? "  server" : "");
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
		fprintf(f, several ? "  %s\n" : "\n", v->from);
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

static void put_field(FILE *f, const char *s)
{
	if (strpbrk(s, ",\"\r\n"))
		put_quoted(f, s);
	else
		fputs(s, f);
}

void chips_write_csv(const struct readings *r, time_t t, bool first, FILE *f)
{
	double v[6];

	if (first)
		fputs("time,metric,device,label,value,count,p50,p90,p95,p999,server\r\n", f);
	for (size_t i = 0; i < r->n; i++) {
		fprintf(f, "%lld,", (long long)t);
		put_field(f, r->v[i].metric); /* a server chooses these names */
		fputc(',', f);
		if (r->v[i].device >= 0)
			fprintf(f, "%d", r->v[i].device);
		fputc(',', f);
		put_quoted(f, r->v[i].label);
		numbers_of(&r->v[i], v);
		for (int k = 0; k < 6; k++)
			isnan(v[k]) ? fputc(',', f) : fprintf(f, ",%.17g", v[k]);
		fputc(',', f);
		put_field(f, r->v[i].from);
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
		json_key(j, "server");
		json_strz(j, r->v[i].from);
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
