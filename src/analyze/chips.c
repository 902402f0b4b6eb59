#include "config.h"
#include "analyze/chips.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/embedded.h"

static bool is_name(const char *field, const char *name)
{
	return !strcasecmp(field, name) || (!strncasecmp(field, "TPU ", 4) && !strcasecmp(field + 4, name));
}

static bool take_line(char *line, const char *name, struct chip *c)
{
	char *field[6], *rest = line;

	for (int i = 0; i < 6; i++)
		if (!(field[i] = strsep(&rest, "\t")))
			return false;
	if (!is_name(field[0], name))
		return false;
	*c = (struct chip){ strtod(field[1], NULL), strtod(field[2], NULL), strtod(field[3], NULL),
		strtod(field[4], NULL), strtod(field[5], NULL) };
	return true;
}

bool chip_find(const char *name, struct chip *c)
{
	const struct embedded *e = embedded_find("chips.tsv");
	const char *s = e ? (const char *)e->bytes : NULL, *end = e ? s + e->size : NULL;

	while (s < end) {
		const char *stop = memchr(s, '\n', (size_t)(end - s));
		size_t n = (size_t)((stop ? stop : end) - s);
		char line[160];

		if (n < sizeof line && *s != '#') {
			memcpy(line, s, n);
			line[n] = 0;
			if (take_line(line, name, c))
				return true;
		}
		s += n + 1;
	}
	return false;
}
