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

enum { NUMBERS = 16, LINE = 200 };

/* Cuts the name off a line and reads the numbers behind it; "-" is 0. */
static bool take_numbers(char *line, double v[NUMBERS])
{
	char *rest = line, *field = strsep(&rest, "\t");

	for (int i = 0; i < NUMBERS; i++) {
		if (!(field = strsep(&rest, "\t")))
			return false;
		v[i] = strtod(field, NULL);
	}
	return true;
}

static bool take_line(char *line, const char *name, struct chip *c)
{
	double v[NUMBERS];

	if (!take_numbers(line, v) || !is_name(line, name))
		return false;
	*c = (struct chip){ v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7] };
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
	char line[LINE];

	for (size_t i = 0; line_at(i, line, sizeof line); i++)
		if (take_line(line, name, c))
			return true;
	return false;
}

const char *chip_name(size_t i, char *buf, size_t size)
{
	char line[LINE], *name = line;

	if (!line_at(i, line, sizeof line))
		return NULL;
	name[strcspn(name, "\t")] = 0;
	snprintf(buf, size, "%s", strncmp(name, "TPU ", 4) ? name : name + 4);
	return buf;
}

static bool take_core(char *line, struct chip_core *c)
{
	double v[NUMBERS];

	if (!take_numbers(line, v))
		return false;
	*c = (struct chip_core){ .ghz = v[9],
		.gbps = v[8] > 0 ? v[1] / v[8] : 0,
		.side = (int)v[10],
		.granule = (int)v[11],
		.matmul = (int)v[12],
		.xlu = (int)v[13],
		.valu = (int)v[14],
		.vmem = (int)v[15] };
	snprintf(c->name, sizeof c->name, "%s", strncmp(line, "TPU ", 4) ? line : line + 4);
	if (!strncmp(c->name, "TPU", 3))
		memcpy(c->name, "tpu", 3);
	return true;
}

bool chip_core_at(size_t i, struct chip_core *c)
{
	char line[LINE];

	return line_at(i, line, sizeof line) && take_core(line, c);
}

bool chip_core_find(const char *name, struct chip_core *c)
{
	char line[LINE];

	for (size_t i = 0; line_at(i, line, sizeof line); i++)
		if (take_core(line, c) && c->ghz > 0 && is_name(line, name))
			return true;
	return false;
}
