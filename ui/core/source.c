#include "config.h"
#include "core/source.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/infile.h"
#include "base/mem.h"
#include "base/text/digit.h"
#include "base/text/utf8.h"
#include "core/config/settings.h"

enum { LINE_MAX_DIGITS = 9, LINE_MOST = 400 };

static bool is_source_name(const char *s, size_t n)
{
	static const char *const suffixes[] = { ".py", ".cc", ".cpp", ".cu", ".c", ".h", ".hpp", ".rs", ".go",
		".jl", ".ipynb", ".mlir", ".pyx" };

	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		size_t len = strlen(suffixes[i]);

		if (n > len && !memcmp(s + n - len, suffixes[i], len))
			return true;
	}
	return false;
}

static bool in_path(char c)
{
	return (unsigned char)c > ' ' && !strchr("\"'()<>[]{},;=|:", c);
}

/* The first FILE:LINE of n bytes. */
static bool find_in(const char *s, size_t n, char *file, size_t size, int *line)
{
	const char *end = s + n;

	for (const char *colon = s; (colon = memchr(colon, ':', (size_t)(end - colon))); colon++) {
		const char *from = colon, *digit = colon + 1;

		while (from > s && in_path(from[-1]))
			from--;
		while (digit < end && is_digit(*digit) && digit - colon <= LINE_MAX_DIGITS)
			digit++;
		if (digit == colon + 1 || digit - colon > LINE_MAX_DIGITS ||
		    !is_source_name(from, (size_t)(colon - from)) || (size_t)(colon - from) >= size)
			continue;
		snprintf(file, size, "%.*s", (int)(colon - from), from);
		*line = atoi(colon + 1);
		return *line > 0;
	}
	return false;
}

bool source_find(const char *text, char *file, size_t size, int *line)
{
	for (const char *s = text, *end; *s; s = *end ? end + 1 : end) {
		const char *said;

		end = s + strcspn(s, "\n");
		said = memmem(s, (size_t)(end - s), "source", 6);
		if (said && find_in(said, (size_t)(end - said), file, size, line))
			return true;
	}
	return find_in(text, strlen(text), file, size, line);
}

const char *source_map(const struct settings *s)
{
	const char *map = settings_get(s, SET_SOURCE_PATH);

	return strcmp(map, "none") ? map : "";
}

/* What replaces the begin of the path; *cut: how many bytes of it. */
static const char *mapped(const char *map, const char *file, size_t *cut, int *len)
{
	for (const char *s = map; *s;) {
		size_t n = strcspn(s, ","), from = strcspn(s, "=");

		if (from > 0 && from < n && !strncmp(file, s, from) &&
		    (s[from - 1] == '/' || file[from] == '/' || !file[from])) {
			*cut = from;
			*len = (int)(n - from - 1);
			return s + from + 1;
		}
		s += n + (s[n] == ',');
	}
	*cut = 0;
	*len = 0;
	return "";
}

char *source_path(const char *map, const char *file)
{
	size_t cut;
	int len;
	const char *to = mapped(map, file, &cut, &len);
	char *path = xasprintf("%.*s%s", len, to, file + cut), *here, *whole;

	if (*path == '/')
		return path;
	here = getcwd(NULL, 0);
	whole = xasprintf("%s/%s", here ? here : "", path);
	free(here);
	free(path);
	return whole;
}

/* As wide as editors show it, and as a terminal may get it; the caller frees. */
static char *plain_line(const char *line)
{
	size_t n = strcspn(line, "\r\n"), w = 0;
	char text[LINE_MOST], *safe = xmalloc(sizeof text * 3 + 1), *to = safe;

	for (size_t i = 0; i < n && w + 8 < sizeof text; i++)
		if (line[i] != '\t')
			text[w++] = line[i];
		else
			do
				text[w++] = ' ';
			while (w % 8);
	for (const char *s = text, *end = text + w; s < end;)
		to += utf8_put(to, utf8_safe(utf8_next(&s, end)));
	*to = 0;
	return safe;
}

/* Without the indentation that all of them have; `from` is the number of the first. */
static char *join_lines(char *const *lines, int n, int from, int at)
{
	size_t indent = SIZE_MAX, length = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &length);

	for (int i = 0; i < n; i++)
		if (lines[i][strspn(lines[i], " ")] && strspn(lines[i], " ") < indent)
			indent = strspn(lines[i], " ");
	for (int i = 0; out && i < n; i++)
		fprintf(out, "%c%d %s\n", from + i == at ? '>' : ' ', from + i,
		    strlen(lines[i]) > indent ? lines[i] + indent : "");
	if (out)
		fclose(out);
	return text;
}

static char *excerpt_of(FILE *f, int at)
{
	char *lines[2 * SOURCE_AROUND + 1], *line = NULL, *text;
	int n = 0, from = at > SOURCE_AROUND ? at - SOURCE_AROUND : 1;
	size_t size = 0, read = 0;
	ssize_t got;

	for (int i = 1;
	     i <= at + SOURCE_AROUND && read < SOURCE_MOST && (got = getline(&line, &size, f)) >= 0; i++) {
		read += (size_t)got;
		if (i >= from)
			lines[n++] = plain_line(line);
	}
	text = n > at - from ? join_lines(lines, n, from, at) : NULL;
	free(line);
	for (int i = 0; i < n; i++)
		free(lines[i]);
	return text;
}

char *source_excerpt(const char *map, const char *place)
{
	char file[1024], *path, *text;
	struct stat st;
	int at;
	FILE *f;

	if (!find_in(place, strlen(place), file, sizeof file, &at))
		return NULL;
	path = source_path(map, file);
	f = stat(path, &st) || !S_ISREG(st.st_mode) ? NULL : infile_open(path);
	free(path);
	text = f ? excerpt_of(f, at) : NULL;
	if (f)
		fclose(f);
	return text;
}
