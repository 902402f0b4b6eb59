#include "config.h"

#include "remote/framing.h"

#include <string.h>

#define PIECE 65536
#define GZIP_OR_ZLIB (32 + MAX_WBITS)
#define TIMES 100 /* as much as it is packed, at most, as of files */
#define FREE (16u << 20)

static enum framing_result broken(const char **why, const char *text)
{
	*why = text;
	return FRAMING_BROKEN;
}

/* Without a sink nobody wants it. */
static bool hand_over(const struct framing *f, const uint8_t *p, size_t n)
{
	return !f->sink.put || f->sink.put(f->sink.self, p, n);
}

static enum framing_result begin_message(struct framing *f, const char **why)
{
	f->size = f->left =
	    (uint64_t)f->head[1] << 24 | (uint64_t)f->head[2] << 16 | (uint64_t)f->head[3] << 8 | f->head[4];
	if (f->head[0] > 1)
		return broken(why, "its message begins with neither 0 nor 1");
	f->unpacking = f->head[0] && inflateInit2(&f->z, GZIP_OR_ZLIB) == Z_OK;
	if (f->head[0] && !f->unpacking)
		return broken(why, "no memory to unpack its message");
	if (f->sink.begin)
		f->sink.begin(f->sink.self, f->size);
	return FRAMING_OK;
}

static enum framing_result unpack_message(struct framing *f, const uint8_t *p, size_t n, const char **why)
{
	uint8_t out[PIECE];
	int r = Z_OK;

	f->z.next_in = (Bytef *)p;
	f->z.avail_in = (uInt)n;
	do {
		f->z.next_out = out;
		f->z.avail_out = sizeof out;
		r = f->unpacked ? Z_DATA_ERROR : inflate(&f->z, Z_NO_FLUSH);
		if (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR)
			return broken(why, "its message cannot be unpacked");
		f->unpacked = r == Z_STREAM_END;
		f->out += sizeof out - f->z.avail_out;
		if (f->out > FREE && f->out / TIMES > f->size)
			return broken(why, "its message unpacks to far more than its size");
		if (!hand_over(f, out, sizeof out - f->z.avail_out))
			return FRAMING_STOPPED;
	} while (f->z.avail_in || (!f->z.avail_out && !f->unpacked));
	return FRAMING_OK;
}

enum framing_result framing_put(struct framing *f, const uint8_t *p, size_t n, const char **why)
{
	enum framing_result r;
	size_t part;

	while (n && f->nhead < FRAMING_HEAD) {
		f->head[f->nhead++] = *p++;
		n--;
		if (f->nhead == FRAMING_HEAD && (r = begin_message(f, why)))
			return r;
	}
	part = n < f->left ? n : (size_t)f->left;
	f->left -= part;
	r = !part                   ? FRAMING_OK
	    : f->unpacking          ? unpack_message(f, p, part, why)
	    : hand_over(f, p, part) ? FRAMING_OK
				    : FRAMING_STOPPED;
	return r ? r : n > part ? broken(why, "there is more after its message") : FRAMING_OK;
}

bool framing_whole(const struct framing *f)
{
	return f->nhead == FRAMING_HEAD && !f->left && (!f->unpacking || f->unpacked);
}

void framing_end(struct framing *f)
{
	if (f->unpacking)
		inflateEnd(&f->z);
	f->unpacking = false;
}
