/* Which key does what now: it begins as the table of actions.def, a preset (data/keys/NAME.keys) goes over
 * it, then what the config file and `:bind` say.  Lookup: the view's own scope first, then SCOPE_ALL.  A key
 * is bound once in a scope: a new binding replaces the old one, and of the keys of an action the one bound
 * last is shown first.  ACT_NONE as the action hides a key of SCOPE_ALL from one scope.
 * Lines, the same in presets, config files and the command line: `bind SCOPE KEY ACTION`, `unbind SCOPE KEY`;
 * what follows behind a # as a word of its own is a comment.  Keys are written as core/input/key.h says.
 * keymap_init() or keymap_copy() comes first, keymap_free() frees.  The thread of the screen alone. */
#ifndef CORE_INPUT_KEYMAP_H
#define CORE_INPUT_KEYMAP_H

#include <stdio.h>

#include "base/err.h"
#include "core/input/action.h"

#define KEYMAP_WORD 40 /* bytes of a word of a line, the last one 0 */

struct keymap {
	struct binding *v;
	size_t n, cap;
};

void keymap_init(struct keymap *);
void keymap_copy(struct keymap *, const struct keymap *from); /* from NULL: as keymap_init() */
void keymap_free(struct keymap *);

/* the preset and nothing else; -1 with EXIT_USAGE (there is none of this name), the map as it was */
int keymap_preset(struct keymap *, const char *name, struct err *);
const char *keymap_preset_name(size_t i, char *buf, size_t size); /* NULL behind the last */

/* verb "bind" or "unbind", rest: the words behind it */
int keymap_line(struct keymap *, const char *verb, const char *rest, struct err *);
int keymap_bind(struct keymap *, enum scope, struct key, enum action, struct err *);
int keymap_unbind(struct keymap *, enum scope, struct key); /* -1 = was not bound there */

enum action keymap_action(const struct keymap *, enum scope, struct key); /* ACT_NONE */
enum action keymap_default(enum scope, struct key);                       /* as if nothing had been bound */
/* the keys that do it while `scope` has the keyboard, the scope's own first */
size_t keymap_keys(const struct keymap *, enum action, enum scope, struct key *out, size_t max);
/* its first key, for a sentence; "no key" when it is on none */
const char *keymap_key_text(const struct keymap *, enum action, enum scope, char *buf, size_t size);
/* SIZE_MAX = one is too long */
size_t keymap_words(const char *text, char (*word)[KEYMAP_WORD], size_t max);
enum scope scope_by_name(const char *name); /* SCOPE_COUNT = there is none */

/* `--list-keys[=text|man]`: what is bound; -1 = unknown format */
int keymap_list(FILE *, const struct keymap *, const char *format);

#endif
