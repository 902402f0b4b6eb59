/* The walk through Riegeli files: positions, all forms of simple chunks, and what damage costs. */
#include "config.h"
#include "load/riegeli/riegeli.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "../lib/mkriegeli.h"
#include "base/memcap.h"
#include "base/spill/spill.h"

#define LIMIT ((size_t)64 << 20)

static struct pb bytes(char first, size_t n)
{
	struct pb p = { 0 };

	for (size_t i = 0; i < n; i++)
		pb_raw(&p, &(char){ (char)(first + (char)(i * i / 7)) }, 1);
	return p;
}

static struct riegeli open_file(const struct pb *f)
{
	uint8_t *copy = malloc(f->n ? f->n : 1); /* as large as it is: sanitizers see what is read beyond */
	struct riegeli r;

	if (!copy)
		abort();
	memcpy(copy, f->b, f->n);
	riegeli_open(&r, copy, f->n, LIMIT, 2, NULL);
	free(copy);
	return r;
}

static bool is_record(const struct riegeli *r, size_t i, const struct pb *want)
{
	return i < r->nrecords && r->records[i].n == want->n &&
	    !memcmp(r->bytes + r->records[i].at, want->b, want->n);
}

static void assert_damage(const struct riegeli *r, enum riegeli_why why, uint64_t from)
{
	assert_int_equal(r->ndamages, 1);
	assert_int_equal(r->damages[0].why, why);
	assert_int_equal(r->damages[0].from, from);
}

/* Which of the compressions this build reads. */
static const char *compressions(void)
{
	static const char all[] = {
#ifdef HAVE_BROTLI
		'b',
#endif
#ifdef HAVE_ZSTD
		'z',
#endif
		's', 0
	};

	return all;
}

static void first_bytes(void **state)
{
	struct pb f = { 0 };
	struct riegeli r;

	(void)state;
	rie_signature(&f);
	assert_int_equal(f.n, 64);
	assert_true(riegeli_is(f.b, f.n));
	assert_false(riegeli_is(f.b, 63));
	r = open_file(&f);
	assert_int_equal(r.nrecords + r.chunks + r.ndamages, 0);
	riegeli_free(&r);
	f.b[40] ^= 1;
	assert_false(riegeli_is(f.b, f.n));
	pb_free(&f);
}

static void forms(void **state)
{
	struct pb rec[] = { bytes('a', 300), { 0 }, bytes('b', 1), bytes('c', 200000) };
	const char *how = compressions();

	(void)state;
	do {
		struct pb f = { 0 };
		struct riegeli r;

		rie_signature(&f);
		rie_records(&f, *how, rec, 4);
		rie_records(&f, *how, rec, 1);
		rie_pad(&f);
		assert_int_equal(f.n % RIE_BLOCK, 0);
		r = open_file(&f);
		assert_int_equal(r.ndamages, 0);
		assert_int_equal(r.chunks, 2);
		assert_int_equal(r.nrecords, 4);
		assert_true(is_record(&r, 0, &rec[0]) && is_record(&r, 1, &rec[2]));
		assert_true(is_record(&r, 2, &rec[3]) && is_record(&r, 3, &rec[0]));
		assert_int_equal(r.records[0].chunk, 64);
		assert_ptr_equal(riegeli_record_at(&r, 0), &r.records[0]);
		assert_ptr_equal(riegeli_record_at(&r, 301), &r.records[2]);
		riegeli_free(&r);
		pb_free(&f);
	} while (*how++);
	for (size_t i = 0; i < 4; i++)
		pb_free(&rec[i]);
}

