#include "config.h"
#include "model/graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/text/words.h"
#include "model/graph/build.h"
#include "model/hlo.h"

struct hlo_graph *hlo_graph_new(void)
{
	struct hlo_graph *g = xcalloc(1, sizeof *g);

	strtab_init(&g->names);
	g->name = "";
	g->entry = HLO_NONE;
	return g;
}

uint32_t hlo_add_computation(struct hlo_graph *g, struct slice name)
{
	VEC_ADD(g->computation, g->ncomputations, g->computations_cap,
	    (struct hlo_computation){ .name = strtab_ref(&g->names, name.s, name.n),
		.first = g->n,
		.root = HLO_NONE });
	return g->ncomputations - 1;
}

bool hlo_add_instr(struct hlo_graph *g, struct slice name, struct slice opcode, const struct hlo_instr *i)
{
	if (g->n == HLO_MOST)
		return false;
	VEC_PUSH(g->v, g->n, g->cap);
	g->v[g->n] = *i;
	g->v[g->n].name = strtab_ref(&g->names, name.s, name.n);
	g->v[g->n].opcode = strtab_ref(&g->names, opcode.s, opcode.n);
	g->v[g->n++].computation = g->ncomputations - 1;
	g->computation[g->ncomputations - 1].n++;
	return true;
}

void hlo_link_add(struct hlo_graph *g, struct hlo_links_build *b, uint32_t to)
{
	g->dangling += to == HLO_NONE;
	VEC_ADD(b->of.v, b->n, b->cap, to);
}

void hlo_link_end(struct hlo_links_build *b)
{
	if (!b->ends)
		VEC_ADD(b->of.at, b->ends, b->ends_cap, 0);
	VEC_ADD(b->of.at, b->ends, b->ends_cap, b->n);
}

/* Links that were collected for fewer than n end where the last one did. */
static struct hlo_links taken(struct hlo_links_build *b, uint32_t n)
{
	while (b->ends < n + 1)
		hlo_link_end(b);
	return b->of;
}

/* The links the other way round, each once: counted, added up, then filled. */
static struct hlo_links reversed(const struct hlo_links *l, uint32_t nfrom, uint32_t nto)
{
	struct hlo_links r = { xcalloc((size_t)nto + 2, sizeof *r.at), NULL };
	uint32_t *last = xmalloc(((size_t)nto + 1) * sizeof *last);

	for (int pass = 0; pass < 2; pass++) {
		memset(last, 0xff, ((size_t)nto + 1) * sizeof *last);
		for (uint32_t i = 0; i < nfrom; i++)
			for (uint32_t k = l->at[i]; k < l->at[i + 1]; k++) {
				uint32_t to = l->v[k];

				if (to >= nto || last[to] == i)
					continue;
				last[to] = i;
				if (pass)
					r.v[r.at[to + 1]++] = i;
				else
					r.at[to + 2]++;
			}
		for (uint32_t i = 1; !pass && i <= nto + 1; i++)
			r.at[i] += r.at[i - 1];
		if (!pass)
			r.v = xcalloc((size_t)r.at[nto + 1] + 1, sizeof *r.v);
	}
	free(last);
	return r;
}

static void index_names(struct hlo_graph *g)
{
	g->named = xmalloc(((size_t)g->names.n + 1) * sizeof *g->named);
	memset(g->named, 0xff, ((size_t)g->names.n + 1) * sizeof *g->named);
	for (uint32_t i = g->n; i-- > 0;)
		g->named[g->v[i].name] = i;
}

static void mark_called(struct hlo_graph *g)
{
	for (uint32_t i = 0; i < g->n; i++)
		for (uint32_t k = 0; k < hlo_nlinks(&g->calls, i); k++) {
			uint32_t c = hlo_link(&g->calls, i, k);

			if (c == HLO_NONE)
				continue;
			if (hlo_opcode_is(g, i, "fusion"))
				g->computation[c].fusion = true;
			else if (!slice_begins(hlo_opcode(g, i), "async") && !hlo_opcode_is(g, i, "while") &&
			    !hlo_opcode_is(g, i, "call") && !hlo_opcode_is(g, i, "conditional"))
				g->computation[c].embedded = true;
		}
}

/* Do instructions depend on themselves?  Those whose operands are all done are done, until none is left. */
static bool has_cycle(const struct hlo_graph *g)
{
	uint32_t *waits = xcalloc((size_t)g->n + 1, sizeof *waits); /* for so many operands */
	uint32_t *done = xcalloc((size_t)g->n + 1, sizeof *done), ndone = 0;
	bool cycle;

	for (uint32_t i = 0; i < g->n; i++)
		for (uint32_t k = 0; k < hlo_nlinks(&g->users, i); k++)
			waits[hlo_link(&g->users, i, k)]++;
	for (uint32_t i = 0; i < g->n; i++)
		if (!waits[i])
			done[ndone++] = i;
	for (uint32_t at = 0; at < ndone; at++)
		for (uint32_t k = 0; k < hlo_nlinks(&g->users, done[at]); k++) {
			uint32_t user = hlo_link(&g->users, done[at], k);

			if (!--waits[user])
				done[ndone++] = user;
		}
	cycle = ndone < g->n;
	free(waits);
	free(done);
	return cycle;
}

