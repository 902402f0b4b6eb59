#include "config.h"
#include "analyze/overview/environment.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/core_details.h"
#include "analyze/overview/batch.h"
#include "base/sort.h"
#include "base/text/units.h"

#define VALUE_MAX 400
#define NS_DIGITS 19 /* of a present time in ns since 1970 */
#define NAME_MAX_SHOWN 150

#define BATCH_OP_LEAST 0.001 /* of the time of all ops */

struct environment_row {
	struct slice name, value;
};

#define SCHEMA environment
#define SCHEMA_ROW struct environment_row
#define SCHEMA_DEF "analyze/overview/environment.def"
#include "result/schema_def.h"

const struct schema environment_schema = { SCHEMA_COLUMNS(environment_columns) };

void environment_init(struct table *t)
{
	table_begin(t, &environment_schema);
}

void environment_add(struct table *t, const char *name, const char *value)
{
	table_add(t, &(struct environment_row){ { name, strlen(name) }, { value, strlen(value) } });
}

bool environment_date(struct slice value, char *buf, size_t size)
{
	char digits[NS_DIGITS + 1];

	if (value.n != NS_DIGITS)
		return false;
	memcpy(digits, value.s, NS_DIGITS);
	digits[NS_DIGITS] = '\0';
	return strspn(digits, "0123456789") == NS_DIGITS && *units_date(buf, size, strtoll(digits, NULL, 10));
}

struct adder {
	struct table *t;
	const char *host;
	size_t host_len;             /* host NULL: for the first host, whose names are shown without it */
	struct strtab *texts, *rows; /* names and values of the table, and the pairs of them */
};

/* Is there no such row yet? */
static bool is_new(struct adder *a, const struct environment_row *row)
{
	const strid pair[] = { strtab_add(a->texts, row->name.s, row->name.n),
		strtab_add(a->texts, row->value.s, row->value.n) };
	uint32_t n = a->rows->n;

	return strtab_add(a->rows, (const char *)pair, sizeof pair) == n;
}

static size_t value_text(const struct stat_value *v, char *buf, size_t size)
{
	int n = 0;

	if (v->type == STAT_STR || v->type == STAT_JSON) {
		size_t kept = v->n < size ? v->n : size;

		memcpy(buf, v->s, kept);
		return kept;
	}
	if (v->type == STAT_DOUBLE)
		n = snprintf(buf, size, "%.10g", v->d);
	else if (v->type == STAT_INT)
		n = snprintf(buf, size, "%" PRId64, v->i);
	else if (v->type == STAT_UINT)
		n = snprintf(buf, size, "%" PRIu64, v->u);
	return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

/* Makes "NAME (HOST)".  Both are as in the file and may contain NUL bytes. */
static struct slice name_at_host(const struct adder *a, const struct stat_value *v,
    char name[2 * NAME_MAX_SHOWN + 3])
{
	size_t n = v->name_len < NAME_MAX_SHOWN ? v->name_len : NAME_MAX_SHOWN,
	       host = a->host_len < NAME_MAX_SHOWN ? a->host_len : NAME_MAX_SHOWN;

	memcpy(name, v->name, n);
	memcpy(name + n, " (", 2);
	memcpy(name + n + 2, a->host, host);
	name[n + 2 + host] = ')';
	return (struct slice){ name, n + host + 3 };
}

static bool add_stat(void *ctx, const struct stat_value *v)
{
	struct adder *a = ctx;
	char value[VALUE_MAX], name[2 * NAME_MAX_SHOWN + 3];
	size_t n = value_text(v, value, sizeof value);
	struct environment_row row = { { v->name, v->name_len }, { value, n } };

	if (v->type == STAT_BYTES || (!is_new(a, &row) && a->host))
		return true;
	if (a->host) {
		row.name = name_at_host(a, v, name);
		is_new(a, &row);
	}
	table_add(a->t, &row);
	return true;
}

static void add_number(struct table *t, const char *name, double v, const char *unit)
{
	char value[64];

	snprintf(value, sizeof value, "%.4g%s", v, unit);
	environment_add(t, name, value);
}

/* Counts the chips that core_details lists; unknown when a core has no details. */
static void add_devices(const struct dump *d, const char *host, struct table *t)
{
	int64_t *chip = xcalloc(d->trace.nplanes + 1, sizeof *chip);
	size_t n = 0, chips = 0;
	bool known = true;

	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];
		struct core_details at;

		if (p->kind != PLANE_TPU || (host && !dump_host_is(d, p->host, host)))
			continue;
		at = core_details_of(d, i);
		known &= at.known;
		chip[n++] = (int64_t)p->host << 32 | (at.local_chip & UINT32_MAX);
	}
	qsort(chip, n, sizeof *chip, sort_by_int64);
	for (size_t i = 0; i < n; i++)
		chips += !i || chip[i] != chip[i - 1];
	if (n && known) {
		add_number(t, "chips", (double)chips, "");
		add_number(t, "cores_per_chip", (double)n / (double)chips, "");
	}
	free(chip);
}

static void add_peaks(const struct op_peaks *p, struct table *t)
{
	if (p->tflops > 0)
		add_number(t, "peak_per_core", p->tflops, " TFLOP/s");
	if (p->bw[PEAK_HBM] > 0)
		add_number(t, "hbm_per_core", p->bw[PEAK_HBM], " GB/s");
	if (p->tflops > 0 || p->bw[PEAK_HBM] > 0)
		environment_add(t, "peaks",
		    p->stated        ? "given"
			: p->assumed ? "assumed by device type"
				     : "from the capture");
}

static void add_batch(const struct dump *d, const struct opdb *db, struct table *t)
{
	struct batch b;

	if (!db->op_time || !batch_find(d, db, NULL, BATCH_OP_LEAST, NULL, &b))
		return;
	add_number(t, "batch_size", (double)b.size * (double)db->planes, "");
	add_number(t, "batch_per_core", (double)b.size, "");
}

void environment_build(const struct dump *d, const struct opdb *db, const char *host, struct table *t)
{
	strid name = strtab_find(&d->str, "Task Environment", 16);
	struct strtab texts, rows;
	bool first = true;

	environment_init(t);
	strtab_init(&texts);
	strtab_init(&rows);
	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];
		struct adder a = { .t = t, .texts = &texts, .rows = &rows };

		if (p->name != name || (host && !dump_host_is(d, p->host, host)))
			continue;
		if (!first) {
			a.host = p->host < 0 ? "" : strtab_str(&d->str, d->hosts[p->host].name);
			a.host_len = p->host < 0 ? 0 : strtab_len(&d->str, d->hosts[p->host].name);
		}
		first = false;
		stats_of_plane(d, i, add_stat, &a);
	}
	strtab_free(&texts);
	strtab_free(&rows);
	add_devices(d, host, t);
	add_peaks(&db->peaks, t);
	add_batch(d, db, t);
}
