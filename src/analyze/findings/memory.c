#include "config.h"
#include "analyze/findings/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/target.h"
#include "analyze/memory/pick.h"
#include "analyze/memory/rank.h"
#include "base/text/units.h"
#include "model/hlo.h"

#define BUFFERS_SHOWN 4
#define LIVES_LONG 10 /* alive for at least a tenth of the program */
#define LEAST_HBM 7e9 /* no core of any TPU has less, where the chip is not known */
#define WORTH 0.01    /* share of HBM that is worth saving where it does not */

const char *rule_bytes(struct rule_work *w, double bytes)
{
	char text[40];

	units_bytes(text, sizeof text, bytes);
	return arena_strndup(&w->out->text, text, strlen(text));
}

const struct memory *rule_memory(const struct rule_work *w)
{
	const struct memory *m = w->in->memory;

	return m && m->peak_bytes > 0 ? m : NULL;
}

/* Returns the device of the capture that came closest to its limit; NULL: not known. */
static const struct memory_device *fullest(const struct rule_work *w, double *share)
{
	const struct memory_profile *p = w->in->profile;
	const struct memory_device *most = NULL;

	*share = 0;
	for (size_t i = 0; p && i < p->ndevices; i++) {
		const struct memory_device *k = &p->device[i];
		double used;

		if (!k->n || k->capacity <= 0 || !k->v[k->peak].known)
			continue;
		used = (double)memprof_event_use(&k->v[k->peak]) / (double)k->capacity;
		if (!most || used > *share) {
			*share = used;
			most = k;
		}
	}
	return most;
}

/* Says why the memory of no program was checked. */
static const char *no_memory(struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	size_t known = 0, large = SIZE_MAX;

	if (w->in->memory)
		return "the program has no buffers in HBM";
	for (size_t i = 0; d && i < d->nmodules; i++) {
		known += memory_is_known(&d->modules[i]);
		if (d->modules[i].len > MEMORY_PICK_BYTES)
			large = i;
	}
	if (d && d->nmodules && !known)
		return "the HLO protos have no buffer assignment; open those that the compiler writes last "
		       "(after_optimizations.hlo.pb of --xla_dump_to)";
	if (large != SIZE_MAX)
		return rule_say(w, "an HLO proto of %s is read only if you name it with --module",
		    rule_bytes(w, (double)d->modules[large].len));
	if (rule_cut(w, "no HLO proto could be read"))
		return rule_cut(w, "no HLO proto could be read");
	return d && hlo_modules_why(d) ? hlo_modules_why(d)
				       : "no HLO proto, which would have the program's buffers";
}

/* if not, says why */
static bool rule_has_memory(struct rule_work *w)
{
	if (!rule_memory(w))
		rule_unknown(w, "%s", no_memory(w));
	return rule_memory(w) != NULL;
}

bool rule_has_kinds(struct rule_work *w)
{
	if (!rule_has_memory(w))
		return false;
	if (rule_memory(w)->no_kinds)
		rule_unknown(w, "%s", rule_memory(w)->lacks);
	return !rule_memory(w)->no_kinds;
}

static double need_of(const struct memory *m)
{
	return (double)(m->allocated > m->peak_bytes ? m->allocated : m->peak_bytes);
}

/* Returns the HBM of a core, or what it has at least. */
static double hbm_of(const struct memory *m)
{
	return m->limit > 0 ? (double)m->limit : LEAST_HBM;
}

static bool has_failed(const struct rule_work *w)
{
	return w->in->module && w->in->module->oom;
}

static bool reaches(const char *rule, double share)
{
	return rule_level(rule_named(rule), 100 * share) < RULE_LEVELS;
}

/* Is memory what limits the program? */
static bool is_tight(const struct rule_work *w)
{
	const struct memory *m = rule_memory(w);
	double allocator;

	fullest(w, &allocator);
	return reaches("memory_limit", need_of(m) / hbm_of(m)) || reaches("allocator_peak", allocator) ||
	    has_failed(w);
}

const char *rule_room(const struct rule_work *w)
{
	if (is_tight(w))
		return "";
	if (rule_memory(w)->limit > 0)
		return "; HBM has room";
	return target_of(w->in->dump) == TARGET_TPU ? "; any chip has room" : "";
}

