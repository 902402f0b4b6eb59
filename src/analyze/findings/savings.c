#include "config.h"
#include "analyze/findings/findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/replay/replay.h"
#include "base/mem.h"
#include "base/text/units.h"

static const struct mend {
	const char *id, *change, *least;
} mends[] = {
#define MEND(id, change, least) { #id, change, least },
#include "analyze/findings/mends.def"
#undef MEND
};

#define LITTLE 0.005 /* of a step: what saves less is not serious */

/* Predictions of a finding: index among the levers; SIZE_MAX: none. */
struct asked {
	size_t change, least;
};

struct mending {
	const struct replay *replay;
	struct findings *out;
	struct asked *asked;
	struct levers levers;
};

static const struct mend *mend_of(const struct finding *f)
{
	static const struct mend none = { 0 };

	for (size_t i = 0; i < sizeof mends / sizeof *mends; i++)
		if (!strcmp(mends[i].id, f->id))
			return &mends[i];
	return &none;
}

/* A name that stands for itself in an expression, and that some op has. */
static bool can_name(const struct dump *d, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strchr(",*?[()", s[i]))
			return false;
	return n && strtab_find(&d->str, s, n) != UINT32_MAX;
}

/* "op:{op}=0" with each of the ops, separated by commas; NULL: not all have names, or they are not known. */
static char *say_ops(const struct dump *d, const struct finding *f, const char *form, const char *at)
{
	const char *s = finding_ops(f);
	char *text = xstrdup(""), *longer;

	if (!*s)
		goto unknown;
	for (size_t n; *s; s += n + (s[n] == '\n')) {
		n = strcspn(s, "\n");
		if (!can_name(d, s, n))
			goto unknown;
		longer = xasprintf("%s%s%.*s%.*s%s", text, *text ? "," : "", (int)(at - form), form, (int)n,
		    s, at + strlen("{op}"));
		free(text);
		text = longer;
	}
	return text;
unknown:
	free(text);
	return NULL;
}

/* Synchronous collectives are hidden behind compute.  How much of asynchronous ones could be is not known, so that
 * their flights go as a whole; NULL: they have no pairs. */
static char *say_transfers(const struct replay *r)
{
	int64_t sync = 0, async = 0;

	for (size_t i = 0; i < r->ncores * r->nsteps; i++) {
		sync += r->parts[i][SPENT_TRANSFER];
		async += r->parts[i][SPENT_ASYNC];
	}
	if (async <= sync)
		return xstrdup("hide:*");
	return r->unpaired ? NULL : xstrdup("transfer:*=0");
}

/* The expression of a finding; NULL: there is none. */
static char *say_change(const struct replay *r, const struct finding *f, const char *form)
{
	const struct dump *d = r->dump;
	const char *at = form ? strchr(form, '{') : NULL;
	struct slice host = { "", 0 };

	if (!form || !at)
		return form ? xstrdup(form) : NULL;
	if (!strncmp(at, "{op}", 4))
		return say_ops(d, f, form, at);
	if (!strncmp(at, "{transfers}", 11))
		return say_transfers(r);
	if (f->proof.host < 0 || (size_t)f->proof.host >= d->nhosts || f->proof.core < 0)
		return NULL;
	host = dump_text(d, d->hosts[f->proof.host].name);
	if (!strncmp(at, "{host}", 6))
		return xasprintf("%.*s%.*s%s", (int)(at - form), form, (int)host.n, host.s, at + 6);
	return xasprintf("%.*s%.*s/%d%s", (int)(at - form), form, (int)host.n, host.s, f->proof.core, at + 6);
}

static size_t ask(struct mending *m, const char *change)
{
	struct err none = { 0 };

	return change && !levers_add(m->replay, "", change, &m->levers, &none) ? m->levers.n - 1 : SIZE_MAX;
}

static void ask_finding(struct mending *m, size_t i)
{
	struct finding *f = &m->out->v[i];
	const struct mend *mend = mend_of(f);
	char *change = f->mend ? xstrdup(f->mend) : say_change(m->replay, f, mend->change);

	m->asked[i] = (struct asked){ ask(m, change), ask(m, mend->least) };
	if (m->asked[i].change != SIZE_MAX)
		f->mend = arena_strndup(&m->out->text, change, strlen(change));
	else
		f->mend = NULL;
	free(change);
}

static const char *say(struct findings *out, char *text)
{
	const char *s = arena_strndup(&out->text, text, strlen(text));

	free(text);
	return s;
}

