#include "config.h"
#include "analyze/triage/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/file/embedded.h"
#include "base/hash.h"

/* The first six bytes of a phrase have four blocks of three bytes, which begin at four places in a row: whoever looks
 * only at every fourth byte finds one of them.  What stands there seldom begins or continues a phrase, and these looks
 * do not wait for each other. */
#define WINDOW 6
#define BLOCK 3
#define STEP (WINDOW - BLOCK + 1)
#define SLOT_BITS 15
#define SLOTS (1u << SLOT_BITS)

struct triage_filter {
	struct triage_phrase *v;
	size_t n, cap;
	uint8_t places[SLOTS];       /* bit k: a phrase has such a block after k bytes */
	int16_t first[SLOTS], *next; /* phrases, listed by the last block of their first window */
	struct squeeze *said;
	struct triage_filter *tight; /* the phrases without their blanks */
	char *text;                  /* of those */
};

static const struct {
	const char *text;
	enum triage_anchor anchor;
} anchors[] = {
	{ " requirement ", ANCHOR_BLOCK },
	{ " usage >= ", ANCHOR_BLOCK },
	{ "Largest program ", ANCHOR_BLOCK },
	{ ". Size: ", ANCHOR_BLOCK },
	{ "XLA label: ", ANCHOR_BLOCK },
	{ "Allocation type: ", ANCHOR_BLOCK },
	{ "Output size ", ANCHOR_BLOCK },
	{ "Unpadded size: ", ANCHOR_BLOCK },
	{ "Shape: ", ANCHOR_BLOCK },
	{ "Operator: op_", ANCHOR_BLOCK },
	{ "program    ", ANCHOR_BLOCK },
	{ "arguments    ", ANCHOR_BLOCK },
	{ "RESOURCE_EXHAUSTED", ANCHOR_BEFORE },
	{ "failed for HLO :: ", ANCHOR_BEFORE },
	{ "compilation of ", ANCHOR_BEFORE },
	{ "E0100:", ANCHOR_BEFORE },
	{ "E0101:", ANCHOR_BEFORE },
	{ "E1000:", ANCHOR_BEFORE },
	{ "E1001:", ANCHOR_BEFORE },
	{ "Error loading program ", ANCHOR_BEFORE },
	{ "Running on machine: ", ANCHOR_LOG },
	{ "Build label: ", ANCHOR_LOG },
	{ "Process id ", ANCHOR_LOG },
	{ "Log file created at: ", ANCHOR_LOG },
};

static const char *const specials[KIND_SPECIALS] = {
	[KIND_HBM] = "hbm_compile_oom",
	[KIND_ABORT] = "compile_abort_oom",
	[KIND_VMEM] = "vmem_oom",
	[KIND_SCOPED] = "scoped_vmem_oom",
	[KIND_SMEM] = "smem_oom",
	[KIND_SFLAG] = "sflag_oom",
	[KIND_MEMORY] = "memory_oom",
	[KIND_SPARSECORE] = "sparsecore_oom",
	[KIND_FRAGMENT] = "oom_fragment",
	[KIND_ALLOC] = "runtime_alloc",
	[KIND_LOAD] = "program_load",
	[KIND_MISMATCH] = "input_mismatch",
	[KIND_VMEM_LIMIT] = "invalid_vmem_limit",
	[KIND_CHECK] = "fatal_check",
	[KIND_HOST_OOM] = "host_oom",
	[KIND_IN_USE] = "tpu_in_use",
	[KIND_INIT_FAILED] = "tpu_init_failed",
	[KIND_OP] = "op_unavailable",
	[KIND_SSH] = "ssh_unreachable",
	[KIND_REMAT] = "remat_limit",
	[KIND_HALTED] = "core_halted",
	[KIND_HOSTNAME] = "worker_hostname",
	[KIND_GPU] = "gpu_oom",
	[KIND_GPU_SMEM] = "gpu_smem",
	[KIND_HANG] = "hang",
	[KIND_XRT] = "xla_unconfigured",
	[KIND_UNKNOWN_FATAL] = "unknown_fatal",
	[KIND_UNKNOWN_ERROR] = "unknown_error",
};

static size_t slot(uint32_t block)
{
	return block * 2654435761u >> (32 - SLOT_BITS);
}

static size_t slot_at(const char *s)
{
	const uint8_t *p = (const uint8_t *)s;

	return slot(p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16);
}

/* Does what slot_at() does with one load; another byte must follow the block. */
static size_t slot_inside(const char *s)
{
	const uint8_t *p = (const uint8_t *)s;
	uint32_t v = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;

	return slot(v & 0xffffff);
}

