#include "config.h"
#include "analyze/pod/links.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/units.h"

struct channel_row {
	const struct pod *pod;
	const struct pod_channel *of;
	const char *step;
	double longest; /* of the step, us */
};

/* Two cores of a channel. */
struct pair_row {
	const struct pod *pod;
	const struct pod_channel *of;
	const char *step;
	size_t pair;
};

struct collective_row {
	const struct pod *pod;
	const struct pod_collective *of;
	const char *step;
	double longest;
};

static struct cell bytes_cell(uint64_t v)
{
	return v ? cell_int((int64_t)v) : cell_null();
}

static struct cell share_cell(double part, double of)
{
	return of > 0 ? cell_num(part / of) : cell_null();
}

static struct cell channel_id(const struct pod_channel *c, struct arena *text)
{
	char id[32];

	snprintf(id, sizeof id, "%" PRId64, c->id);
	return c->id < 0 ? cell_null() : arena_cell(text, id);
}

char *pod_core_name(const struct pod *p, size_t core)
{
	const struct step_core_info *c = &p->cores.core[core];

	return xasprintf("%s:%d", p->host[c->host], c->core);
}

static char *short_name(const struct pod *p, size_t core)
{
	return p->nhosts > 1 ? pod_core_name(p, core) : xasprintf("%d", p->cores.core[core].core);
}

/* "w-0:5 +3" */
static struct cell ends_cell(const struct pod *p, struct arena *to, const uint32_t *v, size_t n)
{
	char *one = n ? short_name(p, v[0]) : NULL, *all = n > 1 ? xasprintf("%s +%zu", one, n - 1) : NULL;
	struct cell c = arena_cell(to, all ? all : one);

	free(one);
	free(all);
	return c;
}

static struct cell cores_cell(const struct pod *p, struct arena *to, const uint32_t *v, size_t n)
{
	char *text = NULL, *one;
	size_t len = 0, size = 0, add;
	struct cell c;

	for (size_t i = 0; i < n; i++) {
		one = short_name(p, v[i]);
		add = strlen(one);
		if (!text || len + add + 2 > size)
			text = xrealloc(text, size = 2 * (len + add + 2), 1);
		if (len)
			text[len++] = ',';
		memcpy(text + len, one, add);
		len += add;
		free(one);
	}
	c = cell_str(arena_strndup(to, text ? text : "", len), len);
	free(text);
	return c;
}

double pod_channel_rate(const struct pod_channel *c)
{
	return c->bytes && c->duration_us > 0 ? (double)c->bytes / c->duration_us * 1e6 / GIB : NAN;
}

struct cell pod_step_name(const struct pod *p, size_t step)
{
	const char *name = p->cores.step[step].name;

	return name ? cell_str(name, p->cores.step[step].name_len) : cell_null();
}

/* A file of an older profiler has no times of pairs, and mostly one pair. */
static double pair_us(const struct pod_channel *c, size_t pair)
{
	return c->pair_us && pair < c->nsrc ? c->pair_us[pair] : c->nsrc == 1 ? c->duration_us : NAN;
}

static size_t slowest_pair(const struct pod_channel *c)
{
	size_t at = 0;

	for (size_t i = 0; i < c->nsrc && i < c->ndst; i++)
		at = pair_us(c, i) > pair_us(c, at) ? i : at;
	return at;
}

static struct cell slowest_cell(const struct channel_row *r, struct arena *text)
{
	size_t at = slowest_pair(r->of);
	char *from, *to, *both;
	struct cell c;

	if (at >= r->of->nsrc || at >= r->of->ndst || isnan(pair_us(r->of, at)))
		return cell_null();
	from = short_name(r->pod, r->of->src[at]);
	to = short_name(r->pod, r->of->dst[at]);
	both = xasprintf("%s>%s", from, to);
	c = arena_cell(text, both);
	free(from);
	free(to);
	free(both);
	return c;
}

#define SCHEMA pairs
#define SCHEMA_ROW struct pair_row
#define SCHEMA_DEF "analyze/pod/pairs.def"
#include "result/schema_def.h"

#define SCHEMA channels
#define SCHEMA_ROW struct channel_row
#define SCHEMA_DEF "analyze/pod/channels.def"
#include "result/schema_def.h"

#define SCHEMA collectives
#define SCHEMA_ROW struct collective_row
#define SCHEMA_DEF "analyze/pod/collectives.def"
#include "result/schema_def.h"

const struct schema pod_channels_schema = {
	SCHEMA_COLUMNS(channels_columns),
	.view =
	    "channel_id from to duration_us duration_share slowest_pair slowest_us bytes send_delay_us rate "
	    "-occurrences hlo_names",
	.text = "step channel_id src_cores dst_cores bytes duration_us slowest_pair slowest_us send_delay_us "
		"occurrences hlo_names",
};
const struct schema pod_pairs_schema = {
	SCHEMA_COLUMNS(pairs_columns),
	.text = "step channel_id src_core dst_core duration_us wait_us hlo_names",
};
const struct schema pod_collectives_schema = {
	SCHEMA_COLUMNS(collectives_columns),
	.view =
	    "name -category duration_us compute_us sync_us duration_share bytes occurrences -replica_groups",
	.text = "step name category occurrences bytes duration_us sync_us replica_groups",
};

static const char *step_text(const struct pod *p, size_t step, bool labels)
{
	return labels ? step_cores_label(&p->cores, step) : p->cores.step[step].number;
}

void pod_channels_table(const struct pod *p, const bool *wanted, bool labels, struct table *t, uint32_t *of)
{
	double *longest = xcalloc(p->cores.nsteps + 1, sizeof *longest);

	table_begin(t, &pod_channels_schema);
	for (size_t i = 0; i < p->nchannels; i++)
		longest[p->channel[i].step] = fmax(longest[p->channel[i].step], p->channel[i].duration_us);
	for (size_t i = 0; i < p->nchannels; i++) {
		const struct pod_channel *c = &p->channel[i];

		if (wanted && !wanted[c->step])
			continue;
		if (of)
			of[t->nrows] = (uint32_t)i;
		table_add(t, &(struct channel_row){ p, c, step_text(p, c->step, labels), longest[c->step] });
	}
	free(longest);
}

void pod_pairs_table(const struct pod *p, const bool *wanted, bool labels, struct table *t)
{
	table_begin(t, &pod_pairs_schema);
	for (size_t i = 0; i < p->nchannels; i++) {
		const struct pod_channel *c = &p->channel[i];

		for (size_t k = 0; k < c->nsrc && k < c->ndst && (!wanted || wanted[c->step]); k++)
			table_add(t, &(struct pair_row){ p, c, step_text(p, c->step, labels), k });
	}
}

void pod_collectives_table(const struct pod *p, const bool *wanted, bool labels, struct table *t,
    uint32_t *of)
{
	double *longest = xcalloc(p->cores.nsteps + 1, sizeof *longest);

	table_begin(t, &pod_collectives_schema);
	for (size_t i = 0; i < p->ncollectives; i++)
		longest[p->collective[i].step] =
		    fmax(longest[p->collective[i].step], p->collective[i].duration_us);
	for (size_t i = 0; i < p->ncollectives; i++) {
		const struct pod_collective *c = &p->collective[i];

		if (wanted && !wanted[c->step])
			continue;
		if (of)
			of[t->nrows] = (uint32_t)i;
		table_add(t,
		    &(struct collective_row){ p, c, step_text(p, c->step, labels), longest[c->step] });
	}
	free(longest);
}
