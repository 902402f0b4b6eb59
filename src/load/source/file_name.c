#include "config.h"

#include "load/source/file_name.h"

#include <string.h>

struct slice file_name_plain(const char *name)
{
	struct slice t = slice_of(name);

	if (t.n > 3 && slice_ends_nocase(t, ".gz"))
		t.n -= 3;
	else if (t.n > 4 && slice_ends_nocase(t, ".zst"))
		t.n -= 4;
	return t;
}

bool file_name_ends(const char *name, const char *ending)
{
	return slice_ends_nocase(file_name_plain(name), ending);
}

struct slice file_name_host(const char *name)
{
	static const char *const endings[] = {
#define SUFFIX(id, suffix) suffix,
#include "model/file_kinds.def"
		".json" /* of other programs */
	};
	struct slice t = file_name_plain(name);

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		size_t n = strlen(endings[i]);

		if (t.n > n && slice_ends_nocase(t, endings[i]))
			t.n -= n;
	}
	return t;
}

/* A ':' became '_', which no name of a host has. */
size_t file_name_port(struct slice host)
{
	size_t n = 0;

	while (n < host.n && host.s[host.n - 1 - n] >= '0' && host.s[host.n - 1 - n] <= '9')
		n++;
	return (n == 4 || n == 5) && n + 1 < host.n && host.s[host.n - 1 - n] == '_' &&
		!memchr(host.s, '_', host.n - n - 1)
	    ? n + 1
	    : 0;
}

static bool cut_digits(struct slice *t, int *v)
{
	size_t n = 0;

	for (*v = 0; n < t->n && n < 6 && t->s[n] >= '0' && t->s[n] <= '9'; n++)
		*v = *v * 10 + (t->s[n] - '0');
	t->s += n;
	t->n -= n;
	return n > 0;
}

/* dp0, rank_3, dp_rank_1, pprank_0_ppworldsize_2: takes it off the front. */
static bool cut_rank(struct slice *t, struct file_rank *r)
{
	*r = (struct file_rank){ .of = 0 };
	if (!slice_cut(t, "dp_rank") && !slice_cut(t, "pprank") && !slice_cut(t, "rank") &&
	    !slice_cut(t, "dp"))
		return false;
	slice_cut(t, "_");
	if (!cut_digits(t, &r->rank))
		return false;
	return !slice_cut(t, "_ppworldsize_") || cut_digits(t, &r->of);
}

bool file_name_is_rank(struct slice folder)
{
	struct file_rank r;

	return cut_rank(&folder, &r) && !folder.n;
}

/* The last component before `end`, which is moved to its begin. */
static struct slice component_before(const char *path, const char **end)
{
	const char *e = *end;

	while (e > path && e[-1] == '/')
		e--;
	*end = e;
	while (*end > path && (*end)[-1] != '/')
		(*end)--;
	return (struct slice){ *end, (size_t)(e - *end) };
}

bool file_name_rank(const char *path, struct file_rank *r)
{
	const char *slash = strrchr(path, '/'), *end = slash ? slash + 1 : path;
	struct slice host = file_name_host(end), t = host, c;
	int above = 0; /* folders above plugins, and it; 0: not found yet */

	if (cut_rank(&t, r) && slice_cut(&t, "_") && t.n) {
		r->host = t;
		return true;
	}
	while (above <= 3 && (c = component_before(path, &end)).n) {
		t = c;
		above += above || slice_is(c, "plugins");
		if (above > 1 && cut_rank(&t, r) && !t.n) {
			r->host = host;
			r->folder = c;
			return true;
		}
	}
	return false;
}
