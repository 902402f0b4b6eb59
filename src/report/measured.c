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
	struct finding_input in = { .dump = d, .steps = &m->steps, .ops = &m->db, .overview = &m->overview };
	struct finding_scope scope = { .host = o->host,
		.core = o->core,
		.module = o->module ? hlo_module_find(d, o->module) : -1,
		.topology = o->topology,
		.threads = o->threads };

	if (o->module && scope.module < 0)
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "no module \"%s\" — a name, name(id) or id; report memory lists them", o->module);
	return findings_make(&in, &scope, f, e);
}
