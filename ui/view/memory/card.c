#include "config.h"
#include "view/memory/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "base/text/utf8.h"
#include "core/app.h"
#include "result/sumtree.h"
#include "widget/bar.h"
#include "widget/fields.h"
#include "widget/text.h"

enum { DIMS = 8, SHARED = 64 };
enum {
	BESIDE_MODULES = 5,
	BESIDE_DIMS = 3,
	BESIDE_PATH = 3,
	BESIDE_BUFFERS = 5,
	BESIDE_GAPS = 4,
	OP_ROWS = 23
};

/* --- one buffer --- */

static const char *kind_of(const struct memory_buffer *b)
{
	return b->category == MEMORY_UNKNOWN ? "kind unknown"
	    : b->gathered                    ? "Temporary, gathered weights"
					     : memory_category_name(b->category);
}

static void live_text(const struct mem_view *s, const struct memory_buffer *b, char *buf, size_t size)
{
	long long last = (long long)s->m.npoints - 1;

	if (last < 0 && b->category < MEMORY_TEMPORARY) /* otherwise nothing says it */
		snprintf(buf, size, "the whole program");
	else if (last < 0)
		snprintf(buf, size, "–");
	else if (b->start < 0)
		snprintf(buf, size, "the whole program");
	else
		snprintf(buf, size, "%lld – %lld of %lld%s", (long long)b->start, (long long)b->end, last,
		    b->nlives > 1 ? " *" : "");
}

static void put_sizes(const struct mem_view *s, const struct memory_buffer *b, struct pen *p)
{
	const struct memory *m = &s->m;
	bool padded = b->unpadded > 0 && b->size > b->unpadded,
	     much = padded && (double)b->size >= memory_padded_times() * (double)b->unpadded;
	char padding[64] = "none", size[24], live[64];

	if (padded)
		snprintf(padding, sizeof padding, "%s   %.1f×",
		    text_bytes(size, sizeof size, (double)(b->size - b->unpadded)),
		    (double)b->size / (double)b->unpadded);
	live_text(s, b, live, sizeof live);
	pen_fields(p,
	    FIELDS({ "size", "B", .v = (double)b->size, .role = ROLE_BOLD },
		{ "unpadded", "B", .v = b->unpadded > 0 ? (double)b->unpadded : NAN },
		{ "padding", .text = padding, .role = much ? ROLE_BAD : ROLE_TEXT },
		{ "of the peak", "fraction",
		    .v = m->peak_bytes > 0 ? (double)b->size / (double)m->peak_bytes : 0 },
		{ "live", .text = live }));
}

static void dim_text(const struct shape_dim *d, char *buf, size_t size)
{
	if (d->alignment > 0 && d->padded == d->size && d->alignment > 1)
		snprintf(buf, size, "  dim %" PRId64 " %7" PRId64 " = %" PRId64 " × %" PRId64, d->index,
		    d->size, d->size / d->alignment, d->alignment);
	else
		snprintf(buf, size, "  dim %" PRId64 " %7" PRId64, d->index, d->size);
}

static const char *arrow_sign(const struct canvas *c)
{
	return c->glyphs->ascii ? "->" : "→";
}

static size_t dims_of(const struct memory_buffer *b, struct arena *a, struct shape_dim *d)
{
	struct shape shape;
	bool there = b->shape_proto
	    ? shape_of_proto(a, b->shape_proto, &shape)
	    : b->shape && *b->shape && shape_parse(a, b->shape, strlen(b->shape), &shape);

	return there ? shape_fit(&shape, d, DIMS) : 0;
}

