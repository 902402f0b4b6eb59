#include "config.h"
#include "analyze/device/role.h"

#include "base/text/digit.h"

/* In this order: a name that begins another one comes after it. */
static const struct {
	const char *name;
	enum comm_kind kind;
} collectives[] = {
	{ "all-reduce-scatter", COMM_REDUCE_SCATTER },
	{ "ragged-all-to-all", COMM_RAGGED_ALL_TO_ALL },
	{ "collective-permute", COMM_PERMUTE },
	{ "collective-broadcast", COMM_BROADCAST },
	{ "all-reduce", COMM_ALL_REDUCE },
	{ "all-gather", COMM_ALL_GATHER },
	{ "reduce-scatter", COMM_REDUCE_SCATTER },
	{ "all-to-all", COMM_ALL_TO_ALL },
};

static const struct {
	const char *name;
	enum comm_kind kind;
} transfers[] = {
	{ "send", COMM_SEND },
	{ "recv", COMM_RECV },
	{ "host send", COMM_HOST_SEND },
	{ "host recv", COMM_HOST_RECV },
};

const char *comm_kind_name(enum comm_kind k)
{
	static const char *const names[COMM_KINDS] = {
		[COMM_RAGGED_ALL_TO_ALL] = "ragged-all-to-all",
		[COMM_PERMUTE] = "collective-permute",
		[COMM_BROADCAST] = "collective-broadcast",
		[COMM_ALL_REDUCE] = "all-reduce",
		[COMM_ALL_GATHER] = "all-gather",
		[COMM_REDUCE_SCATTER] = "reduce-scatter",
		[COMM_ALL_TO_ALL] = "all-to-all",
		[COMM_ASYNC] = "async-collective",
		[COMM_SEND] = "send",
		[COMM_RECV] = "recv",
		[COMM_HOST_SEND] = "host send",
		[COMM_HOST_RECV] = "host recv",
		[COMM_DCN] = "dcn",
		[COMM_COPY] = "copy",
	};

	return names[k];
}

/* "all-gather-start.3" without its numbers */
static struct slice base_of(struct slice name)
{
	for (;;) {
		size_t n = name.n;

		while (n && is_digit(name.s[n - 1]))
			n--;
		if (n == name.n || n < 2 || name.s[n - 1] != '.')
			return name;
		name.n = n - 1;
	}
}

/* Takes "-start", "-done" or "-update" off the end; PART_SYNC: it has none. */
static enum op_part cut_part(struct slice *s)
{
	static const char
	    *const ends[] = { [PART_START] = "start", [PART_DONE] = "done", [PART_UPDATE] = "update" };

	for (enum op_part p = PART_START; p <= PART_UPDATE; p++) {
		struct slice rest = *s;

		if (!slice_cut_end(&rest, ends[p]) || !slice_cut_end(&rest, "-"))
			continue;
		slice_cut_end(&rest, ".call"); /* offloaded to a SparseCore: "X.call-start" */
		*s = rest;
		return p;
	}
	return PART_SYNC;
}

static enum comm_kind collective_named(struct slice s)
{
	for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
		if (slice_is(s, collectives[i].name))
			return collectives[i].kind;
	return COMM_NONE;
}

static bool by_category(struct slice category, struct op_role *r)
{
	struct slice what = category;
	enum op_part part;

	if (slice_cut_end(&what, " fusion") && (r->kind = collective_named(what)))
		return true;
	what = category;
	part = cut_part(&what);
	r->part = part;
	if ((r->kind = collective_named(what)))
		return true;
	r->part = part == PART_SYNC ? PART_START : part;
	for (size_t i = 0;
	     i < sizeof transfers / sizeof *transfers && (part == PART_SYNC || part == PART_DONE); i++)
		if (slice_is(what, transfers[i].name))
			return (r->kind = transfers[i].kind);
	return false;
}

/* XLA wraps ops into asynchronous ones, whose category says no more; the name of the wrapped op is in theirs. */
static bool by_name(struct slice name, struct slice category, struct op_role *r)
{
	struct slice what = base_of(name), wrapper = category;
	enum op_part own = cut_part(&what), part = cut_part(&wrapper);

	if (slice_is(wrapper, "async") && part != PART_SYNC) {
		r->part = part;
		r->kind = slice_is(what, "async-collective") ? COMM_ASYNC : collective_named(what);
		if (!r->kind)
			r->kind = COMM_COPY;
		return true;
	}
	if (slice_begins(what, "async-collective") && own != PART_SYNC) {
		r->part = own;
		r->kind = COMM_ASYNC;
		return true;
	}
	if (slice_is(wrapper, "copy") && part != PART_SYNC && part != PART_UPDATE) {
		r->part = part;
		r->kind = COMM_COPY;
		return true;
	}
	return false;
}

static bool is_io(struct slice category)
{
	return slice_is(category, "infeed") || slice_is(category, "outfeed") ||
	    slice_begins(category, "sparsecorev0 infeed");
}

struct op_role op_role_of(struct slice name, struct slice category)
{
	struct op_role r = { .kind = COMM_NONE };

	if (!category.n) /* of converted and old traces */
		category = base_of(name);
	if (!by_category(category, &r) && !by_name(name, category, &r))
		return (struct op_role){ .time = is_io(category) ? PIECE_IO : PIECE_COMPUTE };
	r.time = r.kind == COMM_COPY ? PIECE_COPY : PIECE_COMM;
	return r;
}
