#include "config.h"

#include "analyze/device/classify.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/device/kinds.h"
#include "analyze/device/role.h"
#include "base/file/embedded.h"
#include "base/mem.h"
#include "base/text/digit.h"

/* Names in the columns of the table, by value of the enum. */
static const char *const wheres[] = { "device", "host", "any", NULL };
static const char *const whats[] = { "category", "name", NULL };
static const char *const matches[] = { "exact", "prefix", "suffix", "contains", NULL };
static const char container[] = "+container";

enum where { DEVICE, HOST, ANY };
enum what { CATEGORY, NAME };
enum match { EXACT, PREFIX, SUFFIX, CONTAINS };

struct rule {
	enum where where;
	enum what what;
	enum match match;
	struct slice text;
	uint8_t class;
};

struct rules {
	struct rule *v;
	size_t n, cap;
};

static int lookup(struct slice t, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (slice_is(t, words[i]))
			return i;
	return -1;
}

static int class_named(struct slice id)
{
	for (int i = 0; i < CLASS_COUNT; i++)
		if (slice_is(id, class_info(i)->id))
			return i;
	return -1;
}

/* Takes the next column of a line. */
static struct slice next_field(const char **p, const char *end)
{
	const char *tab = memchr(*p, '\t', (size_t)(end - *p));
	struct slice t = { *p, (size_t)((tab ? tab : end) - *p) };

	*p = tab ? tab + 1 : end;
	return t;
}

static void add_rule(struct rules *r, const char *line, const char *end)
{
	int where = lookup(next_field(&line, end), wheres), what = lookup(next_field(&line, end), whats);
	int match = lookup(next_field(&line, end), matches), class;
	struct slice text = next_field(&line, end), last = next_field(&line, end);
	uint8_t flag = 0;

	if (slice_cut_end(&last, container))
		flag = META_CONTAINER;
	class = class_named(last);
	if (where < 0 || what < 0 || match < 0 || class < 0 || !text.n)
		return;
	VEC_ADD(r->v, r->n, r->cap,
	    (struct rule){ (enum where)where, (enum what)what, (enum match)match, text,
		(uint8_t) class | flag });
}

static void read_rules(struct rules *r)
{
	const struct embedded *e = embedded_find("classes.tsv");
	const char *p = e ? (const char *)e->bytes : "", *end = e ? p + e->size : p;

	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));

		if (!eol)
			eol = end;
		if (*p != '#')
			add_rule(r, p, eol);
		p = eol + 1;
	}
}

static bool rule_fits(const struct rule *r, struct slice t)
{
	if (t.n < r->text.n)
		return false;
	switch (r->match) {
	case EXACT:
		return slice_same(t, r->text);
	case PREFIX:
		return *t.s == *r->text.s && !memcmp(t.s, r->text.s, r->text.n);
	case SUFFIX:
		return !memcmp(t.s + t.n - r->text.n, r->text.s, r->text.n);
	case CONTAINS:
		return memmem(t.s, t.n, r->text.s, r->text.n);
	}
	return false;
}

/* Removes trailing numbers: "fusion.12" and "fusion.12.3" are both fusion. */
static struct slice without_numbers(struct slice t)
{
	for (;;) {
		size_t n = t.n;

		while (n && is_digit(t.s[n - 1]))
			n--;
		if (n == t.n || n < 2 || t.s[n - 1] != '.')
			return t;
		t.n = n - 1;
	}
}

static uint8_t class_by_rules(const struct rules *r, enum where where, struct slice category,
    struct slice name)
{
	if (where == DEVICE) {
		const struct op_role role = op_role_of(name, category);

		if (role.time == PIECE_COMM)
			return role.kind == COMM_HOST_SEND || role.kind == COMM_HOST_RECV ? CLASS_IO
											  : CLASS_COLLECTIVE;
		name = without_numbers(name);
	}
	for (size_t i = 0; i < r->n; i++) {
		const struct rule *k = &r->v[i];

		if ((k->where == where || k->where == ANY) &&
		    rule_fits(k, k->what == CATEGORY ? category : name))
			return k->class;
	}
	return where == DEVICE ? CLASS_COMPUTE : CLASS_HOST;
}

/* Where a kind of event occurs. */
#define ON_DEVICE 1
#define ON_HOST 2
#define ON_FRAME 4 /* on tracks that frame others: steps, modules, scopes */

static uint8_t use_of(const struct dump *d, const struct track *t)
{
	switch (t->role) {
	case TRACK_STEPS:
	case TRACK_MODULES:
	case TRACK_SCOPE:
	case TRACK_FRAMEWORK:
	case TRACK_SOURCE:
		return ON_FRAME;
	default:
		break;
	}
	switch (d->trace.planes[t->plane].kind) {
	case PLANE_HOST:
	case PLANE_META:
	case PLANE_OTHER:
		return ON_HOST;
	default:
		return ON_DEVICE;
	}
}

/* Marks where each kind of event occurs.  If all kinds are bound to a plane, only the tracks that frame
 * others have to be read. */
static uint8_t *find_uses(const struct dump *d)
{
	const struct trace *tr = &d->trace;
	uint8_t *use = xcalloc(tr->nmetas + 1, 1);
	bool all = false;

	for (size_t i = 0; i < tr->nmetas && !all; i++)
		all = tr->metas[i].plane == UINT32_MAX;
	for (size_t k = 0; k < tr->ntracks; k++) {
		const struct track *t = &tr->tracks[k];
		uint8_t on = use_of(d, t);

		if (!all && on != ON_FRAME)
			continue;
		for (size_t i = 0; i < t->n; i++)
			use[track_meta(t, i)] |= on;
		for (size_t i = 0; i < t->untimed; i++)
			use[t->agg[i].meta] |= on;
	}
	return use;
}

static enum where where_of(const struct dump *d, const struct evmeta *m, uint8_t use)
{
	if (m->plane == UINT32_MAX)
		return use & ON_DEVICE ? DEVICE : HOST;
	switch (d->trace.planes[m->plane].kind) {
	case PLANE_HOST:
	case PLANE_META:
	case PLANE_OTHER:
		return HOST;
	default:
		return DEVICE;
	}
}

/* Cores run the same program, so most kinds were classified before under the same name, category and
 * place. */
struct memo {
	strid category;
	uint8_t place, class; /* place: enum where + 1 */
};

uint8_t *classes_of(const struct dump *d)
{
	const struct trace *tr = &d->trace;
	struct rules rules = { .v = NULL };
	struct memo *memo;
	uint8_t *use, *class;

	read_rules(&rules);
	use = find_uses(d);
	memo = xcalloc(d->str.n, sizeof *memo);
	class = xcalloc(tr->nmetas + 1, 1);
	for (size_t i = 0; i < tr->nmetas; i++) {
		const struct evmeta *m = &tr->metas[i];
		enum where where = where_of(d, m, use[i]);
		struct memo *seen = &memo[m->name];

		if (use[i] == ON_FRAME && !m->category) {
			class[i] = CLASS_OTHER;
			continue;
		}
		if (seen->place != where + 1 || seen->category != m->category) {
			seen->class =
			    class_by_rules(&rules, where, dump_text(d, m->category), dump_text(d, m->name));
			seen->place = (uint8_t)(where + 1);
			seen->category = m->category;
		}
		class[i] = seen->class;
	}
	free(memo);
	free(use);
	free(rules.v);
	return class;
}

void classify(struct dump *d)
{
	if (!d->trace.meta_class && d->trace.nmetas)
		d->trace.meta_class = classes_of(d);
}
