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

const char *const scope_name[SCOPE_COUNT] = { "all", "timeline", "ops", "table", "roofline", "findings",
	"overview", "input", "memory", "memory_profile", "pod", "graph", "triage", "tf_graph", "ptxla",
	"kernels", "files", "capture", "dialog", "chips", "monitor", "help", "menu" };
const char *const scope_title[SCOPE_COUNT] = { "In every view", "Timeline", "Op profile", "Tables of ops",
	"Roofline", "Findings", "Overview", "Input", "Memory", "Memory profile", "Pod", "Graph", "Triage",
	"TensorFlow graph", "PyTorch/XLA", "Kernels", "Files", "Capture", "Capture dialog", "Chips",
	"Monitor", "Help", "Menus" };

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
