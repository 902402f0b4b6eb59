#include "config.h"
#include "analyze/pieces/parts.h"

const struct spent_info spent_info[SPENT_PARTS] = {
#define PART(id, name, kind, fall, meaning) [SPENT_##id] = { #name, KIND_##kind },
#include "analyze/pieces/parts.def"
#undef PART
};

const enum spent group_part[WORK_GROUPS] = {
#define GROUP(id, part) [GROUP_##id] = SPENT_##part,
#include "analyze/pieces/groups.def"
#undef GROUP
};

const char *spent_bar(enum spent part)
{
	const struct kind_info *k = &kind_info[spent_info[part].kind];

	return k->id ? k->id : k->name;
}

/* Where ops have no category, their names say it. */
static enum work_group io_group(struct slice name, struct slice category, struct op_role role)
{
	const struct slice what = category.n ? category : name;

	if (role.kind == COMM_HOST_SEND || role.kind == COMM_HOST_RECV)
		return GROUP_HOST_TRANSFER;
	if (slice_begins(what, "sparsecorev0"))
		return GROUP_SPARSECORE;
	return slice_begins(what, "outfeed") ? GROUP_OUTFEED : GROUP_INFEED;
}

enum work_group work_group_of(enum time_kind kind, struct slice name, struct slice category,
    struct op_role role)
{
	switch (kind) {
	case KIND_MATMUL:
		return GROUP_MATMUL;
	case KIND_COPY:
		return role.kind == COMM_COPY ? GROUP_DMA : GROUP_FORMAT;
	case KIND_COLLECTIVE:
		return role.part == PART_SYNC ? GROUP_SYNC : GROUP_ASYNC;
	case KIND_IO:
		return io_group(name, category, role);
	default:
		return GROUP_OTHER;
	}
}
