#include "config.h"

#include "base/hash.h"
#include "load/chrome/chrome.h"

#include <stdlib.h>
#include <string.h>

struct counters { /* the counters of one name of a process */
	struct chrome *c;
	const struct chrome_record *r;
	uint32_t track, meta;
	strid name;
};

/* Adds a sample if the value of the series is a number. */
static void add_sample(const struct counters *k, int64_t ts, struct slice series, struct slice value)
{
	struct build *b = &k->c->b;
	strid unit = 0;
	double v;

	if (!scan_number(value, &v)) {
		k->c->bad_values++;
		return;
	}
	if (series.n && !slice_is(series, "value"))
		unit = chrome_string(k->c, series);
	build_sample(b, build_counter(b, k->track, unit, k->name, unit), ts, v);
}

/* Reads XProf's own form: "entries":[[ts, value, …], …], each a sample. */
static void entries(const struct counters *k)
{
	struct slice series = { "", 0 }, entry, key, value;
	size_t at = 0;

	if (k->r->has & HAS_EVENT_STATS)
		series = scan_inside(k->r->event_stats);
	while (scan_member(k->r->entries, &at, &key, &entry)) {
		struct scan_time ts;
		size_t in = 0;
		int64_t ps;

		if (*entry.s != '[' || !scan_member(entry, &in, &key, &value) ||
		    scan_time(value.s, entry.s + entry.n, &ts) == value.s) {
			k->c->bad_values++;
			continue;
		}
		ps = chrome_ps(k->c, &ts);
		build_event(&k->c->b, k->track, ps, 0, k->meta, k->r->at);
		while (scan_member(entry, &in, &key, &value))
			add_sample(k, ps, series, value);
	}
}

void chrome_counter(struct chrome *c, const struct chrome_record *r, uint32_t proc)
{
	struct counters k = { .c = c, .r = r };
	struct slice key, value;
	uint64_t id = 0;
	size_t at = 0;
	int64_t ts;

	k.meta = chrome_meta(c, r);
	k.name = c->b.dump->trace.metas[k.meta].name;
	if (r->has & HAS_ID) {
		struct slice t = scan_inside(r->id);
		char *name = xasprintf("%.*s[%.*s]", (int)strtab_len(&c->b.dump->str, k.name),
		    strtab_str(&c->b.dump->str, k.name), t.n > 64 ? 64 : (int)t.n, t.s);

		id = (uint64_t)chrome_key(r->id);
		k.name = strtab_addz(&c->b.dump->str, name);
		free(name);
	}
	k.track = build_lane(&c->b, proc, BUILD_COUNTER, hash_mix(id, k.name), k.name);
	if (r->has & HAS_ENTRIES) {
		entries(&k);
		return;
	}
	if (!(r->has & HAS_TS)) {
		c->no_time++;
		build_untimed(&c->b, k.track, k.meta, 0, r->at);
		return;
	}
	ts = chrome_ps(c, &r->ts);
	build_event(&c->b, k.track, ts, 0, k.meta, r->at);
	while ((r->has & HAS_ARGS) && scan_member(r->args, &at, &key, &value))
		add_sample(&k, ts, key, value);
}