/* Lists only the dimensions that tiling can pad. */
static void put_dims(const struct memory_buffer *b, struct pen *p, int most)
{
	struct arena a = { 0 };
	struct shape_dim d[DIMS];
	size_t n = dims_of(b, &a, d);

	for (size_t i = 0; i < n && most > 0; i++) {
		char text[80];
		int x = p->r.x + 1;

		if (d[i].alignment <= 1)
			continue;
		dim_text(&d[i], text, sizeof text);
		if (pen_fits(p)) {
			x += canvas_str(p->c, p->y, x, p->r.w - 2, ROLE_TEXT, 0, text);
			if (d[i].padded != d[i].size)
				canvas_fmt(p->c, p->y, x, p->r.x + p->r.w - 1 - x, ROLE_BAD, 0,
				    " %s %" PRId64, arrow_sign(p->c), d[i].padded);
		}
		p->y++;
		most--;
	}
	arena_free(&a);
}

/* Finds other buffers at the same address at other times. */
static size_t sharing(const struct memory *m, const struct memory_buffer *b, const struct memory_buffer **v,
    size_t *listed)
{
	size_t n = 0;

	*listed = 0;
	for (size_t i = 0; b->offset >= 0 && b->start >= 0 && i < m->nall; i++) {
		const struct memory_buffer *o = &m->all[i];

		if (o->id == b->id || o->allocation != b->allocation || o->offset < 0 ||
		    o->offset >= sum_bytes(b->offset, b->size) || b->offset >= sum_bytes(o->offset, o->size))
			continue;
		n++;
		if (*listed < SHARED)
			v[(*listed)++] = o;
	}
	return n;
}

static void put_sharing(const struct mem_view *s, const struct memory_buffer *b, struct pen *p)
{
	const struct memory_buffer *v[SHARED];
	size_t listed, n = sharing(&s->m, b, v, &listed);
	char text[80], points[48], size[24];

	if (!n)
		return;
	snprintf(text, sizeof text, "%zu other%s", n, n == 1 ? "" : "s");
	pen_head(p, "SHARES ITS ADDRESS WITH", text);
	for (size_t i = 0; i < listed; i++) {
		snprintf(points, sizeof points, "%lld–%lld", (long long)v[i]->start, (long long)v[i]->end);
		snprintf(text, sizeof text, "%s %*s%s", text_bytes(size, sizeof size, (double)v[i]->size),
		    9 - utf8_cols(points, strlen(points)), "", points);
		pen_line(p, ROLE_TEXT, slice_of(v[i]->name), text);
	}
	p->y++;
}

static void put_title(struct slice name, const char *what, const char *right, struct pen *p)
{
	canvas_cut(p->c, p->y, p->r.x + 1, p->r.w - 2, ROLE_HEAD, 0, name.s, name.n);
	canvas_str(p->c, p->y + 1, p->r.x + 1, p->r.w - 2, ROLE_DIM, 0, what);
	canvas_right(p->c, p->y + 1, p->r.x + p->r.w - 1, ROLE_TEXT, 0, right);
	p->y += 3;
}

static void put_shape(const struct memory_buffer *b, struct pen *p, int rows, int dims)
{
	pen_head(p, "SHAPE", "");
	pen_text(p, 0, ROLE_TEXT, slice_of(b->shape), rows);
	put_dims(b, p, dims);
}

static void put_from(const struct memory_buffer *b, struct pen *p, int rows)
{
	pen_head(p, "FROM", "");
	pen_text(p, 0, ROLE_TEXT, slice_of(b->op_name), rows);
	if (b->source && *b->source)
		pen_path(p, slice_of(b->source));
	else
		pen_fmt(p, ROLE_DIM, "no source line in this dump");
}

/* --- an op of the tree: the sum of its buffers --- */

