#include "config.h"

#include "load/hlo/hlo_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/codec/gzip.h"
#include "load/build/context.h"
#include "load/source/source.h"
#include "model/hlo.h"
#include "model/toolfile.h"

#define TWIN_MAX ((size_t)64 << 20)

static const char intermediate[] = "oom_intermediate_module.hlo.pb",
		  optimized[] = "after_optimizations.hlo.pb";

/* "jit_f(7).hlo_proto.pb", "jit_f(7)": the 7; 0 = none. */
static uint64_t id_in(const char *s, size_t n)
{
	const char *open = memrchr(s, '(', n), *p = open ? open + 1 : NULL;
	uint64_t id = 0;

	for (; p && p < s + n && isdigit((unsigned char)*p); p++)
		if (__builtin_mul_overflow(id, 10, &id) ||
		    __builtin_add_overflow(id, (uint64_t)(*p - '0'), &id))
			return 0;
	return p && p > open + 1 && p < s + n && *p == ')' ? id : 0;
}

/* What the compiler wrote into module_NNNN.….target_arguments.txt beside a module.  Of v4 it does not say
 * whether the cores of a chip work as one. */
static const char *device_in(const char *text)
{
	static const struct {
		const char *version, *device;
		bool lite;
	} table[] = {
		{ "TPU_VERSION_DRAGONFISH", "TPU v3", false },
		{ "TPU_VERSION_VIPERFISH", "TPU v5 lite", true },
		{ "TPU_VERSION_VIPERFISH", "TPU v5p", false },
		{ "TPU_VERSION_GHOSTLITE", "TPU v6 lite", false },
	};
	bool lite = strstr(text, "variant: \"lite\"");

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (table[i].lite <= lite && strstr(text, table[i].version))
			return table[i].device;
	return NULL;
}

static const char *device_of(const struct file *f)
{
	const char *kind = strstr(f->base, optimized);
	char *path, text[2048] = "";
	FILE *in;

	kind = kind ? kind : strstr(f->base, intermediate);
	kind = kind || f->kind != FILE_XLA_DUMP ? kind : strstr(f->base, "after_optimizations");
	if (!kind)
		return NULL;
	path = xasprintf("%.*starget_arguments.txt", (int)(kind - f->path), f->path);
	in = fopen(path, "r");
	free(path);
	if (!in)
		return NULL;
	text[fread(text, 1, sizeof text - 1, in)] = '\0';
	fclose(in);
	return device_in(text);
}

/* The compiler leaves a module of that name when the program did not fit. */
static bool is_oom(const struct file *f)
{
	struct slice stem = slice_of(f->path);
	char *path;
	bool is;

	if (strstr(f->base, intermediate))
		return true;
	if (!slice_cut_end(&stem, optimized))
		return false;
	path = xasprintf("%.*s%s", (int)stem.n, stem.s, intermediate);
	is = !access(path, F_OK);
	free(path);
	return is;
}

static const uint8_t *content(struct source *s, size_t *n, struct err *err)
{
	uint64_t damaged;

	return source_bytes(s, n, &damaged, NULL, err);
}

int load_hlo_file(struct load_ctx *ctx, int file, struct err *err)
{
	struct dump *d = ctx->dump;
	struct file *f = &d->files[file];
	struct hlo_module *m;
	struct hlo_glance g;
	uint64_t damaged;
	size_t n;
	const uint8_t *bytes = source_bytes(f->source, &n, &damaged, ctx->progress, err);

	if (!bytes)
		return -1;
	progress_add(ctx->progress, f->packing ? 0 : n, 0);
	if (!hlo_look(bytes, n, &g))
		return err_set(err, EXIT_NOTHING, 0, "no HLO proto — the file may be damaged");
	if (damaged != ERR_NOWHERE || g.cut) {
		f->partial = true;
		problem_add(&d->problems, PROBLEM_DAMAGE, file, damaged != ERR_NOWHERE ? damaged : n, 1, "%s",
		    damaged != ERR_NOWHERE ? "the compressed data is damaged or cut off"
					   : "the file is cut off");
	}
	f->content = content;
	m = hlo_module_add(d, g.name, g.name_len, file);
	m->origin = HLO_FILE;
	m->program = id_in(f->base, strlen(f->base));
	m->program = m->program ? m->program : g.id;
	m->len = n;
	m->bare = g.bare;
	m->has_buffers = g.has_buffers;
	m->oom = is_oom(f);
	m->device = device_of(f);
	return 0;
}

/* A packed one whose program is listed is not looked into: of a thousand hosts' digests one is. */
struct finding {
	const struct dump *dump;
	uint64_t program;
	struct hlo_glance g;
	uint8_t *unpacked; /* that the glance points into */
	size_t n;
	bool found;
};

static bool look_at(void *ctx, const struct stat_value *v)
{
	struct finding *f = ctx;

	const uint8_t *p = (const uint8_t *)v->s;

	if (!hlo_is_stat(v))
		return true;
	f->n = v->n;
	if (gzip_is(p, f->n)) {
		if (f->program && hlo_module_by_program(f->dump, f->program, NULL, 0) >= 0)
			return false;
		p = f->unpacked = gzip_unpack(p, f->n, HLO_UNPACKED_MAX, &f->n);
	}
	f->found = p && hlo_look(p, f->n, &f->g);
	return false;
}

