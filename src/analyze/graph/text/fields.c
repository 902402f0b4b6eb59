#include "config.h"
#include "analyze/graph/text/fields.h"

#include <ctype.h>
#include <inttypes.h>

bool field_first(struct slice message, uint32_t field, struct wire *w)
{
	*w = wire_open(message.s, message.n);
	while (wire_next(w))
		if (w->field == field)
			return true;
	return false;
}

bool field_next(struct wire *w, uint32_t field, struct slice *v)
{
	while (wire_next(w))
		if (w->field == field && w->type == 2) {
			*v = wire_text(w);
			return true;
		}
	return false;
}

struct slice field_slice(struct slice message, uint32_t field)
{
	struct wire w;

	return field_first(message, field, &w) && w.type == 2 ? wire_text(&w) : (struct slice){ "", 0 };
}

int64_t field_number(struct slice message, uint32_t field)
{
	struct wire w;

	return field_first(message, field, &w) && w.type == 0 ? (int64_t)w.u : 0;
}

/* How many numbers there are at most: every varint has one byte that ends it. */
static size_t numbers_in(struct slice message, uint32_t field)
{
	struct wire w = wire_open(message.s, message.n);
	size_t n = 0;

	while (wire_next(&w))
		if (w.field == field) {
			n += w.type == 0;
			for (size_t i = 0; w.type == 2 && i < w.n; i++)
				n += w.s[i] < 0x80;
		}
	return n;
}

struct shape_list field_numbers(struct arena *a, struct slice message, uint32_t field)
{
	struct wire w = wire_open(message.s, message.n);
	struct shape_list l = { arena_alloc(a, (numbers_in(message, field) + 1) * sizeof *l.v), 0 };

	while (wire_next(&w)) {
		const uint8_t *p = w.s, *end = p ? p + w.n : NULL;
		uint64_t v = w.u;

		if (w.field != field)
			continue;
		if (w.type == 0)
			l.v[l.n++] = (int64_t)v;
		while (w.type == 2 && p && p < end && (p = wire_varint(p, end, &v)))
			l.v[l.n++] = (int64_t)v;
	}
	return l;
}

void put_slice(FILE *f, struct slice s)
{
	fwrite(s.s, 1, s.n, f);
}

void put_escaped(FILE *f, struct slice s)
{
	static const char letters[] = "n\nr\rt\t\"\"''\\\\";

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.s[i];
		const char *l = letters;

		while (*l && l[1] != (char)c)
			l += 2;
		if (*l)
			fprintf(f, "\\%c", *l);
		else if (c < 0x80 && isprint(c))
			fputc(c, f);
		else
			fprintf(f, "\\%03o", c);
	}
}

void put_numbers(FILE *f, const struct shape_list *l, const char *separator)
{
	for (size_t i = 0; i < l->n; i++)
		fprintf(f, "%s%" PRId64, i ? separator : "", l->v[i]);
}

void put_list(FILE *f, struct slice message, uint32_t field)
{
	struct arena a = { 0 };
	struct shape_list l = field_numbers(&a, message, field);

	fputc('{', f);
	put_numbers(f, &l, ",");
	fputc('}', f);
	arena_free(&a);
}
