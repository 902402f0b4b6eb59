#include "config.h"

#include "load/hlo/hlo_dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/codec/wire.h"
#include "base/file/infile.h"
#include "base/mem.h"
#include "model/hlo.h"

#define TWIN_MAX ((off_t)256 << 20)

/* The target of the compiler, from module_NNNN.….target_arguments.txt.  For v4 it does not say whether the
 * cores of a chip are merged (megacore). */
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

static char *beside(const char *path, const char *end)
{
	return xasprintf("%.*s%s", (int)hlo_stem(path), path, end);
}

static size_t read_beside(const char *path, const char *end, char *text, size_t size)
{
	char *name = beside(path, end);
	FILE *in = infile_open(name);
	size_t n = in ? fread(text, 1, size - 1, in) : 0;

	free(name);
	if (in)
		fclose(in);
	text[n] = '\0';
	return n;
}

/* The client that compiled the program says in topology.pb what it is: "TFRT TPU7x", and when it was built.  As
 * above, v4 is no answer. */
static const char *device_of_topology(struct arena *a, const char *bytes, size_t n)
{
	struct wire w = wire_open(bytes, n);

	while (wire_next(&w)) {
		struct slice s = w.field == 3 && w.type == 2 ? wire_text(&w) : slice_of(NULL);
		const char *stop = s.n ? memchr(s.s, '\n', s.n) : NULL;

		s.n = stop ? (size_t)(stop - s.s) : s.n;
		if (slice_cut(&s, "TFRT ") && slice_begins(s, "TPU") && !slice_is(s, "TPU v4"))
			return arena_strndup(a, s.s, s.n);
	}
	return NULL;
}

const char *hlo_dump_device(struct arena *a, const char *path)
{
	char text[2048];
	const char *device;

	if (!hlo_stem(path))
		return NULL;
	read_beside(path, ".target_arguments.txt", text, sizeof text);
	if ((device = device_in(text)))
		return device;
	return device_of_topology(a, text, read_beside(path, "/topology.pb", text, sizeof text));
}

bool hlo_dump_is_oom(const char *path)
{
	char *failed = beside(path, ".oom_intermediate_module.hlo.pb");
	bool is = hlo_is_intermediate(path) || (hlo_stem(path) && !access(failed, F_OK));

	free(failed);
	return is;
}

/* --- one module per stem --- */

static const char *path_of(const struct dump *d, const struct hlo_module *m)
{
	return d->files[m->file].path;
}

static bool same_program(const struct dump *d, const struct hlo_module *m, const char *path)
{
	return (m->origin == HLO_FILE || m->origin == HLO_TEXT) && hlo_same_stem(path_of(d, m), path);
}

/* Ranks files of a module: the later in compilation, the more they contain; of the same pass, a message more than
 * text. */
static int worth(const struct dump *d, const struct hlo_module *m)
{
	const char *path = path_of(d, m);

	int pass = hlo_is_intermediate(path)      ? 3
	    : strstr(path, "after_codegen")       ? 2
	    : strstr(path, "after_optimizations") ? 1
						  : 0;

	return (m->has_buffers ? 8 : 2 * pass) + (m->origin == HLO_FILE);
}

static bool has_better(const struct dump *d, size_t i)
{
	const struct hlo_module *m = &d->modules[i];

	for (size_t k = 0; (m->origin == HLO_FILE || m->code.n) && k < d->nmodules; k++)
		if (k != i && same_program(d, &d->modules[k], path_of(d, m)) &&
		    (worth(d, &d->modules[k]) > worth(d, m) ||
			(k < i && worth(d, &d->modules[k]) == worth(d, m))))
			return true;
	return false;
}

/* Drops modules without buffers if there is a better file of the program.  Quadratic, but few lack
 * buffers. */
