#include "config.h"
#include "report/args.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/codec/json.h"

#define EXACT (INT64_C(1) << 53)

struct args {
	const struct dump *d;
	bool text;
	struct json_out *json;
	char *buf;
	size_t n, cap; /* text, or the JSON of the last event */
	strid *seen;   /* names of the stats of the event; `times` says how often each came, by name */
	size_t nseen, seen_cap;
	uint32_t *times;
	size_t times_cap;
	char *name;
	size_t name_cap;
	struct arena cells;
};

struct args *args_new(const struct dump *d, bool text)
{
	struct args *a = xcalloc(1, sizeof *a);

	a->d = d;
	a->text = text;
	return a;
}

void args_free(struct args *a)
{
	if (!a)
		return;
	free(a->buf);
	free(a->seen);
	free(a->times);
	free(a->name);
	arena_free(&a->cells);
	free(a);
}

static void forget_names(struct args *a)
{
	while (a->nseen)
		a->times[a->seen[--a->nseen]] = 0;
}

/* Counts a name, and returns how often the event has had it. */
static uint32_t count_name(struct args *a, strid name)
{
	if (name == UINT32_MAX)
		return 1;
	if (name >= a->times_cap) {
		size_t cap = (size_t)name * 2 + 64;

		a->times = xrealloc(a->times, cap, sizeof *a->times);
		memset(a->times + a->times_cap, 0, (cap - a->times_cap) * sizeof *a->times);
		a->times_cap = cap;
	}
	if (!a->times[name])
		VEC_ADD(a->seen, a->nseen, a->seen_cap, name);
	return ++a->times[name];
}

/* Returns the name of a stat, with "#2" and so on if the event has it several times. */
static const char *name_of(struct args *a, const struct stat_value *v)
{
	uint32_t times = count_name(a, v->name_id);

	if (a->name_cap < v->name_len + 24)
		a->name = xrealloc(a->name, a->name_cap = v->name_len * 2 + 64, 1);
	memcpy(a->name, v->name, v->name_len);
	a->name[v->name_len] = 0;
	if (times > 1)
		snprintf(a->name + v->name_len, 24, "#%" PRIu32, times);
	return a->name;
}

static void append_text(struct args *a, const char *s, size_t n)
{
	if (a->cap - a->n < n + 1) {
		a->cap = (a->cap + n) * 2 + 64;
		a->buf = xrealloc(a->buf, a->cap, 1);
	}
	memcpy(a->buf + a->n, s, n);
	a->buf[a->n += n] = 0;
}

static bool add_text(void *ctx, const struct stat_value *v)
{
	struct args *a = ctx;
	char number[40];
	const char *name;

	if (v->type == STAT_BYTES)
		return true;
	name = name_of(a, v);
	if (a->n)
		append_text(a, " ", 1);
	append_text(a, name, strlen(name));
	append_text(a, "=", 1);
	switch (v->type) {
	case STAT_DOUBLE:
		snprintf(number, sizeof number, "%.9g", v->d);
		break;
	case STAT_UINT:
		snprintf(number, sizeof number, "%" PRIu64, v->u);
		break;
	case STAT_INT:
		snprintf(number, sizeof number, "%" PRId64, v->i);
		break;
	default:
		append_text(a, v->s, v->n);
		return true;
	}
	append_text(a, number, strlen(number));
	return true;
}

static bool add_json(void *ctx, const struct stat_value *v)
{
	struct args *a = ctx;
	char number[24];

	if (v->type == STAT_BYTES)
		return true;
	json_key(a->json, name_of(a, v));
	switch (v->type) {
	case STAT_DOUBLE:
		json_double(a->json, v->d);
		break;
	case STAT_UINT:
		snprintf(number, sizeof number, "%" PRIu64, v->u);
		if (v->u <= (uint64_t)EXACT)
			json_uint(a->json, v->u);
		else
			json_strz(a->json, number);
		break;
	case STAT_INT:
		snprintf(number, sizeof number, "%" PRId64, v->i);
		if (v->i >= -EXACT && v->i <= EXACT)
			json_int(a->json, v->i);
		else
			json_strz(a->json, number);
		break;
	default:
		json_str(a->json, v->s, v->n);
	}
	return true;
}

/* The cell is valid until the next call. */
static struct cell args_of(struct args *a, const struct track *t, size_t i)
{
	forget_names(a);
	if (a->text) {
		a->n = 0;
		append_text(a, "", 0);
		stats_of_meta(a->d, track_meta(t, i), add_text, a);
		stats_of_event(a->d, t, i, add_text, a);
		return cell_str(a->buf, a->n);
	}
	a->json = json_out_mem();
	json_obj(a->json);
	stats_of_meta(a->d, track_meta(t, i), add_json, a);
	stats_of_event(a->d, t, i, add_json, a);
	json_end(a->json);
	free(a->buf);
	json_out_end(a->json, &a->buf, &a->n);
	return (struct cell){ .type = CELL_OBJ, .s = a->buf, .n = a->n };
}

struct spot {
	int file;
	uint64_t at;
	size_t event;
};

VEC_ORDER(by_spot, struct spot, UP(file) UP(at));

size_t args_read(struct args *a, const struct args_event *v, size_t n, struct cell *out)
{
	struct spot *spots = xcalloc(n + 1, sizeof *spots);
	size_t bytes = 0;

	arena_free(&a->cells);
	for (size_t k = 0; k < n; k++)
		spots[k] = (struct spot){ v[k].track->file, track_args(v[k].track, v[k].i), k };
	qsort(spots, n, sizeof *spots, by_spot);
	for (size_t k = 0; k < n; k++) {
		const struct args_event *e = &v[spots[k].event];
		struct cell c = args_of(a, e->track, e->i);

		c.s = arena_strndup(&a->cells, c.s, c.n);
		out[spots[k].event] = c;
		bytes += c.n;
	}
	free(spots);
	return bytes;
}
