#include "config.h"

#include "load/chrome/chrome.h"

#include <string.h>

#define IS(word) (!memcmp(k, word, sizeof word - 1))

/* Reads a value as text. */
static inline const char *text(const char *p, const char *end, struct slice *t, unsigned *has, unsigned bit)
{
	const char *q = scan_value(p, end);

	if (q) {
		*t = (struct slice){ p, (size_t)(q - p) };
		*has |= bit;
	}
	return q;
}

static inline const char *name(const char *p, const char *end, struct chrome_record *r)
{
	const char *q = *p == '"' ? scan_quote(p + 1, end) : NULL;

	if (!q) {
		q = text(p, end, &r->name, &r->has, HAS_NAME);
		r->name = q ? scan_inside(r->name) : r->name;
		return q;
	}
	r->name = (struct slice){ p + 1, (size_t)(q - p - 1) };
	r->has |= HAS_NAME;
	return q + 1;
}

static inline const char *phase(const char *p, const char *end, struct chrome_record *r)
{
	struct slice t;
	const char *q;

	r->has |= HAS_PH;
	if (end - p > 3 && p[0] == '"' && p[2] == '"' && p[1] != '\\') {
		r->ph = p[1];
		return p + 3;
	}
	q = text(p, end, &t, &r->has, HAS_PH);
	r->ph = '?';
	return q;
}

/* Reads a number; anything else leaves the member unset. */
static inline const char *read_time(const char *p, const char *end, struct scan_time *t, unsigned *has,
    unsigned bit)
{
	const char *q = scan_time(p, end, t);

	if (q != p) {
		*has |= bit;
		return q;
	}
	*has &= ~bit;
	return scan_value(p, end);
}

static inline const char *ident(const char *p, const char *end, int64_t *v, struct slice *t, unsigned *has,
    unsigned bit, unsigned text_bit)
{
	const char *q = scan_int(p, end, v);

	*has |= bit;
	*has &= ~text_bit;
	if (q != p)
		return q;
	return text(p, end, t, has, text_bit);
}

static const char *flag(const char *p, const char *end, struct chrome_record *r, unsigned bit)
{
	struct slice t = { "", 0 };
	const char *q = text(p, end, &t, &r->has, HAS_OTHER);

	r->has &= ~bit;
	if (t.n && (*t.s == 't' || *t.s == '1' || (*t.s == '"' && t.n > 2 && t.s[1] == 't')))
		r->has |= bit;
	return q;
}

/* Reads the members that few records have. */
static const char *rare(const char *k, size_t n, const char *p, const char *end, struct chrome_record *r)
{
	static const struct {
		const char *key;
		uint8_t n;
		unsigned bit;
		size_t at;
	} table[] = {
		{ "id", 2, HAS_ID, offsetof(struct chrome_record, id) },
		{ "sf", 2, HAS_SF, offsetof(struct chrome_record, sf) },
		{ "bp", 2, HAS_BP, offsetof(struct chrome_record, bp) },
		{ "cat", 3, HAS_CAT, offsetof(struct chrome_record, cat) },
		{ "id2", 3, HAS_ID2, offsetof(struct chrome_record, id2) },
		{ "scope", 5, HAS_SCOPE, offsetof(struct chrome_record, scope) },
		{ "bind_id", 7, HAS_BIND_ID, offsetof(struct chrome_record, bind_id) },
		{ "entries", 7, HAS_ENTRIES, offsetof(struct chrome_record, entries) },
		{ "event_stats", 11, HAS_EVENT_STATS, offsetof(struct chrome_record, event_stats) },
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (table[i].n == n && !memcmp(table[i].key, k, n))
			return text(p, end, (struct slice *)(void *)((char *)r + table[i].at), &r->has,
			    table[i].bit);
	if (n == 7 && IS("flow_in"))
		return flag(p, end, r, HAS_FLOW_IN);
	if (n == 8 && IS("flow_out"))
		return flag(p, end, r, HAS_FLOW_OUT);
	r->has |= HAS_OTHER;
	return scan_value(p, end);
}

static inline const char *member(const char *k, size_t n, const char *p, const char *end,
    struct chrome_record *r)
{
	if (n == 2 && IS("ph"))
		return phase(p, end, r);
	if (n == 2 && IS("ts"))
		return read_time(p, end, &r->ts, &r->has, HAS_TS);
	if (n == 3 && IS("dur")) {
		p = read_time(p, end, &r->dur, &r->has, HAS_DUR);
		r->has |= r->has & HAS_DUR ? 0 : HAS_BAD_DUR;
		return p;
	}
	if (n == 3 && IS("pid"))
		return ident(p, end, &r->pid, &r->pid_text, &r->has, HAS_PID, HAS_PID_TEXT);
	if (n == 3 && IS("tid"))
		return ident(p, end, &r->tid, &r->tid_text, &r->has, HAS_TID, HAS_TID_TEXT);
	if (n == 4 && IS("name"))
		return name(p, end, r);
	if (n == 4 && IS("args"))
		return text(p, end, &r->args, &r->has, HAS_ARGS);
	return rare(k, n, p, end, r);
}

enum chrome_read chrome_record(const char **at, const char *end, struct chrome_record *r)
{
	const char *p = *at + 1, *k, *q;
	size_t n;

	r->has = 0;
	r->ph = 0;
	for (;;) {
		while (p < end && (*p == ',' || scan_is_space(*p)))
			p++;
		if (p == end)
			return RECORD_CUT;
		if (*p != '"')
			break;
		k = p + 1;
		scan_ahead(k);
		q = scan_quote(k, end);
		if (!q)
			return RECORD_CUT;
		n = (size_t)(q - k);
		p = scan_space(q + 1, end);
		if (p == end)
			return RECORD_CUT;
		if (*p != ':')
			break;
		p = scan_space(p + 1, end);
		if (p == end)
			return RECORD_CUT;
		q = member(k, n, p, end, r);
		if (!q)
			return RECORD_CUT;
		if (q == p)
			break;
		p = scan_space(q, end);
		if (p == end)
			return RECORD_CUT;
		if (*p != ',')
			break;
	}
	*at = p + (*p == '}');
	return *p == '}' ? RECORD_OK : RECORD_BAD;
}
