#include "config.h"

#include "live/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyze/overview/overview.h"
#include "base/codec/pbread.h"
#include "base/text/utf8.h"
#include "capture/results.h"
#include "load/load.h"
#include "profiler.pb-c.h"

#define CORES_MAX (1 << 20)
#define MOST 1e15 /* larger numbers are written with an exponent */

static void take_facts(const struct overview *v, const struct steps *steps, struct job_sample *s)
{
	const struct {
		double *to;
		const char *id;
	} facts[] = { { &s->idle, "device_idle_time_percent" }, { &s->mxu, "mxu_utilization_percent" },
		{ &s->infeed_avg, "infeed_percent_average" }, { &s->infeed_min, "infeed_percent_minimum" },
		{ &s->infeed_max, "infeed_percent_maximum" } };
	double cores = facts_number(&v->summary, "device_core_count");

	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		*facts[i].to = facts_number(&v->summary, facts[i].id);
	if (steps->n) {
		s->step_avg = steps->avg_ms;
		s->step_min = steps->min_ms;
		s->step_max = steps->max_ms;
	}
	s->cores = cores > 0 ? (int)cores : 0;
	s->tpu = v->tpu;
	snprintf(s->type, sizeof s->type, "%s", facts_text(&v->summary, "device_type"));
}

static void clear_sample(struct job_sample *s)
{
	*s = (struct job_sample){ .time = time(NULL),
		.idle = NAN,
		.mxu = NAN,
		.step_avg = NAN,
		.step_min = NAN,
		.step_max = NAN,
		.infeed_avg = NAN,
		.infeed_min = NAN,
		.infeed_max = NAN };
}

int sample_of_capture(const void *bytes, size_t n, struct job_sample *s, struct err *err)
{
	const struct load_options load = { .threads = 1 };
	struct dump *d = load_memory(bytes, n, "live.xplane.pb", &load, err);
	struct capture *c;

	clear_sample(s);
	if (!d)
		return -1;
	c = capture_of(d, 1);
	take_facts(capture_get(c, RESULT_OVERVIEW, NULL, NULL), &c->steps, s);
	capture_close(c);
	return 0;
}

static double number_said(double v)
{
	return isfinite(v) ? v : NAN;
}

/* Reads "70.6ms (avg), 9.88ms (min), 1.95s (max)", or percent, behind the colon of a line. */
static void read_three(const char *line, double *avg, double *min, double *max)
{
	double *to[] = { avg, min, max };
	const char *p = line + strcspn(line, ":\n");

	for (int i = 0; *p && *p != '\n' && i < 3; i++) {
		char *end;
		double v = strtod(p + 1, &end);

		if (end == p + 1)
			return;
		end += strspn(end, " ");
		*to[i] = number_said(*end == 's' || *end == 'k' ? v * 1000 : v);
		p = end + strcspn(end, ",\n");
	}
}

/* 0: not said, or no number of cores. */
static int cores_said(const char *text)
{
	long v = strtol(text, NULL, 10);

	return v > 0 && v <= CORES_MAX ? (int)v : 0;
}

/* Reads the numbers in a server's text, in the words of old and of older ones. */
static void read_said(struct job_sample *s)
{
	const struct {
		const char *begin;
		double *to;
	} numbers[] = { { "TPU idle time", &s->idle }, { "Utilization of TPU Matrix Units", &s->mxu } };
	double none;

	for (const char *p = s->said; *p; p = strchr(p, '\n') + 1) {
		for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
			if (!strncmp(p, numbers[i].begin, strlen(numbers[i].begin)))
				read_three(p, numbers[i].to, &none, &none);
		if (!strncmp(p, "Step time", 9))
			read_three(p, &s->step_avg, &s->step_min, &s->step_max);
		else if (!strncmp(p, "Infeed percentage", 17))
			read_three(p, &s->infeed_avg, &s->infeed_min, &s->infeed_max);
		else if (sscanf(p, "TPU type: %79[^\n]", s->type) == 1)
			s->tpu = true;
		else if (!strncasecmp(p, "Number of TPU cores: ", 21))
			s->cores = cores_said(p + 21);
	}
}

