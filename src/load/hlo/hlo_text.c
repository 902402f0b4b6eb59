#include "config.h"

#include "load/hlo/hlo_text.h"

#include <string.h>

#include "load/build/loaders.h"
#include "load/hlo/hlo_dump.h"
#include "load/source/source.h"
#include "model/hlo.h"

/* The name in "HloModule jit_f, is_scheduled=true"; without that line, the one in the name of the file. */
static struct slice module_name(const struct file *f, const char *s, size_t n)
{
	struct slice text = { s, n }, name;

	while (text.n && memchr(" \t\r\n", *text.s, 4)) {
		text.s++;
		text.n--;
	}
	if (!slice_cut(&text, "HloModule ")) {
		name.s = hlo_name_in(f->base, &name.n);
		return name;
	}
	name = (struct slice){ text.s, 0 };
	while (name.n < text.n && !memchr(", \t\r\n", name.s[name.n], 5))
		name.n++;
	return name;
}

static struct hlo_module *list_module(struct dump *d, int file, struct slice code)
{
	const struct file *f = &d->files[file];
	struct slice name = module_name(f, code.s, code.n);
	struct hlo_module *m = hlo_module_add(d, name.s, name.n, file, 0);

	m->origin = HLO_TEXT;
	m->len = code.n;
	m->code = code;
	m->oom = hlo_dump_is_oom(f->path);
	m->device = hlo_dump_device(&d->arena, f->path);
	return m;
}

int load_hlo_text(struct load_ctx *ctx, int file, struct err *err)
{
	struct file *f = &ctx->dump->files[file];
	const uint8_t *bytes;
	size_t n;

	if (load_text(ctx, file, err) || !(bytes = f->content(f->source, &n, err)))
		return -1;
	list_module(ctx->dump, file, (struct slice){ (const char *)bytes, n });
	return 0;
}

/* --- modules between other lines --- */

static const char module_word[] = "HloModule ";

/* In a log, lines of several writers mix, so that a line may be gone through for each of them. */
enum { TIMES_READ = 16, ROOM_FREE = 1 << 20 };

/* What a log writes before each line of a message: the first of them, and the part that all share, without the time. */
struct log_prefix {
	size_t n;
	struct slice place; /* "torch_xla/csrc/runtime/xla_util.cpp:97] " */
};

enum { PREFIX_LONGEST = 4096 };

/* false: the words are in a sentence. */
static bool prefix_of(struct slice text, const char *word, struct log_prefix *p)
{
	size_t before = (size_t)(word - text.s), near = before < PREFIX_LONGEST ? before : PREFIX_LONGEST;
	const char *line = memrchr(word - near, '\n', near), *blank;

	if (!line && near < before)
		return false;
	line = line ? line + 1 : text.s;
	*p = (struct log_prefix){ .n = (size_t)(word - line) };
	if (!p->n)
		return true;
	if (p->n < 3 || memcmp(word - 2, "] ", 2))
		return false;
	blank = memrchr(line, ' ', p->n - 2);
	blank = blank ? blank + 1 : line;
	p->place = (struct slice){ blank, (size_t)(word - blank) };
	return true;
}

/* Takes the next line of the text, without its prefix; what does not have it is taken whole. */
static bool next_line(struct slice *text, const struct log_prefix *p, struct slice *line)
{
	const char *end = memchr(text->s, '\n', text->n);
	size_t n = end ? (size_t)(end - text->s) : text->n;

	if (!text->n)
		return false;
	*line = (struct slice){ text->s, n };
	n += end != NULL;
	*text = (struct slice){ text->s + n, text->n - n };
	if (p->n && line->n >= p->n - 1 && !memcmp(line->s + p->n - p->place.n, p->place.s, p->place.n - 1)) {
		size_t cut = line->n < p->n ? line->n : p->n;

		*line = (struct slice){ line->s + cut, line->n - cut };
	}
	slice_cut_end(line, "\r");
	return true;
}

/* The program that begins there, up to the end of its entry computation, or what there is of that; empty: it has none.
 * Without prefixes it is a part of the text, else a copy without them.  Takes the bytes it went through off *room. */
static struct slice program_at(struct dump *d, struct slice text, const struct log_prefix *p, size_t *room)
{
	struct slice rest = text, line;
	bool first = true, entry = false, whole = false;
	char *copy = NULL;
	size_t n = 0;

	while (!whole && next_line(&rest, p, &line)) {
		if (!first &&
		    (slice_begins(line, module_word) || slice_begins(line, "## END_GRAPH") ||
			slice_begins(line, "[HLO Graph ") || slice_begins(line, "StackTrace:")))
			break;
		first = false;
		entry |= slice_begins(line, "ENTRY ");
		whole = entry && slice_is(line, "}");
		n = (size_t)(rest.s - text.s);
	}
	*room -= n < *room ? n : *room;
	if (!entry)
		return (struct slice){ NULL, 0 };
	if (!p->n)
		return (struct slice){ text.s, n };
	rest = (struct slice){ text.s, n };
	copy = arena_alloc(&d->arena, n + 1);
	for (n = 0; next_line(&rest, p, &line); copy[n++] = '\n') {
		memcpy(copy + n, line.s, line.n);
		n += line.n;
	}
	return (struct slice){ copy, n };
}

static bool is_listed(const struct dump *d, size_t from, struct slice code)
{
	while (from < d->nmodules && !slice_same(d->modules[from].code, code))
		from++;
	return from < d->nmodules;
}

void hlo_in_text(struct load_ctx *ctx, int file)
{
	struct dump *d = ctx->dump;
	const struct file *f = &d->files[file];
	size_t before = d->nmodules, n = 0;
	struct err err;
	const uint8_t *bytes = f->content(f->source, &n, &err);
	struct slice text = { (const char *)bytes, n < HLO_IN_TEXT_BYTES ? n : HLO_IN_TEXT_BYTES };
	const char *end = text.s + text.n, *at = text.s;
	size_t room = text.n * TIMES_READ + ROOM_FREE;

	while (bytes && !progress_canceled(ctx->progress) &&
	    (at = memmem(at, (size_t)(end - at), module_word, sizeof module_word - 1))) {
		struct slice code = { NULL, 0 };
		struct log_prefix p;

		if (d->nmodules - before == HLO_IN_TEXT_MODULES) {
			problem_add(d->problems, PROBLEM_WARN, file, ERR_NOWHERE, 1,
			    "more than %d HLO modules in it; the others are left out", HLO_IN_TEXT_MODULES);
			return;
		}
		if (!room) {
			problem_add(d->problems, PROBLEM_WARN, file, ERR_NOWHERE, 1,
			    "HLO modules in it lie within others, again and again; the rest is left out");
			return;
		}
		if (prefix_of(text, at, &p))
			code = program_at(d, (struct slice){ at, (size_t)(end - at) }, &p, &room);
		if (code.n && !is_listed(d, before, code))
			list_module(d, file, code);
		at += sizeof module_word - 1;
	}
}

int load_ptxla_text(struct load_ctx *ctx, int file, struct err *err)
{
	if (load_text(ctx, file, err))
		return -1;
	hlo_in_text(ctx, file);
	return 0;
}
