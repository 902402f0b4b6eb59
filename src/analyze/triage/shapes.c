#include "config.h"
#include "analyze/triage/shapes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/units.h"

static const char *str(const struct table *t, size_t row, const char *id)
{
	const struct cell *c = table_get(t, row, id);

	return c->type == CELL_STR ? c->s : "";
}

static double row_number(const struct table *t, size_t row, const char *id)
{
	const struct cell *c = table_get(t, row, id);

	return c->type == CELL_INT ? (double)c->u.i : NAN;
}

static double known(const struct triage_occurrence *o, enum triage_number i)
{
	return o->num[i] == SIZE_NONE ? NAN : (double)o->num[i];
}

const char *triage_op(const char *name, size_t *n)
{
	static const char kernel[] = "/pallas_call";
	const size_t k = sizeof kernel - 1;
	const char *end = name + strlen(name), *at;

	if ((size_t)(end - name) > k && !strcmp(end - k, kernel))
		end -= k;
	for (at = end; at > name && at[-1] != '/'; at--)
		;
	if (*end && !strncmp(at, "jit(", 4)) { /* a kernel without a name of its own */
		at = end + 1;
		end += k;
	}
	*n = (size_t)(end - at);
	return at;
}

static struct triage_group *group_of_shape(struct triage_look *l, struct slice text)
{
	for (size_t i = 0; i < l->n; i++)
		if (slice_same(l->v[i].text, text))
			return &l->v[i];
	if (l->n == TRIAGE_GROUPS)
		return NULL;
	l->v[l->n] = (struct triage_group){ .text = text, .op = "", .label = "" };
	return &l->v[l->n++];
}

static void add_shape(struct triage_look *l, struct slice text, double size, const char *op,
    const char *label)
{
	struct shape s;
	struct triage_group *g;
	double unpadded;

	l->buffers++;
	l->listed += size > 0 ? size : 0;
	if (!(size > 0) || shape_parse(&l->arena, text.s, text.n, &s) != text.n || !shape_is_array(&s) ||
	    !(g = group_of_shape(l, (struct slice){ text.s, strcspn(text.s, "]") + 1 })))
		return;
	unpadded = (double)shape_unpadded(&s);
	if (!g->count) {
		g->shape = s;
		g->size = size;
		g->unpadded = unpadded;
	}
	if (!*g->op)
		g->op = op;
	if (!*g->label)
		g->label = label;
	g->count++;
	g->all += size;
	/* Sizes are printed with three digits, so a smaller difference is not padding. */
	g->padding += unpadded > 0 && size > 1.02 * unpadded ? size - unpadded : 0;
}

/* Picks the largest of several values that shared one place, such as "s32[2048,512,512,3],
 * 4×f32[2048,512,512,3]". */
static struct slice largest_of(struct arena *a, const char *s)
{
	struct slice best = { s, 0 };
	int64_t most = -1;

	while (*s) {
		const char *times = s + strspn(s, "0123456789");
		struct shape x;
		size_t n;

		s = times > s && !strncmp(times, "\303\227", 2) ? times + 2 : s;
		if (!(n = shape_parse(a, s, strlen(s), &x)))
			break;
		if (shape_is_array(&x) && shape_unpadded(&x) > most) {
			most = shape_unpadded(&x);
			best = (struct slice){ s, n };
		}
		s += n;
		s += strspn(s, ", ");
	}
	return best;
}

/* Collects the buffers that the message lists for the program or, without such a list, the first memory space
 * of the usage report. */
static void gather(struct triage_look *l)
{
	const struct table *b = l->listed_buffers, *r = l->usage_report;
	const char *label = NULL;

	for (size_t i = l->o->in_buffers.from; i < l->o->in_buffers.to; i++)
		if (row_number(b, i, "error") == (double)l->error && strcmp(str(b, i, "list"), "arguments")) {
			const char *s = str(b, i, "shape");

			add_shape(l, (struct slice){ s, strlen(s) }, row_number(b, i, "size_bytes"),
			    str(b, i, "op_name"), str(b, i, "xla_label"));
		}
	if (l->buffers)
		return;
	for (size_t i = l->o->in_report.from; i < l->o->in_report.to; i++) {
		if (row_number(r, i, "error") != (double)l->error)
			continue;
		label = label ? label : str(r, i, "label");
		if (!strcmp(label, str(r, i, "label")))
			add_shape(l, largest_of(&l->arena, str(r, i, "shapes")),
			    row_number(r, i, "size_bytes"), "", "");
	}
}

void triage_look_begin(const struct triage_work *w, size_t error, struct triage_look *l)
{
	*l = (struct triage_look){ .w = w,
		.listed_buffers = &w->t->buffers,
		.usage_report = &w->t->report,
		.error = error,
		.o = w->rows[error] };
	l->limit = known(l->o, NUM_LIMIT);
	l->needed = known(l->o, NUM_NEEDED);
	l->exceeded = known(l->o, NUM_EXCEEDED);
	l->arguments = known(l->o, NUM_ARGUMENTS);
	if (isnan(l->exceeded))
		l->exceeded = l->needed - l->limit;
	gather(l);
}

void triage_look_end(struct triage_look *l)
{
	arena_free(&l->arena);
}

char *triage_group_text(const struct triage_group *g, char *buf, size_t size)
{
	char bytes[32], times[32] = "";
	size_t n;
	const char *op = triage_op(g->op, &n);

	if (g->count > 1)
		snprintf(times, sizeof times, "%zu x %s", g->count,
		    g->all < .97 * (double)g->count * g->size ? "up to " : "");
	snprintf(buf, size, "%s%s %.*s%s%.*s", times, units_bytes(bytes, sizeof bytes, g->size),
	    (int)(g->text.n < 80 ? g->text.n : 80), g->text.s, n ? " of " : "", (int)(n < 60 ? n : 60), op);
	return buf;
}
