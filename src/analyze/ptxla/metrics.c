#include "config.h"
#include "analyze/ptxla/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define LIST_MAX 256 /* bytes of the end of a list that may go on */

size_t ptxla_report_begin(struct ptxla *x, strid host, int64_t step, uint64_t line)
{
	VEC_ADD(x->reports, x->nreports, x->reports_cap,
	    (struct ptxla_report){ .file = x->work->file,
		.host = host,
		.step = step,
		.line = line,
		.metric = x->nmetrics });
	return x->nreports - 1;
}

bool ptxla_step_of(struct slice s, int64_t *step)
{
	if (!slice_cut(&s, "[MetricsData"))
		return false;
	*step = -1;
	if (slice_cut(&s, "; step="))
		(void)ptxla_integer(&s, step);
	return true;
}

static void report_begin(struct ptxla *x, struct ptxla_process *p, int64_t step, uint64_t line)
{
	p->report = ptxla_report_begin(x, p->host, step, line);
	p->first_after = SIZE_MAX;
	p->has_counter = false;
}

/* The report that rows belong to; what comes before the first block is one, too. */
static size_t report_of(struct ptxla *x, struct ptxla_process *p, uint64_t line)
{
	if (p->report == SIZE_MAX) {
		report_begin(x, p, -1, line);
		p->unmarked = true;
	}
	x->files[x->work->file].loose |= x->reports[p->report].step < 0;
	x->work->mixed |= p->report + 1 != x->nreports;
	return p->report;
}

enum row_kind { ROW_METRIC, ROW_COUNTER };

/* Remembers the name of a row of the report; false: the report has it already. */
static bool is_new_name(struct ptxla *x, const struct ptxla_process *p, enum row_kind kind, strid name)
{
	struct strtab *seen = &x->work->in_report;
	uint64_t key[2] = { p->report, (uint64_t)name << 1 | kind };
	uint32_t was = seen->n;

	strtab_add(seen, (const char *)key, sizeof key);
	return seen->n > was;
}

/* A program that prints its report at every step prints one after the other, and nothing between them: a name that
 * comes again begins the next.  Reports have their counters last, so that metrics behind them are of the next, too. */
static void split_at_again(struct ptxla *x, struct ptxla_process *p, uint64_t line, enum row_kind kind,
    strid name)
{
	size_t before, first;

	if (!p->unmarked || p->report == SIZE_MAX || !name || is_new_name(x, p, kind, name))
		return;
	before = p->report;
	first = p->first_after;
	report_begin(x, p, -1, line);
	x->files[x->work->file].reports++;
	(void)is_new_name(x, p, kind, name);
	for (size_t i = first; i < x->nmetrics; i++)
		if (x->metrics[i].report == before) {
			x->metrics[i].report = (uint32_t)p->report;
			(void)is_new_name(x, p, ROW_METRIC, x->metrics[i].name);
		}
}

void ptxla_metrics_end(struct ptxla *x, struct ptxla_process *p)
{
	(void)x;
	free(p->counter);
	free(p->list);
	p->counter = p->list = NULL;
	p->metric = SIZE_MAX;
}

static struct ptxla_metric *metric_begin(struct ptxla *x, struct ptxla_process *p, uint64_t line,
    struct slice name)
{
	strid id = name.n ? strtab_add(&x->names, name.s, name.n) : 0;
	size_t report;

	(void)report_of(x, p, line);
	split_at_again(x, p, line, ROW_METRIC, id);
	report = report_of(x, p, line);
	ptxla_metrics_end(x, p);
	p->metric = x->nmetrics;
	if (p->has_counter && p->first_after == SIZE_MAX)
		p->first_after = p->metric;
	return ptxla_metric_add(x, report, id);
}

/* A value as accumulators have it; a name of a counter may look like a plain number. */
static bool is_accumulator(struct slice s, bool open)
{
	enum ptxla_unit unit;
	union ptxla_number v;

	return ptxla_value(&s, &unit, &v) && !slice_trim(s).n && (open || unit != PTXLA_COUNT);
}

/* The metric whose field is read: a new one when its beginning is cut off. */
static struct ptxla_metric *metric_of(struct ptxla *x, struct ptxla_process *p, uint64_t line,
    enum ptxla_field f)
{
	struct ptxla_metric *m = p->metric == SIZE_MAX ? NULL : &x->metrics[p->metric];
	bool again = m &&
	    ((f == FIELD_SAMPLES && m->samples >= 0) ||
		(f == FIELD_ACCUMULATOR && ptxla_known(m->accumulator)));

	return m && !again ? m : metric_begin(x, p, line, (struct slice){ NULL, 0 });
}

/* Keeps the last percentile of a list, which may go on in the next line; rest: what could not be read of it. */
static void list_keep(struct ptxla_process *p, struct slice s, struct slice rest)
{
	size_t n = 0;

	while (n < s.n && s.s[s.n - 1 - n] != ';')
		n++;
	p->list_read = !rest.n;
	if (rest.n)
		s = rest;
	else
		s = (struct slice){ s.s + s.n - n, n };
	free(p->list);
	p->list = xstrndup(s.s, s.n < LIST_MAX ? s.n : 0);
	p->list_len = strlen(p->list); /* it ends at a NUL */
}

