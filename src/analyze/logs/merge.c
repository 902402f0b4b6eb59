#include "config.h"
#include "analyze/logs/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/text/digit.h"

/* A record: its first line and those that continue it. */
struct record {
	int64_t when;
	uint64_t hash; /* of its bytes; 0: it can have no copies */
	size_t line, lines;
	uint32_t text, copies;
	bool copy;
};

struct records {
	struct record *v;
	size_t n, cap;
};

VEC_ORDER(by_time, struct record, UP(when) UP(text) UP(line));
VEC_ORDER_POINTERS(by_hash, struct record, UP(hash) UP(text) UP(line));

/* Only files of glog repeat records of each other, and only there is the time fine enough to tell. */
static bool may_repeat(const struct log_text *t, size_t line)
{
	const char *s = t->bytes + t->lines.at[line];

	return t->lines.prefix[line] > 20 && memchr("IWEF", *s, 4) && is_digit(s[1]);
}

static uint64_t hash_of(const struct log_text *t, const struct record *r)
{
	size_t from = t->lines.at[r->line], to = t->lines.at[r->line + r->lines];

	return may_repeat(t, r->line) ? hash_bytes(HASH_START, t->bytes + from, to - from) | 1 : 0;
}

static void add_records(struct records *r, const struct log_text *t, uint32_t text, int64_t later)
{
	const struct triage_lines *l = &t->lines;
	size_t next;

	for (size_t i = 0; i < l->n; i = next) {
		int64_t when = l->when[i];

		for (next = i + 1; next < l->n && !l->prefix[next] && l->when[next] == when; next++)
			;
		VEC_ADD(r->v, r->n, r->cap,
		    (struct record){ .when = when == TRIAGE_NEVER ? when : when + later,
			.line = i,
			.lines = next - i,
			.text = text });
	}
}

/* Marks the copies among records of one time. */
static void mark_copies(const struct log_text *texts, struct record *v, size_t n, struct record **same)
{
	struct record *first = NULL;

	for (size_t i = 0; i < n; i++) {
		v[i].hash = hash_of(&texts[v[i].text], &v[i]);
		same[i] = &v[i];
	}
	VEC_SORT(same, n, by_hash);
	for (size_t i = 0; i < n; i++) {
		if (!first || !same[i]->hash || same[i]->hash != first->hash ||
		    same[i]->text == first->text) {
			first = same[i];
			continue;
		}
		same[i]->copy = true;
		first->copies++;
	}
}

static void find_copies(const struct log_text *texts, struct records *r)
{
	struct record **same = xcalloc(r->n + 1, sizeof(struct record *));

	for (size_t i = 0, next; i < r->n; i = next) {
		for (next = i + 1; next < r->n && r->v[next].when == r->v[i].when; next++)
			;
		if (next - i > 1 && r->v[i].when != TRIAGE_NEVER)
			mark_copies(texts, &r->v[i], next - i, same);
	}
	free(same);
}

static bool lacks_year(const struct triage_lines *l)
{
	return l->n && l->when[l->n - 1] != TRIAGE_NEVER && l->when[l->n - 1] < TRIAGE_YEAR;
}

static int64_t latest_year(const struct logs *l)
{
	int64_t year = 0;

	for (size_t i = 0; i < l->ntexts; i++) {
		const struct triage_lines *t = &l->texts[i].lines;
		int64_t last = t->n ? t->when[t->n - 1] : TRIAGE_NEVER;

		if (last != TRIAGE_NEVER && last / TRIAGE_YEAR > year)
			year = last / TRIAGE_YEAR;
	}
	return year;
}

void logs_merge(struct logs *l, struct progress *p)
{
	struct records r = { 0 };
	int64_t year = latest_year(l);
	size_t lines = 0;

	l->n = 0;
	for (size_t i = 0; i < l->ntexts && !progress_canceled(p); i++) {
		const struct log_text *t = &l->texts[i];

		add_records(&r, t, (uint32_t)i, lacks_year(&t->lines) ? year * TRIAGE_YEAR : 0);
		lines += t->lines.n;
	}
	l->order = xcalloc(lines + 1, sizeof *l->order);
	if (!progress_canceled(p) && sort_items(r.v, r.n, sizeof *r.v, by_time, p)) {
		find_copies(l->texts, &r);
		for (size_t i = 0; i < r.n; i++)
			for (size_t k = 0; k < r.v[i].lines && !r.v[i].copy; k++)
				l->order[l->n++] =
				    (struct log_line){ r.v[i].text, r.v[i].copies, r.v[i].line + k };
	}
	free(r.v);
}
