#include "config.h"
#include "analyze/ptxla/internal.h"

#include <string.h>

#include "base/mem.h"

/* Where a block began, to forget it again. */
struct mark {
	size_t reports, metrics, counters, percents;
};

/* The name of a row is mostly that of the same row of the block before. */
static strid name_of(struct ptxla *x, strid guess, struct slice s)
{
	if (guess && slice_same(strtab_text(&x->names, guess), s))
		return guess;
	return strtab_add(&x->names, s.s, s.n);
}

static strid metric_guess(const struct ptxla *x)
{
	const struct ptxla_report *r = &x->reports[x->nreports - 1];
	size_t k = x->nmetrics - r->metric;

	return x->nreports > 1 && k < r[-1].nmetrics ? x->metrics[r[-1].metric + k].name : 0;
}

static strid counter_guess(const struct ptxla *x)
{
	const struct ptxla_report *r = &x->reports[x->nreports - 1];
	size_t k = x->ncounters - r->counter;

	return x->nreports > 1 && k < r[-1].ncounters ? x->counters[r[-1].counter + k].name : 0;
}

/* The next line without its end; false: it has none, so it may be cut. */
static bool line_of(const char *s, size_t n, size_t *at, struct slice *line)
{
	const char *end = memchr(s + *at, '\n', n - *at);

	if (!end)
		return false;
	*line = (struct slice){ s + *at, (size_t)(end - s) - *at };
	*at += line->n + 1;
	return true;
}

/* The line of a field of the metric, each of which comes once. */
static bool field(struct ptxla *x, struct slice s, bool open)
{
	struct ptxla_metric *m = open ? &x->metrics[x->nmetrics - 1] : NULL;
	enum ptxla_field f;

	if (!open || s.n < 3 || s.s[0] != ' ' || s.s[1] != ' ' || s.s[2] == ' ')
		return false;
	s = (struct slice){ s.s + 2, s.n - 2 };
	f = ptxla_field_of(&s);
	return f != FIELD_COUNT && !(f == FIELD_SAMPLES && m->samples >= 0) &&
	    !(f == FIELD_ACCUMULATOR && ptxla_known(m->accumulator)) &&
	    !(f == FIELD_PERCENTILES && m->npercents) && ptxla_field_set(x, m, f, s);
}

static bool counter(struct ptxla *x, struct slice name, struct slice value)
{
	struct ptxla_counter c = { .report = (uint32_t)(x->nreports - 1) };

	if (!name.n || !slice_cut(&value, "  Value: ") || !ptxla_integer(&value, &c.value) || value.n)
		return false;
	c.name = name_of(x, counter_guess(x), name);
	VEC_ADD(x->counters, x->ncounters, x->counters_cap, c);
	return true;
}

/* Has the line marks that people or programs put around text?  The reader of lines takes them off. */
static bool is_dressed(struct slice s)
{
	return memchr(s.s, '\r', s.n) || memchr(s.s, '\033', s.n);
}

/* The lines of one block, the first of which was read; false: not all of them are such lines. */
static bool block(struct ptxla *x, const char *s, size_t n, size_t *at, uint64_t *line)
{
	struct ptxla_report *r;
	bool open = false;
	struct slice l, value;
	size_t from = *at;

	while (*at < n && s[*at] != '[') {
		if (!line_of(s, n, at, &l))
			return false;
		++*line;
		if (!l.n) {
			open = false;
		} else if (*l.s == ' ') {
			if (!field(x, l, open))
				return false;
		} else if (slice_cut(&l, "Metric: ") && l.n) {
			ptxla_metric_add(x, x->nreports - 1, name_of(x, metric_guess(x), l));
			open = true;
		} else if (slice_cut(&l, "Counter: ") && l.n) {
			open = false;
			if (!line_of(s, n, at, &value) || !counter(x, l, value))
				return false;
			++*line;
		} else {
			return false;
		}
	}
	r = &x->reports[x->nreports - 1];
	r->nmetrics = x->nmetrics - r->metric;
	r->ncounters = x->ncounters - r->counter;
	return !is_dressed((struct slice){ s + from, *at - from });
}

void ptxla_plain(struct ptxla *x, const char *s, size_t n, size_t *at, uint64_t *line)
{
	struct slice l;
	int64_t step;

	while (*at < n && s[*at] == '[') {
		const struct mark was = { x->nreports, x->nmetrics, x->ncounters, x->npercents };
		size_t next = *at;
		uint64_t lines = *line;

		if (!line_of(s, n, &next, &l) || !l.n || l.s[l.n - 1] != ']' || !ptxla_step_of(l, &step) ||
		    step < 0)
			return;
		ptxla_report_begin(x, 0, step, lines++);
		x->reports[was.reports].counter = x->ncounters;
		if (!block(x, s, n, &next, &lines)) {
			x->nreports = was.reports;
			x->nmetrics = was.metrics;
			x->ncounters = was.counters;
			x->npercents = was.percents;
			return;
		}
		x->files[x->work->file].reports++;
		*at = next;
		*line = lines;
	}
}