static bool take_field(struct ptxla *x, struct ptxla_process *p, uint64_t line, enum ptxla_field f,
    struct slice s)
{
	struct ptxla_metric *m;

	if (f != FIELD_PERCENTILES) {
		struct ptxla_metric probe = { .samples = -1, .rate = 0 };

		if (!ptxla_field_set(x, &probe, f, s))
			return false;
		m = metric_of(x, p, line, f);
		free(p->list);
		p->list = NULL;
		return ptxla_field_set(x, m, f, s);
	}
	m = metric_of(x, p, line, f);
	/* the values of a metric lie together */
	if (m->npercents && m->percent + m->npercents != x->npercents)
		return false;
	list_keep(p, s, ptxla_percents(x, m, s));
	return true;
}

/* The end of the list and the beginning of the line are one percentile. */
static bool join_item(struct ptxla *x, struct ptxla_process *p, struct ptxla_metric *m, struct slice item)
{
	bool read = p->list_read && m->npercents;
	char joined[2 * LIST_MAX];
	struct slice all = { joined, p->list_len + item.n };

	if (!p->list_len)
		return false;
	memcpy(joined, p->list, p->list_len);
	memcpy(joined + p->list_len, item.s, item.n);
	m->npercents = (uint16_t)(m->npercents - read);
	x->npercents -= read;
	if (!ptxla_percents(x, m, all).n)
		return true;
	m->npercents = (uint16_t)(m->npercents + read);
	x->npercents += read;
	return false;
}

/* A list may be wrapped anywhere: between its percentiles, inside one, or behind a value that then goes on. */
static bool list_goes_on(struct ptxla *x, struct ptxla_process *p, struct slice s)
{
	struct ptxla_metric *m;
	struct slice rest, item = { s.s, 0 };

	if (!p->list || p->metric == SIZE_MAX || !s.n)
		return false;
	m = &x->metrics[p->metric];
	if (m->npercents && m->percent + m->npercents != x->npercents)
		return false;
	while (item.n < s.n && item.n < LIST_MAX && s.s[item.n] != ';')
		item.n++;
	rest = s;
	/* what could not be read alone is no percentile, so it goes on here whatever this looks like */
	if (p->list_read)
		rest = ptxla_percents(x, m, s);
	if (rest.n == s.n) {
		if (!join_item(x, p, m, item))
			return false;
		item.n += item.n < s.n;
		s = (struct slice){ s.s + item.n, s.n - item.n };
		rest = ptxla_percents(x, m, s);
	}
	list_keep(p, s, rest);
	return true;
}

static bool take_counter(struct ptxla *x, struct ptxla_process *p, uint64_t line, struct slice name)
{
	struct ptxla_metric *m = p->metric == SIZE_MAX ? NULL : &x->metrics[p->metric];

	name = slice_trim(name);
	if (is_accumulator(name, m && !ptxla_known(m->accumulator)))
		return take_field(x, p, line, FIELD_ACCUMULATOR, name);
	ptxla_metrics_end(x, p);
	if (name.n)
		p->counter = xstrndup(name.s, name.n < PTXLA_TEXT_MAX ? name.n : PTXLA_TEXT_MAX);
	return true;
}

static bool take_value(struct ptxla *x, struct ptxla_process *p, uint64_t line, struct slice s)
{
	struct ptxla_counter c = { .value = 0 };

	if (!p->counter || !ptxla_integer(&s, &c.value) || slice_trim(s).n)
		return false;
	c.name = strtab_addz(&x->names, p->counter);
	(void)report_of(x, p, line);
	split_at_again(x, p, line, ROW_COUNTER, c.name);
	c.report = (uint32_t)report_of(x, p, line);
	p->has_counter = true;
	p->first_after = SIZE_MAX;
	VEC_ADD(x->counters, x->ncounters, x->counters_cap, c);
	ptxla_metrics_end(x, p);
	return true;
}

bool ptxla_metrics_line(struct ptxla *x, struct ptxla_process *p, uint64_t line, struct slice s)
{
	struct slice rest = s;
	enum ptxla_field f;
	int64_t step;

	if (!s.n)
		return false;
	if (*s.s == '[' && ptxla_step_of(s, &step)) {
		ptxla_metrics_end(x, p);
		report_begin(x, p, step, line);
		p->unmarked = false;
		x->files[x->work->file].reports++;
		return true;
	}
	if (slice_cut(&rest, "Metric: ") && slice_trim(rest).n) {
		rest = slice_trim(rest);
		if (rest.n > PTXLA_TEXT_MAX)
			rest.n = PTXLA_TEXT_MAX;
		metric_begin(x, p, line, rest);
		return true;
	}
	if (slice_cut(&rest, "Counter: "))
		return take_counter(x, p, line, rest);
	if (p->counter && slice_cut(&rest, "Value: ") && take_value(x, p, line, rest))
		return true;
	if ((f = ptxla_field_of(&rest)) != FIELD_COUNT && take_field(x, p, line, f, rest))
		return true;
	if (list_goes_on(x, p, s))
		return true;
	ptxla_metrics_end(x, p);
	return false;
}
