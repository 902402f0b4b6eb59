#include "config.h"
#include "analyze/findings/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/target.h"
#include "analyze/ops/layout_fit.h"
#include "base/sort.h"

#define GROUPS_SHOWN 4
#define BUFFERS_SHOWN 5
#define SIZES_NAMED 3   /* at most so many sizes are named in the title */
#define FIT_BUFFERS 500 /* for so many buffers, the meaning of the dimensions is looked up in the op */

/* Buffers at the peak whose most padded dimension has the same size and meaning. */
struct group {
	int64_t size, padded;
	const char *semantics; /* "feature", "batch" or "" */
	double lost;
	size_t n;
	const struct memory_buffer *largest;
};

struct padded {
	struct group *v;
	size_t n, cap, looked;
	double lost; /* bytes of padding of all buffers at the peak, including small ones */
};

/* Only a TPU keeps arrays in tiles, which pads them. */
static bool has_tiles(const struct rule_work *w)
{
	return target_of(w->in->dump) == TARGET_TPU;
}

static double lost_by(const struct memory_buffer *b)
{
	return b->id >= 0 && b->unpadded > 0 && b->size > b->unpadded ? (double)(b->size - b->unpadded) : 0;
}

/* Returns what that dimension means to the convolution or dot that makes the buffer. */
static const char *meaning(struct rule_work *w, const struct memory_buffer *b, const struct shape_dim *d)
{
	const struct hlo_module *h = w->in->module;
	struct layout_fit fit;
	const char *is = "";

	if (!b->instruction || !h || !h->program || !w->in->dump)
		return "";
	layout_fit_instruction(rule_contents(w), h->program, NULL, b->instruction, &fit);
	for (size_t i = 0; i < fit.n; i++)
		for (size_t k = 0; !strcmp(fit.v[i].role, "result") && k < fit.v[i].ndims; k++) {
			const struct shape_dim *e = &fit.v[i].dim[k];
			const char *role = layout_fit_role(&fit, e);

			if (role && e->size == d->size && e->index == d->index &&
			    (!strcmp(role, "feature") || !strcmp(role, "batch")))
				is = *role == 'f' ? "feature" : "batch";
		}
	layout_fit_free(&fit);
	return is;
}

static void add_buffer(struct rule_work *w, struct padded *g, const struct memory_buffer *b)
{
	struct shape_dim dim[FIT_DIMS];
	const struct shape_dim *worst = NULL;
	struct arena arena = { 0 };
	const char *is = "";
	struct shape s;
	size_t i = 0;

	g->lost += lost_by(b);
	rule_counts_buffer(w, b);
	if (b->shape && *b->shape && shape_parse(&arena, b->shape, strlen(b->shape), &s))
		worst = shape_worst(dim, shape_fit(&s, dim, FIT_DIMS));
	if (worst) {
		if (g->looked++ < FIT_BUFFERS)
			is = meaning(w, b, worst);
		while (i < g->n &&
		    (g->v[i].size != worst->size || g->v[i].padded != worst->padded ||
			strcmp(g->v[i].semantics, is)))
			i++;
		if (i == g->n) {
			VEC_ADD(g->v, g->n, g->cap,
			    (struct group){ .size = worst->size,
				.padded = worst->padded,
				.semantics = is,
				.largest = b });
		}
		g->v[i].lost += lost_by(b);
		g->v[i].n++;
		if (lost_by(b) > lost_by(g->v[i].largest))
			g->v[i].largest = b;
	}
	arena_free(&arena);
}

VEC_ORDER(by_lost, struct group, DOWN(lost) UP(size));

/* Writes a title like "Features of 3 and 64 are padded to 128": the sizes that are padded to the same size
 * and cost a tenth or more. */
static const char *title_of(struct rule_work *w, const struct padded *g)
{
	static const char *const words[][2] = { { "feature", "Features" }, { "batch", "Batches" } };
	const char *word = "Dimensions", *list = "";
	int64_t size[SIZES_NAMED];
	size_t n = 0;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		word = strcmp(g->v->semantics, words[i][0]) ? word : words[i][1];
	for (size_t i = 0; i < g->n && n < SIZES_NAMED; i++)
		if (g->v[i].padded == g->v->padded && !strcmp(g->v[i].semantics, g->v->semantics) &&
		    g->v[i].lost * 10 >= g->lost)
			size[n++] = g->v[i].size;
	if (!n) /* no group has a tenth of the padding */
		size[n++] = g->v->size;
	qsort(size, n, sizeof *size, sort_by_int64);
	for (size_t i = 0; i < n; i++)
		list = rule_say(w, "%s%s%" PRId64, list, !i ? "" : i + 1 < n ? ", " : " and ", size[i]);
	return rule_say(w, "%s of %s are padded to %" PRId64, word, list, g->v->padded);
}