static void add_phrase(struct triage_filter *f, struct triage_phrase p)
{
	if (p.text.n < WINDOW || f->n == INT16_MAX)
		return;
	VEC_ADD(f->v, f->n, f->cap, p);
}

static void add_phrases(struct triage_filter *f, char *list, int kind)
{
	for (char *s = list, *end; s; s = end) {
		bool weak = *s == '~', general = *s == '^';

		if ((end = strstr(s, " | "))) {
			*end = 0;
			end += 3;
		}
		s += weak || general;
		add_phrase(f, (struct triage_phrase){ { s, strlen(s) }, kind, ANCHOR_BLOCK, weak, general });
	}
}

static void index_phrases(struct triage_filter *f)
{
	memset(f->first, 0xff, sizeof f->first);
	f->next = xcalloc(f->n + 1, sizeof *f->next);
	for (size_t i = 0; i < f->n; i++) {
		for (int k = 0; k < STEP; k++)
			f->places[slot_at(f->v[i].text.s + k)] |= (uint8_t)(1u << k);
		int16_t *first = &f->first[slot_at(f->v[i].text.s + STEP - 1)];
		f->next[i] = *first;
		*first = (int16_t)i;
	}
}

size_t triage_squeeze(char *to, struct slice s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		to[n] = s.s[i];
		n += (unsigned char)s.s[i] > ' ';
	}
	return n;
}

static void build(struct triage_filter *f)
{
	struct triage_filter *tight = xcalloc(1, sizeof *tight);
	size_t bytes = 0, n;
	char *at;

	index_phrases(f);
	f->said = squeeze_new();
	for (size_t i = 0; i < f->n; i++) {
		squeeze_learn(f->said, f->v[i].text);
		bytes += f->v[i].text.n;
	}
	tight->text = at = xmalloc(bytes + 1);
	for (size_t i = 0; i < f->n; i++, at += n) {
		n = triage_squeeze(at, f->v[i].text);
		add_phrase(tight, (struct triage_phrase){ .text = { at, n }, .kind = -1 });
	}
	index_phrases(tight);
	f->tight = tight;
}

enum { KIND, SEVERITY, SPACE, PHRASES, TITLE, ADVICE, COLUMNS };

/* The kinds of the tables, as they are read. */
struct kinds {
	struct triage_kind *v;
	size_t n, cap;
};

/* Its place in the list: a later row of a kind replaces what an earlier one says. */
static size_t kind_place(struct kinds *k, const char *name)
{
	size_t i = 0;

	while (i < k->n && strcmp(k->v[i].name, name))
		i++;
	if (i == k->n)
		VEC_ADD(k->v, k->n, k->cap, (struct triage_kind){ .special = -1 });
	return i;
}

static bool take_kind(struct triage_filter *f, struct kinds *kinds, char *line, int special[KIND_SPECIALS])
{
	char *field[COLUMNS] = { NULL };
	size_t at;
	int n = 0;

	while (n < COLUMNS && line)
		field[n++] = strsep(&line, "\t");
	if (n < COLUMNS)
		return false;
	at = kind_place(kinds, field[KIND]);
	kinds->v[at] = (struct triage_kind){ field[KIND], field[SEVERITY], field[SPACE], field[TITLE],
		field[ADVICE], -1 };
	for (int i = 0; i < KIND_SPECIALS; i++)
		if (!strcmp(specials[i], field[KIND])) {
			kinds->v[at].special = i;
			special[i] = (int)at;
		}
	add_phrases(f, field[PHRASES], (int)at);
	return true;
}

static void take_kinds(struct triage_filter *f, struct kinds *kinds, char *text, int special[KIND_SPECIALS])
{
	char *line;

	while ((line = strsep(&text, "\n")))
		if (*line && *line != '#')
			take_kind(f, kinds, line, special);
}

struct triage_filter *triage_filter_new(struct arena *a, struct triage_kind **kinds, size_t *nkinds,
    int special[KIND_SPECIALS])
{
	struct triage_filter *f = xcalloc(1, sizeof *f);
	struct kinds all = { 0 };
	const char *path;
	struct err none;
	char *own;

	for (int i = 0; i < KIND_SPECIALS; i++)
		special[i] = -1;
	take_kinds(f, &all, embedded_or_file(a, "triage.tsv", NULL, &none), special);
	if ((own = embedded_own(a, "triage.tsv", &path)))
		take_kinds(f, &all, own, special);
	*kinds = all.v;
	*nkinds = all.n;
	for (size_t i = 0; i < sizeof anchors / sizeof *anchors; i++)
		add_phrase(f,
		    (struct triage_phrase){ { anchors[i].text, strlen(anchors[i].text) }, -1,
			anchors[i].anchor, false, false });
	build(f);
	return f;
}

