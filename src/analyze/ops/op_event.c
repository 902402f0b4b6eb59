#include "config.h"
#include "analyze/ops/internal.h"

#include <string.h>

#include "analyze/trace/clock.h"

#define TIME_MAX (INT64_MAX / 8) /* times beyond this are damage */

static strid find_name(const struct dump *d, const char *name)
{
	return strtab_find(&d->str, name, strlen(name));
}

struct opdb_names opdb_names_of(const struct dump *d)
{
	return (struct opdb_names){
		.whole = {
			[OPDB_OFFSET] = find_name(d, "device_offset_ps"),
			[OPDB_DURATION] = find_name(d, "device_duration_ps"),
			[OPDB_DMA] = find_name(d, "dma_stall_duration_ps"),
			[OPDB_LINK_CORE] = find_name(d, "offload_core_id"),
			[OPDB_LINK_START] = find_name(d, "tc_offload_start_id"),
			[OPDB_REDUCE] = find_name(d, "all_reduce_unique_id"),
		},
		.multiplier = find_name(d, "Time Scale Multiplier"),
		.program = find_name(d, "program_id"),
		.symbol = find_name(d, "symbol_id"),
		.flops = find_name(d, "flops"),
		.model_flops = find_name(d, "model_flops"),
		.bytes = find_name(d, "bytes_accessed"),
		.access = find_name(d, "memory_access_breakdown"),
		.provenance = find_name(d, "tf_op"),
		.dedup = find_name(d, "deduplicated_name"),
		.source = find_name(d, "source"),
		.stack = find_name(d, "source_stack"),
		.shape = find_name(d, "shape_with_layout"),
		.custom_call = find_name(d, "custom-call"),
		.category = find_name(d, "hlo_category"),
		.long_name = find_name(d, "long_name"),
	};
}

static bool take_event_stat(void *ctx, const struct stat_value *v)
{
	struct op_event *s = ctx;
	const struct opdb_names *names = s->names;
	const struct {
		strid name;
		double *to;
	} known[] = {
		{ names->flops, &s->flops },
		{ names->model_flops, &s->model_flops },
		{ names->bytes, &s->bytes },
	};
	double number;

	if (v->name_id == UINT32_MAX)
		return true;
	for (unsigned i = 0; i < OPDB_WHOLES; i++)
		if (v->name_id == names->whole[i] && !(s->has >> i & 1)) {
			if (!stat_whole(v, &s->whole[i]))
				s->whole[i] = 0;
			s->has |= 1u << i;
		}
	if (v->name_id == names->multiplier)
		stat_number(v, &s->multiplier);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (v->name_id == known[i].name && stat_number(v, &number) && number > 0)
			*known[i].to = number;
	return true;
}

static bool is_absurd(const struct op_event *s)
{
	return s->dur < 0 || s->dur > TIME_MAX || s->begin < -TIME_MAX || s->begin > TIME_MAX;
}

void opdb_read_event(struct plane_scan *p, struct stat_ints *ints, size_t i, bool all, struct op_event *s)
{
	const struct track *t = ints->track;
	bool absurd;

	s->names = p->names;
	s->event = i;
	s->has = 0; /* entries of `whole` are valid only if their bit in it is set */
	s->multiplier = 1;
	s->flops = s->model_flops = s->bytes = 0;
	if (!all && p->names->multiplier == UINT32_MAX)
		s->has = stat_ints_read(ints, i, s->whole);
	else if (track_args(t, i))
		stats_of_event(p->dump, t, i, take_event_stat, s);
	s->dma = opdb_has_whole(s, OPDB_DMA) && s->whole[OPDB_DMA] > 0 ? s->whole[OPDB_DMA] : 0;
	s->own = (s->has & OPDB_PAIR) == OPDB_PAIR;
	if (s->own) {
		s->begin = s->whole[OPDB_OFFSET];
		s->dur = s->whole[OPDB_DURATION];
		absurd = is_absurd(s);
		p->absurd += absurd;
		s->own = !absurd;
	}
	if (!s->own)
		clock_plain(p->dump, t, i, &s->begin, &s->dur);
	if (!(s->multiplier >= 0 && s->multiplier < 1e9))
		s->multiplier = 1;
}