/* Wherever a chunk begins and however long it is, headers of blocks in it are found and left out. */
static void edges(void **state)
{
	struct pb a = bytes('a', 500), b = bytes('b', 70);

	(void)state;
	for (size_t before = RIE_BLOCK - 750; before <= RIE_BLOCK - 64;
	     before += before < RIE_BLOCK - 130 ? 13 : 1) {
		struct pb f = { 0 }, zeros = { 0 };
		struct riegeli r;

		rie_signature(&f);
		while (f.n + 40 + zeros.n < before)
			pb_raw(&zeros, "", 1);
		rie_chunk(&f, 'p', &zeros, 0, 0);
		rie_records(&f, 0, &a, 1);
		rie_records(&f, 0, &b, 1);
		r = open_file(&f);
		assert_int_equal(r.ndamages, 0);
		assert_true(is_record(&r, 0, &a) && is_record(&r, 1, &b));
		riegeli_free(&r);
		pb_free(&f);
		pb_free(&zeros);
	}
	pb_free(&a);
	pb_free(&b);
}

static void many_empty(void **state)
{
	static struct pb rec[70001];
	struct pb b = bytes('b', 10), f = { 0 };
	struct riegeli r;

	(void)state;
	rec[70000] = bytes('a', 10);
	rie_signature(&f);
	rie_records(&f, 0, rec, 70001);
	assert_true(f.n > 70001);
	rie_records(&f, 0, &b, 1);
	r = open_file(&f);
	assert_int_equal(r.ndamages, 0);
	assert_int_equal(r.nrecords, 2);
	assert_true(is_record(&r, 0, &rec[70000]) && is_record(&r, 1, &b));
	riegeli_free(&r);
	pb_free(&f);
	pb_free(&b);
	pb_free(&rec[70000]);
}

/* Files appended to one another, a chunk of metadata, one of a type that is not known. */
static void other_chunks(void **state)
{
	struct pb a = bytes('a', 100), f = { 0 };
	struct riegeli r;

	(void)state;
	rie_signature(&f);
	rie_chunk(&f, 'm', &a, 0, 40);
	rie_records(&f, 0, &a, 1);
	rie_pad(&f);
	rie_signature(&f);
	rie_chunk(&f, 'x', &a, 0, 0);
	rie_records(&f, 0, &a, 1);
	r = open_file(&f);
	assert_int_equal(r.ndamages, 0);
	assert_int_equal(r.nrecords, 2);
	riegeli_free(&r);
	rie_chunk(&f, 't', &a, 7, 90);
	rie_chunk(&f, 'x', &a, 3, 90);
	r = open_file(&f);
	assert_int_equal(r.nrecords, 2);
	assert_int_equal(r.chunks, 4);
	assert_int_equal(r.ndamages, 2);
	assert_int_equal(r.damages[0].why, RIEGELI_TRANSPOSED);
	assert_int_equal(r.damages[0].records, 7);
	assert_int_equal(r.damages[1].why, RIEGELI_UNKNOWN);
	riegeli_free(&r);
	pb_free(&f);
	pb_free(&a);
}

/* Three chunks, of which the second runs through block headers. */
struct three {
	struct pb f, rec[3];
	size_t at[3];
};

static struct three three_chunks(size_t second)
{
	struct three t = { .rec = { bytes('a', 50), bytes('b', second), bytes('c', 60) } };

	rie_signature(&t.f);
	for (int i = 0; i < 3; i++)
		t.at[i] = rie_records(&t.f, 0, &t.rec[i], 1);
	return t;
}

static void free_three(struct three *t)
{
	for (int i = 0; i < 3; i++)
		pb_free(&t->rec[i]);
	pb_free(&t->f);
}

static void damaged_data(void **state)
{
	struct three t = three_chunks(140000);
	struct riegeli r;
	char text[200];

	(void)state;
	t.f.b[t.at[1] + 50] ^= 16;
	r = open_file(&t.f);
	assert_damage(&r, RIEGELI_DATA, t.at[1]);
	assert_int_equal(r.damages[0].to, t.at[2]);
	assert_non_null(strstr(riegeli_say(&r.damages[0], text, sizeof text), "about 136.7 KiB of XSpace"));
	assert_int_equal(r.nrecords, 2);
	assert_true(is_record(&r, 0, &t.rec[0]) && is_record(&r, 1, &t.rec[2]));
	riegeli_free(&r);
	free_three(&t);
}

