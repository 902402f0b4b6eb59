/* What each key does now: the table of actions.def, overridden by a preset (data/keys/NAME.keys), then by the
 * config file and `:bind`.  Lookup: the view's own scope first, then SCOPE_ALL.  A key has one binding per
 * scope: a new one replaces the old one, and of the keys of an action the one bound last is shown first.
 * ACT_NONE as the action hides a key of SCOPE_ALL from one scope.  Lines have the same form in presets,
 * config files and the command line: `bind SCOPE KEY ACTION`, `unbind SCOPE KEY`; what follows a # that is a
 * word of its own is a comment.  Keys are written as core/input/key.h says.  keymap_init() or keymap_copy()
 * comes first, keymap_free() frees.  For the thread of the screen only. */
#ifndef CORE_INPUT_KEYMAP_H
#define CORE_INPUT_KEYMAP_H

#include <stdio.h>

#include "base/err.h"
#include "core/input/action.h"

#define KEYMAP_WORD 40 /* bytes of a word of a line, with its NUL */

struct keymap {
	struct binding *v;
	size_t n, cap;
};

void keymap_init(struct keymap *);
void keymap_copy(struct keymap *, const struct keymap *from); /* from NULL: as keymap_init() */
void keymap_free(struct keymap *);

/* takes over a preset; -1 with EXIT_USAGE (no such preset), and the map is unchanged */
int keymap_preset(struct keymap *, const char *name, struct err *);
const char *keymap_preset_name(size_t i, char *buf, size_t size); /* NULL after the last */

/* verb: "bind" or "unbind"; rest: the words after it */
int keymap_line(struct keymap *, const char *verb, const char *rest, struct err *);
int keymap_bind(struct keymap *, enum scope, struct key, enum action, struct err *);

enum action keymap_action(const struct keymap *, enum scope, struct key); /* ACT_NONE */
enum action keymap_default(enum scope, struct key);                       /* of the default table */
/* the keys that run the action in `scope`, the scope's own first */
size_t keymap_keys(const struct keymap *, enum action, enum scope, struct key *out, size_t max);
/* Does the scope have the action: one of its own, or of another view with a key here? */
bool keymap_has(const struct keymap *, enum scope, enum action);
/* May a key of the scope have it: an action of all views, of the scope, or one that has a key there by default? */
bool keymap_may(enum scope, enum action);
/* its first key, for use in a message; "no key" when it has none */
const char *keymap_key_text(const struct keymap *, enum action, enum scope, char *buf, size_t size);
/* SIZE_MAX = a word is too long */
size_t keymap_words(const char *text, char (*word)[KEYMAP_WORD], size_t max);
enum scope scope_by_name(const char *name); /* SCOPE_COUNT = no such scope */

/* `--list-keys[=text|man]`: all bindings; -1 = unknown format */
int keymap_list(FILE *, const struct keymap *, const char *format);

#endif
