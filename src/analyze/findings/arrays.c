#include "config.h"
#include "analyze/findings/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/target.h"
#include "analyze/memprof/pprof.h"
#include "base/clamp.h"
#include "base/text/strtab.h"

#define LINES_NAMED 4

/* Rules over a device memory profile: the arrays that a program holds at one moment. */

/* What the devices hold, largest first: rows of pprof.devices of kind "buffer", but for the host's. */
struct held {
	struct pprof p;
	size_t *row, n;
};

static double bytes_of(const struct held *h, size_t i)
{
	return table_number(&h->p.devices, h->row[i], "bytes");
}

static const char *name_of(struct rule_work *w, const struct held *h)
{
	struct slice s = cell_text(table_get(&h->p.devices, *h->row, "device"));

	return rule_say(w, "%.*s", (int)s.n, s.s);
}

static bool is_device(struct slice name)
{
	return name.n && !slice_begins(name, "cpu:");
}

/* false: the input has no such profile. */
static bool held_make(const struct rule_work *w, struct held *h)
{
	const struct dump *d = w->in->dump;
	const struct toolfile *t = d ? toolfile_find(d, FILE_PPROF, NULL, NULL) : NULL;
	struct err e;

	if (!t || pprof_build(t, &h->p, &e))
		return false;
	h->n = 0;
	h->row = xcalloc(h->p.devices.nrows + 1, sizeof *h->row);
	for (size_t i = 0; i < h->p.devices.nrows; i++) /* by bytes, descending */
		if (is_device(cell_text(table_get(&h->p.devices, i, "device"))) &&
		    slice_is(cell_text(table_get(&h->p.devices, i, "kind")), "buffer"))
			h->row[h->n++] = i;
	return true;
}

static void held_free(struct held *h)
{
	free(h->row);
	pprof_free(&h->p);
}

void rule_arrays_full(struct rule_work *w)
{
	struct finding *f;
	struct held h;
	int64_t limit;
	double share;

	if (!held_make(w, &h))
		return;
	limit = w->in->dump->device ? memory_limit(w->in->dump->device) : -1;
	if (!h.n)
		rule_unknown(w, "the profile has no arrays on a device");
	else if (limit <= 0)
		rule_unknown(w, "%s",
		    target_of(w->in->dump) == TARGET_GPU
			? "how much memory the GPU has is not known"
			: "nothing names the chip; set it with --device v5e");
	if (!h.n || limit <= 0) {
		held_free(&h);
		return;
	}
	share = bytes_of(&h, 0) / (double)limit;
	if ((f = rule_raise(w, 100 * share, NAN, NULL)))
		f->evidence = rule_say(w,
		    "%s holds %s of arrays, %.1f %% of its %s; a program needs its temporaries beside them",
		    name_of(w, &h), rule_bytes(w, bytes_of(&h, 0)), 100 * share,
		    rule_bytes(w, (double)limit));
	else
		rule_checked(w, "%s of %s on %s", rule_bytes(w, bytes_of(&h, 0)),
		    rule_bytes(w, (double)limit), name_of(w, &h));
	held_free(&h);
}

static bool same_calls(const struct pprof_stack *a, const struct pprof_stack *b)
{
	return a->depth == b->depth && !memcmp(a->frame, b->frame, a->depth * sizeof *a->frame);
}

/* The largest allocations of the fullest device whose calls made none on the others; SIZE_MAX: none. */
static size_t only_there(const struct held *h)
{
	for (size_t i = 0; i < h->p.nstacks; i++) { /* by bytes, descending */
		bool alone = h->p.stack[i].device == h->row[0];

		for (size_t k = 0; k < h->p.nstacks && alone; k++)
			alone =
			    h->p.stack[k].device == h->row[0] || !same_calls(&h->p.stack[i], &h->p.stack[k]);
		if (alone)
			return i;
	}
	return SIZE_MAX;
}

static void say_where(struct rule_work *w, struct finding *f, const struct held *h)
{
	size_t i = only_there(h);
	struct slice function;

	if (i == SIZE_MAX)
		return;
	function = cell_text(table_get(&h->p.stacks, i, "function"));
	f->evidence =
	    rule_say(w, "%s; %s of it are from calls that made nothing on the others, the first in %.*s",
		f->evidence, rule_bytes(w, (double)h->p.stack[i].bytes), (int)function.n, function.s);
}

