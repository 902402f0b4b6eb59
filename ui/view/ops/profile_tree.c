#include "config.h"
#include "view/ops/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/ops/roofline.h"
#include "base/clamp.h"
#include "base/mem.h"

/* --- keys and marks --- */

static uint64_t child_key(uint64_t key, struct slice name, unsigned kind)
{
	return fold_key(key, name.s, name.n, kind);
}

uint64_t ops_view_key(const struct op_node *x)
{
	return x->parent ? child_key(ops_view_key(x->parent), x->name, x->kind) : 1;
}

size_t ops_view_row_of(const struct ops_tree *t, uint64_t key)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->row[i].key == key)
			return i;
	return SIZE_MAX;
}

/* --- the profile --- */

/* Copies the ops of one program; totals are those of the program alone. */
static void only_program(const struct opdb *db, uint64_t program, struct opdb *out)
{
	*out = (struct opdb){ .planes = db->planes,
		.peaks = db->peaks,
		.v = xcalloc(db->n + 1, sizeof *out->v) };
	for (size_t i = 0; i < db->n; i++) {
		const struct op *o = &db->v[i];

		if (o->program != program || o->sparse)
			continue;
		out->v[out->n++] = *o;
		out->op_time += o->sum.self;
		out->normalized += o->sum.normalized;
	}
	out->total = out->op_time;
}

void ops_view_tree_build(struct ops_tree *t, const struct dump *d, const struct opdb *db,
    const struct ops_options *o)
{
	struct opprofile p;

	ops_view_tree_free(t);
	if (o->program)
		only_program(db, o->program, &t->own);
	opprofile_build(d, o->program ? &t->own : db, o->group, o->idle && !o->program, &p);
	ops_view_tree_take(t, &p);
}

void ops_view_tree_take(struct ops_tree *t, const struct opprofile *p)
{
	struct op_use use;

	t->profile = *p;
	opprofile_use(&t->profile, t->profile.root, &use);
	t->bytes = use.bytes[0];
}

void ops_view_tree_free(struct ops_tree *t)
{
	opprofile_free(&t->profile);
	free(t->own.v);
	free(t->kept);
	free(t->row);
	arena_free(&t->arena);
	*t = (struct ops_tree){ 0 };
}

/* --- numbers and texts of a node --- */

void ops_view_numbers(const struct ops_tree *t, const struct op_node *x, bool dvfs, double v[OPS_COLUMNS])
{
	struct op_use u;
	bool part = x->kind == NODE_PART;

	opprofile_use(&t->profile, x, &u);
	v[OPS_NAME] = v[OPS_FRAMEWORK] = NAN;
	v[OPS_TIME] = part ? NAN : u.share;
	v[OPS_WASTED] = part ? NAN : u.wasted;
	v[OPS_SHARE] = t->bytes > 0 && !part ? u.bytes[0] / t->bytes : NAN;
	v[OPS_FLOPS] = t->profile.knows & KNOWS_FLOPS && u.utilization > 0 ? u.utilization : NAN;
	v[OPS_HBM] = t->profile.knows & KNOWS_HBM && !part ? u.hbm : NAN;
	if (dvfs && x->scaled > 0)
		v[OPS_FLOPS] *= (double)x->sum.self / (double)x->scaled;
}

double ops_view_best_use(const double v[OPS_COLUMNS])
{
	return fmax(v[OPS_FLOPS], v[OPS_HBM]); /* ignores a NaN */
}

struct slice ops_view_framework_of(const struct op_node *x)
{
	struct slice t = { "", 0 };

	if (!x->op || x->kind == NODE_DUPLICATES)
		return t;
	t = x->op->provenance;
	while (t.n && t.s[t.n - 1] == ':')
		t.n--;
	for (size_t i = t.n; i-- > 0;)
		if (t.s[i] == '/' || t.s[i] == ':')
			return (struct slice){ t.s + i + 1, t.n - i - 1 };
	return t;
}

