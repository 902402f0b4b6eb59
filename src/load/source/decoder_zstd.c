#include "config.h"

#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#include "base/mem.h"
#include "load/source/decoder.h"

#define HEADER 8 /* of a skippable frame: magic and length */
#define REPACK_LEVEL 1

static bool is_frame(const uint8_t *s, size_t n)
{
	return n >= 4 && !memcmp(s, "\x28\xb5\x2f\xfd", 4);
}

static bool is_skipped(const uint8_t *s, size_t n)
{
	return n >= 4 && (s[0] & 0xf0) == 0x50 && !memcmp(s + 1, "\x2a\x4d\x18", 3);
}

static bool next_frame(const uint8_t *s, size_t n)
{
	return is_frame(s, n) || is_skipped(s, n);
}

/* Skippable frames may come first; alone they may belong to another format (LZ4 has the same). */
static bool is_zstd(const uint8_t *s, size_t n)
{
	while (n >= HEADER && is_skipped(s, n)) {
		size_t skip = (size_t)s[4] | (size_t)s[5] << 8 | (size_t)s[6] << 16 | (size_t)s[7] << 24;

		if (skip > n - HEADER)
			return false;
		s += HEADER + skip;
		n -= HEADER + skip;
	}
	return is_frame(s, n);
}

#ifdef HAVE_ZSTD

struct zstd {
	ZSTD_DCtx *d;
	size_t want;  /* bytes that complete the next block */
	bool pending; /* content may be waiting for room in the output */
};

static void zstd_rewind(void *lib)
{
	struct zstd *z = lib;

	z->want = ZSTD_initDStream(z->d);
	z->pending = false;
}

static void *zstd_open(void)
{
	struct zstd *z = xcalloc(1, sizeof *z);

	z->d = ZSTD_createDCtx();
	if (z->d) {
		zstd_rewind(z);
		return z;
	}
	free(z);
	return NULL;
}

static void zstd_close(void *lib)
{
	struct zstd *z = lib;

	if (z)
		ZSTD_freeDCtx(z->d);
	free(z);
}

static const char *why(size_t r)
{
	switch (ZSTD_getErrorCode(r)) {
	case ZSTD_error_checksum_wrong:
		return "the checksum of the zstd data is wrong";
	case ZSTD_error_dictionary_wrong:
		return "the zstd data needs the dictionary that it was compressed with";
	case ZSTD_error_frameParameter_windowTooLarge:
		return "the zstd data needs a window of more than 128 MiB; "
		       "unpack it first: zstd -d --long=31";
	default:
		return "broken zstd data";
	}
}

/* After a failed call the library does not say what it consumed and produced, so each call gets only one
 * block, and none while content of the previous one is waiting. */
static size_t zstd_step(struct decoder *f, uint8_t *buf, size_t size)
{
	struct zstd *z = f->lib;
	size_t left = f->n - f->used, want = z->want < left ? z->want : left;
	ZSTD_inBuffer in = { f->in + f->used, z->pending ? 0 : want, 0 };
	ZSTD_outBuffer out = { buf, size, 0 };
	size_t r = ZSTD_decompressStream(z->d, &out, &in);

	if (ZSTD_isError(r)) {
		if (ZSTD_getErrorCode(r) == ZSTD_error_memory_allocation)
			decoder_no_memory(f);
		else
			decoder_damage(f, why(r));
		return 0;
	}
	f->used += in.pos;
	z->want = r;
	z->pending = out.pos == out.size;
	if (!r)
		decoder_frame_end(f);
	else if (f->used == f->n && !z->pending)
		decoder_damage(f, f->how->cut);
	return out.pos;
}

static size_t zstd_pack(const uint8_t *s, size_t n, uint8_t **packed)
{
	size_t bound = ZSTD_compressBound(n), r;
	uint8_t *p = mem_try(NULL, 1, bound), *fitted;

	if (!p)
		return 0;
	r = ZSTD_compress(p, bound, s, n, REPACK_LEVEL);
	if (ZSTD_isError(r)) {
		free(p);
		return 0;
	}
	fitted = realloc(p, r);
	if (fitted)
		p = fitted;
	*packed = p;
	return r;
}

#endif

const struct packing packing_zstd = {
	.name = "zstd",
	.command = "zstd -d",
	.cut = "the zstd data is cut off",
	.follows = "other data follows the zstd data",
	.is = is_zstd,
	.next = next_frame,
#ifdef HAVE_ZSTD
	.open = zstd_open,
	.rewind = zstd_rewind,
	.close = zstd_close,
	.step = zstd_step,
	.pack = zstd_pack,
#endif
};