static void say_damage(struct hlo_graph *g)
{
	char part[96];

	if (g->cut)
		words_add(g->damage, sizeof g->damage, "; ", "it ends early: the rest is missing");
	if (g->n == HLO_MOST)
		words_add(g->damage, sizeof g->damage, "; ",
		    "it has too many instructions: the rest is left out");
	if (g->unread) {
		snprintf(part, sizeof part, "%u %s cannot be read", g->unread,
		    g->text              ? g->unread == 1 ? "line" : "lines"
			: g->unread == 1 ? "piece"
					 : "pieces");
		words_add(g->damage, sizeof g->damage, "; ", part);
	}
	if (g->dangling) {
		snprintf(part, sizeof part, "%u %s to instructions that are not there", g->dangling,
		    g->dangling == 1 ? "link leads" : "links lead");
		words_add(g->damage, sizeof g->damage, "; ", part);
	}
	if (has_cycle(g))
		words_add(g->damage, sizeof g->damage, "; ", "instructions depend on themselves");
}

void hlo_graph_end(struct hlo_graph *g, struct hlo_build *b)
{
	g->operands = taken(&b->operands, g->n);
	g->controls = taken(&b->controls, g->n);
	g->calls = taken(&b->calls, g->n);
	g->users = reversed(&g->operands, g->n, g->n);
	g->control_users = reversed(&g->controls, g->n, g->n);
	g->callers = reversed(&g->calls, g->n, g->ncomputations);
	index_names(g);
	mark_called(g);
	say_damage(g);
}

static void free_links(struct hlo_links *l)
{
	free(l->at);
	free(l->v);
}

void hlo_graph_free(struct hlo_graph *g)
{
	if (!g)
		return;
	free_links(&g->operands);
	free_links(&g->users);
	free_links(&g->controls);
	free_links(&g->control_users);
	free_links(&g->calls);
	free_links(&g->callers);
	strtab_free(&g->names);
	free(g->named);
	free(g->v);
	free(g->computation);
	free(g->files);
	free(g->locations);
	free(g->frames);
	free(g->ids);
	free(g->copy);
	free(g);
}

static struct slice without_percent(struct slice name)
{
	slice_cut(&name, "%");
	return name;
}

uint32_t hlo_instr_named(const struct hlo_graph *g, struct slice name)
{
	strid id;

	name = without_percent(name);
	id = strtab_find(&g->names, name.s, name.n);
	return id == UINT32_MAX ? HLO_NONE : g->named[id];
}

uint32_t hlo_computation_named(const struct hlo_graph *g, struct slice name)
{
	strid id;

	name = without_percent(name);
	id = strtab_find(&g->names, name.s, name.n);
	for (uint32_t c = 0; id != UINT32_MAX && c < g->ncomputations; c++)
		if (g->computation[c].name == id)
			return c;
	return HLO_NONE;
}

uint32_t hlo_instr_with_id(const struct hlo_graph *g, uint64_t id)
{
	size_t at;

	BISECT(at, g->ids ? g->n : 0, g->ids[at].id < id);
	return g->ids && at < g->n && g->ids[at].id == id ? g->ids[at].i : HLO_NONE;
}

bool hlo_opcode_is(const struct hlo_graph *g, uint32_t i, const char *opcode)
{
	return slice_is(hlo_opcode(g, i), opcode);
}

void hlo_frame_add(struct hlo_graph *g, uint32_t location)
{
	struct hlo_frame_line at = { HLO_NONE, 0 };

	VEC_ADD(g->frames, g->nframes, g->frames_cap,
	    location && location <= g->nlocations ? g->locations[location - 1] : at);
}

void hlo_detail_frame(const struct hlo_graph *g, uint64_t frame, struct hlo_detail *d)
{
	const struct hlo_frame_line *at = frame && frame <= g->nframes ? &g->frames[frame - 1] : NULL;

	if (!at || at->file >= g->nfiles || d->source.n)
		return;
	d->source = g->files[at->file];
	d->line = at->line;
}

void hlo_detail(const struct hlo_graph *g, uint32_t i, struct hlo_detail *d)
{
	*d = (struct hlo_detail){ .line = -1, .parameter = -1, .index = -1 };
	if (g->text)
		hlo_detail_of_text(g, i, d);
	else
		hlo_detail_of_message(g, i, d);
}

struct hlo_graph *hlo_graph_of(const struct dump *d, size_t module, struct err *err)
{
	const struct hlo_module *m = &d->modules[module];
	struct hlo_bytes bytes;
	struct hlo_graph *g;

	if (hlo_module_bytes(d, module, &bytes, err))
		return NULL;
	g = m->code.n ? hlo_graph_of_text((const char *)bytes.p, bytes.n)
		      : hlo_graph_of_message(bytes.p, bytes.n, m->bare);
	g->copy = bytes.own;
	if (g->n)
		return g;
	hlo_graph_free(g);
	err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%.100s has no instructions", m->name);
	return NULL;
}
