#include "config.h"
#include "load/xspace/what.h"

#include <stdio.h>
#include <string.h>

#include "base/codec/wire.h"
#include "base/text/digit.h"

enum { BYTES = 2, DIGITS_LEAST = 4, DIGITS_MOST = 20 };
/* fields of XPlane, of the entries of its maps, of metadata of events and stats, and of XStat */
enum {
	PLANE_NAME = 2,
	PLANE_EVENTS = 4,
	PLANE_STAT_NAMES,
	PLANE_STATS,
	ENTRY_VALUE = 2,
	META_ID = 1,
	META_NAME,
	STAT_ID = 1,
	STAT_TEXT = 5,
	STAT_REF = 7
};

/* The id and the name of an entry of a map of metadata. */
static struct slice entry_name(const struct wire *entry, uint64_t *id)
{
	struct wire e = wire_open(entry->s, entry->n), v;
	struct slice name = { NULL, 0 };

	*id = 0;
	while (wire_next(&e))
		if (e.field == ENTRY_VALUE && e.type == BYTES)
			for (v = wire_open(e.s, e.n); wire_next(&v);) {
				if (v.field == META_ID && v.type != BYTES)
					*id = v.u;
				else if (v.field == META_NAME && v.type == BYTES)
					name = wire_text(&v);
			}
	return name;
}

/* The number in "jit_train_step(1934018790076671735)"; 0: it is no module. */
static uint64_t fingerprint(struct slice name)
{
	size_t from = name.n;
	uint64_t v = 0;

	if (!name.n || name.s[--from] != ')')
		return 0;
	while (from && is_digit(name.s[from - 1]))
		from--;
	if (!from || name.s[from - 1] != '(' || name.n - 1 - from < DIGITS_LEAST ||
	    name.n - 1 - from > DIGITS_MOST)
		return 0;
	for (size_t i = 0; i < from - 1; i++) /* HLO text has blanks and brackets */
		if (name.s[i] <= ' ' || strchr("%[](){}=,", name.s[i]))
			return 0;
	for (size_t i = from; i < name.n - 1; i++)
		v = v * 10 + (uint64_t)(name.s[i] - '0');
	return v;
}

static bool has_program(const struct xwhat *w, uint64_t program)
{
	for (size_t i = 0; i < w->nprograms; i++)
		if (w->program[i] == program)
			return true;
	return false;
}

static struct slice stat_name(struct wire plane, uint64_t id)
{
	uint64_t of;

	while (wire_next(&plane))
		if (plane.field == PLANE_STAT_NAMES && plane.type == BYTES) {
			struct slice name = entry_name(&plane, &of);

			if (of == id)
				return name;
		}
	return (struct slice){ NULL, 0 };
}

/* The kind of device that a plane states, as a text: the first stat of that name says it.  Empty: it states none. */
static struct slice chip_of(struct wire plane, uint64_t kind)
{
	const struct wire whole = plane;

	while (wire_next(&plane)) {
		struct wire stat;
		struct slice text = { NULL, 0 };
		uint64_t id = 0, ref = 0;

		if (plane.field != PLANE_STATS || plane.type != BYTES)
			continue;
		for (stat = wire_open(plane.s, plane.n); wire_next(&stat);) {
			if (stat.field == STAT_ID && stat.type != BYTES)
				id = stat.u;
			else if (stat.field == STAT_TEXT && stat.type == BYTES)
				text = wire_text(&stat);
			else if (stat.field == STAT_REF && stat.type != BYTES)
				ref = stat.u;
		}
		if (id == kind)
			return ref ? stat_name(whole, ref) : text;
	}
	return (struct slice){ NULL, 0 };
}

static void read_plane(struct xwhat *w, struct wire plane)
{
	const struct wire whole = plane;
	uint64_t id, kind = 0;
	struct slice chip;

	while (wire_next(&plane)) {
		struct slice name;
		uint64_t program;

		if (plane.type != BYTES || (plane.field != PLANE_EVENTS && plane.field != PLANE_STAT_NAMES))
			continue;
		name = entry_name(&plane, &id);
		if (plane.field == PLANE_STAT_NAMES && slice_is(name, "device_type_string"))
			kind = id;
		program = plane.field == PLANE_EVENTS ? fingerprint(name) : 0;
		if (program && w->nprograms < WHAT_PROGRAMS && !has_program(w, program))
			w->program[w->nprograms++] = program;
	}
	chip = kind ? chip_of(whole, kind) : (struct slice){ NULL, 0 };
	if (chip.n && !*w->chip)
		snprintf(w->chip, sizeof w->chip, "%.*s",
		    (int)(chip.n < sizeof w->chip ? chip.n : sizeof w->chip), chip.s);
}

static bool is_of_tpu(struct wire plane)
{
	while (wire_next(&plane))
		if (plane.field == PLANE_NAME && plane.type == BYTES)
			return slice_begins(wire_text(&plane), "/device:TPU:");
	return false;
}

void xspace_what(const uint8_t *b, size_t n, struct xwhat *w)
{
	*w = (struct xwhat){ .nprograms = 0 };
	for (struct wire space = wire_open(b, n); wire_next(&space);)
		if (space.field == 1 && space.type == BYTES && is_of_tpu(wire_open(space.s, space.n)))
			read_plane(w, wire_open(space.s, space.n));
}

bool xwhat_differs(const struct xwhat *a, const struct xwhat *b)
{
	if (*a->chip && *b->chip && strcmp(a->chip, b->chip) != 0)
		return true;
	for (size_t i = 0; i < a->nprograms; i++)
		if (has_program(b, a->program[i]))
			return false;
	return a->nprograms && b->nprograms;
}