static void damaged_blocks(void **state)
{
	struct three t = three_chunks(140000);
	struct riegeli r;

	(void)state;
	t.f.b[RIE_BLOCK + 9] ^= 16;
	rie_u64(t.f.b + 2 * RIE_BLOCK + 8, 5); /* the right hash of wrong distances */
	rie_u64(t.f.b + 2 * RIE_BLOCK, rie_hash(t.f.b + 2 * RIE_BLOCK + 8, 16));
	r = open_file(&t.f);
	assert_damage(&r, RIEGELI_BLOCK, RIE_BLOCK);
	assert_int_equal(r.damages[0].count, 2);
	assert_int_equal(r.nrecords, 3);
	riegeli_free(&r);
	free_three(&t);
}

/* The header of any chunk: the block header in the second, or after the first, leads on. */
static void damaged_headers(void **state)
{
	struct three t = three_chunks(66000);

	(void)state;
	for (int i = 0; i < 3; i++)
		for (size_t bit = 0; bit < 320; bit++) {
			uint8_t *at = &t.f.b[t.at[i] + bit / 8];
			struct riegeli r;

			*at ^= (uint8_t)(1u << bit % 8);
			r = open_file(&t.f);
			assert_damage(&r, RIEGELI_HEADER, t.at[i]);
			assert_int_equal(r.nrecords, 2);
			assert_true(is_record(&r, i == 0 ? 0 : 1, &t.rec[i == 2 ? 1 : i == 1 ? 2 : 1]));
			*at ^= (uint8_t)(1u << bit % 8);
			riegeli_free(&r);
		}
	free_three(&t);
}

static void damaged_signature(void **state)
{
	struct three t = three_chunks(66000);
	struct riegeli r;

	(void)state;
	for (size_t bit = 0; bit < 512; bit++) {
		t.f.b[bit / 8] ^= (uint8_t)(1u << bit % 8);
		r = open_file(&t.f);
		assert_damage(&r, bit < 192 ? RIEGELI_BLOCK : RIEGELI_SIGNATURE, 0);
		assert_int_equal(r.nrecords, 3);
		t.f.b[bit / 8] ^= (uint8_t)(1u << bit % 8);
		riegeli_free(&r);
	}
	memset(t.f.b, 'x', 64); /* with its block header gone the second one leads on, to the second chunk */
	r = open_file(&t.f);
	assert_damage(&r, RIEGELI_SIGNATURE, 0);
	assert_int_equal(r.nrecords, 2);
	riegeli_free(&r);
	free_three(&t);
}

static void cut_anywhere(void **state)
{
	struct three t = three_chunks(66000);
	size_t whole = t.f.n;

	(void)state;
	for (size_t n = 0; n < whole; n++) {
		bool between = n == 0 || n == 64 || n == t.at[1] || n == t.at[2];
		struct riegeli r;

		if (n > t.at[1] + 100 && n < t.at[2] - 100 && n % RIE_BLOCK > 100 && n % 61)
			continue;
		t.f.n = n;
		r = open_file(&t.f);
		assert_int_equal(r.nrecords, n < t.at[1] ? 0 : n < t.at[2] ? 1 : 2);
		assert_int_equal(r.ndamages, between ? 0 : 1);
		assert_true(between || r.damages[0].why == RIEGELI_CUT);
		riegeli_free(&r);
	}
	free_three(&t);
}

