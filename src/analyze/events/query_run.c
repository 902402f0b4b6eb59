#include "config.h"
#include "analyze/events/query.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyze/device/kinds.h"
#include "analyze/events/internal.h"
#include "base/text/digit.h"

enum verdict { NO, ASK, YES };

struct query_run {
	const struct query *q;
	const struct dump *d;
	const struct steps *steps;
	struct regex_scratch *scratch[QUERY_TERMS_MAX];
	size_t order[QUERY_TERMS_MAX], norder; /* terms to check per event, cheap ones first */
	uint8_t *meta;
	size_t nmeta;        /* meta: verdict + 1 by kind, 0 = not decided yet */
	uint32_t *meta_args; /* by meta: bits of the args terms that its stats satisfy; NULL: no such terms */
	uint8_t *track;
	size_t ntracks; /* track: verdict + 1, 0 = not decided yet */
	char *text;
	size_t text_cap; /* of a stat's text */
};

/* --- text and numbers --- */

static bool text_holds(struct query_run *r, size_t term, const char *s, size_t n)
{
	const struct query_term *t = &r->q->v[term];

	if (t->op == OP_MATCH)
		return regex_match(t->re, r->scratch[term], s, n, NULL, NULL);
	return slice_is((struct slice){ s, n }, t->value);
}

static bool time_holds(const struct query_term *t, int64_t v)
{
	switch (t->op) {
	case OP_LESS:
		return v < t->time;
	case OP_AT_MOST:
		return v <= t->time;
	case OP_MORE:
		return v > t->time;
	case OP_AT_LEAST:
		return v >= t->time;
	default:
		return v == t->time;
	}
}

static bool number_holds(const struct query_term *t, double v)
{
	switch (t->op) {
	case OP_LESS:
		return v < t->number;
	case OP_AT_MOST:
		return v <= t->number;
	case OP_MORE:
		return v > t->number;
	case OP_AT_LEAST:
		return v >= t->number;
	default:
		return t->has_number && v == t->number;
	}
}

/* --- stats --- */

struct asking {
	struct query_run *r;
	uint32_t holds;
};

static const char *stat_text(struct query_run *r, const struct stat_value *v, size_t *head, size_t *len)
{
	size_t need = v->name_len + v->n + 40;
	int n;

	if (need > r->text_cap)
		r->text = xrealloc(r->text, r->text_cap = need * 2, 1);
	memcpy(r->text, v->name, v->name_len);
	r->text[v->name_len] = '=';
	*head = v->name_len + 1;
	switch (v->type) {
	case STAT_DOUBLE:
		n = snprintf(r->text + *head, 40, "%.15g", v->d);
		break;
	case STAT_UINT:
		n = snprintf(r->text + *head, 40, "%" PRIu64, v->u);
		break;
	case STAT_INT:
		n = snprintf(r->text + *head, 40, "%" PRId64, v->i);
		break;
	default:
		memcpy(r->text + *head, v->s ? v->s : "", v->n);
		n = (int)v->n;
	}
	*len = *head + (size_t)n;
	return r->text;
}

static bool ask_stat(void *ctx, const struct stat_value *v)
{
	struct asking *a = ctx;
	struct query_run *r = a->r;
	const char *text = NULL;
	size_t head = 0, len = 0;
	double number;

	for (size_t i = 0; i < r->q->n; i++) {
		const struct query_term *t = &r->q->v[i];
		bool holds;

		if (t->field != QUERY_ARG || a->holds & 1u << i)
			continue;
		if (t->key && !stat_is(v, t->key))
			continue;
		if (!text)
			text = stat_text(r, v, &head, &len);
		if (t->op > OP_EQUAL) {
			holds = stat_number(v, &number) && number_holds(t, number);
		} else {
			holds = t->op == OP_MATCH && !t->key ? text_holds(r, i, text, len)
							     : text_holds(r, i, text + head, len - head);
			if (!holds && t->op == OP_EQUAL && t->has_number)
				holds = stat_number(v, &number) && number_holds(t, number);
		}
		a->holds |= (uint32_t)holds << i;
	}
	return true;
}