struct finding *rule_raise_bytes(struct rule_work *w, double measure, double bytes, const char *key)
{
	const struct memory *m = rule_memory(w);
	double whole = m->limit > 0 ? (double)m->limit : (double)m->peak_bytes;
	bool tight = is_tight(w);
	struct finding *f = NULL;

	if (tight || isnan(bytes) || bytes >= WORTH * hbm_of(m))
		f = rule_raise(w, measure, bytes, key);
	if (!f)
		return NULL;
	if (f->cost_kind == COST_BYTES)
		f->of_total = fmin(1, bytes / whole);
	/* the memory saved is not needed, or it is unknown whether it is */
	if (!isnan(bytes) && (!tight || (m->limit <= 0 && !rule_no_times(w))))
		f->severity = SEVERITY_LOW;
	rule_at_module(w, f);
	return f;
}

static void say_categories(struct rule_work *w, struct finding *f, const struct memory *m)
{
	for (int i = 0; i < MEMORY_UNKNOWN; i++)
		if (m->category[i] > 0)
			rule_detail(w, f, memory_category_name((enum memory_category)i), "%s",
			    rule_bytes(w, (double)m->category[i]));
	if (m->fragmentation > 0)
		rule_detail(w, f, "Fragmentation", "%s", rule_bytes(w, (double)m->fragmentation));
}

static const char *largest_category(const struct memory *m)
{
	static const char *const keys[MEMORY_CATEGORIES] = { [MEMORY_PARAMETER] = "parameters",
		[MEMORY_OUTPUT] = "outputs",
		[MEMORY_TEMPORARY] = "temporaries" };
	int most = 0;

	if (m->no_kinds)
		return NULL;
	for (int i = 1; i < MEMORY_CATEGORIES; i++)
		most = m->category[i] > m->category[most] ? i : most;
	return keys[most];
}

/* Says why it is not known how much memory the program may use. */
static const char *no_limit(const struct rule_work *w)
{
	switch (target_of(w->in->dump)) {
	case TARGET_GPU:
		return "the program is for a GPU, whose limit is not known";
	case TARGET_CPU:
		return "the program is for the CPU, which has no HBM";
	default:
		return "nothing names the chip that the program is for; set it with --device";
	}
}

/* Its name, or `none`. */
static const char *program_title(struct rule_work *w, const char *none)
{
	const struct hlo_module *h = w->in->module;
	const struct dump *d = w->in->dump;
	char title[HLO_TITLE];

	if (!h)
		return none;
	return d && d->nmodules && h->name
	    ? rule_say(w, "%s", hlo_module_title(d, (size_t)(h - d->modules), title, sizeof title))
	    : h->name;
}

/* "jit_f needs 128.0 KiB of 64.0 KiB per core (200.0 %), over by 64.0 KiB" */
static const char *say_need(struct rule_work *w, const struct memory *m, double need)
{
	const char *name = program_title(w, "the program"), *bytes = rule_bytes(w, need);
	double over = need - (double)m->limit;

	if (m->limit <= 0)
		return rule_say(w, "%s needs %s of HBM; the dump does not say how much there is", name,
		    bytes);
	return rule_say(w, "%s needs %s of %s%s (%.1f %%)%s%s", name, bytes, rule_bytes(w, (double)m->limit),
	    m->limit_said ? ", as its message says" : " per core", 100 * need / (double)m->limit,
	    over > 0 ? ", over by " : "", over > 0 ? rule_bytes(w, over) : "");
}

/* What the compiler computes again is named after what it was, "copy.4.remat2": its last means to save memory. */
static size_t rematerialized(const struct memory *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->npeak; i++)
		n += strstr(m->peak[i].name, ".remat") != NULL;
	return n;
}

static void say_rematerialized(struct rule_work *w, struct finding *f, const struct memory *m)
{
	size_t n = rematerialized(m);

	if (n)
		f->evidence =
		    rule_say(w, "%s; the compiler rematerializes already: %zu of %zu buffers at the peak",
			f->evidence, n, m->npeak);
}

