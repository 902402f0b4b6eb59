#include "config.h"
#include "analyze/ptxla/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/digit.h"
#include "base/text/python.h"

#define RULE_LEAST 8
#define FRAMES_MOST 4096

/* --- frames --- */

bool ptxla_frame_of(struct ptxla *x, struct slice s, struct ptxla_frame *f)
{
	const char *at = slice_find(s, " (");
	struct slice function, file, number;
	size_t digits = 0;

	if (!at || !slice_cut_end(&s, ")"))
		return false;
	function = (struct slice){ s.s, (size_t)(at - s.s) };
	file = (struct slice){ at + 2, (size_t)(s.s + s.n - at - 2) };
	while (digits < file.n && is_digit(file.s[file.n - 1 - digits]))
		digits++;
	if (!digits || digits > 9 || digits + 1 >= file.n || file.s[file.n - 1 - digits] != ':' ||
	    !function.n)
		return false;
	number = (struct slice){ file.s + file.n - digits, digits };
	ptxla_integer(&number, &f->line);
	f->function = ptxla_keep(x, function);
	f->file = ptxla_keep(x, (struct slice){ file.s, file.n - digits - 1 });
	return f->function && f->file;
}

struct ptxla_frame *ptxla_user_frame(struct ptxla_frame *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!python_is_library(v[i].file))
			return &v[i];
	return n ? v : NULL;
}

/* --- blocks --- */

static bool is_rule(struct slice s, char c)
{
	size_t n = 0;

	while (n < s.n && s.s[n] == c)
		n++;
	return n >= RULE_LEAST && n == s.n;
}

static struct ptxla_analysis *block_begin(struct ptxla *x, struct ptxla_process *p, enum ptxla_kind kind,
    uint64_t line, bool ruled)
{
	struct ptxla_analysis *a;

	VEC_PUSH(x->analyses, x->nanalyses, x->analyses_cap);
	p->open[kind] = (struct ptxla_open){ .at = x->nanalyses, .ruled = ruled };
	a = &x->analyses[x->nanalyses++];
	*a = (struct ptxla_analysis){ .file = x->work->file,
		.line = line,
		.kind = kind,
		.inputs = -1,
		.outputs = -1,
		.partial = true };
	for (int i = 0; i < PTXLA_SIZES; i++)
		a->size[i] = -1;
	if (kind == PTXLA_COMPILATION)
		p->hash = NULL;
	if (kind == PTXLA_POST)
		a->graph_hash = p->hash;
	return a;
}

static bool is_empty(const struct ptxla_analysis *a)
{
	bool sizes = false;

	for (int i = 0; i < PTXLA_SIZES; i++)
		sizes |= a->size[i] >= 0;
	return !sizes && !a->cause && !a->graph_name && a->inputs < 0 && a->outputs < 0 && !a->nframes &&
	    (!a->graph_hash || a->kind == PTXLA_POST);
}

static void take_rule(struct ptxla *x, struct ptxla_process *p, enum ptxla_kind kind, uint64_t line)
{
	struct ptxla_open *o = &p->open[kind];
	struct ptxla_analysis *a = o->at == SIZE_MAX ? NULL : &x->analyses[o->at];

	if (!a) {
		block_begin(x, p, kind, line, true);
		return;
	}
	if (is_empty(a) && !o->dashed && o->part == IN_HEAD) { /* the end of one whose beginning is cut off */
		a->line = line;
		return;
	}
	a->partial = !o->ruled;
	*o = (struct ptxla_open){ .at = SIZE_MAX, .closed = o->dashed ? 0 : line, .last = o->at };
}

/* The block of a line with something in it.  A rule that seemed to end a block that has no line of dashes began
 * the next one if that follows at once. */
static struct ptxla_analysis *block_of(struct ptxla *x, struct ptxla_process *p, enum ptxla_kind kind,
    uint64_t line, bool begins)
{
	struct ptxla_open *o = &p->open[kind];
	uint64_t closed = o->closed;

	if (o->at != SIZE_MAX && !(begins && x->analyses[o->at].cause))
		return &x->analyses[o->at];
	if (!begins || !closed || o->at != SIZE_MAX)
		return block_begin(x, p, kind, line, false);
	x->analyses[o->last].partial = true;
	return block_begin(x, p, kind, closed, true);
}

static void frame_add(struct ptxla *x, struct ptxla_analysis *a, struct slice s)
{
	struct ptxla_frame f;

	if (a->nframes < FRAMES_MOST && ptxla_frame_of(x, s, &f))
		VEC_ADD(a->frames, a->nframes, a->frames_cap, f);
}

