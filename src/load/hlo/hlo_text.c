#include "config.h"

#include "load/hlo/hlo_text.h"

#include <string.h>

#include "load/hlo/hlo_dump.h"
#include "load/hlo/xla_dump.h"
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

int load_hlo_text(struct load_ctx *ctx, int file, struct err *err)
{
	struct dump *d = ctx->dump;
	struct file *f = &d->files[file];
	struct hlo_module *m;
	struct slice name;
	const uint8_t *bytes;
	size_t n;

	if (load_text(ctx, file, err) || !(bytes = f->content(f->source, &n, err)))
		return -1;
	name = module_name(f, (const char *)bytes, n);
	m = hlo_module_add(d, name.s, name.n, file, 0);
	m->origin = HLO_TEXT;
	m->len = n;
	m->code = (struct slice){ (const char *)bytes, n };
	m->oom = hlo_dump_is_oom(f->path);
	m->device = hlo_dump_device(f->path);
	return 0;
}
