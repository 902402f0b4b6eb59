#include "config.h"
#include "mutate.h"

#include "../lib/mkriegeli.h"
#include "load/riegeli/riegeli.h"

#define LIMIT ((size_t)1 << 20)
#define AT_ONCE 3 /* records of a chunk */

/* One of the records, or none, or another one twice. */
static void change_record(struct pb *out, const struct riegeli *r, size_t i, size_t max, uint32_t *state)
{
	const struct riegeli_record *rec =
	    &r->records[mutate_rarely(state, 6) ? mutate_random(state, r->nrecords) : i];
	const uint8_t *bytes = r->bytes + rec->at;

	if (mutate_rarely(state, 8))
		return;
	if (mutate_rarely(state, 3) || mutate_wire(out, bytes, rec->n, max, state))
		mutate_bytes(out, bytes, rec->n, 8);
}

/* Adds a chunk of so many records, of which the hashes are right, whatever else is. */
static void write_chunk(struct pb *out, struct pb *rec, size_t n, uint32_t *state)
{
	uint64_t decoded;
	struct pb data = rie_data("\0bzs"[mutate_random(state, 4)], rec, n, &decoded), changed = { 0 };

	if (mutate_rarely(state, 12)) {
		mutate_bytes(&changed, data.b, data.n, 4);
		pb_free(&data);
		data = changed;
	}
	decoded += mutate_rarely(state, 16) ? mutate_random(state, 1 << 16) : 0;
	n += mutate_rarely(state, 16) ? mutate_random(state, 1 << 10) : 0;
	rie_chunk(out, mutate_rarely(state, 16) ? 't' : 'r', &data, n, decoded);
	pb_free(&data);
}

int mutate_riegeli(struct pb *out, const uint8_t *bytes, size_t n, size_t max, uint32_t *state)
{
	struct riegeli r = { 0 };
	struct pb rec[AT_ONCE] = { { 0 } };
	size_t changed, many = 0;

	if (!riegeli_is(bytes, n))
		return -1;
	riegeli_open(&r, bytes, n, LIMIT, 1, NULL);
	changed = mutate_random(state, r.nrecords);
	rie_signature(out);
	for (size_t i = 0; i < r.nrecords; i++) {
		if (i == changed)
			change_record(&rec[many++], &r, i, max, state);
		else
			pb_raw(&rec[many++], r.bytes + r.records[i].at, r.records[i].n);
		if (many == AT_ONCE || i + 1 == r.nrecords || mutate_rarely(state, 2)) {
			write_chunk(out, rec, many, state);
			while (many)
				pb_free(&rec[--many]);
		}
	}
	riegeli_free(&r);
	return 0;
}
