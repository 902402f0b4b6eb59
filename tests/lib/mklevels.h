/* A trace table as XProf writes it, with all levels: an event is on the first one whose resolution it has.  Ops follow
 * each other on some threads, most of them short, now and then a long one; op i starts at 1000 + 5000000 i ps.  One of
 * a thousand is named all-reduce.2, the others fusion.1.
 *
 *	struct pb file = levels_table(true, 24000, 4);
 *	n = events_in(dump, t0, t1, least, &sum); */
#ifndef TESTS_MKLEVELS_H
#define TESTS_MKLEVELS_H

#include "../lib/mktable.h"
#include "model/dump.h"

/* Resolution of a level, in ps. */
static inline uint64_t level_resolution(char level)
{
	uint64_t ps = UINT64_C(1000000000000);

	for (const char *l = "123456789ABCD"; *l != level; l++)
		ps /= 10;
	return ps;
}

/* Names of the device and its first thread, as many as there are, and of its ops. */
static inline struct pb levels_names(void)
{
	struct pb trace = { 0 }, device = { 0 }, resource = { 0 }, of = { 0 }, entry = { 0 };

	pb_s(&resource, 1, "XLA Ops");
	pb_u(&of, 1, 3);
	pb_sub(&of, 2, &resource);
	pb_s(&device, 1, "/device:TPU:0");
	pb_u(&device, 2, 5);
	pb_sub(&device, 3, &of);
	pb_u(&entry, 1, 5);
	pb_sub(&entry, 2, &device);
	pb_sub(&trace, 1, &entry);
	for (uint64_t i = 0; i < 2; i++) {
		struct pb name = { 0 };

		table_fixed_field(&name, 1, 1 + i);
		pb_s(&name, 2, i ? "all-reduce.2" : "fusion.1");
		pb_sub(&trace, 8, &name);
	}
	return trace;
}

static inline struct pb levels_table(bool snappy, uint64_t n, unsigned threads)
{
	static struct mktable t;
	struct pb e, d = levels_names();
	unsigned random;

	t = (struct mktable){ .snappy = snappy };
	for (const char *level = "123456789ABCD"; *level; level++) {
		random = 5;
		for (uint64_t i = 0; i < n; i++) {
			static const uint64_t rare[] = { 3000000000000, 70000000000, 2000000000, 10000000 };
			uint64_t dur = 0;

			random = random * 1103515245 + 12345;
			for (int k = 3; k >= 0; k--)
				if (i % 7 == 3 && (i / 7) % (4000u >> 3 * k) == 0)
					dur = rare[k];
			if (!dur)
				dur = UINT64_C(1) << (random >> 16) % 24;
			if (dur < level_resolution(*level) ||
			    (*level > '1' &&
				dur >= level_resolution((char)(*level == 'A' ? '9' : *level - 1))))
				continue;
			e = (struct pb){ 0 };
			pb_u(&e, 1, 5);
			pb_u(&e, 2, 3 + i % threads);
			table_fixed_field(&e, 12, 1 + (i % 1000 == 700));
			pb_u(&e, 7, dur);
			table_put_event(&t, *level, 1000 + i * 5000000, 0, &e);
		}
	}
	table_put(&t, "trace", 5, &d);
	return table_finish(&t);
}

/* Events in [t0, t1) that are at least so long, and a sum over their times. */
static inline uint64_t events_in(const struct dump *d, int64_t t0, int64_t t1, int64_t least, uint64_t *sum)
{
	uint64_t n = 0;

	*sum = 0;
	for (size_t i = 0; i < d->trace.ntracks; i++)
		for (size_t k = 0; k < d->trace.tracks[i].n; k++) {
			int64_t start = track_start(&d->trace.tracks[i], k),
				dur = track_dur(&d->trace.tracks[i], k);

			if (start < t1 && start + dur > t0 && dur >= least) {
				n++;
				*sum += (uint64_t)start * 31 + (uint64_t)dur;
			}
		}
	return n;
}

#endif
