#include "config.h"
#include "analyze/llo/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/llo.h"

/* A program that was compiled, which its unit TLP is: what it says about the others. */
struct module {
	struct slice dir, name;
	int64_t ns, vmem; /* bytes; -1: not known */
	struct strtab units;
	struct slice *print; /* fingerprints by ID */
	size_t prints_cap;
};

struct making {
	const struct dump *d;
	struct llo *llo;
	struct llo_units units;
	struct module *module;
	size_t nmodules, cap;
};

static struct slice text_of_file(const struct file *f)
{
	struct err err;
	size_t n = 0;
	const uint8_t *s = f->content ? f->content(f->source, &n, &err) : NULL;

	return (struct slice){ s ? (const char *)s : NULL, s ? n : 0 };
}

/* The text of a pass; of files that were renamed, that of a kind. */
static struct slice text_of_pass(const struct making *m, const struct llo_unit *u, const char *pass,
    enum file_kind kind)
{
	for (size_t i = 0; i < u->n; i++) {
		const struct file *f = &m->d->files[m->units.file[u->first + i]];
		struct llo_name name;
		bool named = llo_name(f->base, &name);

		if (named ? slice_is(name.pass, pass) : f->kind == kind)
			return text_of_file(f);
	}
	return (struct slice){ NULL, 0 };
}

/* --- programs --- */

static void name_unit(struct module *m, struct slice name, struct slice print)
{
	strid id = strtab_add(&m->units, name.s, name.n);

	if (id >= m->prints_cap) {
		size_t cap = (size_t)id * 2 + 16;

		m->print = xrealloc(m->print, cap, sizeof *m->print);
		memset(m->print + m->prints_cap, 0, (cap - m->prints_cap) * sizeof *m->print);
		m->prints_cap = cap;
	}
	if (print.n)
		m->print[id] = print;
}

static void read_map(struct module *m, struct slice text)
{
	struct slice line;

	while (llo_next_line(&text, &line))
		if (slice_cut(&line, "key:") || (slice_cut(&line, "  ") && line.n && *line.s != ' '))
			name_unit(m, line, (struct slice){ NULL, 0 });
}

/* "PRINT:i=...:c=... NAME" */
static void read_prints(struct module *m, struct slice text)
{
	struct slice line;

	while (llo_next_line(&text, &line)) {
		const char *blank = line.n ? memchr(line.s, ' ', line.n) : NULL;
		struct slice print = { line.s, blank ? (size_t)(blank - line.s) : 0 };
		const char *end = slice_find(print, "=:");

		if (!end || blank + 1 == line.s + line.n)
			continue;
		print.n = (size_t)(end + 1 - print.s);
		name_unit(m, (struct slice){ blank + 1, (size_t)(line.s + line.n - blank - 1) }, print);
	}
}

static void read_memory_report(struct module *m, struct slice text)
{
	struct slice size = slice_trim(llo_between(text, "\"vmem_capacity\":", ""));
	struct slice name = slice_trim(llo_between(text, "\"module_name\":", ","));

	if (!size.n || !llo_cut_number(&size, &m->vmem))
		m->vmem = -1;
	if (!m->name.n && slice_cut(&name, "\""))
		m->name = slice_before(name, "\"");
}

static void add_module(struct making *m, const struct llo_unit *u)
{
	struct slice hlo = text_of_pass(m, u, "hlo", FILE_UNKNOWN);
	struct slice map = text_of_pass(m, u, "deduplication-map", FILE_UNKNOWN);
	struct slice prints = text_of_pass(m, u, "all-fingerprints", FILE_UNKNOWN);
	struct slice report = text_of_pass(m, u, "vmem_report", FILE_UNKNOWN);
	struct module x = { .dir = u->dir, .ns = u->ns, .vmem = -1 };

	if (!slice_is(u->name, "TLP") ||
	    (!hlo.s && !map.s && !prints.s && !text_of_pass(m, u, "final_bundles", FILE_UNKNOWN).s))
		return;
	strtab_init(&x.units);
	if (slice_cut(&hlo, "HloModule ")) {
		while (x.name.n < hlo.n && !memchr(" ,\t\n", hlo.s[x.name.n], 4))
			x.name.n++;
		x.name.s = hlo.s;
	}
	read_map(&x, map);
	read_prints(&x, prints);
	if (report.s)
		read_memory_report(&x, report);
	VEC_ADD(m->module, m->nmodules, m->cap, x);
}

