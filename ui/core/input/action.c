#include "config.h"
#include "core/input/action.h"

#include <string.h>

const struct action_info action_info[ACT_COUNT] = {
	[ACT_NONE] = { "", SCOPE_ALL, "", 0 },
#define ACTION(id, name, scope, bar, help, flags) [ACT_##id] = { name, SCOPE_##scope, help, flags },
#define KEY(scope, key, id)
#define BAR(scope, text, id)
#include "core/input/actions.def"
#undef ACTION
#undef KEY
#undef BAR
};

const char *const scope_name[SCOPE_COUNT] = {
#define SCOPE(id, name, title) name,
#include "core/input/scopes.def"
};
const char *const scope_title[SCOPE_COUNT] = {
#define SCOPE(id, name, title) title,
#include "core/input/scopes.def"
};

static const struct {
	enum scope scope;
	const char *text;
	enum action action;
} key_table[] = {
#define ACTION(id, name, scope, bar, help, flags)
#define KEY(scope, key, id) { SCOPE_##scope, key, ACT_##id },
#define BAR(scope, text, id)
#include "core/input/actions.def"
#undef ACTION
#undef KEY
#undef BAR
};
#define NKEYS (sizeof key_table / sizeof *key_table)

static const struct bar_entry bar_table[] = {
#define ACTION(id, name, scope, bar, help, flags) { SCOPE_##scope, ACT_##id, bar },
#define KEY(scope, key, id)
#define BAR(scope, text, id) { SCOPE_##scope, ACT_##id, text },
#include "core/input/actions.def"
#undef ACTION
#undef KEY
#undef BAR
};

static const struct bar_entry page_table[] = {
#define KEYS(scope, name, text, action) { SCOPE_##scope, ACT_##action, text },
#include "core/input/scopes.def"
};
static const enum bar_page page_of[] = {
#define KEYS(scope, name, text, action) PAGE_##scope##_##name,
#include "core/input/scopes.def"
};

const struct bar_entry *action_page(enum bar_page page, size_t *n)
{
	size_t first = 0, rows = sizeof page_of / sizeof *page_of;

	while (first < rows && page_of[first] != page)
		first++;
	for (*n = 0; first + *n < rows && page_of[first + *n] == page;)
		++*n;
	return *n ? &page_table[first] : NULL;
}

const struct bar_entry *action_bar(size_t *n)
{
	*n = sizeof bar_table / sizeof *bar_table;
	return bar_table;
}

const struct binding *action_bindings(size_t *n)
{
	/* the table with its keys parsed, once; only the thread of the screen calls this */
	static struct binding parsed[NKEYS];

	for (size_t i = 0; i < NKEYS && !parsed[NKEYS - 1].text; i++) {
		const char *s = key_table[i].text;

		parsed[i] = (struct binding){ key_table[i].scope, { K_NONE, 0 }, key_table[i].text,
			key_table[i].action };
		if (key_parse(&s, &parsed[i].key) || *s)
			parsed[i].key.code = K_NONE;
	}
	*n = NKEYS;
	return parsed;
}

enum action action_by_name(const char *name)
{
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
		if (!strcmp(action_info[a].name, name))
			return (enum action)a;
	return ACT_NONE;
}
