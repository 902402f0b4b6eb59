#include "config.h"
#include "analyze/diff/internal.h"

#include <math.h>
#include <stdlib.h>

double per_step(const struct side *s, double sum)
{
	double n = (double)s->nused * (double)s->ncores;

	return n > 0 ? sum / n : 0;
}

const char *no_ops_of(const struct comparison *c)
{
	for (size_t i = 0; i < c->n[BASE] + c->n[NEW]; i++)
		if (c->v[i]->no_ops)
			return c->v[i]->no_ops;
	return NULL;
}

static int side_of(const struct comparison *c, const struct member *m)
{
	return m->side >= c->first[NEW] ? NEW : BASE;
}

static void add_member(const struct comparison *c, struct unit *u, const struct member *m)
{
	int which = side_of(c, m);
	const struct side *s = c->v[m->side];
	double n = (double)c->n[which];

	if (!u->op[which] || m->op->self > u->op[which]->self)
		u->op[which] = m->op;
	u->self[which] += per_step(s, (double)(m->op->self - m->op->wait)) / n;
	u->wait[which] += per_step(s, (double)m->op->wait) / n;
	u->runs[which] += per_step(s, (double)m->op->runs) / n;
	u->count[which]++;
}

void compare_ops(struct comparison *c)
{
	const struct member *m;
	struct unit *u = NULL;

	if (no_ops_of(c) && !c->fatal)
		return;
	matches_make(c->v, c->n[BASE] + c->n[NEW], &c->matches);
	c->unit = xcalloc((size_t)c->matches.nunits + 1, sizeof *c->unit);
	for (size_t i = 0; i < c->matches.n; i++) {
		m = &c->matches.v[i];
		if (!i || m->unit != m[-1].unit) {
			u = &c->unit[c->nunits++];
			u->member = m;
			u->group = c->matches.group[m->unit];
		}
		u->nmembers++;
		add_member(c, u, m);
	}
	for (size_t i = 0; i < c->nunits; i++) {
		u = &c->unit[i];
		for (int k = 0; k < SIDES; k++)
			u->name[k] = u->op[k] ? u->op[k]->name : (struct slice){ NULL, 0 };
		c->op_time += u->self[BASE] + u->wait[BASE];
		c->matched += u->op[BASE] && u->op[NEW] ? u->self[BASE] + u->wait[BASE] : 0;
	}
}
