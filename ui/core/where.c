#include "config.h"
#include "core/where.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* db NULL: not known yet */
static int find_op(struct ref *r, const char *name, const struct dump *d, const struct opdb *db)
{
	size_t len = strlen(name);
	strid id = strtab_find(&d->str, name, len);

	r->kind = REF_OP;
	for (size_t i = 0; db && i < db->n; i++) { /* most time first */
		const struct op *o = &db->v[i];
		struct slice text = op_short_name(d, o);

		if (o->name != id && !(text.n == len && !memcmp(text.s, name, len)))
			continue;
		r->name = o->name;
		r->program = o->program;
		return 0;
	}
	r->name = id;
	return id != UINT32_MAX ? 0 : -1;
}

/* "0:5", or "5" of any host */
static int read_core(struct ref *r, const char *s)
{
	char *end;
	long first = strtol(s, &end, 10), second;

	if (end == s || first < 0 || first > INT32_MAX)
		return -1;
	r->core = (int)first;
	if (*end == ':') {
		s = end + 1;
		second = strtol(s, &end, 10);
		if (end == s || second < 0 || second > INT32_MAX)
			return -1;
		r->host = (int)first;
		r->core = (int)second;
	}
	return *end ? -1 : 0;
}

static int read_step(struct ref *r, const char *s)
{
	const char *core = strstr(s, " core ");

	r->kind = REF_STEP;
	snprintf(r->text, sizeof r->text, "%.*s", core ? (int)(core - s) : (int)strlen(s), s);
	return !*r->text ? -1 : core ? read_core(r, core + 6) : 0;
}

/* Plane and line, with a blank between. */
static int find_track(struct ref *r, const char *s, const struct dump *d)
{
	const struct trace *t = &d->trace;

	r->kind = REF_TRACK;
	for (size_t i = 0; i < t->ntracks; i++) {
		const struct track *k = &t->tracks[i];
		strid plane = t->planes[k->plane].name;
		size_t n = strtab_len(&d->str, plane), m = strtab_len(&d->str, k->name);

		if (strlen(s) != n + 1 + m || memcmp(s, strtab_str(&d->str, plane), n) || s[n] != ' ' ||
		    memcmp(s + n + 1, strtab_str(&d->str, k->name), m))
			continue;
		r->track = (uint32_t)i;
		return 0;
	}
	return -1;
}

/* The module behind it is known by its id, that stands in parentheses or alone. */
static int read_buffer(struct ref *r, const char *s)
{
	const char *module = strstr(s, " module "), *id;

	r->kind = REF_BUFFER;
	snprintf(r->text, sizeof r->text, "%.*s", module ? (int)(module - s) : (int)strlen(s), s);
	if (module) {
		id = strrchr(module, '(');
		r->program = strtoull(id ? id + 1 : module + 8, NULL, 10);
	}
	return *r->text ? 0 : -1;
}

static int named(struct ref *r, enum ref_kind kind, const char *s)
{
	r->kind = kind;
	snprintf(r->text, sizeof r->text, "%s", s);
	return *s ? 0 : -1;
}

static int read_reference(struct ref *r, const char *s, const struct dump *d, const struct opdb *db)
{
	static const struct {
		const char *word;
		enum ref_kind kind;
	} kinds[] = {
		{ "op ", REF_OP },
		{ "step ", REF_STEP },
		{ "core ", REF_CORE },
		{ "module ", REF_MODULE },
		{ "buffer ", REF_BUFFER },
		{ "track ", REF_TRACK },
		{ "channel ", REF_CHANNEL },
		{ "collective ", REF_COLLECTIVE },
	};
	enum ref_kind kind = REF_OP;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strncmp(s, kinds[i].word, strlen(kinds[i].word))) {
			kind = kinds[i].kind;
			s += strlen(kinds[i].word);
			break;
		}
	switch (kind) {
	case REF_STEP:
		return read_step(r, s);
	case REF_CORE:
		r->kind = REF_CORE;
		return read_core(r, s);
	case REF_TRACK:
		return find_track(r, s, d);
	case REF_BUFFER:
		return read_buffer(r, s);
	case REF_MODULE:
	case REF_CHANNEL:
	case REF_COLLECTIVE:
		return named(r, kind, s);
	default:
		return find_op(r, s, d, db);
	}
}

/* "core 0:5" with the name of the host, where there are several. */
static void say_host(struct where *w, const struct dump *d)
{
	char *at = strstr(w->text, "core ");
	strid host;

	if (!at || (w->ref.kind != REF_CORE && w->ref.kind != REF_STEP) || w->ref.host < 0 ||
	    (size_t)w->ref.host >= d->nhosts)
		return;
	host = d->hosts[w->ref.host].name;
	snprintf(at, sizeof w->text - (size_t)(at - w->text), d->nhosts > 1 ? "core %d of %.*s" : "core %d",
	    w->ref.core, (int)strtab_len(&d->str, host), strtab_str(&d->str, host));
}

int where_parse(const char *where, const struct dump *d, const struct opdb *db, struct where *w)
{
	size_t n = strcspn(where, ":");
	const char *text = where[n] ? where + n + 1 : "";

	*w = (struct where){
		.ref = { .kind = REF_NONE, .track = UINT32_MAX, .file = -1, .host = -1, .core = -1 }
	};
	if (!n || n >= sizeof w->view)
		return -1;
	memcpy(w->view, where, n);
	snprintf(w->text, sizeof w->text, "%s", strncmp(text, "op ", 3) ? text : text + 3);
	if (!*text)
		return 0;
	if (!read_reference(&w->ref, text, d, db)) {
		say_host(w, d);
		return 0;
	}
	w->ref.kind = REF_NONE;
	return -1;
}