void rule_memory_padding(struct rule_work *w)
{
	const struct memory *m = rule_memory(w);
	struct padded g = { 0 };
	struct finding *f = NULL;

	if (!has_tiles(w) || !rule_has_kinds(w))
		return;
	for (size_t i = 0; i < m->npeak; i++)
		if (lost_by(&m->peak[i]) > 0)
			add_buffer(w, &g, &m->peak[i]);
	VEC_SORT(g.v, g.n, by_lost);
	if (memory_data_at_peak(m) >= 0) /* as in the memory view */
		g.lost = fmax(g.lost, (double)(m->peak_bytes - memory_data_at_peak(m)));
	if (g.n && g.lost >= rule_limit(w->rule, "bytes"))
		f = rule_raise_bytes(w, 100 * g.lost / (double)m->peak_bytes, g.lost, g.v->semantics);
	if (!f) {
		rule_checked(w, "%s of %s at the peak%s", rule_bytes(w, g.lost),
		    rule_bytes(w, (double)m->peak_bytes), rule_room(w));
		free(g.v);
		return;
	}
	f->title = title_of(w, &g);
	f->evidence = rule_say(w, "%s of %s at the memory peak are padding", rule_bytes(w, g.lost),
	    rule_bytes(w, (double)m->peak_bytes));
	for (size_t i = 0; i < g.n && i < GROUPS_SHOWN; i++)
		rule_detail(w, f,
		    rule_say(w, "%s%s%" PRId64 " to %" PRId64, g.v[i].semantics, *g.v[i].semantics ? " " : "",
			g.v[i].size, g.v[i].padded),
		    "%s in %zu buffer%s", rule_bytes(w, g.v[i].lost), g.v[i].n, g.v[i].n == 1 ? "" : "s");
	rule_at_buffer(w, f, g.v->largest);
	free(g.v);
}

/* Finds the worst of the buffers that padding makes `times` larger; returns how many there are. */
static size_t most_padded(struct rule_work *w, const struct memory *m, double times,
    const struct memory_buffer *v[BUFFERS_SHOWN], double *sum)
{
	size_t n = 0;

	*sum = 0;
	for (size_t i = 0; i < m->npeak; i++) {
		const struct memory_buffer *b = &m->peak[i];
		size_t at = n;

		if (lost_by(b) <= 0 || (double)b->size < times * (double)b->unpadded)
			continue;
		*sum += lost_by(b);
		rule_counts_buffer(w, b);
		while (at > 0 && lost_by(v[at - 1]) < lost_by(b))
			at--;
		if (at == BUFFERS_SHOWN)
			continue;
		n += n < BUFFERS_SHOWN;
		memmove(&v[at + 1], &v[at], (n - 1 - at) * sizeof *v);
		v[at] = b;
	}
	return n;
}

void rule_padded_buffers(struct rule_work *w)
{
	const struct memory *m = rule_memory(w);
	const struct memory_buffer *v[BUFFERS_SHOWN];
	struct finding *f = NULL;
	double sum;
	size_t n;

	if (!has_tiles(w) || !rule_has_kinds(w))
		return;
	n = most_padded(w, m, rule_limit(w->rule, "times"), v, &sum);
	if (n && lost_by(v[0]) >= rule_limit(w->rule, "bytes"))
		f = rule_raise_bytes(w, 100 * lost_by(v[0]) / (double)m->peak_bytes, sum, NULL);
	if (!f) {
		if (n)
			rule_checked(w, "%s in the worst, %s%s", rule_bytes(w, lost_by(v[0])), v[0]->name,
			    rule_room(w));
		else
			rule_checked(w, "none");
		return;
	}
	f->evidence = rule_say(w, "%s takes %s for %s of data (%.1f×): %.1f %% of the peak", v[0]->name,
	    rule_bytes(w, (double)v[0]->size), rule_bytes(w, (double)v[0]->unpadded),
	    (double)v[0]->size / (double)v[0]->unpadded, 100 * lost_by(v[0]) / (double)m->peak_bytes);
	for (size_t i = 0; i < n; i++)
		rule_detail(w, f, v[i]->name, "%s for %s, %s", rule_bytes(w, (double)v[i]->size),
		    rule_bytes(w, (double)v[i]->unpadded), v[i]->shape ? v[i]->shape : "");
	rule_at_buffer(w, f, v[0]);
}

void rule_parameter_padding(struct rule_work *w)
{
	const struct memory *m = rule_memory(w);
	const struct memory_buffer *most = NULL;
	struct finding *f = NULL;
	/* of all that lives as long as the program does, small ones included, as in the memory view */
	double sum = m ? m->sums.padding : NAN;
	size_t n = 0;

	if (!has_tiles(w) || !rule_has_kinds(w))
		return;
	if (isnan(sum)) {
		rule_unknown(w, "the shapes of some buffers are not known");
		return;
	}
	for (size_t i = 0; i < m->npeak; i++) {
		const struct memory_buffer *b = &m->peak[i];

		if (b->category != MEMORY_PARAMETER || lost_by(b) <= 0)
			continue;
		n++;
		most = !most || lost_by(b) > lost_by(most) ? b : most;
		rule_counts_buffer(w, b);
	}
	if (most && sum >= rule_limit(w->rule, "bytes"))
		f = rule_raise_bytes(w, 100 * sum / (double)m->peak_bytes, sum, NULL);
	if (!f) {
		rule_checked(w, sum > 0 ? "%s%s" : "none", rule_bytes(w, sum), rule_room(w));
		return;
	}
	f->evidence = rule_say(w,
	    "%s of %s at the peak are padding that stays for the whole program; %zu large parameter%s "
	    "%s padded",
	    rule_bytes(w, sum), rule_bytes(w, (double)m->peak_bytes), n, n == 1 ? "" : "s",
	    n == 1 ? "is" : "are");
	rule_detail(w, f, most->name, "%s for %s, %s", rule_bytes(w, (double)most->size),
	    rule_bytes(w, (double)most->unpadded), most->shape ? most->shape : "");
	rule_at_buffer(w, f, most);
}
