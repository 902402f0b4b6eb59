/* A terminal as the app sees it.  ui/term/term_curses.c is the real one, ui/term/term_null.c records frames
 * for tests, snapshots and the benchmark.  draw() sends only what changed. wait() blocks until a key is
 * there, fd becomes readable (fd -1 = none), or timeout_ms passed (-1 = no limit): returns bits TERM_KEY,
 * TERM_FD, TERM_HUP.  key() never blocks: 0 = none.
 * A key K_MOUSE stands for term->mouse, until the next key(); so does term->pasted tell of a character that
 * it came with a paste.  mouse() says what of it is wanted; clipboard() hands a text to the terminal's
 * clipboard (OSC 52).  close() gives the terminal back exactly as it was; so does every fatal signal
 * (ui/term/restore.h). */
#ifndef CORE_TERM_H
#define CORE_TERM_H

#include "base/err.h"
#include "core/input/key.h"
#include "core/input/mouse.h"
#include "core/paint/canvas.h"
#include "core/paint/theme.h"

enum { TERM_KEY = 1, TERM_FD = 2, TERM_HUP = 4 };

struct term;
struct term_ops {
	int (*wait)(struct term *, int fd, int timeout_ms);
	int (*key)(struct term *, struct key *); /* 1 = got one */
	void (*size)(struct term *, int *rows, int *cols);
	void (*draw)(struct term *, const struct canvas *);
	void (*redraw)(struct term *); /* the next draw() sends everything */
	/* back to the shell; returns when continued, and the next draw() sends everything */
	void (*suspend)(struct term *);
	/* what a crash report names; a string that lives on */
	void (*where)(struct term *, const char *view);
	int (*mouse)(struct term *, enum mouse_mode); /* -1 = the terminal reports none */
	/* -1 = it has none, or the text is too long for it */
	int (*clipboard)(struct term *, const char *text, size_t n);
	/* before the first draw(), and again; the next draw() sends everything */
	void (*dress)(struct term *, const struct theme *, int colors);
	void (*close)(struct term *);
};
struct term {
	const struct term_ops *ops;
	struct mouse mouse;
	bool pasted;
};

#define CLIPBOARD_MAX (100 * 1024 / 4 * 3) /* bytes of text: what terminals take is 100 kB of base64 */

/* fills the ground: what theme and glyphs depend on; dress() comes next */
struct term *term_curses_open(struct theme_ground *, struct err *);
struct term *term_null_open(int rows, int cols);
const struct canvas *term_null_frame(const struct term *); /* last frame drawn */

#endif