static void put_op(const struct mem_view *s, const struct memory_op *o, struct pen *p)
{
	const struct memory_buffer *v[BESIDE_BUFFERS];
	struct memory_buffer sum;
	size_t n = memory_view_op_largest(s, o, v, BESIDE_BUFFERS);
	char text[48];

	memory_view_op_sum(s, o, &sum);
	snprintf(text, sizeof text, "%" PRId64 " buffer%s", o->buffers, o->buffers == 1 ? "" : "s");
	put_title((struct slice){ o->name + o->tail, o->len - o->tail },
	    o->len ? "framework op" : "no framework op", text, p);
	put_sizes(s, &sum, p);
	p->y++;
	pen_head(p, "LARGEST", "");
	for (size_t i = 0; i < n; i++)
		pen_line(p, ROLE_TEXT, slice_of(memory_buffer_title(v[i])),
		    text_bytes(text, sizeof text, (double)v[i]->size));
	p->y += BESIDE_BUFFERS - (int)n + 1;
	pen_head(p, "FROM", "");
	pen_text(p, 0, ROLE_TEXT, (struct slice){ o->name, o->len }, 0);
}

/* --- the program --- */

static void put_modules(struct view *v, struct pen *p, int most)
{
	const struct memory_ranks *ranks = memory_view_ranks(v);
	const struct mem_view *s = v->state;
	int x = p->r.x + 1, end = p->r.x + p->r.w - 1;

	if (!ranks || !ranks->n)
		return;
	pen_head(p, "MODULES", ranks->n > 1 ? "by peak, M chooses" : "by peak");
	for (size_t i = 0; i < ranks->n && most > 0 && ranks->v[i].peak >= 0; i++, most--, p->y++) {
		bool here = (int)ranks->v[i].module == s->module;
		char text[24], name[HLO_TITLE];

		if (!pen_fits(p))
			continue;
		canvas_right(p->c, p->y, end, ROLE_TEXT, 0,
		    text_bytes(text, sizeof text, (double)ranks->v[i].peak));
		hlo_module_title(v->cap->dump, ranks->v[i].module, name, sizeof name);
		canvas_cut(p->c, p->y, x, p->r.w - 19, here ? ROLE_BOLD : ROLE_TEXT, here ? ATTR_BOLD : 0,
		    name, strlen(name));
		bar_draw(p->c, p->y, end - 16, 5,
		    ranks->v[0].peak > 0 ? (double)ranks->v[i].peak / (double)ranks->v[0].peak : 0,
		    ROLE_BLOCK_MATMUL);
	}
	p->y++;
}

static void put_program(const struct mem_view *s, struct pen *p)
{
	const struct memory *m = &s->m;
	const struct memory_sums *u = &m->sums;

	pen_head(p, "THIS PROGRAM", "");
	pen_fields(p,
	    FIELDS({ "arguments", "B", .v = u->parameters }, { "outputs", "B", .v = u->live_out },
		{ "temporaries at peak", "B",
		    .v = m->no_kinds ? NAN : (double)m->category[MEMORY_TEMPORARY] },
		{ "of them gathered weights", "B", .v = (double)m->gathered, .no = !m->gathered },
		{ "fragmentation at peak", "B", .v = (double)m->fragmentation,
		    .no = isnan(u->fragmentation) || 100 * m->fragmentation < m->peak_bytes },
		{ "parameter padding", "B", .v = u->padding, .no = !(u->padding > 0) },
		{ "addresses used at peak", "B", .v = u->by_address, .role = ROLE_WARN,
		    .no = !(u->by_address < (double)m->peak_bytes - .5 && m->npoints) },
		{ "scoped, one instruction", "B", .v = (double)m->scoped, .no = m->scoped <= 0 },
		{ "peak + scoped (XProf)", "B", .v = (double)(m->peak_bytes + m->scoped), .role = ROLE_BOLD,
		    .no = m->scoped <= 0 },
		{ "could be donated", "B", .v = u->donatable, .role = ROLE_WARN,
		    .no = !(u->donatable > 0) }));
	p->y++;
}

