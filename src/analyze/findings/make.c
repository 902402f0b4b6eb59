#include "config.h"
#include "analyze/findings/findings.h"

#include <stdlib.h>

#include "analyze/memory/pick.h"
#include "analyze/ptxla/ptxla.h"
#include "analyze/triage/triage.h"

/* What was made here and is freed again; findings have copies of its texts. */
struct made {
	struct input_pipeline input;
	struct memory_profile profile;
	struct pod pod;
	struct memory memory;
	struct ptxla ptxla;
	struct triage triage;
};

static void make_input(struct finding_input *in, const struct finding_scope *s, struct made *m)
{
	struct overview_options o = { .host = s->host,
		.core = s->core,
		.threads = s->threads,
		.progress = in->progress };

	input_pipeline_make(in->dump, in->steps, in->overview, &o, &m->input);
	in->input = &m->input;
}

static void make_profile(struct finding_input *in, const struct finding_scope *s, struct made *m)
{
	memprof_build(in->dump, in->steps->groups, s->host, in->progress, &m->profile);
	in->profile = &m->profile;
}

static int make_pod(struct finding_input *in, const struct finding_scope *s, struct made *m, struct err *e)
{
	struct pod_options o = { .topology = s->topology,
		.threads = s->threads,
		.progress = in->progress,
		.cores = in->overview->cores.ncores ? &in->overview->cores : NULL };

	in->pod = &m->pod;
	return pod_make(in->dump, in->steps, &o, &m->pod, e);
}

static void make_memory(struct finding_input *in, const struct finding_scope *s, struct made *m)
{
	bool ran = in->ops && in->ops->op_time > 0;
	int asked = s->module < 0 && !ran && in->triage ? triage_module(in->triage, in->dump) : s->module;
	int64_t *said = in->triage ? triage_limits(in->triage, in->dump) : NULL;

	in->module = memory_pick(in->dump, in->ops, asked, said, in->progress, &m->memory);
	in->memory = in->module ? &m->memory : NULL;
	free(said);
}

static void make_texts(struct finding_input *in, struct made *m)
{
	if (!in->ptxla && ptxla_any(in->dump)) {
		ptxla_of_dump(in->dump, in->progress, &m->ptxla);
		in->ptxla = &m->ptxla;
	}
	if (!in->triage && triage_has_texts(in->dump)) {
		triage_of_dump(in->dump, in->progress, &m->triage);
		in->triage = &m->triage;
	}
}

int findings_make(const struct finding_input *given, const struct finding_scope *s, struct findings *out,
    struct err *e)
{
	bool is_pod = !s->host && s->core < 0;
	struct finding_input in = *given;
	struct made m;
	int bad = 0;

	*out = (struct findings){ 0 };
	if (!is_pod)
		in.pod = NULL;
	else if (!in.pod)
		bad = make_pod(&in, s, &m, e);
	if (!in.input)
		make_input(&in, s, &m);
	if (!in.profile)
		make_profile(&in, s, &m);
	make_texts(&in, &m);
	if (!in.memory)
		make_memory(&in, s, &m);
	if (!bad)
		findings_build(&in, out);
	if (in.pod == &m.pod)
		pod_free(&m.pod);
	if (in.input == &m.input)
		input_pipeline_free(&m.input);
	if (in.profile == &m.profile)
		memprof_free(&m.profile);
	if (in.memory == &m.memory)
		memory_free(&m.memory);
	if (in.ptxla == &m.ptxla)
		ptxla_free(&m.ptxla);
	if (in.triage == &m.triage)
		triage_free(&m.triage);
	return bad;
}
