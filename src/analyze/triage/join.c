#include "config.h"
#include "analyze/triage/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/hlo.h"

/* module_0012.NAME.after_optimizations.hlo.pb, NAME(7).hlo_proto.pb, NAME.hlo_proto.pb */
static bool dump_of(const char *path, const char *module)
{
	const char *base = strrchr(path, '/');
	size_t n = strlen(module), digits;

	base = base ? base + 1 : path;
	if (!strncmp(base, "module_", 7)) {
		digits = strspn(base + 7, "0123456789");
		base += digits && base[7 + digits] == '.' ? 8 + digits : 0;
	}
	return !strncmp(base, module, n) && (base[n] == '.' || base[n] == '(');
}

/* How much a file tells of the memory of its program when it is opened; the texts beside a message without
 * buffers are opened with it. */
static int worth(const struct triage_work *w, const char *path)
{
	static const char *const ends[] = { "-live-range.txt", "-memory-usage-report.pb",
		"-memory-usage-report.txt", "-buffer-assignment.txt", ".oom_intermediate_module.hlo.pb",
		"after_optimizations.hlo.pb", ".hlo_proto.pb" };
	enum { TEXTS = 4, INTERMEDIATE = 4 };

	for (int i = sizeof ends / sizeof *ends - 1; i >= 0; i--) {
		bool told = i != INTERMEDIATE;

		if (!slice_ends(slice_of(path), ends[i]))
			continue;
		for (size_t k = 0; k < w->ndumps && !told; k++)
			for (int text = 0; text < TEXTS; text++)
				told |= slice_ends(slice_of(w->dumps[k]), ends[text]) &&
				    hlo_same_stem(w->dumps[k], path);
		return told ? i + 1 : 0;
	}
	return 0;
}

/* Those few of the many files of a dump that the compiler leaves where it fails. */
static const char **intermediates_of(const struct triage_work *w, size_t *n)
{
	const char **v = xcalloc(w->ndumps + 1, sizeof *v);

	*n = 0;
	for (size_t i = 0; i < w->ndumps; i++)
		if (hlo_is_intermediate(w->dumps[i]))
			v[(*n)++] = w->dumps[i];
	return v;
}

/* A program that was compiled several times failed where the compiler left its intermediate module. */
static bool has_failed(const char *path, const char *const *intermediates, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (hlo_same_stem(intermediates[i], path))
			return true;
	return false;
}

/* Is it about the memory of a program? */
static bool of_program(const struct triage_work *w, const struct triage_occurrence *o)
{
	int special = w->kinds[o->kind].special;

	return special == KIND_HBM || special == KIND_ABORT || special == KIND_VMEM ||
	    special == KIND_SCOPED || special == KIND_SMEM || special == KIND_MEMORY;
}

static struct slice program_of(const char *path)
{
	struct slice s;

	s.s = hlo_name_in(path, &s.n);
	return s;
}

/* The names of the programs that failed, "jit_f, jit_g"; empty when all have one name. */
static void name_failed(const struct triage_work *w, const bool *failed, char *out, size_t size)
{
	struct slice first = { NULL, 0 };
	bool several = false;
	size_t n = 0;

	*out = 0;
	for (size_t i = 0; i < w->ndumps; i++) {
		struct slice name = program_of(w->dumps[i]);
		bool known = false;

		if (!failed[i])
			continue;
		for (size_t k = 0; k < i && !known; k++)
			known = failed[k] && slice_same(program_of(w->dumps[k]), name);
		if (known)
			continue;
		several |= first.s != NULL;
		first = name;
		if (n + name.n + 8 < size)
			n +=
			    (size_t)snprintf(out + n, size - n, "%s%.*s", n ? ", " : "", (int)name.n, name.s);
	}
	if (!several)
		*out = 0;
}

/* Joins the first program that failed; of its files, the one that says most. */
static void join_row(struct triage_work *w, struct triage_occurrence *o, const int *worths,
    const bool *failed, const char *candidates)
{
	const char *module = o->text[TEXT_MODULE];
	/* old messages do not say which program it was: it is the one that failed first */
	bool any = !module && of_program(w, o), best_failed = false;
	int best = 0;

	o->no_dump = module && w->ndumps && of_program(w, o);

	if (any && *candidates)
		o->candidates = arena_strndup(&o->arena, candidates, strlen(candidates));
	for (size_t i = 0; i < w->ndumps; i++) {
		const char *path = w->dumps[i];

		o->no_dump = o->no_dump && !dump_of(path, module);
		if (!worths[i] || !(module ? dump_of(path, module) : any && failed[i]))
			continue;
		if (o->dump && (best_failed > failed[i] || (best_failed == failed[i] && worths[i] <= best)))
			continue;
		if (o->dump && best_failed && !hlo_same_stem(o->dump, path))
			continue;
		o->dump = path;
		best = worths[i];
		best_failed = failed[i];
	}
}

void triage_join_dumps(struct triage_work *w)
{
	int *worths = xcalloc(w->ndumps + 1, sizeof *worths);
	bool *failed = xcalloc(w->ndumps + 1, sizeof *failed);
	char candidates[200];
	size_t n;
	const char **intermediates = intermediates_of(w, &n);

	for (size_t i = 0; i < w->ndumps && w->nrows; i++) {
		worths[i] = worth(w, w->dumps[i]);
		failed[i] = worths[i] && has_failed(w->dumps[i], intermediates, n);
	}
	name_failed(w, failed, candidates, sizeof candidates);
	for (size_t i = 0; i < w->nrows; i++)
		join_row(w, w->rows[i], worths, failed, candidates);
	free(intermediates);
	free(worths);
	free(failed);
}
