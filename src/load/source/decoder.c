#include "config.h"

#include "load/source/decoder.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/units.h"

static bool is_xz(const uint8_t *s, size_t n)
{
	return n >= 6 &&
	    !memcmp(s,
		"\xfd"
		"7zXZ\0",
		6);
}

static bool is_bzip2(const uint8_t *s, size_t n)
{
	return n >= 10 && !memcmp(s, "BZh", 3) && !memcmp(s + 4, "1AY&SY", 6);
}

static const struct packing packing_xz = { .name = "xz", .command = "xz -d", .is = is_xz },
			    packing_bzip2 = { .name = "bzip2", .command = "bzip2 -d", .is = is_bzip2 };

const struct packing *packing_of(const uint8_t *s, size_t n)
{
	static const struct packing *const known[] = { &packing_gzip, &packing_zstd, &packing_xz,
		&packing_bzip2, &packing_utf16 };

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i]->is(s, n))
			return known[i];
	return NULL;
}

void decoder_damage(struct decoder *f, const char *why)
{
	f->state = DECODER_DAMAGED;
	f->why = why;
}

void decoder_no_memory(struct decoder *f)
{
	mem_refused();
	decoder_damage(f, "not enough memory to unpack");
}

void decoder_open(struct decoder *f, const struct packing *how, const uint8_t *in, size_t n)
{
	*f = (struct decoder){ .how = how, .in = in, .n = n, .lib = how->open() };
	if (!f->lib)
		decoder_no_memory(f);
}

bool decoder_copy(struct decoder *f, const struct decoder *from)
{
	*f = *from;
	f->lib = from->how->copy(from->lib);
	if (!f->lib)
		mem_refused();
	return f->lib;
}

void decoder_close(struct decoder *f)
{
	f->how->close(f->lib);
	f->lib = NULL;
}

void decoder_rewind(struct decoder *f)
{
	if (!f->lib)
		return;
	f->how->rewind(f->lib);
	f->used = 0;
	f->out = 0;
	f->trap = false;
	f->state = DECODER_RUNNING;
}

void decoder_frame_end(struct decoder *f)
{
	const uint8_t *p = f->in + f->used;
	size_t left = f->n - f->used, zeros = 0;

	if (f->how->next(p, left)) {
		f->how->rewind(f->lib);
		return;
	}
	while (zeros < left && !p[zeros])
		zeros++;
	if (zeros < left)
		decoder_damage(f, f->how->follows);
	else
		f->state = DECODER_ENDED;
}

size_t decoder_fill(struct decoder *f, uint8_t *buf, size_t size)
{
	size_t filled = 0;

	while (filled < size && f->state == DECODER_RUNNING)
		filled += f->how->step(f, buf + filled, size - filled);
	f->out += filled;
	if (f->state == DECODER_RUNNING && f->out >= DECODER_FREE && f->out / DECODER_TIMES >= f->n) {
		decoder_damage(f, "unpacks to far more than its size");
		f->trap = true;
	}
	return filled;
}

const char *decoder_why(const struct decoder *f, char *buf, size_t size)
{
	char packed[32], unpacked[32];

	if (!f->trap)
		return f->why;
	snprintf(buf, size,
	    "its %s unpack to more than %s, over %d times as much, and were read up to there; if you trust "
	    "it, "
	    "unpack it first: "
	    "%s",
	    units_bytes(packed, sizeof packed, (double)f->n),
	    units_bytes(unpacked, sizeof unpacked, (double)f->out), DECODER_TIMES, f->how->command);
	return buf;
}
