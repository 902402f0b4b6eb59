#include "config.h"

#include "load/hlo/hlo_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/codec/gzip.h"
#include "load/build/loaders.h"
#include "load/hlo/hlo_dump.h"
#include "load/source/source.h"
#include "model/hlo.h"
#include "model/toolfile.h"

/* Returns the 7 of "jit_f(7).hlo_proto.pb" or "jit_f(7)"; 0 = none. */
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

static const uint8_t *hlo_content(struct source *s, size_t *n, struct err *err)
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
	uint64_t damaged, program;
	size_t n;
	const uint8_t *bytes = source_bytes(f->source, &n, &damaged, ctx->progress, err);

	if (!bytes)
		return -1;
	progress_add(ctx->progress, f->packing ? 0 : n, 0);
	if (!hlo_look(bytes, n, &g))
		return err_set(err, EXIT_NOTHING, 0, "not an HLO proto; the file may be damaged");
	if (damaged != ERR_NOWHERE || g.cut) {
		f->partial = true;
		problem_add(d->problems, PROBLEM_DAMAGE, file, damaged != ERR_NOWHERE ? damaged : n, 1, "%s",
		    damaged != ERR_NOWHERE ? source_why(f->source) : "the file is cut off");
	}
	f->content = hlo_content;
	program = id_in(f->base, strlen(f->base));
	m = hlo_module_add(d, g.name, g.name_len, file, program ? program : g.id);
	m->origin = HLO_FILE;
	m->len = n;
	m->bare = g.bare;
	m->has_buffers = g.has_buffers;
	m->oom = hlo_dump_is_oom(f->path);
	m->device = hlo_dump_device(&ctx->dump->arena, f->path);
	return 0;
}

/* A compressed module whose program is listed already is not unpacked: of a thousand hosts' digests only one
 * is. */
struct finding {
	const struct dump *dump;
	uint64_t program;
	struct hlo_glance g;
	uint8_t *unpacked; /* what g points into */
	size_t n;
	bool packed, found;
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
		f->packed = true;
		p = f->unpacked = gzip_unpack(p, f->n, HLO_UNPACKED_MAX, &f->n);
	}
	f->found = p && hlo_look(p, f->n, &f->g);
	return false;
}

/* Lists a module once: hosts share modules, and files beside an XSpace were made from it. */
static void list_meta(struct dump *d, uint32_t meta)
{
	const struct evmeta *e = &d->trace.metas[meta];
	const struct plane *p = &d->trace.planes[e->plane];
	uint64_t program = id_in(strtab_str(&d->str, e->name), strtab_len(&d->str, e->name));
	struct finding f = { .dump = d, .program = program };
	struct hlo_module *m;

	stats_of_meta(d, meta, look_at, &f);
	if (f.packed && !f.unpacked)
		problem_add(d->problems, PROBLEM_DAMAGE, p->file < 0 ? 0 : p->file, ERR_NOWHERE, 1,
		    "an HLO module in it cannot be unpacked");
	program = program ? program : f.g.id;
	if (f.found && hlo_module_by_program(d, program, f.g.name, f.g.name_len) < 0) {
		m = hlo_module_add(d, f.g.name, f.g.name_len, p->file < 0 ? 0 : p->file, program);
		m->origin = HLO_XSPACE;
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
	uint64_t program = id_in(f->base, strlen(f->base));
	struct hlo_module *m;

	if (!proto && !result)
		return;
	name = name ? name : "";
	if (!program && proto && proto->hlo_module)
		program = (uint64_t)proto->hlo_module->id;
	m = hlo_module_add(d, name, strlen(name), t->file, program);
	m->origin = HLO_JSON;
	m->len = f->bytes;
	m->has_buffers = result || proto->buffer_assignment;
	m->proto = proto;
	m->result = result;
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
	hlo_dump_join(d);
}
