#include "config.h"
#include "analyze/device/chips.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file/embedded.h"

static bool is_name(const char *field, const char *name)
{
	return !strcasecmp(field, name) || (!strncasecmp(field, "TPU ", 4) && !strcasecmp(field + 4, name));
}

static bool take_line(char *line, const char *name, struct chip *c)
{
	char *field[9], *rest = line;

	for (int i = 0; i < 9; i++)
		if (!(field[i] = strsep(&rest, "\t")))
			return false;
	if (!is_name(field[0], name))
		return false;
	*c = (struct chip){ strtod(field[1], NULL), strtod(field[2], NULL), strtod(field[3], NULL),
		strtod(field[4], NULL), strtod(field[5], NULL), strtod(field[6], NULL),
		strtod(field[7], NULL), strtod(field[8], NULL) };
	return true;
}

/* Copies the i-th line of the table that is not a comment, without its line break; returns false after the
 * last. */
static bool line_at(size_t i, char *line, size_t size)
{
	const struct embedded *e = embedded_find("chips.tsv");
	const char *s = e ? (const char *)e->bytes : NULL, *end = e ? s + e->size : NULL;

	while (s < end) {
		const char *stop = memchr(s, '\n', (size_t)(end - s));
		size_t n = (size_t)((stop ? stop : end) - s);

		if (n < size && *s != '#' && !i--) {
			memcpy(line, s, n);
			line[n] = 0;
			return true;
		}
		s += n + 1;
	}
	return false;
}

bool chip_find(const char *name, struct chip *c)
{
	char line[160];

	for (size_t i = 0; line_at(i, line, sizeof line); i++)
		if (take_line(line, name, c))
			return true;
	return false;
}

const char *chip_name(size_t i, char *buf, size_t size)
{
	char line[160], *name = line;

	if (!line_at(i, line, sizeof line))
		return NULL;
	name[strcspn(name, "\t")] = 0;
	snprintf(buf, size, "%s", strncmp(name, "TPU ", 4) ? name : name + 4);
	return buf;
}
