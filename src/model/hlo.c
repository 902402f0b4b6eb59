#include "config.h"

#include "model/hlo.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/codec/gzip.h"
#include "base/codec/pbread.h"
#include "base/codec/wire.h"
#include "model/dump.h"

#define BYTES_LONGEST ((size_t)64 << 10)

/* HloModuleProto: the name is field 1, the ID field 5. */
static void look_module(const uint8_t *p, size_t n, struct hlo_glance *g)
{
	struct wire w = wire_open(p, n);

	while (wire_next(&w)) {
		if (w.field == 1 && w.type == 2) {
			g->name = (const char *)w.s;
			g->name_len = w.n;
		} else if (w.field == 5 && w.type == 0) {
			g->id = w.u;
		}
	}
	g->cut |= w.cut;
}

/* An HloProto has no field 2; in an HloModuleProto it is the name of the entry computation. */
bool hlo_look(const uint8_t *p, size_t n, struct hlo_glance *g)
{
	struct wire w = wire_open(p, n), module = { 0 };
	bool found = false;

	*g = (struct hlo_glance){ .name = "" };
	while (!w.bad && !g->bare && (wire_next(&w) || (w.cut && w.s))) {
		g->bare = found && w.field == 2;
		g->has_buffers |= w.field == 3 && w.type == 2 && w.n;
		if (w.field == 1 && w.type == 2 && !found) {
			found = true;
			module = wire_open(w.s, w.n);
		}
	}
	g->has_buffers &= !g->bare;
	g->cut = w.cut;
	if (found)
		look_module(g->bare ? p : module.p, g->bare ? n : (size_t)(module.end - module.p), g);
	return found;
}

/* Returns the key by which a module is found: the program, followed by the name if that counts.  The caller
 * frees. */
static char *module_key(uint64_t program, const char *name, size_t len, size_t *n)
{
	char *key = xmalloc(sizeof program + len + 1);

	memcpy(key, &program, sizeof program);
	if (len)
		memcpy(key + sizeof program, name, len);
	*n = sizeof program + len;
	return key;
}

static void index_module(struct module_index *x, uint64_t program, const char *name, size_t len,
    size_t module)
{
	size_t n, known;
	char *key = module_key(program, name, len, &n);
	strid id;

	if (!x->of.n)
		strtab_init(&x->of);
	known = x->of.n;
	id = strtab_add(&x->of, key, n);
	if (x->of.n > known) {
		size_t at = id;

		while (at >= x->cap)
			VEC_PUSH(x->first, x->cap, x->cap);
		x->first[id] = (uint32_t)module;
	}
	free(key);
}

static void index_in_both(struct dump *d, size_t module)
{
	const struct hlo_module *m = &d->modules[module];

	index_module(&d->modules_by_program, m->program, NULL, 0, module);
	index_module(&d->modules_by_name, m->program, m->name, strlen(m->name), module);
}

struct hlo_module *hlo_module_add(struct dump *d, const char *name, size_t len, int file, uint64_t program)
{
	VEC_PUSH(d->modules, d->nmodules, d->modules_cap);
	d->modules[d->nmodules] = (struct hlo_module){ .name = arena_strndup(&d->arena, name, len),
		.file = file,
		.program = program,
		.scoped = -1 };
	index_in_both(d, d->nmodules);
	return &d->modules[d->nmodules++];
}

static void index_free(struct module_index *x)
{
	if (x->of.n)
		strtab_free(&x->of);
	free(x->first);
	*x = (struct module_index){ .cap = 0 };
}

void hlo_modules_drop(struct dump *d, const bool *drop)
{
	size_t n = 0;

	index_free(&d->modules_by_program);
	index_free(&d->modules_by_name);
	for (size_t i = 0; i < d->nmodules; i++)
		if (!drop[i]) {
			d->modules[n] = d->modules[i];
			index_in_both(d, n++);
		}
	d->nmodules = n;
}

const char *hlo_modules_why(const struct dump *d)
{
	for (size_t i = 0; !d->nmodules && i < d->nfiles; i++)
		if (d->files[i].kind == FILE_XSPACE && d->files[i].packing &&
		    !strcmp(d->files[i].packing, "riegeli"))
			return "continuous capture without HLO: capture once without "
			       "enable_continuous_profiling for it";
	return NULL;
}

const char *hlo_modules_missing(const struct dump *d)
{
	const char *why = hlo_modules_why(d);
	bool json = d->nfiles > 0;

	for (size_t i = 0; i < d->nfiles; i++)
		json &= d->files[i].kind == FILE_CHROME_JSON;
	return why        ? why
	    : d->nmodules ? "no HLO of this program; open its *.hlo_proto.pb or --xla_dump_to folder too"
	    : json        ? "a trace JSON has no HLO; open the *.xplane.pb, or an --xla_dump_to folder too"
			  : "no HLO in this capture; open a *.hlo_proto.pb or --xla_dump_to folder with it";
}

