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
		p->host[i] = arena_strndup(
		    &p->text, strtab_str(&d->str, d->hosts[i].name), strtab_len(&d->str, d->hosts[i].name));
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
		pod_warn(
		    p, "a mesh of %s does not hold all chips: it is not used", wanted ? wanted : "that size");
	if (t->source == TOPOLOGY_ASSUMED)
		pod_warn(p,
		    "the capture does not say how the chips are laid out: %dx%dx%d, the usual layout of so "
		    "many chips, is "
		    "assumed (--topology XxYxZ says better)",
		    t->x, t->y, t->z);
	else if (t->source == TOPOLOGY_NONE && p->cores.ncores)
		pod_warn(p, "where the chips stand is not known (--topology XxYxZ says it)");
	free(v);
}

int64_t pod_missing_chips(const struct pod *p, int64_t *all)
{
	const struct topology *t = &p->topology;
	int64_t last = -1, present = 0;

	*all = 0;
	for (size_t i = 0; i < p->cores.ncores; i++) {
		const struct step_core_info *c = &p->cores.core[i];
		bool again = false;

		if (c->chip < 0)
			return 0;
		/* cores of a chip follow each other */
		for (size_t k = i; k-- > 0 && !again && p->cores.core[k].host == c->host;)
			again = p->cores.core[k].chip == c->chip;
		present += !again;
		last = c->chip > last ? c->chip : last;
	}
	*all = last + 1;
	if ((t->source == TOPOLOGY_FILE || t->source == TOPOLOGY_USER) && (int64_t)t->x * t->y * t->z > *all)
		*all = (int64_t)t->x * t->y * t->z;
	return *all > present ? *all - present : 0;
}

static void warn_missing(struct pod *p)
{
	int64_t all, missing = pod_missing_chips(p, &all);

	if (missing)
		pod_warn(p,
		    "%lld of at least %lld chips are not in the capture: files of their hosts are missing",
		    (long long)missing, (long long)all);
}

/* Cores of one host follow each other, by number. */
static size_t host_end(const struct pod *p, size_t a)
{
	size_t end = a + 1;

	while (end < p->cores.ncores && p->cores.core[end].host == p->cores.core[a].host)
		end++;
	return end;
}

/* Hosts of which something holds: the first by name, the others by number. */
struct odd {
	size_t n;
	const char *first;
};

static void add_odd(struct odd *o, const char *host)
{
	o->first = o->n++ ? o->first : host;
}

static void warn_odd(struct pod *p, const struct odd *o, const char *what)
{
	if (o->n)
		pod_warn(p, "%zu host%s (%s%s) %s", o->n, o->n > 1 ? "s" : "", o->first,
		    o->n > 1 ? ", …" : "", what);
}

/* A core that has two planes came in two files. */
static bool is_twice(const struct dump *d, const struct step_core_info *c)
{
	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *x = &d->trace.planes[i];

		if (i != c->plane && x->kind == PLANE_TPU && x->host == c->host && x->core == c->core)
			return true;
	}
	return false;
}

static bool has_gaps(const struct pod *p, size_t a, size_t end)
{
	for (size_t i = a; i < end; i++)
		if (p->cores.core[i].core != p->cores.core[a].core + (int)(i - a))
			return true;
	return false;
}

/* When the steps of a host were traced. */
static void span_of(const struct pod *p, size_t a, size_t end, int64_t *from, int64_t *to)
{
	*from = INT64_MAX;
	*to = INT64_MIN;
	for (size_t i = a; i < end; i++)
		for (size_t s = 0; s < p->cores.nsteps; s++) {
			const struct step_core *c = step_core_at(&p->cores, i, s);

			if (c->total < 0)
				continue;
			*from = c->start < *from ? c->start : *from;
			*to = c->start + c->total > *to ? c->start + c->total : *to;
		}
}

/* What makes files no capture of one run.  Only the first core of a host is looked at where all are alike. */
static void warn_files(struct pod *p, const struct dump *d)
{
	struct odd twice = { 0 }, gaps = { 0 }, later = { 0 }, chips = { 0 };
	int64_t first = 0, last = 0;

	for (size_t a = 0, end; a < p->cores.ncores; a = end) {
		const char *host = p->host[p->cores.core[a].host];
		struct peaks peaks = { 0 };
		int64_t from, to;

		end = host_end(p, a);
		span_of(p, a, end, &from, &to);
		if (!a) {
			first = from;
			last = to;
		}
		peaks_of_plane(d, p->cores.core[a].plane, &peaks);
		if (is_twice(d, &p->cores.core[a]))
			add_odd(&twice, host);
		if (has_gaps(p, a, end))
			add_odd(&gaps, host);
		if (from > last || to < first)
			add_odd(&later, host);
		if (strcmp(peaks.device, p->device))
			add_odd(&chips, host);
	}
	warn_odd(p, &twice, "came in several files: what they say of a core is added up — open one of them");
	warn_odd(p, &gaps, "with gaps in the numbers of its cores: cores are missing");
	warn_odd(p, &later, "traced at another time than the first: files of another run?");
	warn_odd(p, &chips, "with other chips than the first: files of another run?");
}

int pod_build(const struct dump *d, const struct steps *steps, const struct pod_options *o, struct pod *p,
    struct err *e)
{
	struct pod_ops ops;
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
	warn_missing(p);
	warn_files(p, d);
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
