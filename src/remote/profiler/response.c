#include "config.h"

#include "remote/profiler/response.h"

#include <stdlib.h>
#include <string.h>

#include "base/codec/wire.h"
#include "base/mem.h"

/* fields of ProfileResponse */
enum { TOOL_DATA = 6, EMPTY_TRACE = 7, XSPACE = 8 };
enum { VARINT, FIXED64, BYTES, FIXED32 = 5 };
enum { PART_KEY, PART_VALUE, PART_LENGTH, PART_PAYLOAD };

static bool damaged(struct response *r, const char *what)
{
	r->damage = what;
	return false;
}

/* Takes one byte of a varint; *whole says whether it was the last one. */
static bool take_varint(struct response *r, uint8_t byte, bool *whole)
{
	if (r->shift > 63)
		return damaged(r, "a number is too long");
	r->value |= (uint64_t)(byte & 127) << r->shift;
	r->shift += 7;
	*whole = byte < 128;
	return true;
}

static void next_part(struct response *r, int part)
{
	r->part = part;
	r->value = 0;
	r->shift = 0;
}

static bool after_key(struct response *r)
{
	r->field = (unsigned)(r->value >> 3);
	r->type = r->value & 7;
	if (!(r->value >> 3) || r->value >> 32)
		return damaged(r, "a field has no valid number");
	switch (r->type) {
	case VARINT:
		next_part(r, PART_VALUE);
		return true;
	case BYTES:
		next_part(r, PART_LENGTH);
		return true;
	case FIXED64:
	case FIXED32:
		r->left = r->type == FIXED64 ? 8 : 4;
		next_part(r, PART_PAYLOAD);
		return true;
	default:
		return damaged(r, "a field is of no known type");
	}
}

static void read_tool(struct response *r)
{
	struct wire w = wire_open(r->held, r->nheld);
	struct slice name = { "", 0 }, data = { "", 0 };

	while (wire_next(&w))
		if (w.type == BYTES && w.field == 1)
			name = wire_text(&w);
		else if (w.type == BYTES && w.field == 2)
			data = wire_text(&w);
	if (!w.bad && name.n && r->tool)
		r->tool(r->self, name, data);
}

static void after_payload(struct response *r)
{
	if (r->type == BYTES && r->field == TOOL_DATA)
		read_tool(r);
	next_part(r, PART_KEY);
}

static bool after_length(struct response *r)
{
	r->left = r->value;
	r->has_space = r->has_space || r->field == XSPACE;
	r->nheld = 0;
	if (r->field == TOOL_DATA) {
		if (r->left > TOOL_DATA_MAX)
			return damaged(r, "a file in it is too large");
		if (r->ntools++ == TOOLS_MAX)
			return damaged(r, "it has too many files");
		r->held = xrealloc(r->held, 1, r->left + 1);
	}
	next_part(r, PART_PAYLOAD);
	if (!r->left)
		after_payload(r);
	return true;
}

static bool take_payload(struct response *r, const uint8_t *p, size_t n)
{
	bool more = true;

	if (r->type == BYTES && r->field == XSPACE)
		more = r->space(r->self, p, n);
	else if (r->type == BYTES && r->field == TOOL_DATA) {
		memcpy(r->held + r->nheld, p, n);
		r->nheld += n;
	}
	r->left -= n;
	if (!r->left)
		after_payload(r);
	return more;
}

static bool take_byte(struct response *r, uint8_t byte)
{
	bool whole = false;

	if (!take_varint(r, byte, &whole))
		return false;
	if (!whole)
		return true;
	if (r->part == PART_KEY)
		return after_key(r);
	if (r->part == PART_LENGTH)
		return after_length(r);
	if (r->field == EMPTY_TRACE)
		r->empty_trace = r->value;
	next_part(r, PART_KEY);
	return true;
}

bool response_put(struct response *r, const uint8_t *p, size_t n)
{
	while (n && !r->damage) {
		size_t take = r->part != PART_PAYLOAD ? 1 : n < r->left ? n : (size_t)r->left;

		if (!(r->part == PART_PAYLOAD ? take_payload(r, p, take) : take_byte(r, *p)))
			return false;
		p += take;
		n -= take;
		r->at += take;
	}
	return !r->damage;
}

bool response_finish(struct response *r)
{
	if (!r->damage && (r->part != PART_KEY || r->shift))
		r->damage = "it ends in the middle of a field";
	return !r->damage;
}

void response_end(struct response *r)
{
	free(r->held);
	r->held = NULL;
}
