#include "config.h"
#include "mutate.h"

#include "../lib/pbuild.h"

enum { VALUES_MAX = 2000, DEPTH_MAX = 64, DEEP = 600 };

struct value {
	size_t at, end;
};

static size_t end_of_text(const uint8_t *s, size_t i, size_t n)
{
	for (i++; i < n && s[i] != '"'; i++)
		i += s[i] == '\\';
	return i < n ? i + 1 : n;
}

static size_t end_of_word(const uint8_t *s, size_t i, size_t n)
{
	while (i < n && !strchr(" \n\r\t,:]}[{\"", s[i]))
		i++;
	return i;
}

/* Lists values and keys, those that hold others first. */
static size_t list_values(const uint8_t *s, size_t n, struct value *v)
{
	size_t open[DEPTH_MAX], depth = 0, k = 0;

	for (size_t i = 0; i < n && k < VALUES_MAX;) {
		size_t end = s[i] == '"' ? end_of_text(s, i, n) : end_of_word(s, i, n);

		if (end > i) {
			v[k++] = (struct value){ i, end };
			i = end;
			continue;
		}
		if ((s[i] == '{' || s[i] == '[') && depth < DEPTH_MAX) {
			open[depth++] = k;
			v[k++] = (struct value){ i, n };
		} else if ((s[i] == '}' || s[i] == ']') && depth) {
			v[open[--depth]].end = i + 1;
		}
		i++;
	}
	return k;
}

static void put_odd(struct pb *out, uint32_t *state)
{
	static const char *const odd[] = { "0", "-1", "1e308", "-1e999", "1e-320", "9223372036854775807",
		"18446744073709551616", "-9223372036854775808", "NaN", "null", "true", "\"\"", "[]", "{}",
		"\"\\ud800\"", "\"1e99\"", "0.1e-2", "[[1,2],[3]]", "{\"a\":{}}" };
	const char *text = odd[mutate_random(state, sizeof odd / sizeof *odd)];

	pb_raw(out, text, strlen(text));
}

static void put_deep(struct pb *out, uint32_t *state)
{
	size_t n = mutate_random(state, DEEP);

	for (size_t i = 0; i < n; i++)
		pb_raw(out, "[", 1);
	for (size_t i = 0; i < n; i++)
		pb_raw(out, "]", 1);
}

static void put_changed(struct pb *out, const uint8_t *s, struct value x, struct value y, uint32_t *state)
{
	switch (mutate_random(state, 7)) {
	case 0:
		break;
	case 1:
		for (size_t i = mutate_random(state, 8); i; i--) {
			pb_raw(out, s + x.at, x.end - x.at);
			pb_raw(out, ",", 1);
		}
		pb_raw(out, s + x.at, x.end - x.at);
		break;
	case 2:
	case 3:
		pb_raw(out, s + y.at, y.end - y.at);
		break;
	case 4:
		if (mutate_rarely(state, 4))
			put_deep(out, state);
		else
			put_odd(out, state);
		break;
	case 5:
		put_odd(out, state);
		break;
	default:
		mutate_bytes(out, s + x.at, x.end - x.at, 16);
	}
}

int mutate_json(struct pb *out, const uint8_t *s, size_t n, size_t max, uint32_t *state)
{
	struct value *v = malloc(VALUES_MAX * sizeof *v), x;
	size_t k;

	(void)max;
	if (!v || !n || !memchr("{[ \n", s[0], 4) || !(k = list_values(s, n, v))) {
		free(v);
		return -1;
	}
	x = v[mutate_random(state, k)];
	pb_raw(out, s, x.at);
	put_changed(out, s, x, v[mutate_random(state, k)], state);
	if (out->n == x.at) /* dropped: its comma goes, too */
		while (x.end < n && mutate_random(state, 8) && strchr(" \n,", s[x.end]) && s[x.end])
			x.end++;
	pb_raw(out, s + x.end, n - x.end);
	free(v);
	return 0;
}