/* "…; mended: 17.21 ms, saves 2.17 ms (11.2 %)" */
static void say_saving(struct findings *out, double whole, double least, struct finding *f)
{
	char step[40], save[40], less[48] = "";

	if (!(whole > 0))
		return;
	units_time_short(step, sizeof step, (int64_t)(whole - f->save), false);
	units_time_short(save, sizeof save, (int64_t)f->save, false);
	if (!isnan(least) && least < f->save)
		units_time_short(less, sizeof less, (int64_t)least, false);
	f->save_share = f->save / whole;
	f->evidence = say(out,
	    xasprintf("%s; mended: %s%s, saves %s%s%s%s (%.1f %%)", f->evidence,
		f->at_most ? "at least " : "", step,
		*less            ? "between "
		    : f->at_most ? "at most "
				 : "",
		less, *less ? " and " : "", save, 100 * f->save_share));
}

static void take_saving(struct mending *m, size_t i, double whole, double rare)
{
	struct finding *f = &m->out->v[i];
	const struct lever *v = m->levers.v;
	struct asked a = m->asked[i];

	if (!strcmp(f->id, "step_varies") && rare > 0) {
		f->save = rare;
	} else if (a.change != SIZE_MAX && !v[a.change].is.nothing) {
		f->save = v[a.change].is.save;
		f->at_most = v[a.change].at_most;
	}
	if (f->save < LITTLE * whole)
		f->severity = SEVERITY_LOW;
	if (!isnan(f->save))
		say_saving(m->out, whole, a.least == SIZE_MAX ? NAN : v[a.least].is.save, f);
}

/* What is not known comes last. */
static int by_saving(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->severity != y->severity)
		return x->severity < y->severity ? -1 : 1;
	if (isnan(x->save) != isnan(y->save))
		return isnan(x->save) ? 1 : -1;
	if (!isnan(x->save) && (x->save < y->save || x->save > y->save))
		return x->save < y->save ? 1 : -1;
	return (x->nth > y->nth) - (x->nth < y->nth);
}

/* Predicts the first n of those that save something at once: what one takes away the others cannot save again. */
static struct prediction join(const struct replay *r, const struct findings *f, size_t n)
{
	struct prediction p = { NAN, NAN, true };
	struct levers l = { 0 };
	char *all = xstrdup(""), *longer;
	struct err none = { 0 };

	for (size_t i = 0; i < f->n && n; i++) {
		if (!f->v[i].mend || isnan(f->v[i].save))
			continue;
		n--;
		longer = xasprintf("%s%s%s", all, *all ? "," : "", f->v[i].mend);
		free(all);
		all = longer;
	}
	if (*all && !levers_add(r, "", all, &l, &none)) {
		levers_predict(r, 1, &l);
		p = l.v[0].is;
	}
	levers_free(&l);
	free(all);
	return p;
}

static void mend_all(struct mending *m)
{
	struct findings *out = m->out;
	const struct replay *r = m->replay;
	const double whole = replay_mean(r, r->step, r->whole), step = replay_mean(r, r->step, r->used);

	m->asked = xcalloc(out->n + 1, sizeof *m->asked);
	for (size_t i = 0; i < out->n; i++)
		ask_finding(m, i);
	levers_predict(r, 0, &m->levers);
	for (size_t i = 0; i < out->n; i++) {
		out->v[i].nth = i;
		take_saving(m, i, whole, whole - step);
	}
	VEC_SORT(out->v, out->n, by_saving);
	out->step = step;
	out->light = replay_mean(r, r->light, r->used);
	out->first = join(r, out, FINDINGS_FIRST).step;
	out->joint = join(r, out, out->n).step;
	out->whole = whole;
	free(m->asked);
	levers_free(&m->levers);
}

void findings_mend(const struct findings *in, const struct replay *r, struct findings *out)
{
	struct mending m = { .replay = r, .out = out };

	*out = *in;
	out->text = (struct arena){ 0 };
	out->v = xmalloc((in->n + 1) * sizeof *out->v);
	out->check = xmalloc((in->nchecks + 1) * sizeof *out->check);
	if (in->n)
		memcpy(out->v, in->v, in->n * sizeof *out->v);
	if (in->nchecks)
		memcpy(out->check, in->check, in->nchecks * sizeof *out->check);
	if (r && r->nsteps && !r->stuck)
		mend_all(&m);
}

const char *finding_saving(const struct finding *f, bool ascii, char *buf, size_t size)
{
	char n[16];

	if (isnan(f->save))
		snprintf(buf, size, "%s", ascii ? "-" : "–");
	else
		snprintf(buf, size, "%s%s %%",
		    !f->at_most ? ""
			: ascii ? "<="
				: "≤",
		    units_percent(n, sizeof n, f->save_share));
	return buf;
}