size_t ops_view_below(const struct op_node *x)
{
	size_t n = x->kind == NODE_OP;

	for (size_t i = 0; i < x->n && x->kind != NODE_OP; i++)
		n += ops_view_below(x->child[i]);
	return n;
}

static bool ops_view_match(const struct op_node *x, const struct regex *re, struct regex_scratch *scratch)
{
	const struct op *o = x->kind == NODE_OP || x->kind == NODE_PART ? x->op : NULL;

	return regex_match(re, scratch, x->name.s, x->name.n, NULL, NULL) ||
	    (o &&
		(regex_match(re, scratch, o->expression.s, o->expression.n, NULL, NULL) ||
		    regex_match(re, scratch, o->provenance.s, o->provenance.n, NULL, NULL)));
}

/* --- the filter --- */

struct keeping {
	struct ops_tree *t;
	const struct regex *re;
	struct regex_scratch *scratch;
	size_t cap;
};

/* Keeps nodes that match, and their ancestors.  Inner nodes are not matched themselves, or nothing below them
 * would be filtered out. */
static bool keep_matching(struct keeping *k, const struct op_node *x)
{
	bool yes = !x->n || x->kind == NODE_OP ? ops_view_match(x, k->re, k->scratch) : false;

	for (size_t i = 0; i < x->n; i++)
		yes |= keep_matching(k, x->child[i]);
	if (!yes)
		return false;
	VEC_ADD(k->t->kept, k->t->nkept, k->cap, x);
	k->t->kept_ops += x->kind == NODE_OP;
	return true;
}

static int by_address(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t) * (const void *const *)a, y = (uintptr_t) * (const void *const *)b;

	return (x > y) - (x < y);
}

void ops_view_tree_filter(struct ops_tree *t, const struct regex *re)
{
	struct keeping k = { .t = t, .re = re };

	free(t->kept);
	t->kept = NULL;
	t->nkept = t->kept_ops = 0;
	if (!re || !t->profile.root)
		return;
	k.scratch = regex_scratch_new(re);
	VEC_PUSH(t->kept, t->nkept, k.cap); /* not NULL, even if nothing matches */
	keep_matching(&k, t->profile.root);
	regex_scratch_free(k.scratch);
	qsort(t->kept, t->nkept, sizeof *t->kept, by_address);
}

bool ops_view_kept(const struct ops_tree *t, const struct op_node *x)
{
	return !t->kept || bsearch(&x, t->kept, t->nkept, sizeof *t->kept, by_address);
}

/* --- the order of a level --- */

struct item {
	const struct op_node *x;
	double value;
	struct slice text;
	size_t at;
	bool texts, reverse;
};

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int c = 0;

	if (x->texts) {
		c = memcmp(x->text.s, y->text.s, x->text.n < y->text.n ? x->text.n : y->text.n);
		c = c ? c : (x->text.n > y->text.n) - (x->text.n < y->text.n);
	} else if (isnan(x->value) || isnan(y->value)) {
		return isnan(x->value) != isnan(y->value) ? isnan(x->value) ? 1 : -1
							  : (x->at > y->at) - (x->at < y->at);
	} else {
		c = (x->value < y->value) - (x->value > y->value);
	}
	c = x->reverse ? -c : c;
	return c ? c : (x->at > y->at) - (x->at < y->at);
}

/* The children that match the filter, in the chosen order; the caller frees it. */
static struct item *sorted_children(const struct ops_tree *t, const struct ops_options *o,
    const struct op_node *x, size_t *n)
{
	struct item *v = xcalloc(x->n + 1, sizeof *v);
	double num[OPS_COLUMNS];

	*n = 0;
	for (size_t i = 0; i < x->n; i++) {
		struct item *it = &v[*n];

		if (!ops_view_kept(t, x->child[i]))
			continue;
		ops_view_numbers(t, x->child[i], o->dvfs, num);
		*it = (struct item){ .x = x->child[i],
			.value = num[o->sort],
			.at = i,
			.reverse = o->reverse,
			.texts = o->sort == OPS_NAME || o->sort == OPS_FRAMEWORK,
			.text = { "", 0 } };
		if (it->texts)
			it->text = o->sort == OPS_NAME ? it->x->name : ops_view_framework_of(it->x);
		++*n;
	}
	if (*n && (o->sort != OPS_TIME || o->reverse || !t->profile.db)) /* the database has them by time */
		qsort(v, *n, sizeof *v, compare_items);
	return v;
}

