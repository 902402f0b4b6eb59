#include "config.h"
#include "core/input/keymap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/embedded.h"
#include "base/mem.h"
#include "base/text/slice.h"
#include "base/text/words.h"

#define SUFFIX ".keys"

void keymap_copy(struct keymap *m, const struct keymap *from)
{
	size_t n;
	const struct binding *table = action_bindings(&n);

	if (from) {
		table = from->v;
		n = from->n;
	}
	*m = (struct keymap){ .v = xcalloc(n + 16, sizeof *m->v), .n = n, .cap = n + 16 };
	if (n)
		memcpy(m->v, table, n * sizeof *m->v);
}

void keymap_init(struct keymap *m)
{
	keymap_copy(m, NULL);
}

void keymap_free(struct keymap *m)
{
	free(m->v);
	*m = (struct keymap){ 0 };
}

static struct binding *find_binding(const struct keymap *m, enum scope scope, struct key key)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].scope == scope && key_same(m->v[i].key, key))
			return &m->v[i];
	return NULL;
}

/* -1 = it was not bound there */
static int keymap_unbind(struct keymap *m, enum scope scope, struct key key)
{
	struct binding *b = find_binding(m, scope, key);

	if (!b)
		return -1;
	m->n--;
	memmove(b, b + 1, (size_t)(m->v + m->n - b) * sizeof *b);
	return 0;
}

int keymap_bind(struct keymap *m, enum scope scope, struct key key, enum action action, struct err *err)
{
	if (!keymap_may(scope, action))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "%s is an action of %s, not of %s",
		    action_info[action].name, scope_name[action_info[action].scope], scope_name[scope]);
	keymap_unbind(m, scope, key);
	if (m->n == m->cap)
		m->v = xrealloc(m->v, m->cap *= 2, sizeof *m->v);
	memmove(m->v + 1, m->v, m->n++ * sizeof *m->v);
	m->v[0] = (struct binding){ scope, key, "", action };
	return 0;
}

enum action keymap_action(const struct keymap *m, enum scope scope, struct key key)
{
	const struct binding *b = find_binding(m, scope, key);

	if (!b && scope != SCOPE_ALL)
		b = find_binding(m, SCOPE_ALL, key);
	return b ? b->action : ACT_NONE;
}

enum action keymap_default(enum scope scope, struct key key)
{
	struct keymap table = { 0 };

	table.v = (struct binding *)action_bindings(&table.n);
	return keymap_action(&table, scope, key);
}

bool keymap_may(enum scope scope, enum action action)
{
	struct keymap table = { 0 };

	table.v = (struct binding *)action_bindings(&table.n);
	return action_info[action].scope == SCOPE_ALL || keymap_has(&table, scope, action);
}

size_t keymap_keys(const struct keymap *m, enum action action, enum scope scope, struct key *out, size_t max)
{
	size_t found = 0;

	for (int all = 0; all < (scope == SCOPE_ALL ? 1 : 2); all++)
		for (size_t i = 0; i < m->n && found < max; i++) {
			const struct binding *b = &m->v[i];

			if (b->action != action || b->scope != (all ? SCOPE_ALL : scope) ||
			    (all && find_binding(m, scope, b->key)))
				continue;
			out[found++] = b->key;
		}
	return found;
}

bool keymap_has(const struct keymap *m, enum scope scope, enum action action)
{
	if (action_info[action].scope == scope)
		return true;
	for (size_t i = 0; i < m->n && action_info[action].scope != SCOPE_ALL; i++)
		if (m->v[i].action == action && m->v[i].scope == scope)
			return true;
	return false;
}

const char *keymap_key_text(const struct keymap *m, enum action action, enum scope scope, char *buf,
    size_t size)
{
	struct key key;

	return keymap_keys(m, action, scope, &key, 1) ? key_show(key, buf, size) : "no key";
}

enum scope scope_by_name(const char *name)
{
	int s = 0;

	while (s < SCOPE_COUNT && strcmp(scope_name[s], name))
		s++;
	return (enum scope)s;
}

