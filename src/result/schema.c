#include "config.h"
#include "result/schema.h"

#include <stdint.h>
#include <string.h>

#include "base/text/units.h"

const char *column_shown_unit(const char *unit, double *factor)
{
	bool bandwidth = !strcmp(unit, "GiB/s");

	*factor = bandwidth ? GIB / 1e9 : 1;
	return bandwidth ? "GB/s" : unit;
}

static size_t column_of(const struct schema *s, const char *id, size_t len)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strncmp(s->columns[i].id, id, len) && !s->columns[i].id[len])
			return i;
	return SIZE_MAX;
}

size_t schema_column(const struct schema *s, const char *id)
{
	return column_of(s, id, strlen(id));
}

bool schema_next(const struct schema *s, const char **form, size_t *column, bool *hidden)
{
	while (*form && **form) {
		const char *id = *form + strspn(*form, " |");
		size_t n;

		*hidden = *id == '-';
		id += *hidden;
		n = strcspn(id, " |");
		*form = id + n;
		*column = column_of(s, id, n);
		if (*column != SIZE_MAX)
			return true;
	}
	return false;
}

size_t schema_form(const struct schema *s, const char *form, size_t *out)
{
	size_t n = 0, column;
	bool hidden;

	if (!form)
		for (; n < s->n; n++)
			out[n] = n;
	while (schema_next(s, &form, &column, &hidden) && n < s->n)
		out[n++] = column;
	return n;
}