/* Where there is room: the share of the whole time from which a line is open by default, how many lines it has
 * then, and how many those have that are the largest of their level.  The first step does not ask how much room
 * there is, the others have to fit. */
static const struct {
	double worth;
	int beside, largest;
} fill_step[] = { { .1, 5, 0 }, { .1, 10, 0 }, { .05, 10, 0 }, { .02, 10, 0 }, { .02, 15, 15 },
	{ .01, 20, 20 }, { .005, 30, 30 }, { .001, 50, 50 } };
enum { FILL_STEPS = sizeof fill_step / sizeof *fill_step };

/* Is it, and is each node around it, the largest of its level? */
static bool is_largest(const struct op_node *x)
{
	for (const struct op_node *up = x->parent; up; x = up, up = up->parent)
		if (up->child[up->child[0]->kind == NODE_IDLE && up->n > 1] != x)
			return false;
	return true;
}

/* Lines of a level; fewer in a level that was opened by default beside the largest. */
static size_t limit_of(const struct ops_tree *t, const struct ops_options *o, const struct op_node *x,
    const struct fold_mark *m)
{
	bool fills = o->room && !o->all && !t->kept && !(m && m->open > 0);
	int largest = fills ? fill_step[o->fill].largest : 0;

	if (fills && !is_largest(x))
		return (size_t)fill_step[o->fill].beside;
	return (size_t)(o->limit > largest ? o->limit : largest);
}

/* How many of the items get a line of their own. */
static size_t lines_shown(const struct ops_tree *t, const struct ops_options *o, const struct op_node *x,
    const struct item *v, size_t n, const struct fold_mark *m)
{
	size_t limit = limit_of(t, o, x, m), least = m ? m->least : 0, k = 0;
	double sum = 0, num[OPS_COLUMNS], whole;

	ops_view_numbers(t, x, false, num);
	whole = num[OPS_TIME];
	while (k < n && k < limit && !(o->top90 && whole > 0 && sum >= .9 * whole)) {
		ops_view_numbers(t, v[k++].x, false, num);
		sum += num[OPS_TIME] > 0 ? num[OPS_TIME] : 0;
	}
	k = least > k ? least : k;
	return k < n ? k : n;
}

/* --- lines --- */

struct making {
	struct ops_tree *t;
	const struct ops_options *o;
	const struct fold_marks *marks;
	struct ops_contents *contents;
};

static struct ops_view_row *add_row(struct making *m, uint32_t parent, int level)
{
	struct ops_tree *t = m->t;

	VEC_PUSH(t->row, t->n, t->cap);
	t->row[t->n] = (struct ops_view_row){ .parent = parent, .level = level };
	return &t->row[t->n++];
}

/* The largest node of each of the first levels is open by default, because it is the most important. */
static bool opens_itself(const struct making *m, const struct op_node *x, int level)
{
	static const int levels[] = { [GROUP_PROGRAM] = 2, [GROUP_CATEGORY] = 1, [GROUP_PROVENANCE] = 4 };

	if (m->t->kept || m->o->all)
		return true;
	if (level >= levels[m->o->group])
		return false;
	if (m->o->room) {
		double num[OPS_COLUMNS];

		ops_view_numbers(m->t, x, false, num);
		if (x->kind != NODE_IDLE && num[OPS_TIME] >= fill_step[m->o->fill].worth)
			return true;
	}
	return is_largest(x);
}

