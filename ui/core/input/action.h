/* Actions and the key table.  actions.def is the one list: it gives the enum, the names for `:commands`,
 * `--list-keys`, the help screen, the key bar and the man page's key block.  A view's own keys come before
 * those of SCOPE_ALL.  What a key does now, after presets, config file and `:bind`: core/input/keymap.h. */
#ifndef CORE_INPUT_ACTION_H
#define CORE_INPUT_ACTION_H

#include <stdbool.h>
#include <stddef.h>

#include "core/input/key.h"

enum scope {
#define SCOPE(id, name, title) SCOPE_##id,
#include "core/input/scopes.def"
	SCOPE_COUNT
};

/* What a view may show that has a key bar of its own. */
enum bar_page {
#define PAGE(scope, name) PAGE_##scope##_##name,
#include "core/input/scopes.def"
	PAGE_NONE
};

enum action {
	ACT_NONE,
#define ACTION(id, name, scope, bar, help, flags) ACT_##id,
#define KEY(scope, key, id)
#define BAR(scope, text, id)
#include "core/input/actions.def"
#undef ACTION
#undef KEY
#undef BAR
	ACT_COUNT
};

enum action_flag {
	MERGED = 1, /* ten of them equal one with a count of ten */
	/* needs no more than is drawn while the rest is loaded; steps, hits, statistics and the like are only
	 * right when all is there */
	EARLY = 2
};

struct action_info {
	const char *name; /* "zoom-in": for `:`, config files, scripts */
	enum scope scope;
	const char *help; /* one line, <= 44 columns */
	int flags;        /* enum action_flag */
};

/* the key bar of a scope, in the order of the table; text: "w s zoom", or only a label (then the action's
 * first key comes before it) */
struct bar_entry {
	enum scope scope;
	enum action action;
	const char *text;
};

struct binding {
	enum scope scope;
	struct key key;
	const char *text;
	enum action action;
};

extern const struct action_info action_info[ACT_COUNT];
extern const char *const scope_name[SCOPE_COUNT], *const scope_title[SCOPE_COUNT];

/* the default bindings, in the order of the table; parsed once */
const struct binding *action_bindings(size_t *n);
const struct bar_entry *action_bar(size_t *n); /* of the scopes; "" = not in the bar */
/* NULL: PAGE_NONE, those of the scope are used */
const struct bar_entry *action_page(enum bar_page, size_t *n);
enum action action_by_name(const char *name);

#endif