static void put_allocation(const struct mem_view *s, struct pen *p)
{
	char peak[48];

	if (!s->box.n)
		return;
	snprintf(peak, sizeof peak, "%lld of %zu", (long long)memory_view_peak_point(&s->m),
	    s->m.npoints ? s->m.npoints - 1 : 0);
	pen_head(p, "ALLOCATION", "");
	pen_fields(p,
	    FIELDS({ "size", "B", .v = s->box.top }, { "peak at", .text = peak },
		{ "buffers", COUNT, .v = (double)s->box.n },
		{ "area in use", "fraction", .v = s->box.used }));
	p->y++;
}

/* --- free ranges --- */

static void put_gap(const struct mem_gap *g, struct pen *p)
{
	int end = p->r.x + p->r.w - 1;
	char text[512], size[24];

	if (pen_fits(p)) {
		text_bytes(size, sizeof size, g->y0);
		canvas_fmt(p->c, p->y, p->r.x + 1, p->r.w - 2, ROLE_TEXT, 0, "at %s", size);
		snprintf(text, sizeof text, "%lld – %lld", (long long)g->t0, (long long)g->t1);
		canvas_right(p->c, p->y, end, ROLE_TEXT, 0, text);
		canvas_right(p->c, p->y, end - 10, ROLE_TEXT, 0,
		    text_bytes(size, sizeof size, g->y1 - g->y0));
	}
	p->y++;
	if (pen_fits(p)) {
		int x = p->r.x + 3, w = (p->r.w - 8) / 2;
		const char *below = g->below ? memory_buffer_title(g->below->b) : "the start",
			   *above = g->above ? memory_buffer_title(g->above->b) : "the end";

		x += canvas_cut(p->c, p->y, x, w, ROLE_DIM, 0, below, strlen(below));
		x += canvas_str(p->c, p->y, x, 3, ROLE_DIM, 0, " – ");
		canvas_cut(p->c, p->y, x, w, ROLE_DIM, 0, above, strlen(above));
	}
	p->y++;
}

/* The largest ranges that are free between temporaries, when, and between which buffers. */
static void put_gaps(struct mem_view *s, struct pen *p, size_t most)
{
	const struct mem_gaps *g = memory_view_gaps(s);
	char text[80], where[32], size[24];

	if (!g->n)
		return;
	memory_view_point_text(s, where, sizeof where);
	snprintf(text, sizeof text, "%s, %s in %zu", where, text_bytes(size, sizeof size, g->bytes), g->n);
	pen_head(p, "FREE", text);
	if (pen_fits(p) && g->listed && most) {
		int end = p->r.x + p->r.w - 1;

		canvas_str(p->c, p->y, p->r.x + 1, p->r.w - 2, ROLE_DIM, 0, "address");
		canvas_right(p->c, p->y, end - 10, ROLE_DIM, 0, "size");
		canvas_right(p->c, p->y++, end, ROLE_DIM, 0, "free at");
	}
	for (size_t i = 0; i < g->listed && i < most; i++)
		put_gap(&g->v[i], p);
	p->y++;
}

/* --- cards --- */

static const struct memory_buffer *buffer_of(struct view *v)
{
	struct mem_view *s = v->state;
	struct memory_buffer *b = memory_view_here(s);

	if (b && !b->shape)
		memory_describe(&s->m, b);
	return b;
}

static void put_address(const struct memory_buffer *b, struct pen *p)
{
	char text[64] = "";

	if (b->offset >= 0)
		snprintf(text, sizeof text, "%.2f – %.2f MiB", (double)b->offset / MIB,
		    ((double)b->offset + (double)b->size) / MIB);
	pen_field(p, "address", ROLE_TEXT, text);
}

static void put_buffer_title(const struct memory_buffer *b, struct pen *p)
{
	put_title(slice_of(memory_buffer_title(b)), b->opcode, kind_of(b), p);
}