void hlo_modules_free(struct dump *d)
{
	for (size_t i = 0; i < d->nmodules; i++)
		arena_free(&d->modules[i].arena);
	free(d->modules);
	index_free(&d->modules_by_program);
	index_free(&d->modules_by_name);
	if (d->modules_lock)
		pthread_mutex_destroy(d->modules_lock);
	free(d->modules_lock);
}

struct reading {
	const struct hlo_module *m;
	struct arena *arena;
	const Pb__HloProto *proto;
	int64_t *scoped;         /* set when only `scoped` is wanted, not the message; else NULL */
	struct hlo_bytes *bytes; /* set when only the bytes are wanted; copied unless they are in a file */
	struct err *damaged, *err;
};

static void take_bytes(struct reading *r, const uint8_t *p, size_t n)
{
	*r->bytes = (struct hlo_bytes){ .p = p, .n = n };
	if (r->m->origin == HLO_FILE)
		return;
	r->bytes->own = xmalloc(n + 1);
	memcpy(r->bytes->own, p, n);
	r->bytes->p = r->bytes->own;
}

static void unpack_module(struct reading *r, const uint8_t *p, size_t n)
{
	Pb__HloProto *whole;
	Pb__HloModuleProto *module;

	if (r->scoped) {
		*r->scoped = hlo_scoped(p, n);
		return;
	}
	if (r->bytes) {
		take_bytes(r, p, n);
		return;
	}
	if (!r->m->bare) {
		r->proto = pb_read_lean(&pb__hlo_proto__descriptor, r->arena, p, n, BYTES_LONGEST, r->damaged,
		    r->err);
		return;
	}
	module = pb_read_lean(&pb__hlo_module_proto__descriptor, r->arena, p, n, BYTES_LONGEST, r->damaged,
	    r->err);
	if (!module)
		return;
	whole = arena_alloc(r->arena, sizeof *whole);
	pb__hlo_proto__init(whole);
	whole->hlo_module = module;
	r->proto = whole;
}

bool hlo_is_stat(const struct stat_value *v)
{
	return v->type == STAT_BYTES && stat_is(v, HLO_STAT);
}

static bool take_stat(void *ctx, const struct stat_value *v)
{
	struct reading *r = ctx;

	uint8_t *plain;
	size_t n;

	if (!hlo_is_stat(v))
		return true;
	if (!gzip_is((const uint8_t *)v->s, v->n)) {
		unpack_module(r, (const uint8_t *)v->s, v->n);
	} else if ((plain = gzip_unpack((const uint8_t *)v->s, v->n, HLO_UNPACKED_MAX, &n))) {
		unpack_module(r, plain, n);
		free(plain);
	}
	return false;
}

/* Finds the bytes of the module's message, wherever they are. */
static void visit(const struct dump *d, const struct hlo_module *m, struct reading *r)
{
	const struct file *f = &d->files[m->file];
	const uint8_t *bytes;
	size_t n;

	if (m->origin == HLO_XSPACE)
		stats_of_meta(d, m->meta, take_stat, r);
	else if (m->origin == HLO_FILE && f->content && (bytes = f->content(f->source, &n, r->err)))
		unpack_module(r, bytes, n);
}

static const Pb__HloProto *read_module(const struct dump *d, const struct hlo_module *m, struct arena *a,
    struct err *damaged, struct err *err)
{
	struct reading r = { .m = m, .arena = a, .damaged = damaged, .err = err };

	*damaged = (struct err){ .at = ERR_NOWHERE };
	visit(d, m, &r);
	if (m->origin == HLO_JSON)
		r.proto = m->proto;
	if (!r.proto && err && !err->status)
		err_set(err, EXIT_NOTHING, ERR_NOWHERE, "the HLO proto of %.100s cannot be read", m->name);
	return r.proto;
}

const Pb__HloProto *hlo_module_read(const struct dump *d, size_t module, struct arena *a, struct err *damaged,
    struct err *err)
{
	const Pb__HloProto *p;

	pthread_mutex_lock(d->modules_lock); /* only one thread at a time may unpack */
	p = read_module(d, &d->modules[module], a, damaged, err);
	pthread_mutex_unlock(d->modules_lock);
	return p;
}

const Pb__HloProto *hlo_module_proto(const struct dump *d, size_t module, struct err *err)
{
	struct hlo_module *m = &d->modules[module];
	struct err damaged;

	pthread_mutex_lock(d->modules_lock);
	if (!m->proto) {
		m->proto = read_module(d, m, &m->arena, &damaged, err);
		if (damaged.status) {
			m->damaged = true;
			m->damage = arena_strndup(&m->arena, damaged.msg, strlen(damaged.msg));
		}
	}
	pthread_mutex_unlock(d->modules_lock);
	return m->proto;
}

