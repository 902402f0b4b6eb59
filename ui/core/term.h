/* A terminal as the app sees it.  ui/term/term_curses.c is the real one, ui/term/term_null.c records frames
 * for tests, snapshots and the benchmark.  draw() sends only what changed; `most` > 0: where that takes more bytes,
 * canvas.late may stay as it was, and it returns true.  wait() blocks until a key is
 * available, fd becomes readable (fd -1 = none), or timeout_ms passed (-1 = no limit): returns bits TERM_KEY,
 * TERM_FD, TERM_HUP.  key() never blocks: 0 = none.  A key K_MOUSE means that term->mouse holds the event,
 * until the next key(); term->pasted is true when the character was part of a paste.  mouse() says which
 * mouse events to report; clipboard() sends text to the terminal's clipboard (OSC 52).  close() restores the
 * terminal exactly as it was; so does every fatal signal (ui/term/restore.h). */
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
	bool (*draw)(struct term *, const struct canvas *, int most);
	void (*redraw)(struct term *); /* the next draw() sends everything */
	/* to the shell; returns when continued, and the next draw() sends everything */
	void (*suspend)(struct term *);
	/* gives the screen to another program until back(); then the next draw() sends everything */
	void (*leave)(struct term *);
	void (*back)(struct term *);
	/* the view to name in a crash report; the string must stay valid */
	void (*where)(struct term *, const char *view);
	int (*mouse)(struct term *, enum mouse_mode); /* -1 = the terminal reports no mouse */
	/* 1 = sent to tmux, which drops it unless it was told to pass it on; -1 = no clipboard, or too long */
	int (*clipboard)(struct term *, const char *text, size_t n);
	/* sets theme and colors, before the first draw() and at any time; the next draw() sends everything */
	void (*dress)(struct term *, const struct theme *, int colors);
	void (*close)(struct term *);
};
struct term {
	const struct term_ops *ops;
	struct mouse mouse;
	bool pasted;
	char note[160]; /* to tell the user once: the terminal is taken for another one; "" = nothing */
};

#define CLIPBOARD_MAX (100 * 1024 / 4 * 3) /* bytes of text: terminals take 100 kB of base64 */

/* fills in the properties of the terminal that theme and glyphs depend on; dress() comes next */
struct term *term_curses_open(struct theme_ground *, struct err *);
/* the same of $TERM and the environment, when the terminal is not opened */
void term_ground(struct theme_ground *, int colors);
struct term *term_null_open(int rows, int cols);
const struct canvas *term_null_frame(const struct term *); /* last frame drawn */

#endif