static void take_result(const Pb__MonitorResult *r, struct job_sample *s)
{
	s->tpu = true;
	s->mxu = number_said(r->matrix_unit_utilization_percent);
	s->idle = r->response_type > 1 ? number_said(r->device_idle_time_percent) : NAN;
	if (r->response_type <= 2)
		return;
	s->step_avg = number_said(r->step_time_ms_avg);
	s->step_min = number_said(r->step_time_ms_min);
	s->step_max = number_said(r->step_time_ms_max);
	s->infeed_avg = number_said(r->infeed_percent_avg);
	s->infeed_min = number_said(r->infeed_percent_min);
	s->infeed_max = number_said(r->infeed_percent_max);
}

int sample_of_answer(const void *bytes, size_t n, struct job_sample *s, struct err *err)
{
	struct arena a = { 0 };
	const Pb__MonitorResponse *m = pb_read(&pb__monitor_response__descriptor, &a, bytes, n, err);
	const Pb__MonitorResult *r = m ? m->monitor_result : NULL;
	char *to = s->said;

	clear_sample(s);
	for (const char *p = m && m->data ? m->data : ""; *p;
	     p += strcspn(p, "\n") + (p[strcspn(p, "\n")] == '\n')) {
		size_t left = sizeof s->said - (size_t)(to - s->said);

		if (left < 4 || strcspn(p, "\n") + 2 > left / 3)
			break;
		utf8_clean(to, left - 1, p, strcspn(p, "\n"), false);
		strcat(to, "\n");
		to += strlen(to);
	}
	read_said(s);
	if (r && r->response_type)
		take_result(r, s);
	arena_free(&a);
	return m ? 0 : -1;
}

/* Three significant digits, at most three of them behind the point; a dash if it is not known. */
static const char *digits(char *buf, size_t size, double v)
{
	snprintf(buf, size,
	    isnan(v)              ? "–"
		: fabs(v) >= MOST ? "%.3g"
		: v < 1           ? "%.3f"
		: v < 10          ? "%.2f"
		: v < 100         ? "%.1f"
				  : "%.0f",
	    v);
	return buf;
}

static const char *step_time(char *buf, size_t size, double ms)
{
	char number[32];

	digits(number, sizeof number, ms < 1000 ? ms : ms / 1000);
	snprintf(buf, size, "%s%s", number, isnan(ms) ? "" : ms < 1000 ? "ms" : "s");
	return buf;
}

static void write_level_2(const struct job_sample *s, FILE *f)
{
	char a[40], b[40], c[40];

	if (!isnan(s->step_avg))
		fprintf(f, "Step time: %s (avg), %s (min), %s (max)\n", step_time(a, sizeof a, s->step_avg),
		    step_time(b, sizeof b, s->step_min), step_time(c, sizeof c, s->step_max));
	if (!isnan(s->infeed_avg))
		fprintf(f, "Infeed percentage: %s%% (avg), %s%% (min), %s%% (max)\n",
		    digits(a, sizeof a, s->infeed_avg), digits(b, sizeof b, s->infeed_min),
		    digits(c, sizeof c, s->infeed_max));
}

void sample_write(const struct job_sample *s, int level, FILE *f)
{
	struct tm t;
	char text[40];

	if (*s->said) {
		fprintf(f, "%s\n", s->said);
		return;
	}
	localtime_r(&s->time, &t);
	strftime(text, sizeof text, "%H:%M:%S", &t);
	fprintf(f, "Timestamp: %s\n", text);
	if (s->tpu)
		fprintf(f, "TPU type: %s\n", *s->type ? s->type : "unknown");
	else
		fputs("TPU type: none, there is no TPU in this profile\n", f);
	if (level > 1 && s->tpu)
		fprintf(f, "Number of TPU cores: %d\n", s->cores);
	if (level > 1 && !isnan(s->idle))
		fprintf(f, "TPU idle time (lower is better): %s%%\n", digits(text, sizeof text, s->idle));
	if (!isnan(s->mxu))
		fprintf(f, "Utilization of TPU Matrix Units (higher is better): %s%%\n",
		    digits(text, sizeof text, s->mxu));
	if (level > 1)
		write_level_2(s, f);
	fputc('\n', f);
}