/* The latest program that names the unit and is not younger; else the latest that is not. */
static const struct module *module_of(const struct making *m, const struct llo_unit *u)
{
	const struct module *latest = NULL, *named = NULL;

	for (size_t i = 0; i < m->nmodules; i++) {
		const struct module *x = &m->module[i];

		if (x->ns > u->ns || !slice_same(x->dir, u->dir))
			continue;
		latest = x;
		if (strtab_find(&x->units, u->name.s, u->name.n) != UINT32_MAX)
			named = x;
	}
	return named ? named : latest;
}

static struct slice fingerprint_of(const struct module *m, struct slice name)
{
	struct slice key = slice_is(name, "TLP") ? slice_of("<top-inlining-caller>") : name;
	strid id = m ? strtab_find(&m->units, key.s, key.n) : UINT32_MAX;

	return id != UINT32_MAX && id < m->prints_cap ? m->print[id] : (struct slice){ NULL, 0 };
}

/* --- chips --- */

static int64_t capacity_of(const struct llo_matrix *m, const char *name)
{
	for (size_t i = 0; i < m->nunits; i++)
		if (slice_is(m->name[i], name))
			return m->capacity[i];
	return -1;
}

/* The last of the table that has these slots and VMEM: its name is the usual one. */
static const struct chip_core *chip_of(const struct llo *l, struct slice use, int64_t vmem)
{
	struct llo_matrix m;
	int64_t matmul;
	const struct chip_core *found = NULL;

	if (!use.s || vmem < 0)
		return NULL;
	llo_read_matrix(use, &m);
	matmul = capacity_of(&m, "MATMUL");
	if (matmul < 0)
		matmul = capacity_of(&m, "MXU");
	for (size_t i = 0; i < l->nchips; i++)
		if (l->chip[i].ghz > 0 && l->chip[i].matmul == matmul &&
		    l->chip[i].xlu == capacity_of(&m, "XLU") && l->chip[i].valu == capacity_of(&m, "VALU") &&
		    (int64_t)l->chip[i].vmem << 20 == vmem)
			found = &l->chip[i];
	free(m.use);
	return found;
}

/* --- kernels --- */

static void add_kernel(struct making *m, const struct llo_unit *u, size_t dump)
{
	struct llo_kernel *k = &m->llo->v[m->llo->n];
	const struct module *of = module_of(m, u);
	struct llo_texts t = { .bundles = text_of_pass(m, u, "final_bundles", FILE_LLO_BUNDLES),
		.packed = text_of_pass(m, u, "packed-bundles-post-ra", FILE_UNKNOWN),
		.final_use =
		    text_of_pass(m, u, "final_hlo-static-per-bundle-utilization", FILE_LLO_UTILIZATION),
		.cycle_use = text_of_pass(m, u, "pre-delay_hlo-static-per-bundle-utilization", FILE_UNKNOWN),
		.schedule = text_of_pass(m, u, "schedule-analysis_final_bundles", FILE_UNKNOWN),
		.pre = text_of_pass(m, u, "schedule-analysis_packed-bundles-pre-ra", FILE_UNKNOWN),
		.post = text_of_pass(m, u, "schedule-analysis_packed-bundles-post-ra", FILE_UNKNOWN),
		.regions = text_of_pass(m, u, "post-delay-converter", FILE_UNKNOWN),
		.chains = text_of_pass(m, u, "critical-path", FILE_UNKNOWN) };

	*k = (struct llo_kernel){ .name = u->name,
		.ns = u->ns,
		.dump = dump,
		.module = of ? of->name : (struct slice){ NULL, 0 },
		.vmem_capacity = of ? of->vmem : -1,
		.measured_us = NAN,
		.chip = m->llo->nchips == 1 ? m->llo->chip : chip_of(m->llo, t.final_use, of ? of->vmem : -1),
		.fingerprint = fingerprint_of(of, u->name) };
	strtab_init(&k->str);
	llo_kernel_make(k, &t);
	if (!k->bundles) {
		llo_kernel_free(k);
		return;
	}
	if (!k->name.n) {
		k->name = slice_of(m->d->files[m->units.file[u->first]].base);
		k->kind = LLO_XLA;
	}
	if (k->fingerprint.n)
		k->fingerprint.s = arena_strndup(&m->llo->text, k->fingerprint.s, k->fingerprint.n);
	m->llo->n++;
}

