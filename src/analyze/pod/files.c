#include "config.h"
#include "analyze/pod/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/peaks.h"
#include "base/mem.h"
#include "base/sort.h"

/* Returns the end of the host that begins at core a. Cores of one host are adjacent and sorted by number. */
static size_t host_end(const struct pod *p, size_t a)
{
	size_t end = a + 1;

	while (end < p->cores.ncores && p->cores.core[end].host == p->cores.core[a].host)
		end++;
	return end;
}

/* Hosts for which a warning holds: how many, and the name of the first. */
struct odd {
	size_t n;
	const char *first;
};

static void add_odd(struct odd *o, const char *host)
{
	o->first = o->n++ ? o->first : host;
}

static void warn_odd(struct pod *p, const struct odd *o, bool apart, const char *what)
{
	char text[400];

	if (!o->n)
		return;
	snprintf(text, sizeof text, "%zu host%s (%.200s%s) %s", o->n, o->n > 1 ? "s" : "", o->first,
	    o->n > 1 ? ", …" : "", what);
	table_say(&p->warnings, "%s", text);
	if (!apart)
		return;
	if (!p->naparts++)
		p->apart = arena_strndup(&p->text, text, strlen(text));
}

/* A core that has two planes came from two files. */
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

/* Finds the time span in which the steps of a host were traced. */
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

/* Programs that a core ran, of the first runs only. */
struct programs {
	strid name[16];
	size_t n;
};

static struct programs programs_of(const struct dump *d, uint32_t plane)
{
	const struct trace *t = &d->trace;
	struct programs p = { .n = 0 };

	for (uint32_t k = UINT32_MAX; (k = trace_track_of(t, plane, k)) < t->ntracks;) {
		const struct track *m = &t->tracks[k];

		for (size_t i = 0; m->role == TRACK_MODULES && m->file >= 0 && i < m->n && i < 1000; i++) {
			strid name = t->metas[track_meta(m, i)].name;
			size_t at = 0;

			while (at < p.n && p.name[at] != name)
				at++;
			if (at == p.n && p.n < sizeof p.name / sizeof *p.name)
				p.name[p.n++] = name;
		}
	}
	return p;
}

static bool share_programs(const struct programs *a, const struct programs *b)
{
	for (size_t i = 0; i < a->n; i++)
		for (size_t k = 0; k < b->n; k++)
			if (a->name[i] == b->name[k])
				return true;
	return !a->n || !b->n;
}

/* Hosts are compared step by step, by the step's number or position.  If the steps are really the same, so
 * are their names. */
static bool other_names(const struct pod *p, const struct steps *s, const struct step_core_info *core)
{
	const struct step_cores *c = &p->cores;
	const struct step *row = NULL;
	size_t n = 0;

	for (size_t i = 0; i < s->n && !row; i++)
		if (s->v[i].host == core->host && s->v[i].core == core->core)
			row = &s->v[i];
	while (row && row + n < s->v + s->n && row[n].host == core->host && row[n].core == core->core)
		n++;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < c->nsteps && row[i].name; k++)
			if (c->step[k].name && !strcmp(c->step[k].number, row[i].number))
				return c->step[k].name_len != row[i].name_len ||
				    memcmp(c->step[k].name, row[i].name, row[i].name_len);
	return false;
}

struct place {
	int64_t chip;
	int core, host;
};

VEC_ORDER(by_chip, struct place, UP(chip) UP(core) UP(host));

/* Finds hosts that claim a core of a chip that another host claims, too. */
static struct odd same_chips(const struct pod *p)
{
	struct place *v = xcalloc(p->cores.ncores + 1, sizeof *v);
	bool *told = xcalloc(p->nhosts + 1, sizeof *told);
	struct odd o = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < p->cores.ncores; i++) {
		const struct step_core_info *c = &p->cores.core[i];

		if (c->chip >= 0)
			v[n++] = (struct place){ c->chip, c->core_on_chip, c->host };
	}
	qsort(v, n, sizeof *v, by_chip);
	for (size_t i = 1; i < n; i++)
		if (v[i].chip == v[i - 1].chip && v[i].core == v[i - 1].core && v[i].host != v[i - 1].host &&
		    !told[v[i].host]) {
			told[v[i].host] = true;
			add_odd(&o, p->host[v[i].host]);
		}
	free(v);
	free(told);
	return o;
}

/* --- devices that collectives name --- */

/* Reads the next number and returns what follows it; NULL: none before the end. */
static const char *next_number(const char *s, const char *end, long long *v)
{
	char *rest;

	while (s < end && (*s < '0' || *s > '9'))
		s++;
	if (s >= end)
		return NULL;
	*v = strtoll(s, &rest, 10);
	return rest;
}

/* Multiplies the numbers up to `end`; 0: the product is too large. */
static int64_t product(const char *s, const char *end)
{
	int64_t total = 1;
	long long v;

	while (total && (s = next_number(s, end, &v)))
		total = v < 1 || v > INT32_MAX / total ? 0 : total * v;
	return total;
}

/* Multiplies the sizes in "'a'=2,'b'=4", skipping digits inside names. */
static int64_t product_of_axes(const char *s, const char *end)
{
	int64_t total = 1;

	while (total && (s = memchr(s, '=', (size_t)(end - s)))) {
		int64_t n = product(s, s + 1 + strspn(s + 1, "0123456789"));

		total = n > INT32_MAX / total ? 0 : total * n;
		s++;
	}
	return total;
}

/* Returns how many devices replica groups name: "{{0,1},{2,3}}", "[2,8]<=[4,4]T(1,0)", "mesh['a'=2,'b'=4]
 * {'b'}"; 0 = not known. */