static void add_parts(struct making *m, uint32_t parent, uint64_t program,
    const Pb__HloComputationProto *body, int depth)
{
	int level = m->t->row[parent].level + 1;

	for (size_t i = 0; body && i < body->n_instructions; i++) {
		const Pb__HloInstructionProto *part = body->instructions[i];
		const struct fold_mark *mark;
		struct ops_view_row *r;
		const char *name = part->name ? part->name : "";

		if (!contents_is(part))
			continue;
		r = add_row(m, parent, level);
		r->part = part;
		r->body = body;
		r->program = program;
		r->key = child_key(m->t->row[parent].key, (struct slice){ name, strlen(name) }, NODE_PART);
		r->opens = depth < HLO_DEPTH && part->opcode && !strcmp(part->opcode, "fusion");
		mark = fold_find(m->marks, r->key);
		r->open = r->opens && mark && mark->open > 0;
		if (r->open)
			add_parts(m, (uint32_t)(m->t->n - 1), program,
			    contents_body(m->contents->hlo, program, part), depth + 1);
	}
}

static void add_contents(struct making *m, uint32_t parent, const struct op *o)
{
	struct ops_contents *c = m->contents;

	if (!c->hlo)
		c->hlo = contents_new(c->d);
	add_parts(m, parent, o->program,
	    contents_body(c->hlo, o->program,
		contents_instruction(c->hlo, o->program, op_short_name(c->d, o))),
	    0);
}

/* Values from a file are fractions: shares are added, utilizations are averaged by share. */
static void add_use(struct op_use *to, const struct op_use *u)
{
	double whole = to->share + u->share;

	for (int i = 0; i < 3; i++) {
		to->bandwidth[i] = safe_div(to->bandwidth[i] * to->share + u->bandwidth[i] * u->share, whole);
		to->bytes[i] += u->bytes[i];
	}
	to->flops += u->flops;
	to->uncapped += u->uncapped;
	to->wasted += u->wasted;
	to->share = whole;
}

static void add_more(struct making *m, uint32_t parent, int level, uint64_t key, const struct op_node *of,
    const struct item *v, size_t n)
{
	struct op_node *sum = arena_alloc(&m->t->arena, sizeof *sum);
	struct op_use *use = arena_alloc(&m->t->arena, sizeof *use);
	struct ops_view_row *r = add_row(m, parent, level);

	*sum = (struct op_node){ .kind = NODE_DUPLICATES, .name = { "", 0 }, .parent = (struct op_node *)of };
	for (size_t i = 0; i < n; i++) {
		opsum_add(&sum->sum, &v[i].x->sum);
		if (v[i].x->use)
			add_use(use, v[i].x->use);
	}
	if (!m->t->profile.db)
		sum->use = use;
	r->node = sum;
	r->more = (uint32_t)n;
	r->key = child_key(key, sum->name, 99);
}

/* Does any of its children match the filter? */
static bool has_lines(const struct ops_tree *t, const struct op_node *x)
{
	size_t i = 0;

	while (i < x->n && !ops_view_kept(t, x->child[i]))
		i++;
	return i < x->n;
}

/* The recursion is as deep as the profile (OPPROFILE_DEPTH plus the levels around it, or the limit for
 * files). */
static void add_children(struct making *m, const struct op_node *x, uint64_t key, uint32_t parent, int level)
{
	size_t n, some;
	struct item *v = sorted_children(m->t, m->o, x, &n);

	some = lines_shown(m->t, m->o, x, v, n, fold_find(m->marks, key));
	for (size_t i = 0; i < some; i++) {
		const struct op_node *c = v[i].x;
		bool fusion = m->t->profile.db && c->kind == NODE_OP && slice_ends(c->op->category, "fusion");
		bool lines = has_lines(m->t, c);
		struct ops_view_row *r = add_row(m, parent, level);
		uint32_t at = (uint32_t)(m->t->n - 1);
		const struct fold_mark *mark;

		r->node = c;
		r->key = child_key(key, c->name, c->kind);
		r->opens = lines || fusion;
		mark = fold_find(m->marks, r->key);
		r->open = r->opens &&
		    (mark && mark->open ? mark->open > 0
					: c->n && c->kind != NODE_OP && opens_itself(m, c, level));
		if (r->open && lines)
			add_children(m, c, r->key, at, level + 1);
		else if (r->open)
			add_contents(m, at, c->op);
	}
	if (some < n)
		add_more(m, parent, level, key, x, v + some, n - some);
	free(v);
}

