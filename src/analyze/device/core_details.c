#include "config.h"
#include "analyze/device/core_details.h"

#include <string.h>

#include "core_details.pb-c.h"

static bool take_plane_stat(void *ctx, const struct stat_value *v)
{
	struct core_details *c = ctx;
	Pb__CoreDetails *m;

	if (v->type != STAT_BYTES || !stat_is(v, "core_details"))
		return true;
	if (!(m = pb__core_details__unpack(NULL, v->n, (const uint8_t *)v->s)))
		return true;
	/* proto3 leaves out fields that are 0 */
	*c = (struct core_details){ .known = true,
		.local_chip = m->local_chip_id,
		.chip = m->global_chip_id,
		.core_on_chip = (int)(m->core_num & INT32_MAX) };
	pb__core_details__free_unpacked(m, NULL);
	return false;
}

struct core_details core_details_of(const struct dump *d, uint32_t plane)
{
	struct core_details c = { .local_chip = -1, .chip = -1, .core_on_chip = -1 };

	stats_of_plane(d, plane, take_plane_stat, &c);
	if (d->trace.planes[plane].chip)
		c.chip = d->trace.planes[plane].chip - 1;
	return c;
}