static int64_t devices_named(const char *s)
{
	const char *from = strstr(s, "<=["), *end;
	int64_t most = -1;
	long long v;

	if (!strncmp(s, "mesh[", 5))
		return (end = strchr(s, ']')) ? product_of_axes(s, end) : 0;
	if (*s == '[')
		return from && (end = strchr(from, ']')) ? product(from, end) : 0;
	for (end = s + strlen(s); (s = next_number(s, end, &v));)
		most = v > most && v < INT32_MAX ? v : most;
	return most + 1;
}

void pod_paired_devices(struct pod *p, const struct traffic *t)
{
	for (size_t i = 0; i < t->nops; i++) {
		struct slice list = traffic_list(&t->op[i], "source_target_pairs=");
		char *text = xstrndup(list.s, list.n);
		int64_t n = devices_named(text);

		p->paired = n > p->paired ? n : p->paired;
		free(text);
	}
}

/* Returns the largest number of devices that any op between cores names; 0 = none names any. */
static int64_t all_devices(const struct pod *p)
{
	const char *last = NULL;
	int64_t most = p->paired;

	for (size_t i = 0; i < p->ncollectives; i++) {
		const char *s = p->collective[i].replica_groups;
		int64_t n = s && *s && s != last ? devices_named(s) : 0;

		last = s;
		most = n > most ? n : most;
	}
	return most;
}

int64_t pod_count_chips(const struct pod *p, int64_t *chip)
{
	int64_t n = 0;

	for (size_t a = 0, end; a < p->cores.ncores; a = end) {
		end = host_end(p, a);
		qsort(chip + a, end - a, sizeof *chip, sort_by_int64);
		if (chip[a] < 0)
			return -1;
		for (size_t i = a; i < end; i++)
			n += i == a || chip[i] != chip[i - 1];
	}
	return n;
}

int64_t pod_missing_chips(const struct pod *p, int64_t *all)
{
	const struct topology *t = &p->topology;
	int64_t per = t->cores_per_chip > 0 ? t->cores_per_chip : 1, named = (all_devices(p) + per - 1) / per,
		*chip = xcalloc(p->cores.ncores + 1, sizeof *chip), last = -1, present;

	for (size_t i = 0; i < p->cores.ncores; i++) {
		chip[i] = p->cores.core[i].chip;
		last = chip[i] > last ? chip[i] : last;
	}
	present = pod_count_chips(p, chip);
	free(chip);
	*all = present > 0 ? last + 1 : 0;
	if (present <= 0)
		present = ((int64_t)p->cores.ncores + per - 1) / per;
	else if (t->source == TOPOLOGY_FILE || t->source == TOPOLOGY_USER)
		*all = (int64_t)t->x * t->y * t->z > *all ? (int64_t)t->x * t->y * t->z : *all;
	*all = named > *all ? named : *all;
	return *all > present ? *all - present : 0;
}

const char *pod_unit(const struct pod *p)
{
	return p->cores.ncores && p->cores.core->chip >= 0 ? "chip" : "core";
}

static void warn_missing(struct pod *p)
{
	int64_t all, missing = pod_missing_chips(p, &all);

	if (!missing)
		return;
	if (p->topology.source == TOPOLOGY_USER)
		table_say(&p->warnings, "%lld of the %lld chips of the requested mesh %s not in the capture",
		    (long long)missing, (long long)all, missing == 1 ? "is" : "are");
	else
		table_say(&p->warnings,
		    "%lld of at least %lld %ss %s not in the capture: the files of %s host%s are missing",
		    (long long)missing, (long long)all, pod_unit(p), missing == 1 ? "is" : "are",
		    missing == 1 ? "its" : "their", missing == 1 ? "" : "s");
}

void pod_check_files(struct pod *p, const struct dump *d, const struct steps *s, bool all_hosts)
{
	struct odd twice = { 0 }, gaps = { 0 }, later = { 0 }, chips = { 0 }, programs = { 0 }, names = { 0 },
		   same;
	struct programs ran = { .n = 0 };
	int64_t first = 0, last = 0;
	char known[sizeof p->device] = ""; /* the chips of the first host that states them */

	if (all_hosts)
		warn_missing(p);
	/* the first core of a host represents the host */
	for (size_t a = 0, end; a < p->cores.ncores; a = end) {
		const struct step_core_info *core = &p->cores.core[a];
		const char *host = p->host[core->host];
		struct programs own = programs_of(d, core->plane);
		struct peaks peaks = { 0 };
		int64_t from, to;

		end = host_end(p, a);
		span_of(p, a, end, &from, &to);
		if (!a) {
			first = from;
			last = to;
			ran = own;
		}
		peaks_of_plane(d, core->plane, &peaks);
		if (!*known)
			memcpy(known, peaks.device, sizeof known);
		if (is_twice(d, core))
			add_odd(&twice, host);
		if (has_gaps(p, a, end))
			add_odd(&gaps, host);
		if (from > last || to < first)
			add_odd(&later, host);
		if (*peaks.device && strcmp(peaks.device, known))
			add_odd(&chips, host);
		else if (!share_programs(&ran, &own))
			add_odd(&programs, host);
		else if (a && other_names(p, s, core))
			add_odd(&names, host);
	}
	same = same_chips(p);
	warn_odd(p, &twice, true,
	    "came in several files, whose numbers for a core are added up; open only one of them");
	warn_odd(p, &same, true, "with the chips of another host: files of another run, or one host twice?");
	warn_odd(p, &gaps, false, "with gaps in the numbering of its cores: some cores are missing");
	warn_odd(p, &later, true, "traced at another time than the first: files of another run?");
	warn_odd(p, &chips, true, "with other chips than the first: files of another run?");
	warn_odd(p, &programs, true, "ran none of the programs of the first: files of another run?");
	warn_odd(p, &names, false,
	    "with other names of steps than the first; their steps are matched by order");
}
