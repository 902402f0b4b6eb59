#include "config.h"
#include "analyze/hlo/groups.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text/digit.h"

#define GROUPS_MAX 65536 /* device numbers in the longest list that is written out */
#define AXES 8

/* Reads the numbers of "8,4]" up to the closing bracket; returns 0 when there are none or more than there is
 * room for. */
static size_t parse_numbers(const char **s, const char *end, char close, int64_t *v)
{
	size_t n = 0;

	for (; *s < end && **s != close && n < AXES; n++) {
		v[n] = 0;
		for (; *s < end && is_digit(**s) && v[n] < GROUPS_MAX; ++*s)
			v[n] = v[n] * 10 + (**s - '0');
		if (*s < end && **s == ',')
			++*s;
		else if (*s < end && **s != close)
			return 0;
	}
	if (*s == end || **s != close)
		return 0;
	++*s;
	return n;
}

/* Reads "'x'"; returns what is behind it, or NULL. */
static const char *quoted_name(const char *s, const char *end, struct slice *name)
{
	const char *close = s < end && *s == '\'' ? memchr(s + 1, '\'', (size_t)(end - s - 1)) : NULL;

	if (!close)
		return NULL;
	*name = (struct slice){ s + 1, (size_t)(close - s - 1) };
	return close + 1;
}

/* A compact list of groups such as "[2,4]<=[4,2]T(1,0)": the numbers from 0 on fill an array [4,2], whose
 * axes are then transposed, and the result is cut into 2 groups of 4. */
struct iota {
	int64_t group[AXES], side[AXES], turn[AXES];
	size_t nsides;
};

static bool parse_iota(struct slice t, struct iota *x)
{
	const char *s = t.s + 1, *end = t.s + t.n;
	int64_t count = 1;
	bool had[AXES] = { false };

	if (t.n < 2 || *t.s != '[' || parse_numbers(&s, end, ']', x->group) != 2)
		return false;
	if (end - s < 3 || memcmp(s, "<=[", 3))
		return false;
	s += 3;
	x->nsides = parse_numbers(&s, end, ']', x->side);
	for (size_t i = 0; i < x->nsides; i++) {
		if (x->side[i] < 1 || x->side[i] > GROUPS_MAX || (count *= x->side[i]) > GROUPS_MAX)
			return false;
		x->turn[i] = (int64_t)i;
	}
	if (end - s > 2 && s[0] == 'T' && s[1] == '(') {
		s += 2;
		if (parse_numbers(&s, end, ')', x->turn) != x->nsides)
			return false;
	}
	for (size_t i = 0; i < x->nsides; i++) {
		if (x->turn[i] >= (int64_t)x->nsides || had[x->turn[i]])
			return false;
		had[x->turn[i]] = true;
	}
	return x->nsides && x->group[0] >= 1 && x->group[1] >= 1 && x->group[0] * x->group[1] == count;
}

/* Reads the axes of "'x'=2,'y'=4]" up to the bracket. */
static const char *parse_sides(const char *s, const char *end, struct iota *x, struct slice *name)
{
	int64_t count = 1;

	while (x->nsides < AXES) {
		int64_t *side = &x->side[x->nsides];

		if (!(s = quoted_name(s, end, &name[x->nsides])) || s == end || *s++ != '=')
			return NULL;
		for (*side = 0; s < end && is_digit(*s) && *side <= GROUPS_MAX; s++)
			*side = *side * 10 + (*s - '0');
		if (*side < 1 || *side > GROUPS_MAX || (count *= *side) > GROUPS_MAX)
			return NULL;
		x->nsides++;
		if (s < end && *s == ']')
			return s + 1;
		if (s == end || *s++ != ',')
			return NULL;
	}
	return NULL;
}

/* Axes of a mesh, "mesh['x'=2,'y'=4] {'x'}": the groups lie along those in braces, which are turned to be the last
 * ones.  Parts of axes, "'x':(1)2", are not read. */