void rule_memory_limit(struct rule_work *w)
{
	const struct memory *m = rule_memory(w);
	struct finding *f;
	bool several = w->in->dump && w->in->dump->nmodules > 1 && w->in->module;
	double need, over, percent;

	if (!rule_has_memory(w))
		return;
	if (m->limit <= 0 && !has_failed(w)) {
		rule_unknown(w, "%s", no_limit(w));
		return;
	}
	need = need_of(m);
	over = m->limit > 0 ? need - (double)m->limit : NAN;
	percent = m->limit > 0 ? 100 * need / (double)m->limit : NAN;
	/* the file of a program that did not compile does not say which memory space was too small */
	f = rule_raise_bytes(w, has_failed(w) ? fmax(100, percent) : percent, over > 0 ? over : NAN,
	    largest_category(m));
	if (!f) {
		rule_checked(w, "%s%speak %s of %s", several ? program_title(w, "") : "", several ? ": " : "",
		    rule_bytes(w, (double)m->peak_bytes), rule_bytes(w, (double)m->limit));
		return;
	}
	if (over > 0)
		f->title = "The program does not fit into HBM";
	else if (has_failed(w))
		f->title = "Compiling the program ran out of memory";
	f->evidence = say_need(w, m, need);
	say_rematerialized(w, f, m);
	rule_detail(w, f, "Peak", "%s", rule_bytes(w, (double)m->peak_bytes));
	say_categories(w, f, m);
}

void rule_fragmentation(struct rule_work *w)
{
	const struct memory *m = rule_memory(w);
	double percent = m ? m->sums.fragmentation : NAN;
	struct finding *f = NULL;

	if (!rule_has_kinds(w))
		return;
	if (isnan(percent) || m->untraced) {
		rule_unknown(w, "%s", m->untraced ? m->lacks : "no heap trace in the program's HLO proto");
		return;
	}
	if (100 * (double)m->fragmentation >= rule_limit(w->rule, "share") * (double)m->peak_bytes &&
	    (double)m->fragmentation >= rule_limit(w->rule, "bytes"))
		f = rule_raise_bytes(w, percent, (double)m->fragmentation, NULL);
	if (!f) {
		rule_checked(w, "%s%s", rule_bytes(w, (double)m->fragmentation), rule_room(w));
		return;
	}
	f->evidence = rule_say(w,
	    "%s are allocated, but only %s are in use at the peak: %.1f %% of the memory for temporaries is "
	    "unused",
	    rule_bytes(w, (double)m->allocated), rule_bytes(w, (double)m->peak_bytes), percent);
}

void rule_donation(struct rule_work *w)
{
	const struct memory *m = rule_memory(w);
	struct finding *f;
	double sum = 0;

	if (!rule_has_kinds(w))
		return;
	for (size_t i = 0; i < m->ndonations; i++) {
		sum += (double)m->donation[i].size;
		rule_counts_buffer(w, m->donation[i].parameter);
	}
	f = rule_raise_bytes(w, 100 * sum / (double)m->peak_bytes, sum, NULL);
	if (!f) {
		rule_checked(w, m->ndonations ? "%s not donated%s" : "nothing to donate", rule_bytes(w, sum),
		    rule_room(w));
		return;
	}
	f->evidence = rule_say(w,
	    "%zu output%s the size and shape of a parameter that is not donated: %s of %s at the peak",
	    m->ndonations, m->ndonations == 1 ? " has" : "s have", rule_bytes(w, sum),
	    rule_bytes(w, (double)m->peak_bytes));
	for (size_t i = 0; i < m->ndonations && i < BUFFERS_SHOWN; i++)
		rule_detail(w, f, m->donation[i].parameter->name, "%s, output %s",
		    rule_bytes(w, (double)m->donation[i].size), m->donation[i].output->name);
	rule_at_buffer(w, f, m->donation[0].parameter);
}

/* Names of ops that automatic differentiation in JAX or TensorFlow makes. */
static bool is_backward(const char *op)
{
	return strstr(op, "transpose(") || strstr(op, "gradient_tape") || strstr(op, "gradients/");
}

static bool has_backward(const struct memory *m)
{
	for (size_t i = 0; i < m->nall; i++)
		if (is_backward(m->all[i].op_name))
			return true;
	for (size_t i = 0; i < m->npeak; i++)
		if (is_backward(m->peak[i].op_name))
			return true;
	return false;
}

/* An activation is made by the forward pass and kept for long, so it is not just for the next op. */
static bool is_activation(const struct memory *m, const struct memory_buffer *b)
{
	bool may = b->category == MEMORY_TEMPORARY ||
	    (b->category == MEMORY_UNKNOWN && strcmp(b->opcode, "parameter") != 0);

	return may && *b->op_name && !is_backward(b->op_name) && b->start >= 0 &&
	    (double)(b->end - b->start) * LIVES_LONG >= (double)m->npoints;
}