/* Hosts have the same modules; files beside an XSpace were made from it. */
static void list_meta(struct dump *d, uint32_t meta)
{
	const struct evmeta *e = &d->trace.metas[meta];
	const struct plane *p = &d->trace.planes[e->plane];
	uint64_t program = id_in(strtab_str(&d->str, e->name), strtab_len(&d->str, e->name));
	struct finding f = { .dump = d, .program = program };
	struct hlo_module *m;

	stats_of_meta(d, meta, look_at, &f);
	program = program ? program : f.g.id;
	if (f.found && hlo_module_by_program(d, program, f.g.name, f.g.name_len) < 0) {
		m = hlo_module_add(d, f.g.name, f.g.name_len, p->file < 0 ? 0 : p->file);
		m->origin = HLO_XSPACE;
		m->program = program;
		m->meta = meta;
		m->len = f.n;
		m->bare = f.g.bare;
		m->has_buffers = f.g.has_buffers;
	}
	free(f.unpacked);
}

static void list_tool(struct dump *d, const struct toolfile *t)
{
	const Pb__HloProto *proto = toolfile_message(t, &pb__hlo_proto__descriptor);
	const Pb__PreprocessResult *result = toolfile_message(t, &pb__preprocess_result__descriptor);
	const struct file *f = &d->files[t->file];
	const char *name = proto && proto->hlo_module ? proto->hlo_module->name
	    : result                                  ? result->module_name
						      : "";
	struct hlo_module *m;

	if (!proto && !result)
		return;
	name = name ? name : "";
	m = hlo_module_add(d, name, strlen(name), t->file);
	m->origin = HLO_JSON;
	m->program = id_in(f->base, strlen(f->base));
	if (!m->program && proto && proto->hlo_module)
		m->program = (uint64_t)proto->hlo_module->id;
	m->len = f->bytes;
	m->has_buffers = result || proto->buffer_assignment;
	m->proto = proto;
	m->result = result;
}

/* "module_0000.jit_f.cl_1.after_optimizations-live-range.txt": what stands before "-live-range", or all. */
static size_t stem_of(const char *base)
{
	static const char *const ends[] = { "-buffer-assignment.txt", "-live-range.txt",
		"-memory-usage-report.txt" };

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (strstr(base, ends[i]))
			return (size_t)(strstr(base, ends[i]) - base);
	return strlen(base);
}

/* "module_0000.jit_f.cl_1.after_optimizations" → "jit_f" */
static const char *module_in(const char *base, size_t *n)
{
	const char *s = base, *end = base + *n, *stop;

	if (!strncmp(s, "module_", 7) && memchr(s, '.', *n))
		s = (const char *)memchr(s, '.', *n) + 1;
	stop = memmem(s, (size_t)(end - s), ".cl_", 4);
	stop = stop ? stop : memmem(s, (size_t)(end - s), ".after_optimizations", 20);
	*n = (size_t)((stop ? stop : end) - s);
	return s;
}

static void add_text(struct hlo_module *m, const char *s, size_t n)
{
	if (m->ntexts == HLO_TEXTS)
		return;
	m->text[m->ntexts].s = s;
	m->text[m->ntexts++].n = n;
	m->len += n;
}

/* What lies beside a text that was given alone: when its buffers are alive, or where they are. */
static void add_beside(struct dump *d, struct hlo_module *m, const struct file *f)
{
	static const char *const twins[] = { "-buffer-assignment.txt", "-live-range.txt" };
	size_t stem = stem_of(f->base) + (size_t)(f->base - f->path), n;

	for (int i = 0; i < 2; i++) {
		char *path, *text;
		FILE *in;

		if (strcmp(f->path + stem, twins[!i]))
			continue;
		path = xasprintf("%.*s%s", (int)stem, f->path, twins[i]);
		in = fopen(path, "r");
		free(path);
		if (!in)
			continue;
		text = xcalloc(TWIN_MAX, 1);
		n = fread(text, 1, TWIN_MAX, in);
		fclose(in);
		add_text(m, arena_strndup(&d->arena, text, n), n);
		free(text);
	}
}

/* Texts of the compiler, where there is no message: one module for those of one stem. */
static void list_texts(struct dump *d)
{
	struct err err;

	for (size_t i = 0; i < d->nfiles; i++) {
		const struct file *f = &d->files[i];
		size_t stem, n, len, at = 0;
		const uint8_t *bytes =
		    f->kind == FILE_XLA_DUMP && f->content ? f->content(f->source, &len, &err) : NULL;
		const char *name;

		if (!bytes)
			continue;
		n = stem = stem_of(f->base);
		while (at < d->nmodules &&
		    (stem_of(d->files[d->modules[at].file].base) != stem ||
			memcmp(d->files[d->modules[at].file].base, f->base, stem)))
			at++;
		if (at == d->nmodules) {
			name = module_in(f->base, &n);
			hlo_module_add(d, name, n, (int)i);
			d->modules[at].origin = HLO_TEXT;
			d->modules[at].has_buffers = true;
			d->modules[at].device = device_of(f);
		}
		add_text(&d->modules[at], (const char *)bytes, len);
		if (d->nfiles == 1)
			add_beside(d, &d->modules[at], f);
	}
}

void hlo_list(struct dump *d)
{
	for (uint32_t i = 0; i < d->trace.nmetas; i++) {
		uint32_t plane = d->trace.metas[i].plane;

		if (plane != UINT32_MAX && d->trace.planes[plane].kind == PLANE_META)
			list_meta(d, i);
	}
	for (size_t i = 0; i < d->ntools; i++)
		list_tool(d, &d->tools[i]);
	if (!d->nmodules)
		list_texts(d);
}
