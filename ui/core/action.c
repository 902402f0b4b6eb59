#include "config.h"
#include "core/action.h"

#include <string.h>

const struct action_info action_info[ACT_COUNT] = {
	[ACT_NONE] = { "", SCOPE_ALL, "", "" },
#define ACTION(id, name, scope, bar, help) [ACT_##id] = { name, SCOPE_##scope, bar, help },
#define KEY(scope, key, id)
#include "core/actions.def"
#undef ACTION
#undef KEY
};

const char *const scope_name[SCOPE_COUNT] = { "all", "timeline", "files", "help", "menu" };
const char *const scope_title[SCOPE_COUNT] = { "In every view", "Timeline", "Files", "Help", "Menus" };

static const struct { enum scope scope; const char *text; enum action action; } key_table[] = {
#define ACTION(id, name, scope, bar, help)
#define KEY(scope, key, id) { SCOPE_##scope, key, ACT_##id },
#include "core/actions.def"
#undef ACTION
#undef KEY
};
#define NKEYS (sizeof key_table / sizeof *key_table)

const struct binding *action_bindings(size_t *n)
{
	/* the table again, with its keys read; only the thread of the screen asks */
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

enum action action_for_key(enum scope scope, struct key key)
{
	size_t n;
	const struct binding *b = action_bindings(&n);
	enum action all = ACT_NONE;

	for (size_t i = 0; i < n; i++) {
		if (!key_same(b[i].key, key))
			continue;
		if (b[i].scope == scope)
			return b[i].action;
		if (b[i].scope == SCOPE_ALL)
			all = b[i].action;
	}
	return all;
}

enum action action_by_name(const char *name)
{
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
		if (!strcmp(action_info[a].name, name))
			return (enum action)a;
	return ACT_NONE;
}

size_t action_keys(enum action action, enum scope scope, struct key *out, size_t max)
{
	size_t n, found = 0;
	const struct binding *b = action_bindings(&n);

	for (size_t i = 0; i < n && found < max; i++)
		if (b[i].action == action && b[i].scope == scope)
			out[found++] = b[i].key;
	return found;
}

static void keys_text(enum action a, char *buf, size_t size)
{
	struct key keys[8];
	size_t n = action_keys(a, action_info[a].scope, keys, 8);
	char one[32];

	*buf = 0;
	for (size_t i = 0; i < n; i++)
		snprintf(buf + strlen(buf), size - strlen(buf), "%s%s", i ? "  " : "",
		    key_show(keys[i], one, sizeof one));
}

/* A key or a sentence as roff text: what roff would take for its own is escaped. */
static void roff(FILE *f, const char *s)
{
	if (*s == '.' || *s == '\'')
		fputs("\\&", f);
	for (; *s; s++)
		switch (*s) {
		case '\\': fputs("\\e", f); break;
		case '-': fputs("\\-", f); break;
		case '^': fputs("\\(ha", f); break;
		case '~': fputs("\\(ti", f); break;
		case '`': fputs("\\(ga", f); break;
		case '\'': fputs("\\(aq", f); break;
		case '"': fputs("\\(dq", f); break;
		default: fputc(*s, f);
		}
}

static void list_man(FILE *f, enum scope scope)
{
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
		struct key keys[8];
		size_t n = action_keys((enum action)a, scope, keys, 8);
		char one[32];

		if (action_info[a].scope != scope)
			continue;
		fputs(".TP\n", f);
		for (size_t i = 0; i < n; i++) {
			fputs(i ? ", \\fB" : "\\fB", f);
			roff(f, key_show(keys[i], one, sizeof one));
			fputs("\\fR", f);
		}
		fputs(n ? " (\\fI" : "(\\fI", f);
		roff(f, action_info[a].name);
		fputs("\\fR)\n", f);
		roff(f, action_info[a].help);
		fputc('\n', f);
	}
}

static void list_text(FILE *f, enum scope scope)
{
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
		char keys[160];

		if (action_info[a].scope != scope)
			continue;
		keys_text((enum action)a, keys, sizeof keys);
		fprintf(f, "  %-16s  %-16s %s\n", keys, action_info[a].name, action_info[a].help);
	}
}

int action_list(FILE *f, const char *format)
{
	bool man = format && !strcmp(format, "man");

	if (format && !man && strcmp(format, "text"))
		return -1;
	for (int i = 0; i < SCOPE_COUNT; i++) {
		enum scope scope = (enum scope)i;
		int any = 0;

		for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
			any |= action_info[a].scope == scope;
		if (!any)
			continue;
		if (man)
			fprintf(f, ".SS %s\n", scope_title[scope]);
		else
			fprintf(f, "%s%s\n", i ? "\n" : "", scope_title[scope]);
		(man ? list_man : list_text)(f, scope);
	}
	return 0;
}
