#include "config.h"
#include "analyze/findings/internal.h"

#include <string.h>

#include "analyze/device/target.h"
#include "base/mem.h"

/* Returns the evidence that the rule's row names, or a replacement if this input does not have it. */
struct proof rule_proof(const struct rule_work *w)
{
	/* With only the result of a profiler, the steps are all there is to see. */
	bool no_events = w->in->overview && w->in->overview->file && !w->in->dump->trace.ntracks;
	bool no_cores = w->in->pod && !w->in->pod->cores.nsteps;
	bool kernels = target_of(w->in->dump) == TARGET_GPU && rule_has_events(w, PLANE_GPU);
	enum evidence e = w->rule->evidence;

	if (e == EVIDENCE_EVENTS && no_events)
		e = EVIDENCE_STEP_TIME;
	else if (e == EVIDENCE_CORES && no_cores)
		e = kernels ? EVIDENCE_KERNELS : EVIDENCE_FILES;
	return proof_of(e);
}

static const char *copied(struct rule_work *w, const char *s, size_t n)
{
	return arena_strndup(&w->out->text, s, n);
}

static void point_at(struct rule_work *w, struct finding *f, enum ref_kind kind, const char *text)
{
	f->proof.kind = kind;
	f->proof.text = copied(w, text, strlen(text));
}

/* More names than this no filter can take. */
enum { MEMBERS_MOST = 16000 };

static void count_member(struct rule_work *w, const char *s, size_t n)
{
	w->nmembers++;
	if (w->members_len > MEMBERS_MOST || memchr(s, '\n', n))
		return;
	while (w->members_len + n + 1 > w->members_cap) {
		w->members_cap = w->members_cap ? 2 * w->members_cap : 512;
		w->members = xrealloc(w->members, w->members_cap, 1);
	}
	memcpy(w->members + w->members_len, s, n);
	w->members[w->members_len + n] = '\n';
	w->members_len += n + 1;
}

void rule_counts_op(struct rule_work *w, const struct op *o)
{
	struct slice name = op_short_name(w->in->dump, o);

	count_member(w, name.s, name.n);
}

void rule_counts_buffer(struct rule_work *w, const struct memory_buffer *b)
{
	count_member(w, b->name, strlen(b->name));
}

const char *rule_members(struct rule_work *w)
{
	if (!w->members_len || w->members_len > MEMBERS_MOST)
		return "";
	return copied(w, w->members, w->members_len - 1);
}

void rule_at_op(struct rule_work *w, struct finding *f, const struct op *o)
{
	struct slice name = op_short_name(w->in->dump, o);

	f->proof.kind = REF_OP;
	f->proof.text = copied(w, name.s, name.n);
	f->proof.name = o->name;
	f->proof.program = o->program;
}

void rule_at_name(struct rule_work *w, struct finding *f, strid name)
{
	const struct strtab *str = &w->in->dump->str;

	f->proof.kind = REF_OP;
	f->proof.text = copied(w, strtab_str(str, name), strtab_len(str, name));
	f->proof.name = name;
}

void rule_at_kernel(struct rule_work *w, struct finding *f, struct slice name)
{
	f->proof.kind = REF_NODE;
	f->proof.text = copied(w, name.s, name.n);
}

void rule_at_step(struct rule_work *w, struct finding *f, const char *label)
{
	point_at(w, f, REF_STEP, label);
}

void rule_at_step_of(struct rule_work *w, struct finding *f, const char *label, int host, int core)
{
	point_at(w, f, REF_STEP, label);
	f->proof.host = host;
	f->proof.core = core;
}

void rule_at_core(struct rule_work *w, struct finding *f, int host, int core)
{
	point_at(w, f, REF_CORE, "");
	f->proof.host = host;
	f->proof.core = core;
}

void rule_at_link(struct rule_work *w, struct finding *f, enum ref_kind kind, const char *name)
{
	point_at(w, f, kind, name);
}

void rule_at_gap(struct finding *f, const struct plane *p, int64_t first, int64_t last)
{
	f->proof.kind = f->proof.kind == REF_STEP ? REF_STEP : REF_TIME;
	f->proof.host = p->host;
	f->proof.core = p->core;
	f->proof.first = first;
	f->proof.last = last;
}

static void of_module(struct rule_work *w, struct finding *f)
{
	const struct hlo_module *h = w->in->module;

	if (!h)
		return;
	f->proof.module = copied(w, h->name, strlen(h->name));
	f->proof.program = h->program;
}

void rule_at_module(struct rule_work *w, struct finding *f)
{
	if (w->in->module)
		point_at(w, f, REF_MODULE, "");
	of_module(w, f);
}

void rule_at_buffer(struct rule_work *w, struct finding *f, const struct memory_buffer *b)
{
	point_at(w, f, REF_BUFFER, b->name);
	of_module(w, f);
}