/* --- kinds of events --- */

static bool category_holds(struct query_run *r, size_t term, const struct evmeta *m, int class)
{
	const struct strtab *str = &r->d->str;
	strid id = m->category ? m->category : m->name;
	const char *s = strtab_str(str, id);
	size_t n = strtab_len(str, id), end = n;

	while (!m->category && end && is_digit(s[end - 1]))
		end--;
	if (!m->category && end && end < n && s[end - 1] == '.')
		n = end - 1;
	if (text_holds(r, term, s, n))
		return true;
	return class < CLASS_COUNT &&
	    text_holds(r, term, class_info(class)->id, strlen(class_info(class)->id));
}

static enum verdict decided(const struct query_term *t, bool holds)
{
	return holds != t->not ? YES : NO;
}

static enum verdict ask_kind(struct query_run *r, size_t term, uint32_t meta)
{
	const struct trace *tr = &r->d->trace;
	const struct query_term *t = &r->q->v[term];
	const struct evmeta *m = &tr->metas[meta];

	switch (t->field) {
	case QUERY_NAME:
		return decided(t,
		    text_holds(r, term, strtab_str(&r->d->str, m->name), strtab_len(&r->d->str, m->name)));
	case QUERY_CAT:
		return decided(t,
		    category_holds(r, term, m,
			tr->meta_class ? META_CLASS(tr->meta_class[meta]) : CLASS_COUNT));
	case QUERY_TRACK:
		return YES; /* decided for the track already */
	case QUERY_ARG:
		return r->meta_args[meta] & 1u << term ? decided(t, true) : ASK;
	default:
		return ASK;
	}
}

/* Combines all terms; without args, terms about args remain open. */
static enum verdict ask_terms(struct query_run *r, uint32_t meta, bool args)
{
	enum verdict v = YES;

	for (size_t i = 0; i < r->q->n && v != NO; i++) {
		enum verdict one = r->q->v[i].field == QUERY_ARG && !args ? ASK : ask_kind(r, i, meta);

		v = one == NO ? NO : one == ASK ? ASK : v;
	}
	return v;
}

/* Decided when the first event of a kind is checked, because a capture may have very many kinds. */
static enum verdict verdict_of(struct query_run *r, uint32_t meta)
{
	struct asking a = { .r = r };
	enum verdict v;

	if (r->meta[meta])
		return (enum verdict)(r->meta[meta] - 1);
	v = ask_terms(r, meta, false);
	if (v != NO && r->meta_args) { /* read stats only for kinds that are not ruled out */
		stats_of_meta(r->d, meta, ask_stat, &a);
		r->meta_args[meta] = a.holds;
		v = ask_terms(r, meta, true);
	}
	r->meta[meta] = (uint8_t)(v + 1);
	return v;
}

/* --- tracks --- */

static bool track_holds(struct query_run *r, size_t term, uint32_t track)
{
	const struct track *k = &r->d->trace.tracks[track];
	const struct plane *p = &r->d->trace.planes[k->plane];
	struct slice host = dump_text(r->d, p->host >= 0 ? r->d->hosts[p->host].name : 0),
		     plane = dump_text(r->d, p->name), line = dump_text(r->d, k->name),
		     label = plane_label(plane);
	bool holds;
	char *text;

	if (r->q->v[term].op == OP_MATCH) {
		text = xasprintf("%.*s %.*s %.*s", (int)host.n, host.s, (int)plane.n, plane.s, (int)line.n,
		    line.s);
		holds = text_holds(r, term, text, strlen(text));
	} else {
		text = xasprintf("%.*s %.*s", (int)label.n, label.s, (int)line.n, line.s);
		holds = text_holds(r, term, text, strlen(text)) || text_holds(r, term, line.s, line.n) ||
		    text_holds(r, term, plane.s, plane.n) || text_holds(r, term, label.s, label.n);
	}
	free(text);
	return holds;
}

