#include "config.h"
#include "analyze/ptxla/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define FRAMES_MOST 256
#define LAUNCHES_MOST 1000000 /* pairs of a graph and a device */

/* The number that follows a text; -1: there is none. */
static int64_t number_after(struct slice s, const char *text)
{
	const char *at = slice_find(s, text);
	struct slice rest;
	int64_t v;

	if (!at)
		return -1;
	at += strlen(text);
	rest = slice_trim((struct slice){ at, (size_t)(s.s + s.n - at) });
	return ptxla_integer(&rest, &v) && v >= 0 ? v : -1;
}

static struct slice before(struct slice s, const char *at)
{
	return (struct slice){ s.s, (size_t)(at - s.s) };
}

static struct slice after(struct slice s, const char *at)
{
	return (struct slice){ at, (size_t)(s.s + s.n - at) };
}

/* Names separated by commas, without blanks and without an empty last one. */
static const char *names_of(struct ptxla *x, struct slice s)
{
	char *out = arena_alloc(&x->text, s.n + 1), *o = out;

	for (size_t i = 0; i < s.n; i++)
		if (s.s[i] != ' ')
			*o++ = s.s[i];
	while (o > out && o[-1] == ',')
		o--;
	*o = 0;
	return *out ? out : NULL;
}

static bool too_frequent(struct ptxla *x, struct ptxla_notice *n, struct slice s)
{
	static const char words[] = " too frequent: ";
	const char *at = slice_find(s, words);
	struct slice name, rest;

	if (!at)
		return false;
	name = before(s, at);
	rest = after(s, at + strlen(words));
	n->kind = "too_frequent";
	n->steps = number_after(rest, "during");
	if (slice_is(name, "Following metrics")) { /* "A (3 counts), B (4 counts), during 20 steps." */
		at = slice_find(rest, " (");
		name = at ? before(rest, at) : (struct slice){ NULL, 0 };
		n->samples = at ? number_after(rest, " (") : -1;
	} else if (!ptxla_integer(&rest, &n->samples)) {
		n->samples = -1;
	}
	n->metric = ptxla_keep(x, name);
	return true;
}

static bool too_slow(struct ptxla *x, struct ptxla_notice *n, struct slice s)
{
	const char *at = slice_find(s, " too slow: "), *took = slice_find(s, " took ");
	struct slice rest;
	int64_t ps;

	if (!at)
		return false;
	n->kind = "too_slow";
	n->metric = ptxla_keep(x, before(s, at));
	if (took) {
		rest = after(s, took + strlen(" took "));
		n->seconds = ptxla_duration(&rest, &ps) ? (double)ps / 1e12 : NAN;
	}
	return true;
}

static bool not_lowered(struct ptxla *x, struct ptxla_notice *n, struct slice s)
{
	const char *at;

	if (!slice_cut(&s, "Op(s) not lowered: "))
		return false;
	at = slice_find(s, "Please open");
	n->kind = "not_lowered";
	n->ops = names_of(x, at ? before(s, at) : s);
	return true;
}

/* --- the summary of ops that were not lowered --- */

static bool frame_line(struct ptxla *x, struct ptxla_unlowered *u, struct slice s)
{
	struct ptxla_frame f;

	if (!ptxla_frame_of(x, s, &f))
		return false;
	if (u->nframes < FRAMES_MOST)
		VEC_ADD(u->frames, u->nframes, u->frames_cap, f);
	return true;
}

static void unlowered_begin(struct ptxla *x, struct ptxla_process *p, uint64_t line, int64_t count)
{
	ptxla_notice_end(x, p);
	p->unlowered = x->nunlowered;
	VEC_ADD(x->unlowered, x->nunlowered, x->unlowered_cap,
	    (struct ptxla_unlowered){ .file = x->work->file, .line = line, .count = count });
}