void rule_arrays_uneven(struct rule_work *w)
{
	struct held h;
	struct finding *f = NULL;
	double most, median, more;

	if (!held_make(w, &h))
		return;
	if (h.n < 2) {
		held_free(&h);
		return;
	}
	most = bytes_of(&h, 0);
	median = bytes_of(&h, h.n / 2);
	more = most - median;
	if (more >= rule_limit(w->rule, "bytes"))
		f = rule_raise(w, 100 * more / most, more, NULL);
	if (f) {
		f->of_total = more / most;
		f->evidence = rule_say(w, "%s holds %s, the median of %zu devices is %s", name_of(w, &h),
		    rule_bytes(w, most), h.n, rule_bytes(w, median));
		say_where(w, f, &h);
	} else {
		rule_checked(w, "%s at most, median %s", rule_bytes(w, most), rule_bytes(w, median));
	}
	held_free(&h);
}

/* Small arrays of one line of code on one device. */
struct line_arrays {
	struct pprof_frame at;
	int64_t arrays, bytes;
};

VEC_ORDER(by_arrays, struct line_arrays, DOWN(arrays) UP(at.line));

static bool is_small(const struct pprof *p, const struct pprof_stack *s, double most)
{
	return s->allocations > 0 && (double)s->bytes <= most * (double)s->allocations &&
	    slice_is(cell_text(table_get(&p->devices, s->device, "kind")), "buffer");
}

/* Where the user's program has no call in a stack, its innermost call stands for it. */
static struct line_arrays *lines_of(const struct pprof *p, double small, size_t *n)
{
	struct line_arrays *v = xcalloc(p->nstacks + 1, sizeof *v);
	struct strtab keys;

	*n = 0;
	strtab_init(&keys);
	for (size_t i = 0; i < p->nstacks; i++) {
		const struct pprof_stack *s = &p->stack[i];
		struct pprof_frame at = pprof_user_frame(p, s);
		struct line_arrays *line;
		char *key;

		if (!is_small(p, s, small) || !s->depth)
			continue;
		at = *at.file ? at : pprof_frame(p, s->frame[0]);
		key = xasprintf("%zu %lld %s", s->device, (long long)at.line, at.file);
		line = &v[strtab_addz(&keys, key) - 1];
		free(key);
		line->at = at;
		line->arrays = add_clamped(line->arrays, s->allocations);
		line->bytes = add_clamped(line->bytes, s->bytes);
		*n = keys.n - 1;
	}
	strtab_free(&keys);
	VEC_SORT(v, *n, by_arrays);
	return v;
}

/* Says how many arrays there are, and from which lines most of them are. */
static const char *say_lines(struct rule_work *w, const struct line_arrays *v, size_t n)
{
	int64_t arrays = 0, bytes = 0;
	const char *lines = "";

	for (size_t i = 0; i < n; i++) {
		const char *slash = strrchr(v[i].at.file, '/');

		arrays = add_clamped(arrays, v[i].arrays);
		bytes = add_clamped(bytes, v[i].bytes);
		if (i < LINES_NAMED)
			lines = rule_say(w, "%s%s%.80s:%lld (%lld)", lines, i ? ", " : "",
			    slash && slash[1] ? slash + 1 : v[i].at.file, (long long)v[i].at.line,
			    (long long)v[i].arrays);
	}
	return rule_say(w, "%lld arrays of %s on average, from %zu line%s: %s%s", (long long)arrays,
	    rule_bytes(w, (double)bytes / (double)arrays), n, n == 1 ? "" : "s", lines,
	    n > LINES_NAMED ? ", ..." : "");
}

void rule_many_arrays(struct rule_work *w)
{
	struct line_arrays *v;
	struct finding *f;
	struct held h;
	size_t n, many = 0;

	if (!held_make(w, &h))
		return;
	v = lines_of(&h.p, rule_limit(w->rule, "bytes"), &n);
	while (many < n && rule_level(w->rule, (double)v[many].arrays) < RULE_LEVELS)
		many++;
	if (many && (f = rule_raise(w, (double)v[0].arrays, NAN, NULL)))
		f->evidence = say_lines(w, v, many);
	else if (h.p.allocations >= 0)
		rule_checked(w, "%lld from one line at most", n ? (long long)v[0].arrays : 0LL);
	free(v);
	held_free(&h);
}