/* The sections start at the same row for every buffer, so that moving the cursor redraws little. */
static void card_beside(struct view *v, struct canvas *c, struct rect r)
{
	struct mem_view *s = v->state;
	const struct memory_buffer *b = buffer_of(v);
	const struct memory_op *o = b ? NULL : memory_view_op_here(s);
	struct pen p = { .c = c, .r = r, .y = r.y };
	int y = r.y + 3;

	if (b) {
		put_buffer_title(b, &p);
		put_sizes(s, b, &p);
		if (s->boxes)
			put_address(b, &p);
		y = p.y + 1;
		p.y = y;
		put_shape(b, &p, 2, BESIDE_DIMS);
		y += 3 + BESIDE_DIMS + 1;
		p.y = y;
		put_from(b, &p, BESIDE_PATH);
		y += 2 + BESIDE_PATH + 1;
	} else if (o) {
		put_op(s, o, &p);
		y = r.y + OP_ROWS;
	} else {
		canvas_str(c, r.y, r.x + 1, r.w - 2, ROLE_DIM, 0, "no buffer");
		y = r.y + 2;
	}
	p.y = y;
	if (s->boxes) {
		put_allocation(s, &p);
		put_gaps(s, &p, BESIDE_GAPS);
	} else {
		put_modules(v, &p, BESIDE_MODULES);
		put_program(s, &p);
	}
	if (b)
		put_sharing(s, b, &p);
	if (!s->boxes)
		put_gaps(s, &p, BESIDE_GAPS);
}

static void put_op_below(const struct mem_view *s, struct canvas *c, struct rect r)
{
	const struct memory_op *o = memory_view_op_here(s);
	char live[48], text[128], size[24], unpadded[24];
	struct memory_buffer sum;
	int y;

	if (!o) {
		card_rule(c, r, r.y, "no buffer", "");
		return;
	}
	memory_view_op_sum(s, o, &sum);
	live_text(s, &sum, live, sizeof live);
	snprintf(text, sizeof text, "live %s", live);
	y = card_rule(c, r, r.y, o->len ? "framework op" : "no framework op", text);
	snprintf(text, sizeof text, "size %s  unpadded %s  in %" PRId64 " buffer%s",
	    text_bytes(size, sizeof size, (double)sum.size),
	    text_bytes(unpadded, sizeof unpadded, (double)sum.unpadded), o->buffers,
	    o->buffers == 1 ? "" : "s");
	canvas_str(c, y++, r.x + 1, r.w - 2, ROLE_TEXT, 0, text);
	if (r.h > 2)
		card_text(c, r, y, 0, ROLE_TEXT, o->name, o->len);
}

static void card_below(struct view *v, struct canvas *c, struct rect r)
{
	const struct mem_view *s = v->state;
	const struct memory_buffer *b = buffer_of(v);
	struct pen p = { .c = c, .r = r, .y = r.y };
	char live[48], text[128], size[24], unpadded[24], right[80];
	struct arena a = { 0 };
	struct shape_dim d[DIMS];
	int x = r.x + 1;

	if (!b) {
		put_op_below(s, c, r);
		return;
	}
	live_text(s, b, live, sizeof live);
	snprintf(right, sizeof right, "%s  live %s", kind_of(b), live);
	p.y = card_rule(c, r, r.y, memory_buffer_title(b), right);
	snprintf(text, sizeof text, "size %s  unpadded %s ", text_bytes(size, sizeof size, (double)b->size),
	    b->unpadded > 0 ? text_bytes(unpadded, sizeof unpadded, (double)b->unpadded) : "–");
	x += canvas_str(c, p.y, x, r.w - 2, ROLE_TEXT, 0, text) + 1;
	for (size_t i = 0, n = dims_of(b, &a, d); i < n; i++)
		if (d[i].alignment > 1 && d[i].padded != d[i].size) {
			snprintf(text, sizeof text, "%" PRId64 "%s%" PRId64, d[i].size, arrow_sign(c),
			    d[i].padded);
			x += canvas_str(c, p.y, x, r.x + r.w - 1 - x, ROLE_BAD, 0, text) + 2;
		}
	arena_free(&a);
	if (b->source && *b->source && x + (int)strlen(b->source) + 2 < r.x + r.w)
		canvas_right(c, p.y, r.x + r.w - 1, ROLE_TEXT, 0, b->source);
	p.y++;
	if (r.h <= 2)
		return;
	pen_text(&p, 0, ROLE_TEXT, slice_of(b->shape), 1);
	pen_text(&p, 0, ROLE_TEXT, slice_of(b->op_name), 2);
}

