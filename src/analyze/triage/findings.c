#include "config.h"
#include "analyze/triage/shapes.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"

#define FRAGMENTATION 10.0 /* percent of the memory for temporaries */
#define PART 0.01          /* share of the limit below which it is not worth a finding */

static void bytes(char buf[32], int64_t v)
{
	if (v == SIZE_NONE)
		snprintf(buf, 32, "unknown");
	else
		units_bytes(buf, 32, (double)v);
}

static void add_finding(struct triage_work *w, size_t error, const char *id, const char *severity,
    const char *title, const char *evidence, const char *advice)
{
	triage_add_finding(w->t,
	    &(struct triage_finding){ id, severity, title, evidence, advice, (int64_t)error });
}

static void arguments(struct triage_work *w, size_t i)
{
	const struct triage_occurrence *o = w->rows[i];
	char a[32], l[32], text[200];

	if (o->num[NUM_ARGUMENTS] == SIZE_NONE || o->num[NUM_LIMIT] == SIZE_NONE ||
	    o->num[NUM_ARGUMENTS] <= o->num[NUM_LIMIT])
		return;
	bytes(a, o->num[NUM_ARGUMENTS]);
	bytes(l, o->num[NUM_LIMIT]);
	snprintf(text, sizeof text,
	    "arguments alone take %s of %s, at least %.0f devices; reducing temporaries does not help", a, l,
	    ceil((double)o->num[NUM_ARGUMENTS] / (double)o->num[NUM_LIMIT]));
	add_finding(w, i, "arguments_exceed_limit", "high", "The arguments alone do not fit", text,
	    "Shard parameters and optimizer state over more chips (FSDP, tensor parallelism): check that "
	    "in_shardings does not replicate them. | Use smaller types: bfloat16 or int8 weights, an "
	    "optimizer "
	    "with less state. | Offload what is used once per step to the host "
	    "(memory_kind=\"pinned_host\").");
}

static void fragments(struct triage_work *w, size_t i)
{
	const struct triage_occurrence *o = w->rows[i]->lists;

	for (size_t k = 0; k < o->nneeds; k++) {
		const struct triage_need *x = &o->needs[k];
		char holes[32], all[32], text[200];

		if (strcmp(x->name, "HLO temp") || !(x->fragmentation_percent > FRAGMENTATION))
			continue;
		bytes(holes, x->fragmentation);
		bytes(all, x->size);
		snprintf(text, sizeof text, "%.1f %% of the %s for temporaries, %s, are gaps between buffers",
		    x->fragmentation_percent, all, holes);
		add_finding(w, i, "fragmentation",
		    (double)x->fragmentation < PART * (double)w->rows[i]->num[NUM_LIMIT] ? "low" : "medium",
		    "The memory is fragmented", text,
		    "Break up the largest buffers: scan over layers or chunks instead of one large array, "
		    "use smaller blocks in kernels. | Keep fewer different sizes live at once: the same "
		    "microbatch "
		    "everywhere. | --xla_tpu_rematerialization_algo=PEAK_PRIORITY changes what is live at "
		    "the "
		    "peak.");
		return;
	}
}

/* Runs the rules that look at the whole message and at the listed shapes. */
static void shapes(struct triage_work *w, size_t i)
{
	struct triage_look *l = xcalloc(1, sizeof *l);

	triage_look_begin(w, i, l);
	for (size_t k = 0; k < triage_nrules; k++) {
		const struct triage_rule *r = &triage_rules[k];
		char *advice;

		*l->advice = 0;
		l->low = false;
		if (!r->holds(l))
			continue;
		advice = xasprintf("%s%s%s", l->advice, *l->advice && *r->advice ? " | " : "", r->advice);
		add_finding(w, i, r->id, l->low ? "low" : r->severity, r->title, l->evidence, advice);
		free(advice);
	}
	triage_look_end(l);
	free(l);
}