bool query_track(struct query_run *r, uint32_t track)
{
	if (track >= r->ntracks)
		return false;
	if (!r->track[track]) {
		r->track[track] = YES + 1;
		for (size_t i = 0; i < r->q->n; i++)
			if (r->q->v[i].field == QUERY_TRACK && track_holds(r, i, track) == r->q->v[i].not )
				r->track[track] = NO + 1;
	}
	return r->track[track] == YES + 1;
}

/* --- events --- */

static bool step_holds(struct query_run *r, size_t term, const struct track *k, size_t i)
{
	const struct query_term *t = &r->q->v[term];
	const struct step *s = r->steps ? steps_at(r->steps, r->d, k->plane, track_start(k, i)) : NULL;

	if (!s)
		return false;
	if (t->op > OP_EQUAL)
		return number_holds(t, (double)s->shown);
	return text_holds(r, term, s->label, strlen(s->label)) ||
	    (!s->taken && text_holds(r, term, s->number, strlen(s->number))) ||
	    (s->name && text_holds(r, term, s->name, s->name_len));
}

static bool arg_holds(struct query_run *r, const struct track *k, size_t i)
{
	struct asking a = { .r = r, .holds = r->meta_args[track_meta(k, i)] };

	if (k->file >= 0)
		stats_of_event(r->d, k, i, ask_stat, &a);
	for (size_t n = 0; n < r->q->n; n++)
		if (r->q->v[n].field == QUERY_ARG && !(a.holds >> n & 1) != r->q->v[n].not )
			return false;
	return true;
}

bool query_event(struct query_run *r, uint32_t track, size_t i)
{
	const struct track *k = &r->d->trace.tracks[track];
	enum verdict v = track_meta(k, i) < r->nmeta ? verdict_of(r, track_meta(k, i)) : NO;
	bool holds = true;

	if (v != ASK)
		return v == YES;
	for (size_t n = 0; n < r->norder && holds; n++) {
		const struct query_term *t = &r->q->v[r->order[n]];

		switch (t->field) {
		case QUERY_DUR:
			holds = time_holds(t, track_dur(k, i)) != t->not ;
			break;
		case QUERY_START:
			holds = time_holds(t, track_start(k, i)) != t->not ;
			break;
		case QUERY_END:
			holds = time_holds(t, track_end(k, i)) != t->not ;
			break;
		case QUERY_SELF:
			holds = time_holds(t, track_self(k, i)) != t->not ;
			break;
		case QUERY_STEP:
			holds = step_holds(r, r->order[n], k, i) != t->not ;
			break;
		default:
			return arg_holds(r, k, i); /* checks all args terms at once; they come last */
		}
	}
	return holds;
}

struct query_run *query_bind(const struct query *q, const struct dump *d, const struct steps *steps)
{
	struct query_run *r = xcalloc(1, sizeof *r);

	*r = (struct query_run){ .q = q,
		.d = d,
		.steps = steps,
		.nmeta = d->trace.nmetas,
		.ntracks = d->trace.ntracks };
	r->meta = xcalloc(r->nmeta + 1, 1);
	r->track = xcalloc(r->ntracks + 1, 1);
	if (query_wants_args(q))
		r->meta_args = xcalloc(r->nmeta + 1, sizeof *r->meta_args);
	for (int f = QUERY_DUR; f < QUERY_FIELDS; f++)
		for (size_t i = 0; i < q->n; i++)
			if ((int)q->v[i].field == f)
				r->order[r->norder++] = i;
	for (size_t i = 0; i < q->n; i++)
		r->scratch[i] = q->v[i].re ? regex_scratch_new(q->v[i].re) : NULL;
	return r;
}

void query_unbind(struct query_run *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->q->n; i++)
		regex_scratch_free(r->scratch[i]);
	free(r->meta);
	free(r->meta_args);
	free(r->track);
	free(r->text);
	free(r);
}
