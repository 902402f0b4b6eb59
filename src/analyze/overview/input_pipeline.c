#include "config.h"
#include "analyze/overview/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/target.h"

void input_begin(struct input_pipeline *p)
{
	*p = (struct input_pipeline){ 0 };
	table_begin_texts(&p->warnings);
}

/* Is it a fact about steps that both reports have? */
static bool is_shared(const char *id)
{
	static const char *const heads[] = { "steptime_", "infeed_percent_", "tc_", "scv0_", "host_transfer_",
		"active_", "step_idle_" };
	static const char *const tails[] = { "_time_ms_avg", "_time_ms_sdv" };

	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (!strncmp(id, heads[i], strlen(heads[i])))
			return true;
	for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
		if (slice_ends(slice_of(id), tails[i]))
			return true;
	return false;
}

static void copy_facts(const struct facts *from, struct facts *to)
{
	for (size_t i = 0; i < from->n; i++)
		if (from->v[i].v.type == CELL_STR && !strcmp(from->v[i].id, "step_source"))
			facts_str(to, from->v[i].id, from->v[i].v.s);
		else if (is_shared(from->v[i].id))
			facts_num(to, from->v[i].id, facts_number(from, from->v[i].id));
}

static const char *hardware(const struct dump *d, const char *host)
{
	bool gpu = false;

	for (size_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];

		if (host && !dump_host_is(d, p->host, host))
			continue;
		if (p->kind == PLANE_TPU)
			return "TPU";
		gpu |= p->kind == PLANE_GPU;
	}
	return gpu ? "GPU" : "CPU_ONLY";
}

void input_note_track(void *ctx, uint32_t track, const struct framework_row *r)
{
	uint8_t *used = ctx; /* by track: it has input work, or waits for it */
	enum input_category c;

	if (slice_begins(r->name, "IteratorGetNext") || input_op_category(r->name, r->type, &c))
		used[track] = 1;
}

/* Returns the share of time spent on enqueueing or, without infeed, on copies to the device; 0: not known. */
static double enqueue_ratio(const struct framework *f, const struct overview *v)
{
	double step = facts_number(&v->summary, "steptime_ms_average"), ratio = 0;

	if (f->enqueue_span > 0)
		ratio = (double)f->enqueue_time / (double)f->enqueue_span;
	else if (!v->tpu && step > 0)
		ratio = v->host_to_device_ms / step;
	return ratio < 1 ? ratio : 1;
}

static void warn_host(struct input_pipeline *p, const struct dump *d, const char *host)
{
	bool threads = false;

	for (size_t k = 0; k < d->trace.ntracks && !threads; k++)
		threads = framework_host_track(d, &d->trace.tracks[k], host);
	if (!threads)
		table_say(&p->warnings, "no host plane: the host's input work is unknown");
	else if (!p->host_ops.nrows)
		table_say(&p->warnings,
		    "no input op on the host (tf.data, infeed, transfers): the host's input work is "
		    "unknown");
}

static void host_side(const struct dump *d, const struct steps *steps, const struct overview *v,
    const struct overview_options *o, struct input_pipeline *p)
{
	uint8_t *used = v->host_ops ? NULL : xcalloc(d->trace.ntracks + 1, 1);
	struct framework_host_options options = { .host = o->host,
		.progress = o->progress,
		.ran = input_note_track,
		.ctx = used };
	double self[INPUT_CATEGORIES], us[INPUT_CATEGORIES];
	struct framework own = { 0 };
	const struct framework *f = v->host_ops ? v->host_ops : &own;

	if (f == &own)
		framework_host(d, &options, &own);
	input_host_ops(f, &p->host_ops, self);
	input_host_parts(self, enqueue_ratio(f, v), us);
	input_breakdown(us, NULL, &p->breakdown);
	warn_host(p, d, o->host);
	if (!progress_canceled(o->progress))
		input_threads(d, steps, f == &own ? used : v->input_tracks,
		    f == &own ? d->trace.ntracks : v->ninput_tracks, p);
	if (f == &own)
		framework_free(&own);
	free(used);
}

void input_pipeline_build(const struct dump *d, const struct steps *steps, const struct overview *v,
    const struct overview_options *o, struct input_pipeline *p)
{
	input_begin(p);
	progress_what(o->progress, "adding up input ops");
	copy_facts(&v->summary, &p->summary);
	facts_str(&p->summary, "hardware_type", hardware(d, o->host));
	input_conclude(v, &p->summary);
	input_max_infeed(d, v, &p->max_infeed_core);
	host_side(d, steps, v, o, p);
	input_recommend(p, target_words(d));
}

void input_pipeline_make(const struct dump *d, const struct steps *steps, const struct overview *v,
    const struct overview_options *o, struct input_pipeline *p)
{
	const struct toolfile *file = input_toolfile(d, o->host);

	if (file)
		input_from_toolfile(file, p);
	else
		input_pipeline_build(d, steps, v, o, p);
}

void input_pipeline_free(struct input_pipeline *p)
{
	facts_free(&p->summary);
	table_free(&p->device);
	table_free(&p->max_infeed_core);
	table_free(&p->host_ops);
	table_free(&p->breakdown);
	table_free(&p->recommendations);
	table_free(&p->warnings);
	free(p->threads);
	*p = (struct input_pipeline){ 0 };
}
