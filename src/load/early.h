/* A first picture of a capture while the rest of it is read: as soon as a slow pipe has brought some whole planes,
 * or before files that take longer than a second are gone through, show() gets bytes that load_memory() takes by
 * themselves.  They are valid during the call, which is made in the loader's thread, so that it also takes from its
 * time: a small part of it.  Of a large trace table they are its coarse levels; who wants more of it before
 * the end sets table(), which gets where it is and all of its bytes, and gone(), after which they must not be used: it
 * is called when nothing was loaded, while those of a dump stay as long as that.  Of an XSpace whose first plane is
 * not there, and of other kinds than these and trace JSON, nothing is shown.  The owner sets show and ctx of a zeroed
 * struct and keeps it while something is loaded. */
#ifndef LOAD_EARLY_H
#define LOAD_EARLY_H

#include <stddef.h>
#include <stdint.h>

struct early {
	void (*show)(void *ctx, const void *bytes, size_t n, const char *name);
	void *ctx;
	/* both NULL, or both set */
	void (*table)(void *ctx, const char *name, const uint8_t *bytes, size_t n);
	void (*gone)(void *ctx);
	size_t tables;  /* that are loaded: only the first large one is shown */
	uint64_t bytes; /* that are loaded, of all files */
	int64_t began;  /* ms; 0: not yet */
	/* when it was last shown: the bytes that were there, when that ended, how long it took, in ms */
	size_t shown;
	int64_t ended, took;
};

/* More of a file came, of which these are the first n bytes. */
void early_came(struct early *, const char *name, const uint8_t *bytes, size_t n);
/* A file is there as a whole: shows some of it if it is large and nothing was shown before. */
void early_large(struct early *, const char *name, const uint8_t *bytes, size_t n);

#endif