/* Takes the name of the op from "at::_ops::nonzero::call(...)". */
static void native_line(struct ptxla *x, struct ptxla_unlowered *u, struct slice s)
{
	const char *at = slice_find(s, "at::_ops::"), *end;
	char *op;

	if (!at || (u->op && strcmp(u->op, "xla_fallback")))
		return;
	s = after(s, at + strlen("at::_ops::"));
	end = slice_find(s, "::");
	if (!end)
		return;
	op = xasprintf("aten::%.*s", (int)(end - s.s), s.s);
	u->op = ptxla_keep(x, slice_of(op));
	free(op);
}

/* A call is followed by the frames of Python and of C++. */
static bool tag_line(struct ptxla *x, struct ptxla_process *p, uint64_t line, struct slice s)
{
	const char *from = slice_find(s, " From Thread ");

	if (slice_begins(s, "[TAG ") && from && s.s[s.n - 1] == ']') {
		unlowered_begin(x, p, line, 1);
		x->unlowered[p->unlowered].op = ptxla_keep(x, before(after(s, s.s + strlen("[TAG ")), from));
		p->tagged = true;
		return true;
	}
	if (!p->tagged)
		return false;
	if (slice_begins(s, "*** End stack trace")) {
		ptxla_notice_end(x, p);
		return true;
	}
	if (slice_begins(s, "C++ Frames:"))
		p->in_native = true;
	else if (p->in_native)
		native_line(x, &x->unlowered[p->unlowered], s);
	else if (!frame_line(x, &x->unlowered[p->unlowered], s) && !slice_ends(s, "Frames:"))
		ptxla_notice_end(x, p);
	return p->tagged;
}

static bool unlowered_line(struct ptxla *x, struct ptxla_process *p, uint64_t line, struct slice s)
{
	struct ptxla_unlowered *u;

	if (tag_line(x, p, line, s))
		return true;
	if (slice_begins(s, "FRAME (count=")) {
		unlowered_begin(x, p, line, number_after(s, "(count="));
		return true;
	}
	if (p->unlowered == SIZE_MAX)
		return false;
	u = &x->unlowered[p->unlowered];
	if (slice_cut(&s, "Unlowered Op:")) {
		s = slice_trim(s);
		slice_cut(&s, "\"");
		slice_cut_end(&s, "\"");
		u->op = ptxla_keep(x, s);
		return true;
	}
	if (frame_line(x, u, s))
		return true;
	if (s.n)
		p->unlowered = SIZE_MAX;
	return !s.n;
}

/* Calls of one op from one place are one row. */
void ptxla_notice_end(struct ptxla *x, struct ptxla_process *p)
{
	struct ptxla_work *w = x->work;
	struct ptxla_unlowered *u = p->tagged ? &x->unlowered[p->unlowered] : NULL;
	const struct ptxla_frame *user = u ? ptxla_user_frame(u->frames, u->nframes) : NULL;
	uint32_t was = w->tags.n;
	char *key;
	strid id;

	p->unlowered = SIZE_MAX;
	p->tagged = p->in_native = false;
	if (!u || u != &x->unlowered[x->nunlowered - 1])
		return;
	key = xasprintf("%u %s %s:%lld", u->file, u->op ? u->op : "", user ? user->file : "",
	    user ? (long long)user->line : 0LL);
	id = strtab_addz(&w->tags, key);
	free(key);
	if (w->tags.n > was) {
		w->tag_cap = id >= w->tag_cap ? 2 * (size_t)id + 16 : w->tag_cap;
		w->tag_rows = xrealloc(w->tag_rows, w->tag_cap, sizeof *w->tag_rows);
		w->tag_rows[id] = x->nunlowered - 1;
		return;
	}
	x->unlowered[w->tag_rows[id]].count++;
	free(u->frames);
	x->nunlowered--;
}

/* "185 steps": the rest of a notice that was wrapped */
static bool rest_of_notice(struct ptxla *x, uint64_t line, struct slice s)
{
	struct ptxla_notice *n = x->nnotices ? &x->notices[x->nnotices - 1] : NULL;
	int64_t steps;

	if (!n || n->file != x->work->file || n->line + 1 != line || n->steps >= 0 ||
	    strcmp(n->kind, "too_frequent") || !ptxla_integer(&s, &steps) || steps < 0 ||
	    !slice_begins(s, " steps"))
		return false;
	n->steps = steps;
	return true;
}

