/* What a capture should have and does not: planes of devices, hosts, SparseCores, bytes. */
#include "config.h"
#include "analyze/findings/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/ties.h"

#define DEVICES 1024 /* of a host, at most: higher numbers are none */
#define HOSTS 100000

struct devices { /* of a host, by number */
	bool plane[DEVICES], launched[DEVICES];
	int planes, launches, last; /* last: the highest number of a plane, or of a launch */
};

static void add_device(struct devices *v, bool *of, int *n, int64_t number)
{
	if (number < 0 || number >= DEVICES || of[number])
		return;
	of[number] = true;
	++*n;
	v->last = number > v->last ? (int)number : v->last;
}

static void add_launched(const struct dump *d, const struct track *t, strid ordinal, struct devices *v)
{
	struct stat_ints ints;

	stat_ints_open(&ints, d, t, &ordinal, 1);
	for (size_t i = 0; i < t->n; i++) {
		int64_t number = -1;

		if (slice_begins(dump_text(d, d->trace.metas[track_meta(t, i)].name), TIE_LAUNCHER) &&
		    stat_ints_read(&ints, i, &number))
			add_device(v, v->launched, &v->launches, number);
	}
}

static void devices_of(const struct dump *d, int host, struct devices *v)
{
	strid ordinal = strtab_find(&d->str, "device_ordinal", 14);

	*v = (struct devices){ .last = -1 };
	for (size_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];

		if (p->host == host && p->kind == PLANE_TPU)
			add_device(v, v->plane, &v->planes, p->core);
	}
	for (size_t i = 0; v->planes && i < d->trace.ntracks; i++) {
		const struct track *t = &d->trace.tracks[i];

		if (d->trace.planes[t->plane].host == host && rule_is_thread(d, t))
			add_launched(d, t, ordinal, v);
	}
}

/* Devices without a plane: those that programs were launched on, and numbers between those of planes. */
static int missing_devices(const struct devices *v, bool *between)
{
	int n = 0, left = v->planes;

	*between = false;
	for (int i = 0; i <= v->last; i++) {
		bool gap = !v->plane[i] && left && left < v->planes;

		left -= v->plane[i];
		*between |= gap;
		n += gap || (!v->plane[i] && v->launched[i]);
	}
	return n;
}

/* Does one of several processes of a host have the others? */
static bool is_one_of_several(const struct dump *d, int host)
{
	return d->hosts[host].rank >= 0 || d->hosts[host].machine != d->hosts[host].name || dump_more_runs(d);
}

/* "0-3", "0 and 2", "0, 2-5 and 7" */
static const char *say_numbers(struct rule_work *w, const bool *has, int last)
{
	const char *text = "", *piece = "";

	for (int i = 0, end; i <= last; i = end + 1) {
		for (end = i; has[i] && end < last && has[end + 1];)
			end++;
		if (!has[i])
			continue;
		text = *piece ? rule_say(w, "%s%s%s", text, *text ? ", " : "", piece) : text;
		piece = end > i ? rule_say(w, "%d-%d", i, end) : rule_say(w, "%d", i);
	}
	return *text ? rule_say(w, "%s and %s", text, piece) : piece;
}

static bool has_converted(const struct dump *d)
{
	for (size_t i = 0; i < d->nfiles; i++)
		if (d->files[i].kind != FILE_XSPACE && d->files[i].kind != FILE_HLO_PROTO)
			return true;
	return false;
}

static const char *say_devices(struct rule_work *w, const struct devices *v)
{
	const char *planes = say_numbers(w, v->plane, v->last), *s = v->planes == 1 ? "" : "s";

	if (!v->launches)
		return rule_say(w, "the file has planes of devices %s, and none of those between", planes);
	return rule_say(w, "programs were enqueued on device%s %s, the file has the plane%s of %s",
	    v->launches == 1 ? "" : "s", say_numbers(w, v->launched, v->last), s, planes);
}

/* Where most devices have no plane, and no number is left out, another process may have traced the others. */
void rule_missing_planes(struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	const char *text = "", *hint = NULL;
	int most = 0, hosts = 0, launches = 0;
	struct devices *v;
	struct finding *f;

	if (!d || has_converted(d) || !rule_has_plane(w, PLANE_TPU))
		return;
	v = xcalloc(1, sizeof *v);
	for (int host = 0; host < (int)d->nhosts && !rule_stopped(w); host++) {
		bool between;
		int n;

		devices_of(d, host, v);
		launches += v->launches;
		n = missing_devices(v, &between);
		if (!n || is_one_of_several(d, host))
			continue;
		if (!between && n >= v->planes) {
			hint = say_devices(w, v);
			continue;
		}
		hosts++;
		if (n <= most)
			continue;
		most = n;
		text = d->nhosts > 1 ? rule_say(w, "%s: %s", rule_host(w, host), say_devices(w, v))
				     : say_devices(w, v);
	}
	free(v);
	if (most && (f = rule_raise(w, most, NAN, NULL)))
		f->evidence = hosts > 1 ? rule_say(w, "%s; so on %d hosts", text, hosts) : text;
	else if (hint)
		rule_hint(w, "%s: open the files of all processes", hint);
	else if (launches)
		rule_checked(w, "all devices that ran programs");
	else
		rule_unknown(w, "no events of the host that say on which devices programs ran");
}