static int by_cycles(const void *a, const void *b)
{
	const struct llo_kernel *x = a, *y = b;
	int64_t p = x->cycles > 0 ? x->cycles : x->issue_cycles,
		q = y->cycles > 0 ? y->cycles : y->issue_cycles;
	int by = (x->kind == LLO_INFRASTRUCTURE) - (y->kind == LLO_INFRASTRUCTURE);

	by = by ? by : (p < q) - (p > q);
	by = by ? by : slice_order(x->name, y->name);
	return by ? by : (x->ns > y->ns) - (x->ns < y->ns);
}

/* Each folder with files of LLO is a dump, in the order in which they were opened. */
static void add_dump(struct slice dir, struct slice *dirs, size_t *n)
{
	size_t i = 0;

	while (i < *n && !slice_same(dirs[i], dir))
		i++;
	if (i == *n)
		dirs[(*n)++] = dir;
}

static void find_order_of_dumps(const struct making *m, struct slice *dirs, size_t *n)
{
	enum { DUMPS_MOST = 64 };

	for (size_t i = 0; i < m->d->nfiles && *n < DUMPS_MOST; i++) {
		const struct file *f = &m->d->files[i];

		if (file_kind_info[f->kind].family == FILES_LLO)
			add_dump((struct slice){ f->path, (size_t)(f->base - f->path) }, dirs, n);
	}
}

void llo_make(const struct dump *d, const char *chip, struct progress *progress, struct llo *l)
{
	struct making m = { .d = d, .llo = l };
	struct slice dirs[128];

	*l = (struct llo){ .n = 0 };
	if (chip && chip_core_find(chip, &l->chip[0]))
		l->nchips = 1;
	else
		while (l->nchips < LLO_CHIPS_MOST && chip_core_at(l->nchips, &l->chip[l->nchips]))
			l->nchips++;
	llo_units(d, &m.units);
	find_order_of_dumps(&m, dirs, &l->ndumps);
	for (size_t i = 0; i < m.units.n; i++) {
		add_module(&m, &m.units.v[i]);
		l->files += m.units.v[i].n;
	}
	l->v = xcalloc(m.units.n + 1, sizeof *l->v);
	for (size_t i = 0; i < m.units.n && !progress_canceled(progress); i++) {
		const struct llo_unit *u = &m.units.v[i];
		size_t dump = 0;

		while (dump + 1 < l->ndumps && !slice_same(dirs[dump], u->dir))
			dump++;
		add_kernel(&m, u, dump);
	}
	VEC_SORT(l->v, l->n, by_cycles);
	for (size_t i = 0; i < l->n; i++)
		l->kernels += l->v[i].kind != LLO_INFRASTRUCTURE;
	l->nmodules = m.nmodules;
	for (size_t i = 0; i < m.nmodules; i++) {
		strtab_free(&m.module[i].units);
		free(m.module[i].print);
	}
	free(m.module);
	llo_units_free(&m.units);
}

void llo_free(struct llo *l)
{
	for (size_t i = 0; i < l->n; i++)
		llo_kernel_free(&l->v[i]);
	free(l->v);
	arena_free(&l->text);
	*l = (struct llo){ .n = 0 };
}

const struct llo_kernel *llo_find(const struct llo *l, struct slice name, struct slice module)
{
	const char *paren = module.n ? memchr(module.s, '(', module.n) : NULL;

	module.n = paren ? (size_t)(paren - module.s) : module.n;
	for (size_t i = 0; i < l->n; i++)
		if (slice_same(l->v[i].name, name) &&
		    (!module.n || !l->v[i].module.n || slice_same(l->v[i].module, module)))
			return &l->v[i];
	return NULL;
}

void llo_measured(struct llo *l, struct slice name, struct slice module, struct slice hlo, double us)
{
	const char *paren = module.n ? memchr(module.s, '(', module.n) : NULL;

	module.n = paren ? (size_t)(paren - module.s) : module.n;
	hlo = llo_result_of(hlo);
	for (size_t i = 0; i < l->n; i++) {
		struct llo_kernel *k = &l->v[i];

		if (!slice_same(k->name, name) || (k->module.n && module.n && !slice_same(k->module, module)))
			continue;
		k->other_compile = k->result.n && hlo.n && !slice_same(k->result, hlo);
		k->measured_us = k->other_compile ? NAN : us;
	}
}

struct slice llo_string(const struct llo_kernel *k, strid id)
{
	return strtab_text(&k->str, id);
}

const char *llo_kind_name(enum llo_kind_of kind)
{
	static const char *const names[] = { "pallas", "custom_call", "xla", "infrastructure" };

	return names[kind];
}