bool ptxla_notice_line(struct ptxla *x, struct ptxla_process *p, uint64_t line, struct slice s)
{
	static const char prefix[] = "pt-xla-profiler:";
	const char *at = slice_find(s, prefix);
	struct ptxla_notice n = { .file = x->work->file,
		.line = line,
		.samples = -1,
		.steps = -1,
		.seconds = NAN };

	if (at)
		s = slice_trim(after(s, at + strlen(prefix)));
	if (unlowered_line(x, p, line, s))
		return true;
	if (!at && rest_of_notice(x, line, s))
		return true;
	if (!at || !(too_frequent(x, &n, s) || too_slow(x, &n, s) || not_lowered(x, &n, s)))
		return at != NULL;
	VEC_ADD(x->notices, x->nnotices, x->notices_cap, n);
	return true;
}

/* --- graphs that ran --- */

static struct slice word_of(struct slice s)
{
	size_t n = 0;

	slice_cut(&s, "'");
	while (n < s.n && !strchr(" \t'\",;", s.s[n]))
		n++;
	while (n && s.s[n - 1] == '.')
		n--;
	return (struct slice){ s.s, n };
}

/* "CPU:0" of "on device CPU:0 ...", "CPU:0,CPU:1" of "on devices: CPU:0,CPU:1 done!" */
static struct slice devices_of(struct slice s)
{
	size_t n = 0;

	if (!slice_cut(&s, "s: ") && !slice_cut(&s, "s ") && !slice_cut(&s, " "))
		return (struct slice){ s.s, 0 };
	slice_cut(&s, "'");
	while (n < s.n && !strchr(" \t'\";", s.s[n]))
		n++;
	while (n && (s.s[n - 1] == '.' || s.s[n - 1] == ','))
		n--;
	return (struct slice){ s.s, n };
}

void ptxla_launch_line(struct ptxla *x, uint64_t line, struct slice s)
{
	static const char hash[] = "graph hash ", device[] = " on device";
	const char *at = slice_find(s, hash), *on = at ? slice_find(after(s, at), device) : NULL;
	struct slice verb = at ? before(s, at) : s, graph, of;
	struct ptxla_launch *l;
	char key[300];
	uint32_t was = x->work->launches.n;
	bool compiling = slice_find(verb, "Compiling ");
	strid id;

	if (!on || !(compiling || slice_find(verb, "Executing ") || slice_find(verb, "Syncing ")))
		return;
	graph = word_of(after(s, at + strlen(hash)));
	of = devices_of(after(s, on + strlen(device)));
	if (!graph.n || !of.n || graph.n + of.n + 2 > sizeof key || x->nlaunches >= LAUNCHES_MOST)
		return;
	memcpy(key, graph.s, graph.n);
	key[graph.n] = ' ';
	memcpy(key + graph.n + 1, of.s, of.n);
	id = strtab_add(&x->work->launches, key, graph.n + 1 + of.n);
	if (x->work->launches.n > was)
		VEC_ADD(x->launches, x->nlaunches, x->launches_cap,
		    (struct ptxla_launch){ .file = x->work->file,
			.line = line,
			.hash = ptxla_keep(x, graph),
			.device = ptxla_keep(x, of) });
	l = &x->launches[id - 1];
	if (slice_ends(s, "done!"))
		(*(compiling ? &l->was_compiled : &l->ran))++;
	else
		(*(compiling ? &l->compiled : &l->count))++;
}

/* A log that begins in the middle has ends without beginnings. */
void ptxla_launch_end(struct ptxla_launch *l)
{
	l->count = l->count > l->ran ? l->count : l->ran;
	l->compiled = l->compiled > l->was_compiled ? l->compiled : l->was_compiled;
}