static bool parse_mesh(struct slice t, struct iota *x)
{
	const char *s, *end = t.s + t.n;
	struct slice name[AXES], use;
	size_t last[AXES], nlast = 0, n = 0;
	bool had[AXES] = { false };

	*x = (struct iota){ .group = { 1, 1 } };
	if (!slice_begins(t, "mesh[") || !(s = parse_sides(t.s + 5, end, x, name)))
		return false;
	s += s < end && *s == ' ';
	while (s < end && (*s == (nlast ? ',' : '{'))) {
		size_t k = 0;

		if (!(s = quoted_name(s + 1, end, &use)))
			return false;
		while (k < x->nsides && !slice_same(name[k], use))
			k++;
		if (k == x->nsides || had[k])
			return false;
		had[k] = true;
		x->group[1] *= x->side[k];
		last[nlast++] = k;
	}
	for (size_t k = 0; k < x->nsides; k++) {
		if (!had[k]) {
			x->group[0] *= x->side[k];
			x->turn[n++] = (int64_t)k;
		}
	}
	for (size_t k = 0; k < nlast; k++)
		x->turn[n++] = (int64_t)last[k];
	return nlast && s < end && *s == '}';
}

static int64_t iota_at(const struct iota *x, int64_t i)
{
	int64_t at[AXES], v = 0;

	for (size_t k = x->nsides; k-- > 0; i /= x->side[x->turn[k]])
		at[x->turn[k]] = i % x->side[x->turn[k]];
	for (size_t k = 0; k < x->nsides; k++)
		/* cppcheck-suppress uninitvar // `turn` names each axis once */
		v = v * x->side[k] + at[k];
	return v;
}

/* Counts what "{0,1},{2,3}" has. */
static void count_devices(const char *text, struct hlo_group_size *size)
{
	size_t n = 0;
	bool number = false;

	*size = (struct hlo_group_size){ 0 };
	for (; *text; text++) {
		if (*text == '{')
			n = 0;
		if (is_digit(*text) && !number)
			n++;
		number = is_digit(*text);
		size->groups += *text == '}';
		size->devices += *text == '}' ? n : 0;
		size->largest = *text == '}' && n > size->largest ? n : size->largest;
	}
}

static const char *expand(struct arena *a, struct slice t, bool *known)
{
	struct iota x;
	char *text, *s;

	*known = true;
	if (!t.n)
		return NULL;
	if (*t.s == '{')
		return t.n < 2 ? NULL : t.n == 2 ? "" : arena_strndup(a, t.s + 1, t.n - 2);
	if (!parse_iota(t, &x) && !parse_mesh(t, &x)) {
		*known = false;
		return arena_strndup(a, t.s, t.n);
	}
	s = text = arena_alloc(a, (size_t)(x.group[0] * (x.group[1] * 6 + 3)) + 2);
	for (int64_t g = 0, i = 0; g < x.group[0]; g++) {
		s += sprintf(s, "%s{", g ? "," : "");
		for (int64_t k = 0; k < x.group[1]; k++)
			s += sprintf(s, "%s%d", k ? "," : "", (int)iota_at(&x, i++));
		*s++ = '}';
	}
	*s = 0;
	return text;
}

const char *hlo_groups(struct arena *a, struct slice list, struct hlo_group_size *size)
{
	bool known;
	const char *text = expand(a, list, &known);

	if (size)
		*size = (struct hlo_group_size){ 0 };
	if (size && text && known)
		count_devices(text, size);
	if (size)
		size->known = text && known;
	return text;
}

struct slice hlo_text_list(struct slice text, const char *key)
{
	const char *at = slice_find(text, key), *end, *s;
	int depth = 0;

	if (!at)
		return (struct slice){ "", 0 };
	end = text.s + text.n;
	at += strlen(key);
	at += at < end && *at == '"';
	for (s = at; s < end; s++) {
		depth += *s == '{';
		depth -= *s == '}';
		if (depth <= 0 && *s == '}')
			return (struct slice){ at, (size_t)(s - at) + 1 };
		/* attributes are separated by ", ", their parts by "," */
		if (!depth && *s == ',' && s + 1 < end && s[1] == ' ')
			return (struct slice){ at, (size_t)(s - at) };
	}
	return (struct slice){ at, (size_t)(s - at) };
}

struct slice hlo_mesh_axes(struct arena *a, struct slice list)
{
	const char *open = slice_begins(list, "mesh[") ? memchr(list.s, '{', list.n) : NULL;
	char *text = arena_alloc(a, list.n + 1);
	size_t n = 0;

	for (const char *s = open; s && s < list.s + list.n; s++)
		if (*s != '{' && *s != '}' && *s != '\'' && *s != ' ')
			text[n++] = *s;
	return (struct slice){ text, n };
}