int hlo_module_bytes(const struct dump *d, size_t module, struct hlo_bytes *bytes, struct err *err)
{
	const struct hlo_module *m = &d->modules[module];
	struct reading r = { .m = m, .bytes = bytes, .err = err };

	*bytes = (struct hlo_bytes){ .n = 0 };
	if (m->code.n) {
		*bytes = (struct hlo_bytes){ .p = (const uint8_t *)m->code.s, .n = m->code.n };
		return 0;
	}
	if (m->origin == HLO_JSON && m->proto) {
		bytes->own = xmalloc(pb__hlo_proto__get_packed_size(m->proto) + 1);
		bytes->n = pb__hlo_proto__pack(m->proto, bytes->own);
		bytes->p = bytes->own;
		return 0;
	}
	pthread_mutex_lock(d->modules_lock);
	visit(d, m, &r);
	pthread_mutex_unlock(d->modules_lock);
	if (bytes->p)
		return 0;
	if (err && !err->status)
		err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "of %.100s only the memory is known, not its instructions", m->name);
	return -1;
}

void hlo_module_scoped(const struct dump *d, size_t module)
{
	struct hlo_module *m = &d->modules[module];
	struct reading r = { .m = m, .scoped = &m->scoped };

	pthread_mutex_lock(d->modules_lock);
	if (!m->scoped_read)
		visit(d, m, &r);
	m->scoped_read = true;
	pthread_mutex_unlock(d->modules_lock);
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

size_t hlo_stem(const char *path)
{
	static const char *const passes[] = { ".before_optimizations", ".oom_intermediate_module.",
		".after_codegen", ".sm_", ".cpu_after_optimizations", ".after_optimizations",
		"-buffer-assignment.txt", "-live-range.txt", "-memory-usage-report." };
	const char *base = base_of(path), *at;

	for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
		if ((at = strstr(base, passes[i])))
			return (size_t)(at - path);
	return 0;
}

bool hlo_same_stem(const char *a, const char *b)
{
	size_t n = hlo_stem(a);

	return n && n == hlo_stem(b) && !memcmp(a, b, n);
}

bool hlo_is_intermediate(const char *path)
{
	return strstr(base_of(path), ".oom_intermediate_module.");
}

const char *hlo_name_in(const char *path, size_t *n)
{
	const char *s = base_of(path), *stop, *end = hlo_stem(path) ? path + hlo_stem(path) : s + strlen(s);

	if (!strncmp(s, "module_", 7) && memchr(s, '.', (size_t)(end - s)))
		s = (const char *)memchr(s, '.', (size_t)(end - s)) + 1;
	stop = memmem(s, (size_t)(end - s), ".cl_", 4);
	*n = (size_t)((stop ? stop : end) - s);
	return s;
}

static bool module_is_named(const struct hlo_module *m, const char *text, int how)
{
	size_t n = strlen(text), k = strlen(m->name);
	char id[24];

	snprintf(id, sizeof id, "%" PRIu64, m->program);
	switch (how) {
	case 0:
		return !strcmp(m->name, text);
	case 1:
		return n > k + 2 && !memcmp(text, m->name, k) && text[k] == '(' && text[n - 1] == ')' &&
		    strlen(id) == n - k - 2 && !memcmp(text + k + 1, id, n - k - 2);
	default:
		return m->program && !strcmp(id, text);
	}
}

int hlo_module_find(const struct dump *d, const char *text)
{
	char title[HLO_TITLE];
	int best = -1, most = -1;

	for (int how = 0; how < 3 && best < 0; how++)
		for (size_t i = 0; i < d->nmodules; i++) {
			const struct hlo_module *m = &d->modules[i];
			int worth = 2 * (m->has_buffers || m->result) + m->oom;

			if (worth > most && module_is_named(m, text, how)) {
				best = (int)i;
				most = worth;
			}
		}
	for (size_t i = 0; best < 0 && (strstr(text, " of ") || strstr(text, " #")) && i < d->nmodules; i++)
		if (!strcmp(text, hlo_module_title(d, i, title, sizeof title)))
			best = (int)i;
	return best;
}

char *hlo_module_title(const struct dump *d, size_t module, char *buf, size_t size)
{
	const struct hlo_module *m = &d->modules[module];
	size_t names = 0, ids = 0, files = 0, nth = 0;
	const char *base;

	for (size_t i = 0; i < d->nmodules; i++)
		if (!strcmp(d->modules[i].name, m->name)) {
			names++;
			ids += d->modules[i].program == m->program;
			files += d->modules[i].file == m->file;
			nth += i <= module;
		}
	base = m->file >= 0 ? d->files[m->file].base : "";
	if (names <= 1)
		snprintf(buf, size, "%s", m->name);
	else if (ids == 1 && m->program)
		snprintf(buf, size, "%s(%" PRIu64 ")", m->name, m->program);
	else if (files > 1)
		snprintf(buf, size, "%s #%zu", m->name, nth);
	else
		snprintf(buf, size, "%s of %.*s", m->name,
		    hlo_stem(base) ? (int)strcspn(base, ".") : (int)strlen(base), base);
	return buf;
}

int hlo_module_by_program(const struct dump *d, uint64_t program, const char *name, size_t len)
{
	const struct module_index *x = name ? &d->modules_by_name : &d->modules_by_program;
	size_t n;
	char *key = module_key(program, name, name ? strnlen(name, len) : 0, &n);
	strid id = x->of.n ? strtab_find(&x->of, key, n) : UINT32_MAX;

	free(key);
	return id == UINT32_MAX ? -1 : (int)x->first[id];
}
