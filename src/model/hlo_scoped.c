#include "config.h"
#include "model/hlo.h"

#include <math.h>
#include <string.h>

#include "base/codec/json.h"

#define VMEM 1
#define LIST_MAX ((size_t)64 << 10)

/* Returns what is inside the brackets that follow ": "; NULL: there are none, or they are not closed. */
static const char *list_at(const char *s, const char *end, size_t *n)
{
	const char *open = s, *close;

	while (open < end && (*open == ':' || *open == ' '))
		open++;
	if (open == end || *open != '[')
		return NULL;
	close = memchr(open, ']', (size_t)(end - open) < LIST_MAX ? (size_t)(end - open) : LIST_MAX);
	*n = close ? (size_t)(close + 1 - open) : 0;
	return close ? open : NULL;
}

/* Returns the largest size for VMEM in a list; -1 = it has none. */
static int64_t most_of(const char *s, size_t n)
{
	struct arena a = { 0 };
	const struct json *list = json_parse(&a, s, n, NULL);
	int64_t most = -1;

	for (const struct json *c = list ? list->child : NULL; c; c = c->next) {
		double size = json_number(json_get(c, "size"), NAN);

		if (json_number(json_get(c, "memory_space"), 0) == VMEM && size >= 0 && size < 9e18 &&
		    (int64_t)size > most)
			most = (int64_t)size;
	}
	arena_free(&a);
	return most;
}

int64_t hlo_scoped(const uint8_t *p, size_t n)
{
	static const char key[] = "\"used_scoped_memory_configs\"";
	const char *s = (const char *)p, *end = s + n, *list;
	int64_t most = -1;

	while (s < end && (s = memmem(s, (size_t)(end - s), key, sizeof key - 1))) {
		size_t len;

		s += sizeof key - 1;
		if ((list = list_at(s, end, &len))) {
			int64_t of = most_of(list, len);

			most = of > most ? of : most;
			s = list + len;
		}
	}
	return most;
}