static void put_lives(const struct memory_buffer *b, struct pen *p)
{
	if (b->nlives < 2)
		return;
	pen_head(p, "ALIVE", "program points");
	for (size_t i = 0; i < b->nlives; i++)
		pen_fmt(p, ROLE_TEXT, "%lld – %lld", (long long)b->life[i].start, (long long)b->life[i].end);
	p->y++;
}

static void put_stack(const struct memory_buffer *b, struct pen *p)
{
	const char *at = b->stack ? b->stack : "";

	for (size_t n; *at; at += n + (at[n] == '\n')) {
		n = strcspn(at, "\n");
		pen_fmt(p, ROLE_TEXT, "  %.*s", (int)n, at);
	}
}

/* Lists what could be donated: the largest pairs of parameter and output. */
static void put_donations(const struct memory *m, struct pen *p)
{
	if (!m->ndonations)
		return;
	pen_head(p, "COULD BE DONATED", "parameter, and the output that could reuse it");
	for (size_t i = 0; i < m->ndonations && i < SHARED; i++) {
		char size[24];

		pen_fmt(p, ROLE_TEXT, "%10s  %.80s, %.80s",
		    text_bytes(size, sizeof size, (double)m->donation[i].size),
		    m->donation[i].parameter->name, m->donation[i].output->name);
	}
	p->y++;
}

static int card_full(struct view *v, struct canvas *c, struct rect r)
{
	struct mem_view *s = v->state;
	const struct memory_buffer *b = buffer_of(v);
	struct rect narrow = { r.y, r.x, r.h, r.w < 64 ? r.w : 64 };
	struct pen p = { .c = c, .r = narrow, .y = r.y };

	if (b) {
		put_buffer_title(b, &p);
		put_sizes(s, b, &p);
		put_address(b, &p);
		p.y++;
		p.r = r;
		put_lives(b, &p);
		put_shape(b, &p, 0, DIMS);
		p.y++;
		put_from(b, &p, 0);
		put_stack(b, &p);
		p.y++;
		p.r = narrow;
		put_sharing(s, b, &p);
	}
	put_program(s, &p);
	put_gaps(s, &p, MEM_GAPS);
	p.r = r;
	put_donations(&s->m, &p);
	p.r = narrow;
	put_modules(v, &p, SHARED);
	return p.y;
}

int memory_view_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	if (how == FRAME_FULL)
		return card_full(v, c, r);
	(how == FRAME_BESIDE ? card_beside : card_below)(v, c, r);
	return r.y;
}

void memory_view_card_text(struct view *v, FILE *out)
{
	const struct mem_view *s = v->state;
	const struct memory_buffer *b = buffer_of(v);
	char live[48], size[24], unpadded[24];

	live_text(s, b, live, sizeof live);
	if (b->source && *b->source)
		fprintf(out, "%s\n", b->source);
	fprintf(out, "%s  %s  %s\n", memory_buffer_title(b), b->shape ? b->shape : "", kind_of(b));
	fprintf(out, "%s, unpadded %s, live %s\n", text_bytes(size, sizeof size, (double)b->size),
	    b->unpadded > 0 ? text_bytes(unpadded, sizeof unpadded, (double)b->unpadded) : "–", live);
	if (*b->op_name)
		fprintf(out, "%s\n", b->op_name);
	if (b->stack && *b->stack)
		fprintf(out, "%s\n", b->stack);
}
