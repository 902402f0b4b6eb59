#include "config.h"
#include "view/account/account.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text/units.h"
#include "core/app.h"
#include "core/results.h"
#include "widget/fields.h"

enum { LABEL = 14, CORES_SHOWN = 4 };

static void put_levers(struct pen *p, struct app *app)
{
	const struct levers *l = result_get(app, RESULT_LEVERS);
	const bool ascii = p->c->glyphs->ascii;
	char what[96], value[64], time[40];

	pen_head(p, "WHAT MENDING SAVES", "W switches them on and off");
	if (!l) {
		pen_say(p, ROLE_DIM, result_what(app, RESULT_LEVERS, what, sizeof what));
		return;
	}
	for (size_t i = 0; i < l->n; i++) {
		const struct lever *x = &l->v[i];

		snprintf(value, sizeof value, "%s", ascii ? "-" : "–");
		if (!isnan(x->is.save))
			snprintf(value, sizeof value, "%s%s %5.1f %%",
			    !x->at_most ? ""
				: ascii ? "<="
					: "≤",
			    units_time_short(time, sizeof time, (int64_t)x->is.save, ascii),
			    100 * x->is.save / (x->is.save + x->is.step));
		pen_line(p, ROLE_TEXT, slice_of(lever_text(x->id)), value);
	}
}

struct share_of {
	uint32_t core;
	double ps;
};

VEC_ORDER(by_share, struct share_of, DOWN(ps) UP(core));

/* The cores on it, and how often it changes. */
static void put_path(struct pen *p, const struct replay *r)
{
	struct share_of *v = xcalloc(r->ncores + 1, sizeof *v);
	double steps = (double)replay_count(r, r->used), step = replay_mean(r, r->step, r->used), skew = 0;
	char text[160], time[40];

	pen_head(p, "CRITICAL PATH", "of the step");
	for (uint32_t k = 0; k < r->ncores; k++)
		v[k].core = k;
	for (size_t i = 0; i < r->path.n; i++)
		if (r->path.v[i].core == NODE_NONE)
			skew += r->path.v[i].ps / steps;
		else
			v[r->path.v[i].core].ps += r->path.v[i].ps / steps;
	VEC_SORT(v, r->ncores, by_share);
	for (size_t i = 0; i < r->ncores && i < CORES_SHOWN && v[i].ps > 0; i++) {
		const struct slice host = dump_text(r->dump, r->dump->hosts[r->core[v[i].core].host].name);

		snprintf(text, sizeof text, "core %d of %.*s", r->core[v[i].core].core, (int)host.n, host.s);
		snprintf(time, sizeof time, "%5.1f %%", 100 * v[i].ps / step);
		pen_line(p, ROLE_TEXT, slice_of(text), time);
	}
	free(v);
	snprintf(text, sizeof text,
	    "It changes the core %zu time%s; in %zu of %zu collectives two cores came almost last%s.",
	    r->path.turns, r->path.turns == 1 ? "" : "s", r->path.near_ties, r->path.syncs,
	    r->path.near_ties && 2 * r->path.near_ties >= r->path.syncs ? ": no single core decides" : "");
	pen_text(p, 0, ROLE_TEXT, slice_of(text), 3);
	if (fabs(skew) > 0.01 * step)
		pen_say(p, ROLE_WARN, "The path is doubtful: cores do not begin together.");
}

/* How well it repeats what was measured. */
static void put_replay(struct pen *p, const struct replay *r)
{
	char text[160];

	pen_head(p, "THE REPLAY", "");
	snprintf(text, sizeof text, "Repeats the steps to %.3f %%; programs start %s; waits are %s.",
	    replay_error(r), r->together ? "together on all cores" : "on each core alone",
	    r->waits_known ? "known" : "not known, so that some savings are not, either");
	pen_text(p, 0, ROLE_TEXT, slice_of(text), 4);
}

int account_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct account_view *s = v->state;
	size_t row = sheet_row(&s->pages.sheet[s->pages.page]);
	struct pen p = { .c = c, .r = r, .y = r.y, .label = how == FRAME_BESIDE ? 0 : LABEL };

	if (s->pages.page != ACCOUNT_PARTS && row < s->pages.table[s->pages.page].nrows)
		pen_row(&p, &s->pages.table[s->pages.page], row, how == FRAME_BELOW ? "?" : "!",
		    how == FRAME_FULL);
	if (!s->r->nsteps || s->r->stuck) {
		pen_text(&p, 0, ROLE_TEXT,
		    slice_of(s->r->stuck ? "Cores meet in another order: no replay, no savings, no path."
					 : "No steps of TPU cores."),
		    3);
		return p.y;
	}
	put_levers(&p, v->app);
	p.y++;
	put_path(&p, s->r);
	p.y++;
	put_replay(&p, s->r);
	return p.y;
}