static void runtime(struct triage_work *w, size_t i)
{
	const struct triage_occurrence *o = w->rows[i];
	char f[32], n[32], l[32], text[240];

	if (o->kind != w->special[KIND_ALLOC] && o->kind != w->special[KIND_LOAD] &&
	    (o->kind != w->special[KIND_GPU] || o->num[NUM_LARGEST] == SIZE_NONE ||
		o->num[NUM_LARGEST] >= o->num[NUM_NEEDED]))
		return;
	if (o->num[NUM_FREE] == SIZE_NONE || o->num[NUM_NEEDED] == SIZE_NONE ||
	    o->num[NUM_FREE] < o->num[NUM_NEEDED])
		return;
	bytes(f, o->num[NUM_FREE]);
	bytes(n, o->num[NUM_NEEDED]);
	bytes(l, o->num[NUM_LARGEST]);
	snprintf(text, sizeof text, "%s are free, %s were asked for, but the largest free block is %s", f, n,
	    l);
	add_finding(w, i, "runtime_fragmentation", "high", "Enough is free, but not in one block", text,
	    "Allocate large, long-lived arrays first: parameters and optimizer state before caches and "
	    "batches. | Free everything and load it again (save, delete all arrays, restore) rather than bit "
	    "by "
	    "bit. | Use smaller arrays: a cache in pages or per layer instead of one array.");
}

/* A GPU ran out of memory though the program needs little of it. */
static void taken(struct triage_work *w, size_t i)
{
	const struct triage_occurrence *o = w->rows[i];
	const int64_t small = INT64_C(1) << 30; /* less than any GPU has */
	int64_t program = o->num[NUM_PROGRAM];
	char text[160], p[32];

	if (o->kind != w->special[KIND_GPU] || program == SIZE_NONE || program >= small)
		return;
	bytes(p, program);
	snprintf(text, sizeof text, "the program needs %s in all, less than any GPU has", p);
	add_finding(w, i, "gpu_taken", "high", "Something else holds the memory of the GPU", text,
	    "nvidia-smi shows who: another process, a notebook, or a framework that takes all at once "
	    "(TensorFlow beside "
	    "JAX). | In the same process: arrays that are kept alive, or a fraction that is set too small "
	    "(XLA_PYTHON_CLIENT_MEM_FRACTION).");
}

static void output(struct triage_work *w, size_t i)
{
	const struct triage_occurrence *o = w->rows[i];
	char out[32], shared[32], text[200];

	if (o->num[NUM_OUTPUT] == SIZE_NONE || o->num[NUM_SHARED] == SIZE_NONE ||
	    o->num[NUM_LIMIT] == SIZE_NONE)
		return;
	if ((double)o->num[NUM_OUTPUT] < PART * (double)o->num[NUM_LIMIT] ||
	    (double)o->num[NUM_SHARED] >= (double)o->num[NUM_OUTPUT] / 2)
		return;
	bytes(out, o->num[NUM_OUTPUT]);
	bytes(shared, o->num[NUM_SHARED]);
	snprintf(text, sizeof text, "of %s of outputs, %s share memory with arguments", out, shared);
	add_finding(w, i, "output_not_shared", "medium", "Outputs do not reuse the memory of arguments", text,
	    "Donate what a step replaces: donate_argnums of jax.jit for state and caches (shape, type and "
	    "sharding must be those of the output); torch_xla aliases between steps by itself. | Return only "
	    "what is needed.");
}

/* Writes the causes that the numbers rule out, such as "; not fragmentation". */
static void not_text(const struct triage_work *w, size_t i, char *out, size_t size)
{
	const struct triage_occurrence *o = w->rows[i], *lists = o->lists;
	int64_t limit = o->num[NUM_LIMIT];
	size_t n;

	*out = 0;
	if (limit != SIZE_NONE && o->num[NUM_ARGUMENTS] != SIZE_NONE &&
	    (double)o->num[NUM_ARGUMENTS] < 0.1 * (double)limit)
		snprintf(out, size, "; not the arguments");
	for (size_t k = 0; k < lists->nneeds; k++) {
		const struct triage_need *x = &lists->needs[k];

		if (strcmp(x->name, "HLO temp"))
			continue;
		n = strlen(out);
		if (x->fragmentation_percent < 2)
			snprintf(out + n, size - n, "; not fragmentation (%.1f %%)",
			    x->fragmentation_percent);
		n = strlen(out);
		if (x->unpadded != SIZE_NONE && x->padded != SIZE_NONE && x->padded > 0 &&
		    (double)x->unpadded > 0.98 * (double)x->padded)
			snprintf(out + n, size - n, "; not padding");
	}
}

