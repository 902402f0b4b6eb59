#include "config.h"

#include "load/table/trie.h"

#include <endian.h>
#include <string.h>

#include "base/codec/wire.h"
#include "base/mem.h"
#include "load/table/coarse.h"

#define EVENT_KEY 10 /* level, start (big-endian), repetition */

char *trie_path(const char *table)
{
	static const char end[] = ".SSTABLE";
	size_t n = strlen(table), stem = n < sizeof end ? 0 : n - (sizeof end - 1);

	return stem && !strcmp(table + stem, end) ? xasprintf("%.*s.trie%s", (int)stem, table, end) : NULL;
}

/* Larger ones that are cut off take long to go through: their blocks are looked for byte by byte. */
#define CUT_MOST ((size_t)64 << 20)

int trie_open(struct trie *r, const uint8_t *b, size_t n, struct err *err)
{
	memset(r, 0, sizeof *r);
	if (n > CUT_MOST && !sstable_has_end(b, n))
		return err_set(err, EXIT_DAMAGED, n, "it is cut off");
	if (sstable_open(&r->t, b, n, err))
		return -1;
	r->kept = r->t.nblocks;
	return 0;
}

void trie_close(struct trie *r)
{
	sstable_release(&r->block);
	sstable_close(&r->t);
}

/* --- which blocks --- */

/* Writers that were compiled with signed characters sorted names by them. */
enum order { ORDER_UNSIGNED = 0, ORDER_SIGNED = 0x80 };

/* Compares a key, or its beginning, with as much of a text. */
static int compare_begin(const uint8_t *key, size_t nkey, const uint8_t *text, size_t n, enum order order)
{
	size_t i = 0;

	n = n < nkey ? n : nkey;
	while (i < n && key[i] == text[i])
		i++;
	return i < n ? (key[i] ^ (int)order) - (text[i] ^ (int)order) : 0;
}

/* Can names that begin with a text be in a block?  It has those behind the last one of the block before, up to its
 * own. */
static bool in_block(const struct sstable *t, size_t i, const uint8_t *text, size_t n, enum order order)
{
	const struct sstable_entry *e = &t->blocks[i];
	int last = compare_begin(e->last, e->nlast, text, n, order);

	if (i && compare_begin(e[-1].last, e[-1].nlast, text, n, order) > 0)
		return false;
	return i + 1 == t->nblocks || last > 0 || (!last && (e->nlast >= n || e->nlast == SSTABLE_LAST_MAX));
}

/* --- which moment --- */

/* Events that begin at the same time. */
struct moment {
	uint64_t at, n;
	uint8_t level; /* the coarsest of them */
};

struct search {
	const struct trie_want *want;
	uint64_t n, ahead;  /* ahead: from where it goes on in the direction */
	struct moment next; /* of these */
	struct moment edge; /* of all: the first, or the last */
};

static void note_moment(struct moment *m, uint64_t at, uint8_t level, bool forward)
{
	if (m->n && at == m->at) {
		m->n++;
		m->level = level < m->level ? level : m->level;
	} else if (!m->n || (forward ? at < m->at : at > m->at)) {
		*m = (struct moment){ at, 1, level };
	}
}

static void note_event(struct search *s, const uint8_t *key)
{
	bool forward = s->want->dir >= 0;
	uint64_t at;

	memcpy(&at, key + 1, sizeof at);
	at = be64toh(at);
	s->n++;
	note_moment(&s->edge, at, *key, forward);
	if (s->want->dir > 0 ? at > s->want->from : forward ? at >= s->want->from : at < s->want->from) {
		s->ahead++;
		note_moment(&s->next, at, *key, forward);
	}
}

static void find_moment(const struct search *s, struct trie_hits *hits)
{
	const struct moment *m = s->ahead ? &s->next : &s->edge;
	/* of those from there on, or up to there */
	uint64_t n = s->ahead ? s->ahead : s->n;

	hits->n = s->n;
	if (!s->n)
		return;
	hits->at = m->at;
	hits->rank = s->want->dir >= 0 ? s->n - n + 1 : n - m->n + 1;
	hits->resolution = tracetable_resolution(m->level);
}

/* --- what is in a block --- */

static void note_problem(struct trie_hits *hits, uint64_t at, const char *what)
{
	if (!hits->problem.status)
		err_set(&hits->problem, EXIT_DAMAGED, at, "%s", what);
}

/* PrefixTrieNodeProto { terminal_key_ids = 1 repeated bytes }.  Returns false when it is damaged. */
static bool read_node(struct search *s, const struct sstable_cursor *c)
{
	struct wire w = wire_open(c->value, c->nvalue);
	bool good = true;

	while (wire_next(&w)) {
		if (w.field != 1)
			continue;
		if (w.type == 2 && w.n == EVENT_KEY)
			note_event(s, w.s);
		else
			good = false;
	}
	return good && !w.bad;
}

static void read_names(struct trie *r, size_t i, struct search *s, size_t n, struct trie_hits *hits)
{
	uint64_t at = r->t.blocks[i].at;
	struct sstable_cursor c;
	bool good = true;

	if (r->kept != i) {
		struct err why = { .at = at };

		r->kept = r->t.nblocks;
		if (sstable_block(&r->t, i, &r->block, &why)) {
			note_problem(hits, why.at, why.msg);
			return;
		}
		r->kept = i;
	}
	for (c = sstable_walk(&r->block); sstable_next(&c);)
		if (c.nkey >= n && !memcmp(c.key, s->want->text, n))
			good &= read_node(s, &c);
	if (r->block.damaged)
		note_problem(hits, at, "a block has a wrong checksum");
	else if (c.bad || !good)
		note_problem(hits, at, "a block of names is damaged");
}

bool trie_find(struct trie *r, const struct trie_want *want, struct trie_hits *hits,
    const struct progress *progress)
{
	const uint8_t *text = (const uint8_t *)want->text;
	struct search s = { .want = want };
	size_t n = strlen(want->text);

	*hits = (struct trie_hits){ .n = 0 };
	if (r->t.cut)
		note_problem(hits, r->t.n, "it is cut off");
	else if (r->t.index_damaged)
		note_problem(hits, r->t.index_at, "its index is damaged");
	for (size_t i = 0; i < r->t.nblocks; i++) {
		if (!in_block(&r->t, i, text, n, ORDER_UNSIGNED) &&
		    !in_block(&r->t, i, text, n, ORDER_SIGNED))
			continue;
		if (progress_canceled(progress))
			return false;
		read_names(r, i, &s, n, hits);
	}
	find_moment(&s, hits);
	return true;
}