struct triage_filter *triage_filter_of(const char *const *phrases, size_t n)
{
	struct triage_filter *f = xcalloc(1, sizeof *f);

	for (size_t i = 0; i < n; i++)
		add_phrase(f, (struct triage_phrase){ slice_of(phrases[i]), -1, ANCHOR_BLOCK, false, false });
	build(f);
	return f;
}

/* --- the table of the user --- */

static const char *wrong_with(char *line)
{
	char *field[COLUMNS];

	for (int i = 0; i < COLUMNS; i++)
		if (!(field[i] = strsep(&line, "\t")) || !*field[i])
			return "needs six columns, separated by tabs: kind, severity, space, phrases, title, "
			       "advice";
	if (line)
		return "has more than six columns";
	if (strcmp(field[SEVERITY], "fatal") && strcmp(field[SEVERITY], "error") &&
	    strcmp(field[SEVERITY], "warning"))
		return "has a severity other than fatal, error or warning";
	for (char *phrases = field[PHRASES], *phrase; (phrase = strsep(&phrases, "|"));) {
		struct slice s = slice_trim(slice_of(phrase));

		if (s.n < WINDOW && strcmp(field[PHRASES], "-"))
			return "has a phrase of fewer than 6 bytes";
	}
	return NULL;
}

int triage_more_kinds(const char *path, struct err *e)
{
	struct arena a = { 0 };
	const char *what = NULL;
	int bad = embedded_set_own("triage.tsv", path, e);
	char *rest = embedded_own(&a, "triage.tsv", &path), *line;

	for (size_t n = 1; !bad && (line = strsep(&rest, "\n")); n++)
		if (*line && *line != '#' && (what = wrong_with(line)))
			bad = err_set(e, EXIT_USAGE, ERR_NOWHERE, "%s: line %zu %s", path, n, what);
	if (bad)
		embedded_set_own("triage.tsv", NULL, e);
	arena_free(&a);
	return bad;
}

enum squeeze_joint triage_filter_across(const struct triage_filter *f, struct slice before,
    struct slice after)
{
	return squeeze_across(f->said, before, after);
}

/* The phrases that have a block at `at`, in the order of where they begin. */
static size_t look_around(const struct triage_filter *f, struct slice s, size_t at, unsigned places,
    struct triage_hit *hits, size_t most, size_t n)
{
	for (size_t k = STEP; k-- > 0;) {
		size_t from = at - k;

		if (!(places >> k & 1) || k > at || s.n - from < WINDOW)
			continue;
		for (int i = f->first[slot_at(s.s + from + STEP - 1)]; i >= 0 && n < most; i = f->next[i]) {
			const struct slice *p = &f->v[i].text;

			if (p->n <= s.n - from && !memcmp(s.s + from, p->s, p->n))
				hits[n++] = (struct triage_hit){ &f->v[i], from };
		}
	}
	return n;
}

static size_t find_most(const struct triage_filter *f, struct slice s, struct triage_hit *hits, size_t most)
{
	const uint8_t *places = f->places;
	size_t n = 0, at = 0;

	for (; n < most && s.n - at > 4 * STEP; at += 4 * STEP) {
		const char *p = s.s + at;
		uint8_t found[4] = { places[slot_inside(p)], places[slot_inside(p + STEP)],
			places[slot_inside(p + 2 * STEP)], places[slot_inside(p + 3 * STEP)] };

		if (!(found[0] | found[1] | found[2] | found[3]))
			continue;
		for (size_t k = 0; k < 4; k++)
			if (found[k])
				n = look_around(f, s, at + k * STEP, found[k], hits, most, n);
	}
	for (; n < most && at + BLOCK <= s.n; at += STEP)
		n = look_around(f, s, at, places[slot_at(s.s + at)], hits, most, n);
	return n;
}

size_t triage_filter_find(const struct triage_filter *f, struct slice s, struct triage_hit hits[TRIAGE_HITS])
{
	return find_most(f, s, hits, TRIAGE_HITS);
}

bool triage_filter_any_tight(const struct triage_filter *f, struct slice s)
{
	struct triage_hit hit;

	return find_most(f->tight, s, &hit, 1);
}

void triage_filter_free(struct triage_filter *f)
{
	if (!f)
		return;
	triage_filter_free(f->tight);
	free(f->text);
	free(f->v);
	free(f->next);
	squeeze_free(f->said);
	free(f);
}