/* The op and the program, when what is shown of the message does not name them. */
static void add_place(const struct triage_occurrence *o, char *text, size_t size)
{
	static const struct {
		enum triage_text_id id;
		const char *name;
	} places[] = { { TEXT_DEVICE, "at" }, { TEXT_OP, "hlo" }, { TEXT_MODULE, "HLO module" } };

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		const char *s = o->text[places[i].id];
		size_t n = strlen(text);

		if (s && !strstr(text, s))
			snprintf(text + n, size - n, "; %s: %.200s", places[i].name, s);
	}
}

/* "16.0 MiB of 16.0 MiB" hides how much is too much. */
static void needs_text(const struct triage_occurrence *o, char out[120])
{
	int64_t needed = o->num[NUM_NEEDED], limit = o->num[NUM_LIMIT], over = o->num[NUM_EXCEEDED];
	char need[32], most[32], more[32];

	bytes(need, needed);
	bytes(most, limit);
	over = over == SIZE_NONE && needed > limit ? needed - limit : over;
	bytes(more, over);
	if (over != SIZE_NONE && !strcmp(need, most))
		snprintf(out, 120, "needs %s of %s, %s too much", need, most, more);
	else
		snprintf(out, 120, "needs %s of %s", need, most);
}

/* A GPU is asked for one piece; below it may stand what the program needs, and what the allocator has. */
static void gpu_text(const struct triage_occurrence *o, char *text, size_t size)
{
	static const struct {
		enum triage_number id;
		const char *before, *behind;
	} parts[] = { { NUM_NEEDED, "asked for ", " at once" },
		{ NUM_PROGRAM, "; the program needs ", " in all" },
		{ NUM_LIMIT, "; the allocator may use ", "" }, { NUM_USED, "; ", " are in use" },
		{ NUM_FREE, "; ", " are free" }, { NUM_LARGEST, "; the largest free piece has ", "" } };
	size_t n = 0;
	char v[32];

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (o->num[parts[i].id] == SIZE_NONE)
			continue;
		bytes(v, o->num[parts[i].id]);
		n += (size_t)snprintf(text + n, size - n, "%s%s%s", parts[i].before, v, parts[i].behind);
	}
}

static bool is_unknown(const struct triage_kind *k)
{
	return k->special == KIND_UNKNOWN_FATAL || k->special == KIND_UNKNOWN_ERROR;
}

/* Where a record stands that no rule knows. */
static void add_line(const struct triage_occurrence *o, char *text, size_t size)
{
	size_t n = strlen(text);

	if (o->source)
		n += (size_t)snprintf(text + n, size - n, "; %s", o->source);
	if (o->count > 1)
		n += (size_t)snprintf(text + n, size - n, "; the first of %" PRIu64, o->count);
	snprintf(text + n, size - n, ", line %" PRIu64, o->line);
}

/* Writes how many words a SparseCore asked for and has. */
static void words_text(const struct triage_occurrence *o, char *out, size_t size)
{
	enum { WORD = 4 };

	snprintf(out, size, " (%" PRId64 " words of %" PRId64 ")", o->num[NUM_NEEDED] / WORD,
	    o->num[NUM_LIMIT] / WORD);
}

