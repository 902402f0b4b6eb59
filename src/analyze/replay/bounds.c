#include "config.h"
#include "analyze/device/peaks.h"
#include "analyze/ops/opsum.h"
#include "analyze/pieces/spans.h"
#include "analyze/replay/nodes.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/digit.h"
#include "model/stat.h"

/* Chips whose FLOP rate is twice as high for numbers of 8 bits or less. */
static const char *const twice_as_fast[] = { "TPU v5 Lite", "TPU v5e", "TPU v5", "TPU v5p", "TPU v6 Lite",
	"TPU v6e", "TPU v7x", "TPU7x" };
static const char *const narrow_types[] = { "s8", "u8", "s4", "u4", "s2", "u2", "f8e", "f4e2m1fn" };
static const char *const containers[] = { "while", "call", "conditional", "megacore fusion" };

#define IS_ONE_OF(list, text) is_one_of(list, sizeof(list) / sizeof *(list), text)

static bool is_one_of(const char *const *list, size_t n, struct slice text)
{
	size_t i = 0;

	while (i < n && !slice_is(text, list[i]))
		i++;
	return i < n;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

/* "s8[", "f8e4m3fn[": is there a shape of such numbers? */
static bool has_narrow(struct slice text)
{
	for (size_t i = 0; i < text.n; i++) {
		struct slice word = { text.s + i, 0 };

		if (text.s[i] == '[' || (i && is_word(text.s[i - 1])))
			continue;
		while (i + word.n < text.n && is_word(word.s[word.n]))
			word.n++;
		if (!word.n || i + word.n == text.n || word.s[word.n] != '[')
			continue;
		for (size_t k = 0; k < sizeof narrow_types / sizeof *narrow_types; k++)
			if (slice_is(word, narrow_types[k]) ||
			    (narrow_types[k][2] == 'e' && slice_begins(word, narrow_types[k])))
				return true;
	}
	return false;
}

struct cost {
	strid flops_name, bytes_name, access_name;
	double flops; /* NaN: not stated */
	bool has_bytes;
	struct opsum sum;
};

static bool take_stat(void *ctx, const struct stat_value *v)
{
	struct cost *c = ctx;

	if (v->name_id == UINT32_MAX)
		return true;
	if (v->name_id == c->flops_name && v->type < STAT_STR) {
		c->flops = v->d;
	} else if (v->name_id == c->bytes_name && v->type < STAT_STR) {
		c->sum.bytes = v->d;
		c->has_bytes = true;
	} else if (v->name_id == c->access_name && v->type == STAT_BYTES && v->n) {
		opsum_take_access(&c->sum, v);
		c->has_bytes = true;
	}
	return true;
}

static void read_bound(const struct dump *d, uint32_t meta, const struct peaks *p, bool fast,
    struct cost cost, struct op_bound *b)
{
	const struct slice category = dump_text(d, d->trace.metas[meta].category);
	double flops, bytes, peak = p->flops / 1e12;

	b->ps = -1;
	if (IS_ONE_OF(containers, category)) {
		b->ps = 0;
		b->by_flops = true;
		return;
	}
	stats_of_meta(d, meta, take_stat, &cost);
	flops = isnan(cost.flops) ? 0 : cost.flops;
	bytes = cost.has_bytes ? opsum_hbm(&cost.sum) : 0;
	if (!(p->flops > 0) || !(p->hbm > 0) || (isnan(cost.flops) && !cost.has_bytes) ||
	    (slice_is(category, "custom-call") && !(flops > 0) && !(bytes > 0)))
		return;
	if (fast && has_narrow(cut_text(d, meta)))
		peak *= 2;
	flops /= peak;
	bytes = bytes * 1000 / (p->hbm / 1e9);
	b->by_flops = flops >= bytes;
	b->ps = (int64_t)fmin(fmax(flops, bytes), 4e18);
}

void bounds_read(const struct cut_ops *ops, struct replay_core *c)
{
	const struct dump *d = ops->dump;
	const struct cost cost = { strtab_find(&d->str, "flops", 5),
		strtab_find(&d->str, "bytes_accessed", 14),
		strtab_find(&d->str, "memory_access_breakdown", 23), NAN, false, { 0 } };
	struct peaks p = { 0 };
	bool fast;

	peaks_of_plane(d, c->plane, &p);
	fast = IS_ONE_OF(twice_as_fast, slice_of(p.device));
	c->nbounds = cut_kinds(d, c->plane, &c->base);
	c->bound = xcalloc(c->nbounds + 1, sizeof *c->bound);
	for (uint32_t i = 0; i < c->nbounds; i++) {
		struct op_bound *b = &c->bound[i];
		const uint32_t meta = c->base + i;

		b->group = ops->group[meta];
		if (b->group <= GROUP_FORMAT)
			read_bound(d, meta, &p, fast, cost, b);
	}
}
