#include "config.h"
#include "core/input/keymap.h"

#include <string.h>

#include "base/text/utf8.h"
#include "base/text/roff.h"
#include "base/text/words.h"
#include "core/input/command.h"

#define KEYS_MAX 8

/* The keys of an action in a scope: of its own scope, or of any scope for an action of all views. */
static size_t keys_in(const struct keymap *m, enum action a, enum scope scope, struct key *keys)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n && n < KEYS_MAX; i++)
		if (m->v[i].action == a && m->v[i].scope == scope)
			keys[n++] = m->v[i].key;
	return n;
}

static void list_man(FILE *f, enum action a, const struct key *keys, size_t n)
{
	char one[32];

	fputs(".TP 16\n", f);
	for (size_t i = 0; i < n; i++) {
		fputs(i ? ", \\fB" : "\\fB", f);
		roff_text(f, key_show(keys[i], one, sizeof one));
		fputs("\\fR", f);
	}
	fputs(n ? "\n" : "no key\n", f);
	roff_text(f, action_info[a].help);
	fputs(" (\\fI", f);
	roff_text(f, action_info[a].name);
	fputs("\\fR)\n", f);
}

static void list_text(FILE *f, enum action a, const struct key *keys, size_t n)
{
	char text[160] = "", one[32];
	int pad;

	for (size_t i = 0; i < n; i++)
		words_add(text, sizeof text, "  ", key_show(keys[i], one, sizeof one));
	pad = 16 - utf8_cols(text, strlen(text));
	fprintf(f, "  %s%*s  %-16s %s\n", text, pad > 0 ? pad : 0, "", action_info[a].name,
	    action_info[a].help);
}

int keymap_list(FILE *f, const struct keymap *m, const char *format)
{
	bool man = format && !strcmp(format, "man");

	if (format && !man && strcmp(format, "text"))
		return -1;
	for (int s = 0; s < SCOPE_COUNT; s++) {
		bool any = false;

		for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
			struct key keys[KEYS_MAX];
			size_t n = keys_in(m, (enum action)a, (enum scope)s, keys);

			if (action_info[a].scope != (enum scope)s && !n)
				continue;
			if (!any)
				fprintf(f, man ? ".SS %s\n.PD 0\n" : s ? "\n%s\n" : "%s\n", scope_title[s]);
			any = true;
			(man ? list_man : list_text)(f, (enum action)a, keys, n);
		}
		if (any && man)
			fputs(".PD\n", f);
	}
	command_list(f, man);
	return 0;
}