static void kind(struct triage_work *w, size_t i)
{
	static const struct {
		int special;
		const char *id;
	} ids[] = {
		{ KIND_IN_USE, "tpu_in_use" },
		{ KIND_HOSTNAME, "worker_hostname" },
		{ KIND_HALTED, "core_halted" },
		{ KIND_SCOPED, "scoped_vmem" },
		{ KIND_HBM, "hbm_too_small" },
	};
	const struct triage_occurrence *o = w->rows[i];
	const struct triage_kind *k = &w->kinds[o->kind];
	const char *id = k->name;
	char text[1500], needed[120], not [160];

	for (size_t j = 0; j < sizeof ids / sizeof *ids; j++)
		if (k->special == ids[j].special)
			id = ids[j].id;
	if (k->special == KIND_GPU && o->num[NUM_NEEDED] != SIZE_NONE) {
		gpu_text(o, text, sizeof text);
	} else if (o->num[NUM_NEEDED] != SIZE_NONE && o->num[NUM_LIMIT] != SIZE_NONE) {
		needs_text(o, needed);
		not_text(w, i, not, sizeof not );
		if (k->special == KIND_SPARSECORE)
			words_text(o, needed + strlen(needed), sizeof needed - strlen(needed));
		snprintf(text, sizeof text, "%s%s%s%s", needed, o->text[TEXT_MODULE] ? " in " : "",
		    o->text[TEXT_MODULE] ? o->text[TEXT_MODULE] : "", not );
	} else if (o->num[NUM_PROGRAM] != SIZE_NONE) {
		bytes(needed, o->num[NUM_PROGRAM]);
		not_text(w, i, not, sizeof not );
		snprintf(text, sizeof text, "the program needs %s%s%s", needed,
		    k->special == KIND_HBM && o->num[NUM_ARGUMENTS] == SIZE_NONE ? " beside its arguments"
										 : "",
		    not );
	} else {
		snprintf(text, sizeof text, "%.400s", o->text[TEXT_MESSAGE] ? o->text[TEXT_MESSAGE] : "");
		add_place(o, text, sizeof text);
	}
	if (is_unknown(k))
		add_line(o, text, sizeof text);
	if (o->truncated)
		strncat(text, "; " TRIAGE_CUT, sizeof text - strlen(text) - 1);
	if (o->dump) {
		size_t n = strlen(text);

		snprintf(text + n, sizeof text - n, "; its dump: %.300s%s%s", o->dump,
		    o->candidates ? "; the message names no program, and several failed, this one first: "
				  : "",
		    o->candidates ? o->candidates : "");
	} else if (o->no_dump) {
		strncat(text, "; its dump is not here", sizeof text - strlen(text) - 1);
	}
	add_finding(w, i, id,
	    !strcmp(k->severity, "warning")        ? "low"
		: k->special == KIND_UNKNOWN_ERROR ? "medium"
						   : "high",
	    k->title, text, o->advice && strcmp(o->advice, "-") ? o->advice : "");
}

static void find_rows(struct triage_work *w, const struct table *t, size_t offset)
{
	for (size_t i = 0; i < t->nrows; i++) {
		const struct cell *c = table_get(t, i, "error");
		struct triage_rows *r = (void *)((char *)w->rows[c->u.i] + offset);

		r->from = r->to ? r->from : i;
		r->to = i + 1;
	}
}

int triage_rank(const struct triage *t, size_t error)
{
	struct slice severity = cell_text(table_get(&t->errors, error, "severity"));

	if (slice_is(severity, "fatal"))
		return 0;
	if (slice_is(severity, "warning"))
		return TRIAGE_RANKS - 1;
	return table_num(&t->errors, error, TRIAGE_ERRORS_needed_bytes) > 0 ? 1 : 2;
}

/* Adds the findings about one error: first what happened, then its likely causes. */
static void findings_of(struct triage_work *w, size_t i)
{
	kind(w, i);
	arguments(w, i);
	shapes(w, i);
	runtime(w, i);
	taken(w, i);
	fragments(w, i);
	output(w, i);
}

/* The worst error first.  Called again when a dump has supplied the list of buffers. */
void triage_findings(struct triage_work *w)
{
	table_free(&w->t->findings);
	for (size_t i = 0; i < w->nrows; i++)
		w->rows[i]->in_buffers = w->rows[i]->in_report = (struct triage_rows){ 0 };
	find_rows(w, &w->t->buffers, offsetof(struct triage_occurrence, in_buffers));
	find_rows(w, &w->t->report, offsetof(struct triage_occurrence, in_report));
	for (int rank = 0; rank < TRIAGE_RANKS; rank++)
		for (size_t i = 0; i < w->nrows; i++)
			if (triage_rank(w->t, i) == rank)
				findings_of(w, i);
}
