#include "config.h"
#include "analyze/pod/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/peaks.h"

void pod_begin(struct pod *p)
{
	*p = (struct pod){ .batch = -1 };
	table_begin_texts(&p->warnings);
}

static void name_hosts(struct pod *p, const struct dump *d)
{
	p->nhosts = d->nhosts;
	p->nmachines = dump_machines(d);
	p->host = xcalloc(d->nhosts + 1, sizeof *p->host);
	p->label = xcalloc(d->nhosts + 1, sizeof *p->label);
	for (size_t i = 0; i < d->nhosts; i++) {
		struct slice name = dump_text(d, d->hosts[i].name), label = dump_host_short(d, (int)i);

		p->host[i] = arena_strndup(&p->text, name.s, name.n);
		p->label[i] = arena_strndup(&p->text, label.s, label.n);
	}
}

/* A core of an unknown device gets no coordinates.  An assumed layout is reported as such. */
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
		table_say(&p->warnings, "a mesh of %s is too small for all chips and is not used",
		    wanted ? wanted : "that size");
	if (t->source == TOPOLOGY_ASSUMED)
		table_say(&p->warnings,
		    "the capture does not say how the chips are laid out; assuming %dx%dx%d, the usual "
		    "layout of as many chips as it has (set it with --topology XxYxZ)",
		    t->x, t->y, t->z);
	else if (t->source == TOPOLOGY_NONE && p->cores.ncores)
		table_say(&p->warnings,
		    "the positions of the chips are unknown; set them with --topology XxYxZ");
	free(v);
}

int pod_build(const struct dump *d, const struct steps *steps, const struct pod_options *o, struct pod *p,
    struct err *e)
{
	struct traffic ops;
	struct peaks peaks = { 0 };
	int x, y, z;

	pod_begin(p);
	if (o->topology && topology_parse(o->topology, &x, &y, &z, e))
		return -1;
	if (o->cores)
		step_cores_copy(&p->cores, o->cores);
	else
		step_cores_build(d, steps, o->host, -1, o->threads, o->progress, &p->cores);
	name_hosts(p, d);
	if (p->cores.ncores)
		peaks_of_plane(d, p->cores.core[0].plane, &peaks);
	snprintf(p->device, sizeof p->device, "%s", peaks.device);
	pod_place(p, o->topology);
	if (p->cores.incomplete)
		table_say(&p->warnings,
		    "%llu of %zu steps %s not on all cores: the capture began or ended in %s",
		    (unsigned long long)p->cores.incomplete, p->cores.nsteps,
		    p->cores.incomplete == 1 ? "is" : "are", p->cores.incomplete == 1 ? "it" : "them");
	traffic_read(d, o->cores ? o->cores : &p->cores, &ops);
	pod_channels(p, &ops);
	pod_paired_devices(p, &ops);
	pod_collectives(p, &ops);
	pod_check_files(p, d, steps, !o->host);
	traffic_free(&ops);
	step_cores_drop_runs(&p->cores);
	pod_steps(p);
	return 0;
}

int pod_make(const struct dump *d, const struct steps *steps, const struct pod_options *o, struct pod *p,
    struct err *e)
{
	const struct toolfile *f = steps->n ? NULL : toolfile_find(d, FILE_POD_VIEWER, o->host, NULL);

	return f ? pod_from_toolfile(f, o, p, e) : pod_build(d, steps, o, p, e);
}

void pod_free(struct pod *p)
{
	step_cores_free(&p->cores);
	topology_free(&p->topology);
	free(p->channel);
	free(p->collective);
	free(p->step);
	free(p->host);
	free(p->label);
	free(p->bottleneck);
	table_free(&p->warnings);
	arena_free(&p->text);
	*p = (struct pod){ .nhosts = 0 };
}
