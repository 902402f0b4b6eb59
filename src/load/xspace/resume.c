#include "config.h"

#include "load/xspace/xspace.h"

#include "base/codec/wire.h"

enum { VARINT = 1, FIXED, BYTES, FIELDS = 12, LOOKED_AT = 8, TEXT_LOOKED_AT = 64 };

/* 1 + the wire types of fields by their numbers; 0: there is none. */
static const uint8_t space[FIELDS] = { 0, BYTES, BYTES, BYTES, BYTES };
static const uint8_t plane[FIELDS] = { 0, VARINT, BYTES, BYTES, BYTES, BYTES, BYTES };
static const uint8_t line[FIELDS] = { 0, VARINT, BYTES, VARINT, BYTES, 0, 0, 0, 0, VARINT, VARINT, BYTES };
static const uint8_t events[FIELDS] = { 0, 0, 0, 0, BYTES };
static const uint8_t event[FIELDS] = { 0, VARINT, VARINT, VARINT, BYTES, VARINT };
static const uint8_t entry[FIELDS] = { 0, VARINT, BYTES };
static const uint8_t stat[FIELDS] = { 0, VARINT, FIXED, VARINT, VARINT, BYTES, BYTES, VARINT };
static const uint8_t text[1];

static const struct {
	const uint8_t *fields;
	const uint8_t *inside[FIELDS]; /* of the messages in them; NULL: anything */
} levels[] = {
	[XLEVEL_SPACE] = { space, { NULL, plane, text, text, text } },
	[XLEVEL_PLANE] = { plane, { NULL, NULL, text, line, entry, entry, stat } },
	[XLEVEL_LINE] = { line, { NULL, NULL, text, NULL, event, NULL, NULL, NULL, NULL, NULL, NULL, text } },
	[XLEVEL_EVENTS] = { events, { NULL, NULL, NULL, NULL, event } },
};

static bool is_one_of(const uint8_t *fields, const struct wire *w)
{
	return w->field < FIELDS && fields[w->field] == 1 + w->type;
}

static bool is_text(const struct wire *w)
{
	for (size_t i = 0; i < w->n && i < TEXT_LOOKED_AT; i++)
		if (w->s[i] < ' ' && w->s[i] != '\n' && w->s[i] != '\t' && w->s[i] != '\r')
			return false;
	return true;
}

/* The first fields of a message.  An event says when it was or how many there were, which its stats, that look alike,
 * do not. */
static bool holds(const uint8_t *fields, const struct wire *message)
{
	struct wire w = wire_open(message->s, message->n);
	bool placed = fields != event;

	for (int i = 0; i < LOOKED_AT && wire_next(&w); i++) {
		if (!is_one_of(fields, &w))
			return false;
		placed |= w.field == 2 || w.field == 5;
	}
	return placed && !w.bad;
}

static bool fits(const void *level, const struct wire *w)
{
	enum xlevel at = *(const enum xlevel *)level;
	const uint8_t *inside;

	if (!is_one_of(levels[at].fields, w))
		return false;
	inside = levels[at].inside[w->field];
	return !inside || (inside == text ? is_text(w) : holds(inside, w));
}

bool xspace_resume(struct wire *w, enum xlevel level)
{
	const uint8_t *at = w->p;

	if (wire_resume(w, fits, &level))
		return true;
	w->p = at;
	return false;
}
