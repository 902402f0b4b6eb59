#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"
#include "load/source/decoder.h"

#define AS_GZIP (15 + 16)
#define AS_DEFLATE (-15)
#define FEED ((size_t)1 << 30) /* zlib counts in 32 bits */

static bool next_member(const uint8_t *s, size_t n)
{
	return n >= 2 && s[0] == 0x1f && s[1] == 0x8b;
}

static bool is_gzip(const uint8_t *s, size_t n)
{
	return n >= 3 && next_member(s, n) && s[2] == 8;
}

static void *inflate_open(int window)
{
	z_stream *z = xcalloc(1, sizeof *z);

	if (inflateInit2(z, window) == Z_OK)
		return z;
	free(z);
	return NULL;
}

static void *gzip_open(void)
{
	return inflate_open(AS_GZIP);
}

static void *deflate_open(void)
{
	return inflate_open(AS_DEFLATE);
}

static bool is_nothing(const uint8_t *s, size_t n)
{
	(void)s;
	(void)n;
	return false;
}

static void gzip_rewind(void *z)
{
	inflateReset(z);
}

static void gzip_close(void *z)
{
	if (z)
		inflateEnd(z);
	free(z);
}

static void *gzip_copy(void *from)
{
	z_stream *z = xcalloc(1, sizeof *z);

	if (inflateCopy(z, from) == Z_OK)
		return z;
	free(z);
	return NULL;
}

static size_t gzip_step(struct decoder *f, uint8_t *buf, size_t size)
{
	size_t give = f->n - f->used < FEED ? f->n - f->used : FEED, room = size < FEED ? size : FEED;
	z_stream *z = f->lib;
	int r;

	/* zlib's types lack const; it does not write to its input */
	memcpy(&z->next_in, &(const uint8_t *){ f->in + f->used }, sizeof z->next_in);
	z->avail_in = (uInt)give;
	z->next_out = buf;
	z->avail_out = (uInt)room;
	r = inflate(z, Z_NO_FLUSH);
	f->used += give - z->avail_in;
	if (r == Z_STREAM_END)
		decoder_frame_end(f);
	else if (r == Z_BUF_ERROR || (r == Z_OK && f->used == f->n && z->avail_out))
		decoder_damage(f, f->how->cut);
	else if (r == Z_MEM_ERROR)
		decoder_no_memory(f);
	else if (r != Z_OK)
		decoder_damage(f, z->msg ? z->msg : "broken compressed data");
	return room - z->avail_out;
}

const struct packing packing_gzip = {
	.name = "gzip",
	.command = "gzip -d",
	.cut = "the gzip data is cut off",
	.follows = "other data follows the gzip data",
	.is = is_gzip,
	.next = next_member,
	.open = gzip_open,
	.rewind = gzip_rewind,
	.close = gzip_close,
	.step = gzip_step,
	.copy = gzip_copy,
};

const struct packing packing_deflate = {
	.name = "zip",
	.command = "unzip",
	.cut = "the archive is cut off",
	.follows = "other data follows",
	.is = is_nothing,
	.next = is_nothing,
	.open = deflate_open,
	.rewind = gzip_rewind,
	.close = gzip_close,
	.step = gzip_step,
};
