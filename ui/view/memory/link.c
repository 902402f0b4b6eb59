#include "config.h"
#include "view/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/ops/opdb.h"
#include "base/mem.h"
#include "core/app.h"

/* --- the buffer under the cursor --- */

struct memory_buffer *memory_view_here(const struct mem_view *s)
{
	struct memory_buffer *const *here;

	if (!s->made || s->failed)
		return NULL;
	if (s->boxes)
		return s->box.at < s->box.n ? s->box.v[s->box.at].b : NULL;
	if (s->by_op)
		return memory_view_op_buffer(s);
	here = sheet_here(&s->sheet);
	return here ? *here : NULL;
}

static bool buffer_is_named(const struct memory_buffer *b, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(b->name, name, n) && (!b->name[n] || b->name[n] == '{');
}

static bool go_to_row(struct mem_view *s, const char *name)
{
	for (size_t i = 0; i < s->nrows; i++)
		if (buffer_is_named(s->row[i], name))
			return sheet_show(&s->sheet, i);
	return false;
}

/* Goes to the row that stands for a buffer: the one whose memory it shares, or the row of small buffers. */
static bool go_to_stand_in(struct view *v, const struct memory_buffer *b)
{
	struct mem_view *s = v->state;

	for (size_t i = 0; i < s->nrows; i++) {
		const struct memory_buffer *r = s->row[i];
		bool small = r->id == -1 && !*r->name;

		if (!small && (r->allocation != b->allocation || r->offset != b->offset || r->start < 0))
			continue;
		app_say(v->app,
		    small ? "%s is one of the small buffers" : "%s shares the memory of this buffer",
		    b->name);
		return sheet_show(&s->sheet, i);
	}
	return false;
}

static const struct memory_buffer *largest_named(const struct memory *m, const char *name)
{
	const struct memory_buffer *best = NULL;

	for (size_t i = 0; i < m->nall; i++)
		if (buffer_is_named(&m->all[i], name) && (!best || m->all[i].size > best->size))
			best = &m->all[i];
	return best;
}

/* Goes to the buffer at the peak, else at the first point where it is alive. */
bool memory_view_go(struct view *v, const char *name)
{
	struct mem_view *s = v->state;
	const struct memory_buffer *b;

	name += *name == '%';
	for (size_t i = 0; s->boxes && i < s->box.n; i++)
		if (buffer_is_named(s->box.v[i].b, name)) {
			s->box.at = i;
			return true;
		}
	s->boxes = s->by_op = s->frame.full = false;
	if (go_to_row(s, name))
		return true;
	if (!(b = largest_named(&s->m, name)))
		return false;
	s->point = b->start + 1;
	s->from = 0;
	s->to = (int64_t)s->m.npoints;
	memory_view_rows(s);
	return go_to_row(s, name) || go_to_stand_in(v, b);
}

/* --- from view to view --- */

/* Compares "%fusion.3 = …" with "fusion.3". */
static struct slice instruction_of(const struct dump *d, strid name)
{
	struct slice t = dump_text(d, name);
	const char *end;

	if (t.n && *t.s == '%') {
		t.s++;
		t.n--;
	}
	end = t.n ? memchr(t.s, ' ', t.n) : NULL;
	if (end)
		t.n = (size_t)(end - t.s);
	return t;
}

/* A reference to the op that defines the buffer if the trace has it, else to its name. */
struct ref memory_view_ref(const struct view *v)
{
	const struct mem_view *s = v->state;
	const struct memory_buffer *b = memory_view_here(s);
	struct ref ref = REF_EMPTY;
	const struct dump *d = v->cap->dump;
	size_t n;

	if (!b || !*b->name)
		return ref;
	n = strcspn(b->name, "{");
	ref.kind = REF_BUFFER;
	ref.program = d->modules[s->module].program;
	snprintf(ref.text, sizeof ref.text, "%s", b->name);
	for (size_t i = 0; i < d->trace.nmetas && !ref.name; i++) {
		struct slice t = instruction_of(d, d->trace.metas[i].name);

		if (t.n == n && !memcmp(t.s, b->name, n))
			ref.name = d->trace.metas[i].name;
	}
	if (ref.name)
		ref.kind = REF_OP;
	return ref;
}

/* Shows the buffer, in whatever memory space it is. */
static int show_name(struct view *v, char *name)
{
	struct mem_view *s = v->state;
	bool ready, there;

	free(s->want);
	s->want = NULL;
	ready = memory_view_sync(v);
	there = ready && memory_view_go(v, name);
	if (there || (ready && s->nspaces < 2)) {
		free(name);
		return there ? 0 : -1;
	}
	s->want = name;
	s->home = s->space;
	if (ready)
		memory_view_sync(v);
	return s->failed ? -1 : 0;
}

static int show_op(struct view *v, strid name, uint64_t program)
{
	struct mem_view *s = v->state;
	int module = program ? hlo_module_by_program(v->cap->dump, program, NULL, 0) : s->module;
	struct slice t;

	if (!name || (program && module < 0))
		return -1;
	if (module >= 0 && module != s->module)
		memory_view_choose(v, module, 0);
	t = instruction_of(v->cap->dump, name);
	return show_name(v, xstrndup(t.s, t.n));
}

int memory_view_show(struct view *v, const struct ref *ref)
{
	const struct trace *t = &v->cap->dump->trace;
	uint32_t meta;
	int64_t id = 0;
	int module;

	switch (ref->kind) {
	case REF_OP:
	case REF_NAME:
		return show_op(v, ref->name, ref->kind == REF_OP ? ref->program : 0);
	case REF_EVENT:
		if (ref->track >= t->ntracks || ref->event >= t->tracks[ref->track].n)
			return -1;
		meta = track_meta(&t->tracks[ref->track], ref->event);
		stat_meta_int(v->cap->dump, meta, "program_id", &id);
		return show_op(v, t->metas[meta].name, (uint64_t)id);
	case REF_BUFFER:
		if (ref->program)
			memory_view_choose(v, hlo_module_by_program(v->cap->dump, ref->program, NULL, 0), 0);
		return show_name(v, xstrdup(ref->text));
	case REF_MODULE:
		module = ref->program ? hlo_module_by_program(v->cap->dump, ref->program, NULL, 0)
				      : hlo_module_find(v->cap->dump, ref->text);
		if (module < 0)
			return -1;
		memory_view_choose(v, module, 0);
		return 0;
	default:
		return -1;
	}
}
