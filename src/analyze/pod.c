#include "config.h"
#include "analyze/pod_part.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/detail.h"

void pod_begin(struct pod *p)
{
	static const struct column text = { "text", "warning", "", COL_STRING };

	*p = (struct pod){ .nhosts = 0 };
	table_init(&p->warnings, &text, 1);
}

void pod_warn(struct pod *p, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	*table_row(&p->warnings) = cell_str(table_copy(&p->warnings, text, strlen(text)), strlen(text));
}

static void name_hosts(struct pod *p, const struct dump *d)
{
	p->nhosts = d->nhosts;
	p->host = xcalloc(d->nhosts + 1, sizeof *p->host);
	for (size_t i = 0; i < d->nhosts; i++)
		p->host[i] = arena_strndup(&p->text, strtab_str(&d->str, d->hosts[i].name),
		    strtab_len(&d->str, d->hosts[i].name));
}

/* A core of an unknown device has no coordinates; an assumed layout is said. */
void pod_place(struct pod *p, const char *wanted)
{
	struct topology *t = &p->topology;
	struct topology_ask *v = xcalloc(p->cores.ncores + 1, sizeof *v);
	struct topology asked = { 0 };

	if (wanted && !topology_parse(wanted, &asked.x, &asked.y, &asked.z, NULL)) {
		asked.cores_per_chip = t->cores_per_chip;
		*t = asked;
		t->source = TOPOLOGY_USER;
	}
	for (size_t i = 0; i < p->cores.ncores; i++) {
		const struct step_core_info *c = &p->cores.core[i];

		v[i] = (struct topology_ask){ c->host, c->core, c->core_on_chip, c->chip };
	}
	if (!topology_place(t, p->device, v, p->cores.ncores))
		pod_warn(p, "a mesh of %s does not hold all chips: it is not used", wanted ? wanted : "that size");
	if (t->source == TOPOLOGY_ASSUMED)
		pod_warn(p, "the capture does not say how the chips are laid out: %dx%dx%d, the usual layout of so many chips, is "
			    "assumed (--topology XxYxZ says better)", t->x, t->y, t->z);
	else if (t->source == TOPOLOGY_NONE && p->cores.ncores)
		pod_warn(p, "where the chips stand is not known (--topology XxYxZ says it)");
	free(v);
}

/* Chips whose number is below the highest one, but which no file tells of. */
static void warn_missing(struct pod *p)
{
	int64_t last = -1, present = 0;

	for (size_t i = 0; i < p->cores.ncores; i++) {
		const struct step_core_info *c = &p->cores.core[i];
		bool again = false;

		if (c->chip < 0)
			return;
		/* cores of a chip follow each other */
		for (size_t k = i; k-- > 0 && !again && p->cores.core[k].host == c->host;)
			again = p->cores.core[k].chip == c->chip;
		present += !again;
		last = c->chip > last ? c->chip : last;
	}
	if (present <= last)
		pod_warn(p, "%lld of at least %lld chips are not in the capture: files of their hosts are missing",
		    (long long)(last + 1 - present), (long long)(last + 1));
}

int pod_build(const struct dump *d, const struct steps *steps, const struct pod_options *o, struct pod *p, struct err *e)
{
	struct pod_ops ops;
	struct peaks peaks = { 0 };
	int x, y, z;

	pod_begin(p);
	if (o->topology && topology_parse(o->topology, &x, &y, &z, e))
		return -1;
	step_cores_build(d, steps, o->host, -1, o->threads, o->progress, &p->cores);
	name_hosts(p, d);
	if (p->cores.ncores)
		peaks_of_plane(d, p->cores.core[0].plane, &peaks);
	snprintf(p->device, sizeof p->device, "%s", peaks.device);
	pod_place(p, o->topology);
	warn_missing(p);
	if (p->cores.incomplete)
		pod_warn(p, "%llu of %zu steps are not on all cores: the capture began or ended in them",
		    (unsigned long long)p->cores.incomplete, p->cores.nsteps);
	pod_ops_read(d, steps, &p->cores, o->threads, o->progress, &ops);
	pod_channels(p, &ops);
	pod_collectives(p, &ops);
	pod_ops_free(&ops);
	pod_steps(p);
	return 0;
}

void pod_free(struct pod *p)
{
	step_cores_free(&p->cores);
	topology_free(&p->topology);
	free(p->channel);
	free(p->collective);
	free(p->step);
	free(p->host);
	table_free(&p->warnings);
	arena_free(&p->text);
	*p = (struct pod){ .nhosts = 0 };
}
