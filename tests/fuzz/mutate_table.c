#include "config.h"
#include "mutate.h"

#include "load/table/sstable.h"
#include "../lib/mktable.h"

enum { ENTRIES_MAX = 2000 };

struct entry {
	struct pb value;
	uint8_t key[SSTABLE_KEY_MAX];
	size_t nkey;
};

static size_t list_entries(const struct sstable *t, struct entry *e)
{
	struct sstable_block block = { 0 };
	size_t k = 0;

	for (size_t i = 0; i < t->nblocks && k < ENTRIES_MAX; i++) {
		struct sstable_cursor c;

		if (sstable_block(t, i, &block, NULL))
			continue;
		for (c = sstable_walk(&block); k < ENTRIES_MAX && sstable_next(&c); k++) {
			e[k].nkey = c.nkey < SSTABLE_KEY_MAX ? c.nkey : SSTABLE_KEY_MAX;
			memcpy(e[k].key, c.key, e[k].nkey);
			pb_raw(&e[k].value, c.value, c.nvalue);
		}
		sstable_release(&block);
	}
	return k;
}

static void change_value(struct entry *e, size_t max, uint32_t *state)
{
	struct pb changed = { 0 };

	if (mutate_wire(&changed, e->value.b, e->value.n, max, state))
		mutate_bytes(&changed, e->value.b, e->value.n, 8);
	pb_free(&e->value);
	e->value = changed;
}

static struct pb copy_of(const struct entry *e)
{
	struct pb copy = { 0 };

	pb_raw(&copy, e->value.b, e->value.n);
	return copy;
}

/* Changes an entry before it is written; false: it is left out. */
static int change_entry(struct mktable *t, struct entry *e, size_t k, size_t i, size_t max, uint32_t *state)
{
	const struct entry *other = &e[mutate_random(state, k)];
	struct pb copy;

	switch (mutate_random(state, 8)) {
	case 0:
		return 0;
	case 1:
		copy = copy_of(&e[i]);
		table_put(t, e[i].key, e[i].nkey, &copy);
		break;
	case 2:
		copy = copy_of(other);
		table_put(t, other->key, other->nkey, &copy);
		break;
	case 3:
		e[i].nkey = LLVMFuzzerMutate(e[i].key, e[i].nkey, sizeof e[i].key);
		break;
	default:
		change_value(&e[i], max, state);
	}
	return 1;
}

int mutate_table(struct pb *out, const uint8_t *bytes, size_t n, size_t max, uint32_t *state)
{
	struct sstable table;
	struct mktable *made = calloc(1, sizeof *made);
	struct entry *e = calloc(ENTRIES_MAX, sizeof *e);
	size_t k, changed;

	if (!made || !e || sstable_open(&table, bytes, n, NULL)) {
		free(e);
		free(made);
		return -1;
	}
	k = list_entries(&table, e);
	changed = mutate_random(state, k);
	made->snappy = mutate_random(state, 2);
	for (size_t i = 0; i < k; i++)
		if (i != changed || change_entry(made, e, k, i, max, state))
			table_put(made, e[i].key, e[i].nkey, &e[i].value);
	*out = table_finish(made);
	for (size_t i = 0; i < k; i++)
		pb_free(&e[i].value);
	sstable_close(&table);
	free(e);
	free(made);
	return 0;
}