static int by_size(const void *a, const void *b)
{
	const struct memory_buffer *x = *(const struct memory_buffer *const *)a,
				   *y = *(const struct memory_buffer *const *)b;

	return x->size != y->size ? (x->size < y->size ? 1 : -1) : (x > y) - (x < y);
}

static void say_activations(struct rule_work *w, const struct memory_buffer **v, size_t n, double sum)
{
	const struct memory *m = rule_memory(w);
	struct finding *f = NULL;

	if (is_tight(w))
		f = rule_raise_bytes(w, 100 * sum / (double)m->peak_bytes, sum, NULL);
	if (!f) {
		rule_checked(w, "%.1f %% of the peak%s", 100 * sum / (double)m->peak_bytes, rule_room(w));
		return;
	}
	f->evidence = rule_say(w,
	    "%s of %s at the peak: %zu temporar%s of the forward pass wait%s for the backward pass",
	    rule_bytes(w, sum), rule_bytes(w, (double)m->peak_bytes), n, n == 1 ? "y" : "ies",
	    n == 1 ? "s" : "");
	qsort(v, n, sizeof *v, by_size);
	for (size_t i = 0; i < n && i < BUFFERS_SHOWN; i++)
		rule_detail(w, f, v[i]->name, "%s, %s", rule_bytes(w, (double)v[i]->size), v[i]->op_name);
	rule_at_buffer(w, f, v[0]);
}

void rule_activations(struct rule_work *w)
{
	const struct memory *m = rule_memory(w);
	const struct memory_buffer **v;
	double sum = 0;
	size_t n = 0;

	if (!m || !has_backward(m))
		return; /* no training */
	v = xcalloc(m->npeak + 1, sizeof *v);
	for (size_t i = 0; i < m->npeak; i++)
		if (is_activation(m, &m->peak[i])) {
			v[n++] = &m->peak[i];
			rule_counts_buffer(w, &m->peak[i]);
			sum += (double)m->peak[i].size;
		}
	say_activations(w, v, n, sum);
	free(v);
}

/* A hint: other programs and arrays of the process also take memory, so it is given only where the
 * allocator's numbers say that it holds little, too. */
void rule_hbm_empty(struct rule_work *w)
{
	const struct memory *m = rule_memory(w);
	double allocator, used;

	if (!m || m->limit <= 0 || !fullest(w, &allocator))
		return;
	used = need_of(m) / (double)m->limit;
	if (100 * allocator >= rule_limit(w->rule, "allocator") ||
	    !(100 * (1 - used) >= w->rule->at[SEVERITY_LOW]))
		return;
	rule_hint(w, "%s. %s needs %s of %s per core (%.1f %%), the whole process uses at most %.1f %%",
	    w->rule->title, program_title(w, "The program"), rule_bytes(w, need_of(m)),
	    rule_bytes(w, (double)m->limit), 100 * used, 100 * allocator);
}

void rule_allocator_peak(struct rule_work *w)
{
	const struct memory_event *e;
	const struct memory_device *k;
	struct finding *f;
	double share;

	if (!(k = fullest(w, &share))) {
		rule_unknown(w, "no events of an allocator in this input");
		return;
	}
	e = &k->v[k->peak];
	f = rule_raise(w, 100 * share, NAN, NULL);
	if (!f) {
		rule_checked(w, "%s of %s, memory %s", rule_bytes(w, (double)memprof_event_use(e)),
		    rule_bytes(w, (double)k->capacity), k->name);
		return;
	}
	f->evidence = rule_say(w, "memory %s: %s of %s in use at the peak (%.1f %%)", k->name,
	    rule_bytes(w, (double)memprof_event_use(e)), rule_bytes(w, (double)k->capacity), 100 * share);
	rule_detail(w, f, "Heap", "%s", rule_bytes(w, (double)e->heap));
	rule_detail(w, f, "Stack and reserved", "%s", rule_bytes(w, (double)e->stack));
	if (e->fragmentation > 0)
		rule_detail(w, f, "Fragmentation", "%.1f %%", 100 * e->fragmentation);
	if (k->lifetime > 0)
		rule_detail(w, f, "Peak since start", "%s", rule_bytes(w, (double)k->lifetime));
}
