/* An op stands in the first finding that names it; others refer to that one. */
#include "config.h"
#include "analyze/findings/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct sharing {
	const struct dump *dump;
	struct findings *out;
	uint32_t *home; /* by name of an op: which finding it stands in, + 1 */
	size_t *shared; /* by finding: how many ops it has in common with this one */
};

static const char *label_of(const struct findings *f, const char *id)
{
	for (size_t i = 0; i < f->nchecks; i++)
		if (!strcmp(f->check[i].id, id))
			return f->check[i].label;
	return id;
}

const char *finding_ops(const struct finding *f)
{
	return *f->proof.members                                ? f->proof.members
	    : f->proof.nmembers <= 1 && f->proof.kind == REF_OP ? f->proof.text
								: "";
}

/* Counts the ops of the i-th finding, and gives those a home that have none. */
static size_t count_ops(struct sharing *w, size_t i)
{
	const char *s = finding_ops(&w->out->v[i]);
	size_t all = 0;

	memset(w->shared, 0, w->out->n * sizeof *w->shared);
	for (size_t n; *s; s += n + (s[n] == '\n')) {
		strid name;

		n = strcspn(s, "\n");
		name = strtab_find(&w->dump->str, s, n);
		all++;
		if (name == UINT32_MAX)
			continue;
		if (w->home[name] && w->home[name] != i + 1)
			w->shared[w->home[name] - 1]++;
		else
			w->home[name] = (uint32_t)i + 1;
	}
	return all;
}

static void refer(struct sharing *w, size_t i)
{
	struct finding *f = &w->out->v[i];
	const size_t all = count_ops(w, i);

	for (size_t k = 0; k < i; k++) {
		char *text, some[40];

		if (!w->shared[k])
			continue;
		snprintf(some, sizeof some, "%zu of its ops", w->shared[k]);
		text = xasprintf("%s; %s also in %s", f->evidence,
		    w->shared[k] < all ? some
			: all == 1     ? "its op"
				       : "all its ops",
		    label_of(w->out, w->out->v[k].id));
		f->evidence = arena_strndup(&w->out->text, text, strlen(text));
		free(text);
	}
}

void findings_refer(const struct dump *d, struct findings *out)
{
	struct sharing w = { .dump = d,
		.out = out,
		.home = xcalloc(d->str.n + 1, sizeof *w.home),
		.shared = xcalloc(out->n + 1, sizeof *w.shared) };

	for (size_t i = 0; i < out->n; i++)
		refer(&w, i);
	free(w.home);
	free(w.shared);
}