void ops_view_tree_rows(struct ops_tree *t, const struct ops_options *o, const struct fold_marks *marks,
    struct ops_contents *c)
{
	struct making m = { t, o, marks, c };

	t->n = 0;
	arena_free(&t->arena);
	if (t->profile.root)
		add_children(&m, t->profile.root, ops_view_key(t->profile.root), UINT32_MAX, 0);
}

void ops_view_tree_fill(struct ops_tree *t, struct ops_options *o, const struct fold_marks *marks,
    struct ops_contents *c)
{
	o->fill = 0;
	ops_view_tree_rows(t, o, marks, c);
	while (o->room && !o->all && !t->kept && t->n < (size_t)o->room && o->fill + 1 < FILL_STEPS) {
		o->fill++;
		ops_view_tree_rows(t, o, marks, c);
		if (t->n <= (size_t)o->room)
			continue;
		o->fill--;
		ops_view_tree_rows(t, o, marks, c);
		break;
	}
}

/* --- finding nodes, in closed lines, too --- */

struct finding {
	const struct ops_tree *t;
	const struct ops_options *o;
	const struct regex *re;
	struct regex_scratch *scratch;
	const struct op_node *here;
	const struct op_node **v;
	size_t n, cap, at;
	bool passed;
};

static void collect_hits(struct finding *f, const struct op_node *x)
{
	struct item *v;
	size_t n;

	if (x == f->here) {
		f->passed = true;
		f->at = f->n;
	}
	if (x->parent && ops_view_match(x, f->re, f->scratch))
		VEC_ADD(f->v, f->n, f->cap, x);
	v = sorted_children(f->t, f->o, x, &n);
	for (size_t i = 0; i < n; i++)
		collect_hits(f, v[i].x);
	free(v);
}

const struct op_node **ops_view_tree_find(const struct ops_tree *t, const struct ops_options *o,
    const struct regex *re, const struct op_node *here, size_t *n, size_t *at)
{
	struct finding f = { .t = t, .o = o, .re = re, .here = here };

	if (t->profile.root) {
		f.scratch = regex_scratch_new(re);
		collect_hits(&f, t->profile.root);
		regex_scratch_free(f.scratch);
	}
	*n = f.n;
	*at = f.at < f.n ? f.at : 0;
	return f.v;
}

static const struct op_node *op_below(const struct op_node *x, uint64_t program, strid name)
{
	const struct op_node *hit = NULL;

	if (x->kind == NODE_OP && x->op->name == name && (!program || x->op->program == program))
		return x;
	for (size_t i = 0; i < x->n && !hit; i++)
		hit = op_below(x->child[i], program, name);
	return hit;
}

const struct op_node *ops_view_tree_op(const struct ops_tree *t, uint64_t program, strid name)
{
	return t->profile.root && t->profile.db ? op_below(t->profile.root, program, name) : NULL;
}

void ops_view_reveal(const struct ops_tree *t, const struct ops_options *o, struct fold_marks *marks,
    const struct op_node *x)
{
	for (const struct op_node *up = x->parent; up; x = up, up = up->parent) {
		size_t n, at = 0;
		struct item *v = sorted_children(t, o, up, &n);
		struct fold_mark *m = fold_mark(marks, ops_view_key(up));

		while (at < n && v[at].x != x)
			at++;
		if (at < n && at >= lines_shown(t, o, up, v, n, m))
			m->least = (uint32_t)at + 1;
		m->open = 1;
		free(v);
	}
}
