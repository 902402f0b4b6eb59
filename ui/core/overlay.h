/* Something that temporarily covers a view and takes the keys: the help, a menu.  The widgets implement it
 * (widget/help.c, widget/menu.c), the app drives it.  key() sees every key first (letters of a menu; true =
 * used); act() gets the actions of the overlay's scope: REACT_BACK means that the overlay is finished,
 * ACT_PASS that the app may handle the action.  close() frees it.  When a menu finishes with picked >= 0,
 * on_pick() is called after it was closed.  One with a title is a whole screen, with nothing of a capture on
 * it: others open over it, and closing them returns to it. */
#ifndef CORE_OVERLAY_H
#define CORE_OVERLAY_H

#include "core/input/keymap.h"
#include "core/view.h"

struct help_note;
struct overlay;
struct worker;

struct overlay_ops {
	enum scope scope;
	/* what stands in place of the capture's name, and at the right; NULL: the overlay is no screen */
	void (*title)(const struct overlay *, char *left, char *right, size_t size);
	void (*draw)(struct overlay *, struct canvas *, struct rect area);
	bool (*key)(struct overlay *, struct key, unsigned *react); /* may be NULL */
	unsigned (*act)(struct overlay *, enum action, int count);
	/* left button; returns what act() does; may be NULL */
	unsigned (*press)(struct overlay *, int y, int x);
	void (*status)(const struct overlay *, char *buf, size_t size);
	/* it is drawn again and again; picked >= 0 when that ends: it is finished; may be NULL */
	bool (*moves)(struct overlay *);
	/* the thread that makes what is shown, and wakes the loop when there is news; may be NULL */
	struct worker *(*worker)(struct overlay *);
	/* of a screen: what its columns mean, for the help, at most `most`; returns how many; may be NULL */
	size_t (*notes)(const struct overlay *, struct help_note *, size_t most);
	void (*close)(struct overlay *);
};

struct overlay {
	const struct overlay_ops *ops;
	int picked; /* -1 = nothing */
	void (*on_pick)(struct app *, int);
	struct overlay *under; /* shown again when this one is closed; of the app */
};

/* letter 0 = none; texts are copied.  word: what the filter finds the item by, too; NULL: nothing; it must outlive the
 * menu */
struct menu_item {
	char letter;
	const char *label, *note, *word;
};

/* What something on the screen means, such as a column; texts are not copied and must outlive the help. */
struct help_note {
	const char *label, *text;
};

/* the map must outlive it; the notes are copied */
struct overlay *overlay_help(enum scope of_view, const struct keymap *, const struct help_note *, size_t n);
struct overlay *overlay_menu(const char *title, const struct menu_item *, int n, int here,
    void (*on_pick)(struct app *, int));

#endif