/* Right hashes prove nothing about sizes. */
static void wrong_sizes(void **state)
{
	struct pb a = bytes('a', 100), f = { 0 }, data, more = { 0 };
	uint64_t decoded;
	struct riegeli r;

	(void)state;
	rie_signature(&f);
	data = rie_data(0, &a, 1, &decoded);
	rie_chunk(&f, 'r', &data, 1, decoded + 1);
	rie_chunk(&f, 'r', &data, 2, decoded);
	rie_chunk(&f, 'r', &data, 0, decoded);
	rie_chunk(&f, 'r', &more, 1, 0);
	pb_raw(&more, "?\1\1\0", 4);
	rie_chunk(&f, 'r', &more, 1, 0);
	rie_chunk(&f, 'r', &data, 1, UINT64_MAX);
	rie_chunk(&f, 'r', &data, 1, decoded);
	r = open_file(&f);
	assert_int_equal(r.nrecords, 1);
	assert_int_equal(r.ndamages, 6);
	for (int i = 0; i < 4; i++)
		assert_int_equal(r.damages[i].why, RIEGELI_DATA);
	assert_int_equal(r.damages[4].why, RIEGELI_COMPRESSION);
	assert_int_equal(r.damages[5].why, RIEGELI_LARGE);
	riegeli_free(&r);
	pb_free(&f);
	pb_free(&a);
	pb_free(&data);
	pb_free(&more);
}

/* What the program has no memory for, beside other arrays, is in a file. */
static void large_content_goes_into_a_file(void **state)
{
	struct pb data[2] = { bytes('a', 1 << 20), bytes('b', 1000) }, f = { 0 };
	struct riegeli r;

	(void)state;
	spill_counts(memcap_bytes() / 8, 0);
	rie_signature(&f);
	rie_records(&f, 0, data, 2);
	r = open_file(&f);
	assert_int_equal(r.nrecords, 2);
	assert_non_null(r.spill);
	assert_true(is_record(&r, 0, &data[0]) && is_record(&r, 1, &data[1]));
	riegeli_free(&r);
	pb_free(&f);
	f = (struct pb){ 0 };
	rie_signature(&f);
	rie_records(&f, 0, data + 1, 1);
	r = open_file(&f);
	assert_null(r.spill);
	assert_true(is_record(&r, 0, &data[1]));
	riegeli_free(&r);
	pb_free(&f);
	spill_counts(0, memcap_bytes() / 8);
	pb_free(&data[0]);
	pb_free(&data[1]);
}

/* So is what is beyond the limit for memory; where no file can be written, it is lost. */
static void content_beyond_the_limit(void **state)
{
	struct pb data[3] = { bytes('a', 1 << 20), bytes('b', 1 << 20), bytes('c', 1 << 20) }, f = { 0 };
	struct rlimit limit, none;
	struct riegeli r;

	(void)state;
	rie_signature(&f);
	for (int i = 0; i < 3; i++)
		rie_records(&f, 0, data + i, 1);
	riegeli_open(&r, f.b, f.n, (2 << 20) + 1000, 2, NULL);
	assert_int_equal(r.ndamages, 0);
	assert_non_null(r.spill);
	assert_int_equal(r.nrecords, 3);
	for (size_t i = 0; i < 3; i++)
		assert_true(is_record(&r, i, &data[i]));
	riegeli_free(&r);

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	none = limit;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	riegeli_open(&r, f.b, f.n, (2 << 20) + 1000, 2, NULL);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_null(r.spill);
	assert_int_equal(r.nrecords, 2);
	assert_true(is_record(&r, 0, &data[0]) && is_record(&r, 1, &data[1]));
	assert_int_equal(r.ndamages, 1);
	assert_int_equal(r.damages[0].why, RIEGELI_LARGE);
	riegeli_free(&r);
	pb_free(&f);
	for (int i = 0; i < 3; i++)
		pb_free(&data[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_bytes),
		cmocka_unit_test(forms),
		cmocka_unit_test(edges),
		cmocka_unit_test(many_empty),
		cmocka_unit_test(other_chunks),
		cmocka_unit_test(damaged_data),
		cmocka_unit_test(damaged_blocks),
		cmocka_unit_test(damaged_headers),
		cmocka_unit_test(damaged_signature),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(wrong_sizes),
		cmocka_unit_test(large_content_goes_into_a_file),
		cmocka_unit_test(content_beyond_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
