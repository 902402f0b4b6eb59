#include "config.h"
#include "report/measured.h"

void measured_begin(const struct dump *d, const struct report_options *o, bool files, struct measured *m)
{
	struct opdb_options ops = { .host = o->host,
		.core = o->core,
		.threads = o->threads,
		.steps = &m->steps };

	m->options = (struct overview_options){ .host = o->host, .core = o->core, .threads = o->threads };
	steps_find(d, &m->steps, false);
	opdb_build(d, &ops, &m->db);
	(files ? overview_make : overview_build)(d, &m->steps, &m->db, &m->options, &m->overview);
}

void measured_free(struct measured *m)
{
	overview_free(&m->overview);
	opdb_free(&m->db);
	steps_free(&m->steps);
}

int measured_findings(const struct dump *d, const struct report_options *o, const struct measured *m,
    struct findings *f, struct err *e)
{
	const struct step_cores *cores = &m->overview.cores;
	struct pod_options whole = { .topology = o->topology, .threads = o->threads, .cores = cores };
	int asked = o->module ? hlo_module_find(d, o->module) : -1;
	bool is_pod = !o->host && o->core < 0;
	struct memory_profile profile;
	struct input_pipeline input;
	struct pod pod;
	int bad;

	if (o->module && asked < 0)
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "no module \"%s\" — a name, name(id) or id; report memory lists them", o->module);
	if (is_pod && pod_make(d, &m->steps, &whole, &pod, e)) {
		pod_free(&pod);
		return -1;
	}
	input_pipeline_make(d, &m->steps, &m->overview, &m->options, &input);
	memory_profile_build(d, m->steps.groups, o->host, NULL, &profile);
	bad = findings_make(&(struct finding_input){ .dump = d,
				.steps = &m->steps,
				.ops = &m->db,
				.overview = &m->overview,
				.input = &input,
				.profile = &profile,
				.pod = is_pod ? &pod : NULL },
	    asked, f, e);
	if (is_pod)
		pod_free(&pod);
	memory_profile_free(&profile);
	input_pipeline_free(&input);
	return bad;
}
