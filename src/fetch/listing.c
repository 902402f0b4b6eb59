#include "config.h"

#include "fetch/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/text/slice.h"

#define FILES_MAX 1000000

void fetch_list_free(struct fetch_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i].url);
	free(l->v);
	*l = (struct fetch_list){ 0 };
}

static struct slice cut_word(struct slice *line)
{
	struct slice word;

	while (line->n && *line->s == ' ') {
		line->s++;
		line->n--;
	}
	word.s = line->s;
	for (word.n = 0; word.n < line->n && line->s[word.n] != ' '; word.n++)
		;
	line->s += word.n;
	line->n -= word.n;
	return word;
}

static bool read_bytes(struct slice t, uint64_t *v)
{
	char text[24], *end;

	if (!t.n || t.n >= sizeof text || *t.s == '-')
		return false;
	memcpy(text, t.s, t.n);
	text[t.n] = 0;
	errno = 0;
	*v = strtoull(text, &end, 10);
	return !*end && !errno;
}

/* "2024-01-02T03:04:05Z", "2024-01-02 03:04:05", "2024/01/02 03:04:05"; 0: it is something else */
static int64_t read_time(struct slice day, struct slice hour)
{
	char text[48];
	struct tm tm = { 0 };

	if (day.n + hour.n + 2 > sizeof text)
		return 0;
	snprintf(text, sizeof text, "%.*s %.*s", (int)day.n, day.s, (int)hour.n, hour.s);
	for (char *p = text; *p; p++)
		*p = *p == '/' ? '-' : *p == 'T' ? ' ' : *p;
	return strptime(text, "%Y-%m-%d %H:%M:%S", &tm) ? timegm(&tm) : 0;
}

/* A name that is one component of a path and nothing else. */
static bool is_plain(struct slice name)
{
	if (!name.n || slice_is(name, ".") || slice_is(name, "..") || name.n > 255)
		return false;
	for (size_t i = 0; i < name.n; i++)
		if ((unsigned char)name.s[i] < ' ' || name.s[i] == '/' || name.s[i] == 127)
			return false;
	return true;
}

static void add_file(struct fetch_list *l, char *url, uint64_t bytes, int64_t time)
{
	char *slash = strrchr(url, '/'), *before = slash;
	struct fetch_file f = { .url = url, .bytes = bytes, .time = time };

	while (before && before > url && before[-1] != '/')
		before--;
	if (!slash || l->n >= FILES_MAX || fetch_check_url(url, NULL) || !is_plain(slice_of(slash + 1)) ||
	    !is_plain((struct slice){ before, (size_t)(slash - before) })) {
		free(url);
		return;
	}
	f.name = slash + 1;
	f.folder = (size_t)(slash - url);
	VEC_ADD(l->v, l->n, l->cap, f);
}

/* Returns the length of what keys are relative to: the bucket (aws), or the folder of the address (s5cmd). */
static size_t base_length(const char *url, enum listing_form form)
{
	const char *rest = strstr(url, "://") + 3;

	if (form == LIST_AWS)
		return (size_t)(rest - url) + strcspn(rest, "/");
	return strlen(url) - (size_t)(url[strlen(url) - 1] == '/');
}

static void take_line(struct fetch_list *l, struct slice line, const char *url, enum listing_form form)
{
	struct slice first = cut_word(&line), second = cut_word(&line), third;
	int64_t time;
	uint64_t bytes;

	if (form == LIST_GOOGLE) {
		line = slice_trim(line);
		if (read_bytes(first, &bytes) && slice_begins(line, "gs://"))
			add_file(l, xstrndup(line.s, line.n), bytes,
			    read_time(second, (struct slice){ "", 0 }));
		return;
	}
	third = cut_word(&line);
	time = read_time(first, second);
	line = slice_trim(line);
	if (time && read_bytes(third, &bytes) && line.n)
		add_file(l, xasprintf("%.*s/%.*s", (int)base_length(url, form), url, (int)line.n, line.s),
		    bytes, time);
}

void fetch_list_parse(struct fetch_list *l, const char *text, const char *url, enum listing_form form)
{
	while (text && *text) {
		size_t n = strcspn(text, "\n");

		take_line(l, (struct slice){ text, n - (n && text[n - 1] == '\r') }, url, form);
		text += n + (text[n] == '\n');
	}
}
