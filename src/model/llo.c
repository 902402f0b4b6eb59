#include "config.h"

#include "model/llo.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { TIME_LEAST = 10, TIME_MOST = 19, LONG_NAME = 200, NUMBER_LEAST = 6, NUMBER_MOST = 20 };

static size_t digits(struct slice s, size_t at)
{
	size_t n = 0;

	while (at + n < s.n && isdigit((unsigned char)s.s[at + n]))
		n++;
	return n;
}

static bool cut_suffix(struct slice *s)
{
	if (!slice_cut_end(s, ".gz"))
		slice_cut_end(s, ".zst");
	return slice_cut_end(s, ".txt") || slice_cut_end(s, ".html");
}

/* Splits "UNIT-NN-PASS" at the last number of two or three digits; both of them may have such in them. */
static bool split(struct slice s, struct llo_name *name)
{
	for (size_t i = s.n; i-- > 1;) {
		size_t n = s.s[i] == '-' ? digits(s, i + 1) : 0;

		if (n < 2 || n > 3 || i + n + 2 >= s.n || s.s[i + 1 + n] != '-')
			continue;
		name->unit = (struct slice){ s.s, i };
		name->pass = (struct slice){ s.s + i + n + 2, s.n - i - n - 2 };
		return true;
	}
	if (!slice_cut_end(&s, "-hlo") || !s.n)
		return false;
	name->unit = s;
	name->pass = (struct slice){ "hlo", 3 };
	return true;
}

/* A long name ends with a number of the file in place of what was cut off. */
static bool is_cut(struct slice unit, size_t whole)
{
	size_t n = 0;

	while (n < unit.n && isdigit((unsigned char)unit.s[unit.n - 1 - n]))
		n++;
	return whole >= LONG_NAME && n >= NUMBER_LEAST && n <= NUMBER_MOST && n < unit.n &&
	    unit.s[unit.n - 1 - n] == '-';
}

bool llo_name(const char *base, struct llo_name *name)
{
	struct slice s = slice_of(base);
	size_t n = digits(s, 0), whole = s.n;

	if (n < TIME_LEAST || n > TIME_MOST || n + 1 >= s.n || s.s[n] != '-' || !cut_suffix(&s) ||
	    n + 1 >= s.n)
		return false;
	*name = (struct llo_name){ .ns = 0 };
	for (size_t i = 0; i < n; i++)
		if (__builtin_mul_overflow(name->ns, 10, &name->ns) ||
		    __builtin_add_overflow(name->ns, base[i] - '0', &name->ns))
			return false;
	if (!split((struct slice){ s.s + n + 1, s.n - n - 1 }, name))
		return false;
	name->cut = is_cut(name->unit, whole);
	if (name->cut && name->unit.n > LLO_KEY)
		name->unit.n = LLO_KEY;
	return true;
}

enum file_kind llo_kind(const char *base)
{
	static const struct {
		const char *pass;
		enum file_kind kind;
	} passes[] = {
		{ "final_bundles", FILE_LLO_BUNDLES },
		{ "packed-bundles-post-ra", FILE_LLO_BUNDLES },
		{ "final_hlo-static-per-bundle-utilization", FILE_LLO_UTILIZATION },
		{ "pre-delay_hlo-static-per-bundle-utilization", FILE_LLO_UTILIZATION },
		{ "schedule-analysis_final_bundles", FILE_LLO_SCHEDULE },
		{ "schedule-analysis_packed-bundles-pre-ra", FILE_LLO_SCHEDULE },
		{ "schedule-analysis_packed-bundles-post-ra", FILE_LLO_SCHEDULE },
		{ "post-delay-converter", FILE_LLO_REGIONS },
		{ "critical-path", FILE_LLO_CHAIN },
		{ "all-fingerprints", FILE_LLO_PASS },
		{ "deduplication-map", FILE_LLO_PASS },
		{ "vmem_report", FILE_LLO_PASS },
	};
	struct llo_name name;

	for (size_t i = 0; llo_name(base, &name) && i < sizeof passes / sizeof *passes; i++)
		if (slice_is(name.pass, passes[i].pass))
			return passes[i].kind;
	return FILE_UNKNOWN;
}

static bool is_llo(const struct file *f)
{
	return file_kind_info[f->kind].family == FILES_LLO;
}

bool llo_any(const struct dump *d)
{
	for (size_t i = 0; i < d->nfiles; i++)
		if (is_llo(&d->files[i]))
			return true;
	return false;
}

struct entry {
	struct slice dir;
	struct llo_name name;
	int kind, file;
};

static int by_unit(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int by = slice_order(x->dir, y->dir);

	by = by ? by : (x->name.ns > y->name.ns) - (x->name.ns < y->name.ns);
	by = by ? by : slice_order(x->name.unit, y->name.unit);
	by = by || x->name.ns >= 0 ? by : (x->kind > y->kind) - (x->kind < y->kind);
	return by ? by : (x->file > y->file) - (x->file < y->file);
}

/* Files that were renamed are of one unit if they are beside each other and of several kinds. */
static bool same_unit(const struct entry *a, const struct entry *b)
{
	return slice_same(a->dir, b->dir) && a->name.ns == b->name.ns &&
	    slice_same(a->name.unit, b->name.unit) && (a->name.ns >= 0 || a->kind < b->kind);
}

void llo_units(const struct dump *d, struct llo_units *u)
{
	struct entry *v = xcalloc(d->nfiles + 1, sizeof *v);
	size_t n = 0;

	*u = (struct llo_units){ .n = 0 };
	for (size_t i = 0; i < d->nfiles; i++) {
		const struct file *f = &d->files[i];
		struct entry e = { .dir = { f->path, (size_t)(f->base - f->path) },
			.kind = (int)f->kind,
			.file = (int)i };
		bool named = llo_name(f->base, &e.name);

		if (!is_llo(f) && !(f->kind == FILE_HLO_TEXT && named))
			continue;
		if (!named)
			e.name = (struct llo_name){ .ns = -1 };
		v[n++] = e;
	}
	VEC_SORT(v, n, by_unit);
	u->file = xcalloc(n + 1, sizeof *u->file);
	for (size_t i = 0; i < n; i++) {
		if (!i || !same_unit(&v[i - 1], &v[i]))
			VEC_ADD(u->v, u->n, u->cap,
			    (struct llo_unit){ v[i].dir, v[i].name.unit, v[i].name.ns, v[i].name.cut, i, 0,
				0 });
		u->v[u->n - 1].n++;
		u->v[u->n - 1].bytes += d->files[v[i].file].bytes;
		u->file[i] = v[i].file;
	}
	free(v);
}

void llo_units_free(struct llo_units *u)
{
	free(u->v);
	free(u->file);
	*u = (struct llo_units){ .n = 0 };
}
