#include "config.h"

#include "load/riegeli/internal.h"

#include <string.h>
#ifdef HAVE_BROTLI
#include <brotli/decode.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#include "base/codec/snappy.h"
#include "base/codec/wire.h"

static enum codec_result stored(const uint8_t *in, size_t nin, uint8_t *out, size_t n)
{
	if (nin != n)
		return CODEC_WRONG;
	if (n)
		memcpy(out, in, n);
	return CODEC_OK;
}

static enum codec_result unbrotli(const uint8_t *in, size_t nin, uint8_t *out, size_t n)
{
#ifdef HAVE_BROTLI
	BrotliDecoderState *s = BrotliDecoderCreateInstance(NULL, NULL, NULL);
	BrotliDecoderResult r;
	BrotliDecoderErrorCode why;

	if (!s)
		return CODEC_NO_MEMORY;
	r = BrotliDecoderDecompressStream(s, &nin, &in, &n, &out, NULL);
	why = BrotliDecoderGetErrorCode(s);
	BrotliDecoderDestroyInstance(s);
	if (r == BROTLI_DECODER_RESULT_ERROR && why <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES &&
	    why >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES)
		return CODEC_NO_MEMORY;
	return r == BROTLI_DECODER_RESULT_SUCCESS && !nin && !n ? CODEC_OK : CODEC_WRONG;
#else
	(void)in, (void)nin, (void)out, (void)n;
	return CODEC_NO_LIBRARY;
#endif
}

static enum codec_result unzstd(const uint8_t *in, size_t nin, uint8_t *out, size_t n)
{
#ifdef HAVE_ZSTD
	ZSTD_DCtx *d = ZSTD_createDCtx();
	size_t r = d ? ZSTD_decompressDCtx(d, out, n, in, nin) : 0;

	ZSTD_freeDCtx(d);
	if (!d || (ZSTD_isError(r) && ZSTD_getErrorCode(r) == ZSTD_error_memory_allocation))
		return CODEC_NO_MEMORY;
	return r == n && !ZSTD_isError(r) ? CODEC_OK : CODEC_WRONG;
#else
	(void)in, (void)nin, (void)out, (void)n;
	return CODEC_NO_LIBRARY;
#endif
}

static enum codec_result unsnappy(const uint8_t *in, size_t nin, uint8_t *out, size_t n)
{
	const uint8_t *end = in + nin;
	uint64_t size;
	bool whole = false;

	in = wire_varint(in, end, &size);
	if (in && size == n)
		snappy_unpack(in, end, out, n, &whole);
	return whole ? CODEC_OK : CODEC_WRONG;
}

enum codec_result riegeli_decompress(uint8_t how, const uint8_t *in, size_t nin, uint8_t *out, size_t n)
{
	switch (how) {
	case 0:
		return stored(in, nin, out, n);
	case 'b':
		return unbrotli(in, nin, out, n);
	case 'z':
		return unzstd(in, nin, out, n);
	case 's':
		return unsnappy(in, nin, out, n);
	default:
		return CODEC_UNKNOWN;
	}
}
