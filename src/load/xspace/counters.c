#include "config.h"

#include "load/xspace/xspace.h"

#include <string.h>

/* What an event says of counters.  On a `_counters_` line that is one number, whatever its name; elsewhere the numbers
 * of these names. */
static const char *const figures[] = { "counter_value", "Raw Value", "Scaled Value",
	"matrix_unit_utilization_percent", "hbm_utilization_percent", "vdd_core_energy_nj",
	"vdd_core_power_events", "hbm_energy_nj", "hbm_power_events" };
enum { FIGURES = sizeof figures / sizeof *figures };

struct names {
	strid figure[FIGURES], about;
	bool any;
};

struct sample {
	const struct names *names;
	struct {
		strid unit;
		double value;
	} v[FIGURES];
	size_t n;
	strid about; /* which counter it is; UINT32_MAX: the event's name says it */
	struct dump *dump;
};

static bool first_number(void *ctx, const struct stat_value *v)
{
	struct sample *s = ctx;

	if (v->type > STAT_INT)
		return true;
	s->v[0].unit = v->name_id == UINT32_MAX ? 0 : v->name_id;
	s->v[0].value = v->d;
	s->n = 1;
	return false;
}

/* A counter's value has no unit that the file states. */
static bool take_figure(void *ctx, const struct stat_value *v)
{
	struct sample *s = ctx;

	if (v->name_id == s->names->about && v->type == STAT_STR && v->n)
		s->about = strtab_add(&s->dump->str, v->s, v->n);
	for (int i = 0; i < FIGURES && v->type <= STAT_INT && s->n < FIGURES; i++)
		if (v->name_id == s->names->figure[i] && v->name_id != UINT32_MAX) {
			s->v[s->n].unit = i ? v->name_id : 0;
			s->v[s->n++].value = v->d;
		}
	return true;
}

static struct names names_of(const struct dump *d)
{
	struct names n = { .about = strtab_find(&d->str, "performance_counter_description", 31) };

	for (int i = 0; i < FIGURES; i++) {
		n.figure[i] = strtab_find(&d->str, figures[i], strlen(figures[i]));
		n.any |= n.figure[i] != UINT32_MAX;
	}
	return n;
}

/* A line of nothing but samples */
static bool is_samples(const struct dump *d, const struct track *t)
{
	return t->role == TRACK_COUNTERS || slice_begins(dump_text(d, t->name), "counters_");
}

static uint32_t counter_of(struct dump *d, struct idmap *of, const struct counter *c)
{
	const int64_t key = (int64_t)((uint64_t)c->name << 32 | c->unit);
	uint32_t k = idmap_get(of, key);

	if (k == IDMAP_NONE) {
		k = trace_add_counter(&d->trace, c);
		idmap_put(of, key, k);
	}
	return k;
}

void xspace_counters(struct dump *d, int file, uint32_t track)
{
	const struct track *t = &d->trace.tracks[track];
	const bool samples = is_samples(d, t), any = t->role == TRACK_COUNTERS;
	struct idmap of = { .used = 0 };
	struct names names;

	if (!samples && (t->role != TRACK_OTHER || d->trace.planes[t->plane].kind != PLANE_CHIP))
		return;
	names = names_of(d);
	for (size_t i = 0; i < t->n && (any || names.any); i++) {
		struct sample s = { .names = &names, .about = UINT32_MAX, .dump = d };

		xspace_stats.event(d, t, i, any ? first_number : take_figure, &s);
		for (size_t k = 0; k < s.n; k++) {
			struct counter c = { .name = s.about != UINT32_MAX
				    ? s.about
				    : d->trace.metas[track_meta(t, i)].name,
				.unit = s.v[k].unit,
				.plane = t->plane,
				.track = samples ? (int)track : -1 };

			const uint32_t at = counter_of(d, &of, &c);

			if (!counter_add(&d->trace.counters[at], track_start(t, i), s.v[k].value))
				continue;
			problem_add(d->problems, PROBLEM_WARN, file, ERR_NOWHERE, t->n - i,
			    "not enough memory for more counter samples");
			idmap_free(&of);
			return;
		}
	}
	idmap_free(&of);
}
