/* One pass over a compressed file that is in memory as a whole: delivers the content in order, as much as
 * asked for.  A file that unpacks to more than DECODER_TIMES its size, and DECODER_FREE, is damaged there:
 * decoder_why() says so with both sizes.  Captures shrink to a thirtieth at most.
 * struct packing is a format; formats that are only recognized, so that an error can name the command that
 * unpacks them, have no open().  Several frames (gzip: members) and zeros after the last are one content.
 * Everything before damage is delivered.  A decoder must not move, and only one thread may use it at a time. */
#ifndef LOAD_SOURCE_DECODER_H
#define LOAD_SOURCE_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DECODER_TIMES 100
#define DECODER_FREE ((uint64_t)16 << 20)

enum decoder_state { DECODER_RUNNING, DECODER_ENDED, DECODER_DAMAGED };

struct decoder {
	const struct packing *how;
	void *lib; /* the library's own state */
	const uint8_t *in;
	size_t n, used; /* of in */
	uint64_t out;
	enum decoder_state state;
	const char *why; /* why it is damaged: static text */
	bool trap;       /* because it unpacks to too much */
};

struct packing {
	const char *name, *command; /* the command that unpacks it: "zstd -d" */
	const char *cut,
	    *follows; /* messages for a file that ends too early, and for other data after the last frame */
	bool (*is)(const uint8_t *, size_t);
	bool (*next)(const uint8_t *, size_t); /* another frame starts here */
	void *(*open)(void);                   /* NULL: no memory */
	void (*rewind)(void *lib);             /* to the start of a frame */
	void (*close)(void *lib);              /* NULL allowed */
	/* Returns bytes of content; 0 only after it consumed input or changed the state. */
	size_t (*step)(struct decoder *, uint8_t *, size_t);
	/* To return to a place later, a format has one of these: copy() of the current state (NULL: no
	 * memory), or pack(), which compresses content by itself (0: no memory; else the caller frees
	 * *packed). */
	void *(*copy)(void *lib);
	size_t (*pack)(const uint8_t *, size_t, uint8_t **packed);
};

extern const struct packing packing_gzip, packing_zstd, packing_utf16;
extern const struct packing packing_deflate; /* of members of zip archives: nothing tells it */

const struct packing *packing_of(const uint8_t *, size_t); /* NULL: not compressed */

void decoder_open(struct decoder *, const struct packing *, const uint8_t *in, size_t n);
bool decoder_copy(struct decoder *, const struct decoder *from);
void decoder_close(struct decoder *);
void decoder_rewind(struct decoder *);
/* Returns fewer bytes than asked for only at the end or at damage. */
size_t decoder_fill(struct decoder *, uint8_t *buf, size_t size);
/* Why it is damaged, as a message. */
const char *decoder_why(const struct decoder *, char *buf, size_t size);

/* For step(). */
void decoder_damage(struct decoder *, const char *why);
void decoder_no_memory(struct decoder *);
void decoder_frame_end(struct decoder *);

#endif
