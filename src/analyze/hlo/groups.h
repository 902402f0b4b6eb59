/* The groups of devices that a collective works in, as HLO text states them: "{{0,1},{2,3}}", "[2,2]<=[4]", or axes
 * of a mesh.  Texts are of the arena, or constants.  Pure. */
#ifndef ANALYZE_HLO_GROUPS_H
#define ANALYZE_HLO_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/text/slice.h"

struct hlo_group_size {
	size_t groups, largest, devices; /* devices: of all groups */
	bool known;
};

/* Returns the list after `key` in the text of an op, such as "{{0,1},{2,3}}"; n = 0: not there. */
struct slice hlo_text_list(struct slice text, const char *key);
/* Returns "{0,1},{2,3}"; "" for all devices; the list as it is if it cannot be read; NULL: there is none.  size may be
 * NULL. */
const char *hlo_groups(struct arena *, struct slice list, struct hlo_group_size *size);
/* "x,y" of "mesh['x'=2,'y'=2,'z'=2] {'x','y'}"; empty: no mesh */
struct slice hlo_mesh_axes(struct arena *, struct slice list);

#endif