static void drop_earlier_passes(struct dump *d)
{
	bool *drop = xcalloc(d->nmodules + 1, sizeof *drop);

	for (size_t i = 0; i < d->nmodules; i++)
		drop[i] = !d->modules[i].has_buffers && has_better(d, i);
	hlo_modules_drop(d, drop);
	free(drop);
}

/* --- texts --- */

static void add_text(struct hlo_module *m, const char *s, size_t n)
{
	if (m->ntexts == HLO_TEXTS)
		return;
	m->text[m->ntexts].s = s;
	m->text[m->ntexts++].n = n;
	m->len += n;
	m->has_buffers = true;
}

static struct hlo_module *module_of_text(struct dump *d, size_t file)
{
	const char *path = d->files[file].path, *name;
	struct hlo_module *m;
	size_t n;

	for (size_t i = 0; i < d->nmodules; i++)
		if (same_program(d, &d->modules[i], path))
			return &d->modules[i];
	name = hlo_name_in(path, &n);
	m = hlo_module_add(d, name, n, (int)file, 0);
	m->origin = HLO_TEXT;
	m->device = hlo_dump_device(&d->arena, path);
	m->oom = hlo_dump_is_oom(path);
	return m;
}

static void add_files(struct dump *d)
{
	struct err err;

	for (size_t i = 0; i < d->nfiles; i++) {
		const struct file *f = &d->files[i];
		const uint8_t *bytes;
		struct hlo_module *m;
		size_t n;

		if (f->kind != FILE_XLA_DUMP || !f->content || !(bytes = f->content(f->source, &n, &err)))
			continue;
		m = module_of_text(d, i);
		if (!m->has_buffers || m->ntexts)
			add_text(m, (const char *)bytes, n);
	}
}

static bool add_beside(struct dump *d, struct hlo_module *m, const char *end)
{
	char *path = beside(path_of(d, m), end), *text = NULL;
	FILE *in = infile_open(path);
	struct stat st;
	size_t n = 0;

	for (size_t i = 0; i < d->nfiles && in; i++)
		if (d->files[i].kind == FILE_XLA_DUMP && !strcmp(d->files[i].path, path)) {
			fclose(in); /* already loaded, because it was opened */
			in = NULL;
		}
	free(path);
	if (!in)
		return false;
	if (!fstat(fileno(in), &st) && st.st_size > 0 && st.st_size <= TWIN_MAX) {
		text = xmalloc((size_t)st.st_size);
		n = fread(text, 1, (size_t)st.st_size, in);
	}
	fclose(in);
	if (n)
		add_text(m, arena_strndup(&d->arena, text, n), n);
	free(text);
	return n > 0;
}

/* Adds the texts beside a module.  A usage report says less than an assignment, so it is used only without
 * one. */
static void add_twins(struct dump *d, struct hlo_module *m)
{
	static const char *const passes[] = { ".after_optimizations", ".cpu_after_optimizations" };
	size_t had = m->ntexts;

	for (size_t i = 0; i < 2; i++) {
		char end[96];
		bool assigned;

		snprintf(end, sizeof end, "%s-buffer-assignment.txt", passes[i]);
		assigned = add_beside(d, m, end);
		snprintf(end, sizeof end, "%s-live-range.txt", passes[i]);
		add_beside(d, m, end);
		snprintf(end, sizeof end, "%s-memory-usage-report.txt", passes[i]);
		if (had || assigned || add_beside(d, m, end))
			continue;
		snprintf(end, sizeof end, "%s-memory-usage-report.pb", passes[i]);
		add_beside(d, m, end);
	}
}

void hlo_dump_join(struct dump *d)
{
	drop_earlier_passes(d);
	add_files(d);
	for (size_t i = 0; i < d->nmodules; i++) {
		struct hlo_module *m = &d->modules[i];

		if ((m->origin == HLO_TEXT || (m->origin == HLO_FILE && !m->has_buffers)) &&
		    hlo_stem(path_of(d, m)))
			add_twins(d, m);
	}
}
