#include "config.h"
#include "analyze/overview/internal.h"

#include <string.h>
#include <strings.h>

#include "base/clamp.h"

#define COUNT(v) (sizeof(v) / sizeof *(v))

struct input_part {
	enum input_category category;
	bool known;
	double us, all;
};

static double share_of(double part, double of)
{
	return of > 0 ? part / of : 0;
}

#define SCHEMA op
#define SCHEMA_ROW struct input_op
#define SCHEMA_DEF "analyze/overview/host_ops.def"
#include "result/schema_def.h"

#define SCHEMA part
#define SCHEMA_ROW struct input_part
#define SCHEMA_DEF "analyze/overview/breakdown.def"
#include "result/schema_def.h"

const struct schema input_host_ops_schema = { SCHEMA_COLUMNS(op_columns),
	.view = "opName count selfTimeInMs selfTimeInPercent timeInMs -timeInPercent category" };
const struct schema input_breakdown_schema = { SCHEMA_COLUMNS(part_columns) };

static bool is_word(struct slice t, const char *word)
{
	return t.n == strlen(word) && !strncasecmp(t.s, word, t.n);
}

/* Classifies a data set by its chain of iterators: the last one reads files, and an enclosing one may read
 * ahead. */
static enum input_category category_of_dataset(struct slice name)
{
	static const char *const readers[] = { "::TFRecord", "::TextLine", "::FixedLengthRecord", "::SSTable",
		"::RecordIO", "::ArrayRecord" };
	static const char *const ahead[] = { "::MemoryReader", "::MemoryWriter", "::Interleave", "::Prefetch",
		"::ParallelMap" };

	for (size_t i = 0; i < COUNT(readers); i++) {
		if (!slice_ends(name, readers[i]))
			continue;
		for (size_t k = 0; k < COUNT(ahead); k++)
			if (slice_find(name, ahead[k]))
				return INPUT_ADVANCED_READ;
		return INPUT_DEMANDED_READ;
	}
	return INPUT_PREPROCESSING;
}

bool input_op_category(struct slice name, struct slice type, enum input_category *c)
{
	static const struct {
		const char *word;
		enum input_category category;
	} stages[] = {
		{ "enqueue", INPUT_ENQUEUE },
		{ "preprocessing", INPUT_PREPROCESSING },
		{ "read", INPUT_DEMANDED_READ },
		{ "unknown", INPUT_OTHER },
	};

	if (slice_begins(type, "InfeedEnqueue") || slice_is(type, "MemcpyHToD")) {
		*c = INPUT_ENQUEUE;
		return true;
	}
	if (slice_is(type, "Dataset")) {
		*c = category_of_dataset(name);
		return true;
	}
	for (size_t i = 0; i < COUNT(stages); i++)
		if (is_word(type, stages[i].word)) {
			*c = stages[i].category;
			return true;
		}
	return false;
}

void input_host_columns(struct table *t)
{
	table_begin(t, &input_host_ops_schema);
}

void input_host_add(struct table *t, const struct input_op *o)
{
	table_add(t, o);
}

void input_host_ops(const struct framework *f, struct table *t, double self_us[INPUT_CATEGORIES])
{
	int64_t self[INPUT_CATEGORIES] = { 0 };
	double all = 0;
	enum input_category c;

	input_host_columns(t);
	for (size_t i = 0; i < f->host.n; i++)
		if (input_op_category(f->host.v[i].name, f->host.v[i].type, &c)) {
			self[c] = add_clamped(self[c], f->host.v[i].sum.self);
			all += (double)f->host.v[i].sum.self;
		}
	for (size_t i = 0; i < f->host.n; i++) {
		const struct framework_row *r = &f->host.v[i];
		double time = (double)r->sum.time, own = (double)r->sum.self;

		if (input_op_category(r->name, r->type, &c))
			table_add(t,
			    &(struct input_op){ r->name, (int64_t)r->sum.occurrences, time / 1e9,
				share_of(time, all), own / 1e9, share_of(own, all),
				slice_of(input_category_info[c].label) });
	}
	for (c = 0; c < INPUT_CATEGORIES; c++)
		self_us[c] = (double)self[c] / 1e6;
}

void input_host_parts(const double self[INPUT_CATEGORIES], double ratio, double us[INPUT_CATEGORIES])
{
	double sum = self[INPUT_PREPROCESSING] + self[INPUT_ADVANCED_READ] + self[INPUT_DEMANDED_READ];
	double rest = ratio > 0 ? self[INPUT_ENQUEUE] * (1 - ratio) / ratio : sum, done = 0;

	us[INPUT_ENQUEUE] = self[INPUT_ENQUEUE];
	for (enum input_category c = INPUT_PREPROCESSING; c < INPUT_OTHER; c++)
		done += us[c] = sum > 0 ? rest * self[c] / sum : 0;
	us[INPUT_OTHER] = rest > done ? rest - done : 0;
}

void input_breakdown(const double us[INPUT_CATEGORIES], const bool known[INPUT_CATEGORIES], struct table *t)
{
	double sum = 0;

	table_begin(t, &input_breakdown_schema);
	for (enum input_category c = 0; c < INPUT_CATEGORIES; c++)
		sum += us[c];
	for (enum input_category c = 0; c < INPUT_CATEGORIES; c++)
		table_add(t, &(struct input_part){ c, !known || known[c], us[c], sum });
}