size_t keymap_words(const char *text, char (*word)[KEYMAP_WORD], size_t max)
{
	size_t n = 0;

	for (;; n++) {
		size_t len;

		text += strspn(text, " \t\r");
		len = strcspn(text, " \t\r");
		if (!len)
			return n;
		if (len >= KEYMAP_WORD)
			return SIZE_MAX;
		if (n < max) {
			memcpy(word[n], text, len);
			word[n][len] = 0;
		}
		text += len;
	}
}

static int parse_key(const char *text, struct key *key)
{
	return key_parse(&text, key) || *text ? -1 : 0;
}

/* Returns the action of a name in a config file, which may still have the name of an earlier version. */
static enum action action_in_file(const char *name)
{
	static const char *const renamed[][2] = { { "colour", "color" }, { "finding", "details" },
		{ "advice", "details" } };

	for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
		if (!strcmp(name, renamed[i][0]))
			return action_by_name(renamed[i][1]);
	return action_by_name(name);
}

int keymap_line(struct keymap *m, const char *verb, const char *rest, struct err *err)
{
	bool bind = !strcmp(verb, "bind");
	size_t want = bind ? 3 : 2, n;
	char w[4][KEYMAP_WORD];
	enum scope scope;
	enum action a = ACT_NONE;
	struct key key;

	n = keymap_words(rest, w, 4);
	if (n == SIZE_MAX || n < want || (n > want && w[want][0] != '#'))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "usage: %s",
		    bind ? "bind SCOPE KEY ACTION" : "unbind SCOPE KEY");
	if ((scope = scope_by_name(w[0])) == SCOPE_COUNT) {
		char all[400] = "";

		for (int i = 0; i < SCOPE_COUNT; i++)
			words_add(all, sizeof all, ", ", scope_name[i]);
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "unknown scope '%s'; scopes: %s", w[0], all);
	}
	if (parse_key(w[1], &key))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "%s is not a key", w[1]);
	if (!bind)
		return !keymap_unbind(m, scope, key)
		    ? 0
		    : err_set(err, EXIT_USAGE, ERR_NOWHERE, "%s is not bound in the scope %s", w[1], w[0]);
	if (strcmp(w[2], "none") && !(a = action_in_file(w[2])))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "unknown action '%s'; see tpuscope --list-keys",
		    w[2]);
	return keymap_bind(m, scope, key, a, err);
}

const char *keymap_preset_name(size_t i, char *buf, size_t size)
{
	for (const struct embedded *e = embedded_files; e->name; e++) {
		size_t n = strlen(e->name), s = strlen(SUFFIX);

		if (n <= s || strcmp(e->name + n - s, SUFFIX) || i--)
			continue;
		snprintf(buf, size, "%.*s", (int)(n - s), e->name);
		return buf;
	}
	return NULL;
}

static int unknown_preset(const char *name, struct err *err)
{
	char all[200] = "", one[40];

	for (size_t i = 0; keymap_preset_name(i, one, sizeof one); i++)
		words_add(all, sizeof all, ", ", one);
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "unknown preset '%.40s'; presets: %s", name, all);
}

/* Runs a line of a preset.  Presets are compiled in, so a mistake in one is a bug. */
static int preset_line(struct keymap *m, const char *line, struct err *err)
{
	size_t n = strcspn(line, " ");

	if (!*line || *line == '#')
		return 0;
	if (slice_is((struct slice){ line, n }, "bind"))
		return keymap_line(m, "bind", line + n, err);
	return keymap_line(m, "unbind", line + n, err);
}

int keymap_preset(struct keymap *m, const char *name, struct err *err)
{
	char file[60], line[200];
	const struct embedded *e;
	struct keymap fresh;

	snprintf(file, sizeof file, "%s" SUFFIX, name);
	if (strlen(name) > 40 || !(e = embedded_find(file)))
		return unknown_preset(name, err);
	keymap_init(&fresh);
	for (size_t at = 0; at < e->size;) {
		const unsigned char *end = memchr(e->bytes + at, '\n', e->size - at);
		size_t n = (end ? (size_t)(end - e->bytes) : e->size) - at;

		snprintf(line, sizeof line, "%.*s", (int)n, (const char *)e->bytes + at);
		if (preset_line(&fresh, line, err)) {
			keymap_free(&fresh);
			return -1;
		}
		at += n + 1;
	}
	keymap_free(m);
	*m = fresh;
	return 0;
}