static bool take_graph_info(struct ptxla *x, struct ptxla_process *p, struct ptxla_analysis *a,
    struct slice s)
{
	const char *colon = memchr(s.s, ':', s.n);
	struct slice value;

	if (!colon)
		return false;
	value = slice_trim((struct slice){ colon + 1, (size_t)(s.s + s.n - colon - 1) });
	if (slice_begins(s, "Graph Name:")) {
		a->graph_name = ptxla_keep(x, value);
	} else if (slice_begins(s, "Graph Hash:")) {
		a->graph_hash = ptxla_keep(x, value);
		p->hash = a->kind == PTXLA_COMPILATION ? a->graph_hash : p->hash;
	} else if (slice_begins(s, "Number of Graph Input")) {
		if (!ptxla_integer(&value, &a->inputs) || a->inputs < 0)
			a->inputs = -1;
	} else if (slice_begins(s, "Number of Graph Output")) {
		if (!ptxla_integer(&value, &a->outputs) || a->outputs < 0)
			a->outputs = -1;
	} else {
		return false;
	}
	return true;
}

static bool take_size(struct ptxla_analysis *a, struct slice s)
{
	static const char *const names[PTXLA_SIZES] = { "Graph input size:", "Graph output size:",
		"Aliased Input size:", "Intermediate tensor size:", "Compiled program size:" };
	int64_t v;

	for (int i = 0; i < PTXLA_SIZES; i++)
		if (slice_cut(&s, names[i])) {
			if (ptxla_gigabytes(s, &v))
				a->size[i] = v;
			return true;
		}
	return false;
}

static void take_content(struct ptxla *x, struct ptxla_process *p, enum ptxla_kind kind, uint64_t line,
    struct slice s)
{
	bool cause = slice_is(s, "Compilation Cause") || slice_is(s, "Execution Cause");
	struct ptxla_analysis *a = block_of(x, p, kind, line, cause || slice_begins(s, "Graph input size:"));
	struct ptxla_open *o = &p->open[kind];

	o->closed = 0;
	if (cause) {
		o->part = IN_CAUSE;
	} else if (slice_begins(s, "Graph Info:")) {
		o->part = IN_GRAPH;
	} else if (slice_begins(s, "Python Frame Triggered")) {
		o->part = IN_FRAMES;
	} else if (take_graph_info(x, p, a, s) || (kind == PTXLA_POST && take_size(a, s))) {
		o->part = o->part == IN_CAUSE ? IN_GRAPH : o->part;
	} else if (is_rule(s, '.')) {
		a->truncated = true;
	} else if (o->part == IN_CAUSE && !a->cause) {
		a->cause = ptxla_keep(x, s);
	} else if (o->part == IN_FRAMES || !o->ruled) {
		frame_add(x, a, s);
	}
}

/* The kind that the words before "Analysis: " name. */
static bool kind_of(struct slice s, enum ptxla_kind *kind)
{
	static const struct {
		const char *name;
		enum ptxla_kind kind;
	} names[] = { { "Post Compilation ", PTXLA_POST }, { "Unexpected Execution ", PTXLA_UNEXPECTED },
		{ "Compilation ", PTXLA_COMPILATION }, { "Execution ", PTXLA_EXECUTION } };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (slice_ends(s, names[i].name)) {
			*kind = names[i].kind;
			return true;
		}
	return false;
}

bool ptxla_debug_line(struct ptxla *x, struct ptxla_process *p, uint64_t line, struct slice s)
{
	const char *at = slice_find(s, "Analysis:");
	enum ptxla_kind kind;
	struct slice rest;

	if (!at || !kind_of((struct slice){ s.s, (size_t)(at - s.s) }, &kind))
		return false;
	at += strlen("Analysis:");
	rest = slice_trim((struct slice){ at, (size_t)(s.s + s.n - at) });
	if (is_rule(rest, '=')) {
		take_rule(x, p, kind, line);
	} else if (is_rule(rest, '-')) {
		if (p->open[kind].at == SIZE_MAX)
			block_begin(x, p, kind, line, false);
		p->open[kind].dashed = true;
	} else if (rest.n) {
		take_content(x, p, kind, line, rest);
	}
	return true;
}

void ptxla_debug_end(struct ptxla *x, struct ptxla_process *p)
{
	for (int i = 0; i < PTXLA_KINDS; i++)
		p->open[i] = (struct ptxla_open){ .at = SIZE_MAX };
	p->hash = NULL;
	ptxla_notice_end(x, p);
}
