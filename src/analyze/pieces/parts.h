/* The 30 parts of a step (parts.def), and which of them the time of an op is in (groups.def).  Kinds of time in bars
 * and tables of steps are sums of parts: the group of an op is found within its kind, so that both agree.  Pure. */
#ifndef ANALYZE_PIECES_PARTS_H
#define ANALYZE_PIECES_PARTS_H

#include "analyze/device/kinds.h"
#include "analyze/device/role.h"

enum spent {
#define PART(id, ...) SPENT_##id,
#include "analyze/pieces/parts.def"
#undef PART
	SPENT_PARTS
};

struct spent_info {
	const char *name;
	enum time_kind kind;
};
extern const struct spent_info spent_info[SPENT_PARTS];
const char *spent_bar(enum spent); /* the word of its kind: "matmul", "idle" */

enum work_group {
#define GROUP(id, part) GROUP_##id,
#include "analyze/pieces/groups.def"
#undef GROUP
	GROUP_IDLE,
	WORK_GROUPS = GROUP_IDLE
};
extern const enum spent group_part[WORK_GROUPS];

/* The group of an op of that kind of time, with that name and category, and what it communicates. */
enum work_group work_group_of(enum time_kind, struct slice name, struct slice category, struct op_role);

#endif