/* The number that a host of a TPU slice has: "t1v-n-1234-w-3" is 3; -1: it has none.  *len: of what precedes it. */
static long host_number(struct slice name, size_t *len)
{
	size_t end = 0, at;
	long n = 0;

	while (end < name.n && name.s[end] != '.')
		end++;
	for (at = end; at && name.s[at - 1] >= '0' && name.s[at - 1] <= '9';)
		at--;
	if (at == end || end - at > 5 || at < 4 || memcmp(name.s + at - 3, "-w-", 3))
		return -1;
	for (*len = at; at < end; at++)
		n = 10 * n + (name.s[at] - '0');
	return n;
}

/* Returns how many numbers no host of the slice has below the highest one; *all: how many there should be. */
static int missing_of_slice(const struct dump *d, struct slice slice, int *all)
{
	bool *has = xcalloc(HOSTS, sizeof *has);
	int missing = 0;
	size_t len;

	*all = 0;
	for (size_t i = 0; i < d->nhosts; i++) {
		struct slice name = dump_text(d, d->hosts[i].machine);
		long n = host_number(name, &len);

		if (n < 0 || len != slice.n || memcmp(name.s, slice.s, len))
			continue;
		has[n] = true;
		*all = n + 1 > *all ? (int)n + 1 : *all;
	}
	for (int i = 0; i < *all; i++)
		missing += !has[i];
	free(has);
	return missing;
}

/* Who opens one file of several knows what is missing. */
void rule_missing_host(struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	int most = 0, of = 0;
	struct slice where = { "", 0 }, last = { "", 0 };
	bool numbered = false;
	struct finding *f;

	if (!d || (!d->nruns && d->nhosts < 2))
		return;
	for (size_t i = 0; i < d->nhosts; i++) {
		struct slice name = dump_text(d, d->hosts[i].machine);
		int all, missing;
		size_t len;

		if (host_number(name, &len) < 0)
			continue;
		numbered = true;
		name.n = len;
		if (slice_same(name, last))
			continue;
		last = name;
		missing = missing_of_slice(d, name, &all);
		if (missing <= most)
			continue;
		most = missing;
		of = all;
		where = name;
	}
	if (most && (f = rule_raise(w, most, NAN, NULL)))
		f->evidence = rule_say(w,
		    "%d of at least %d hosts %s not in the capture: their names count to %.*s%d", most, of,
		    most == 1 ? "is" : "are", (int)(where.n < 200 ? where.n : 200), where.s, of - 1);
	else if (numbered)
		rule_checked(w, "complete, by their names");
}

void rule_sparsecore_missing(struct rule_work *w)
{
	const struct opdb *db = w->in->ops;
	const struct op *o = NULL;
	size_t n = 0;
	struct finding *f;

	if (!db || !rule_has_plane(w, PLANE_TPU))
		return;
	for (size_t i = 0; i < db->n; i++) {
		if (db->v[i].sparse ||
		    (!slice_begins(db->v[i].category, "sparsecorev0") &&
			!slice_ends(op_short_name(w->in->dump, &db->v[i]), ".call-start")))
			continue;
		o = o && o->sum.self >= db->v[i].sum.self ? o : &db->v[i];
		n++;
	}
	if (rule_has_plane(w, PLANE_SPARSECORE) || !n)
		return;
	if (!(f = rule_raise(w, (double)n, NAN, NULL)))
		return;
	f->evidence = rule_say(w,
	    "only cores of the TensorCore were traced: %s of theirs %s for SparseCores, which have no plane",
	    rule_ops(w, n), n == 1 ? "waits" : "wait");
	rule_at_op(w, f, o);
}

/* Beside modules alone, a file is empty because nothing was traced. */
void rule_empty_file(struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	const struct file *first = NULL, *trace = NULL;
	size_t n = 0;
	struct finding *f;

	for (size_t i = 0; d && d->trace.ntracks && i < d->nfiles; i++) {
		const struct file *x = &d->files[i];

		trace = x->kind == FILE_CHROME_JSON ? x : trace;
		if (x->kind != FILE_XSPACE || x->bytes)
			continue;
		first = first ? first : x;
		n++;
	}
	if (!n || !(f = rule_raise(w, (double)n, NAN, NULL)))
		return;
	f->evidence = rule_say(w, "%s%s %s empty: %s%s%s", first->base,
	    n > 1 ? rule_say(w, " and %zu more", n - 1) : "", n > 1 ? "are" : "is",
	    slice_ends((struct slice){ first->base, strlen(first->base) }, ".xplane.riegeli")
		? "continuous profiling ended before it wrote anything, or the disk was full"
		: "above 2 GB the profiler writes nothing and reports success",
	    trace ? "; in its place: " : "", trace ? trace->base : "");
}
