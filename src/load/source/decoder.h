/* One pass over a packed file that is in memory as a whole: content comes out in order, as much as asked for.
 * struct packing is what a format can do; one that is only known, so that an error can say what unpacks it,
 * has no open().  Frames (gzip: members) behind each other, and zeros behind the last, are one content.
 * What comes before damage is always delivered.  A decoder stays in place and is one thread's at a time. */
#ifndef LOAD_SOURCE_DECODER_H
#define LOAD_SOURCE_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum decoder_state { DECODER_RUNNING, DECODER_ENDED, DECODER_DAMAGED };

struct decoder {
	const struct packing *how;
	void *lib; /* the library's own state */
	const uint8_t *in;
	size_t n, used; /* of in */
	uint64_t out;
	enum decoder_state state;
	const char *why; /* damaged: static text, nothing behind it */
};

struct packing {
	const char *name, *command; /* what unpacks it: "zstd -d" */
	const char *cut, *follows;  /* damage: ends too early; something else behind the last frame */
	bool (*is)(const uint8_t *, size_t);
	bool (*next)(const uint8_t *, size_t); /* another frame begins here */
	void *(*open)(void);                   /* NULL: no memory */
	void (*rewind)(void *lib);             /* to the start of a frame */
	void (*close)(void *lib);              /* NULL is fine */
	/* Bytes of content; none only when it took some of the file, or the state changed. */
	size_t (*step)(struct decoder *, uint8_t *, size_t);
	/* To be at a place again there is one of these: the state as it is now (NULL: no memory), or content
	 * packed for itself (0: no memory; else *packed is the caller's). */
	void *(*copy)(void *lib);
	size_t (*pack)(const uint8_t *, size_t, uint8_t **packed);
};

extern const struct packing packing_gzip, packing_zstd;

const struct packing *packing_of(const uint8_t *, size_t); /* NULL: as it is */

void decoder_open(struct decoder *, const struct packing *, const uint8_t *in, size_t n);
bool decoder_copy(struct decoder *, const struct decoder *from);
void decoder_close(struct decoder *);
void decoder_rewind(struct decoder *);
/* Fewer only at the end or at damage. */
size_t decoder_fill(struct decoder *, uint8_t *buf, size_t size);

/* For step(). */
void decoder_damage(struct decoder *, const char *why);
void decoder_frame_end(struct decoder *);

#endif
