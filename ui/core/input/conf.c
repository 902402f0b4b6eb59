#include "config.h"
#include "core/input/conf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/infile.h"
#include "base/mem.h"
#include "base/text/utf8.h"

enum { FILE_BYTES = 1 << 20, LINE_BYTES = 500, USER_PLACES = 2 };

void config_note(struct config *c, const char *fmt, ...)
{
	char text[900];
	va_list ap;

	if (c->nnotes >= CONFIG_NOTES) {
		c->lost++;
		return;
	}
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	c->notes[c->nnotes++] = xstrdup(text);
}

/* Cuts the comment and trailing space off the value of `set NAME VALUE # comment`. */
static void cut_value(char *s)
{
	char *end = strstr(s, " #");
	size_t n = *s == '#' ? 0 : end ? (size_t)(end - s) : strlen(s);

	while (n && strchr(" \t\r", s[n - 1]))
		n--;
	s[n] = 0;
}

static int set_line(struct config *c, char *rest, struct err *err)
{
	char *value = rest + strcspn(rest, " \t");

	if (*value)
		*value++ = 0;
	value += strspn(value, " \t");
	cut_value(value);
	if (!*rest || !*value)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "usage: set NAME VALUE");
	return settings_put(&c->settings, rest, value, SET_BY_CONFIG, err) < 0 ? -1 : 0;
}

static int keys_line(struct config *c, const char *rest, bool fixed, struct err *err)
{
	char w[2][KEYMAP_WORD];
	size_t n = keymap_words(rest, w, 2);

	if (n == SIZE_MAX || !n || (n > 1 && w[1][0] != '#'))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "usage: keys PRESET");
	return fixed ? 0 : keymap_preset(&c->keymap, w[0], err);
}

static int config_line(struct config *c, char *line, bool keys_fixed, struct err *err)
{
	char *rest;

	line += strspn(line, " \t\r");
	if (!*line || *line == '#')
		return 0;
	rest = line + strcspn(line, " \t\r");
	if (*rest)
		*rest++ = 0;
	rest += strspn(rest, " \t\r");
	if (!strcmp(line, "bind") || !strcmp(line, "unbind"))
		return keymap_line(&c->keymap, line, rest, err);
	if (!strcmp(line, "set"))
		return set_line(c, rest, err);
	if (!strcmp(line, "keys"))
		return keys_line(c, rest, keys_fixed, err);
	return err_set(err, EXIT_USAGE, ERR_NOWHERE,
	    "unknown command '%.40s'; commands: bind, unbind, keys, set", line);
}

void config_text(struct config *c, const char *path, char *text, size_t n, bool keys_fixed)
{
	size_t at = utf8_bom(text, n);

	for (unsigned number = 1; at < n; number++) {
		char *line = text + at, *end = memchr(line, '\n', n - at);
		size_t len = (end ? (size_t)(end - line) : n - at);
		struct err err = { .at = ERR_NOWHERE };

		at += len + 1;
		line[len] = 0;
		if (strlen(line) < len)
			config_note(c, "%s:%u: contains a NUL byte", path, number);
		else if (len > LINE_BYTES)
			config_note(c, "%s:%u: line longer than %d bytes", path, number, LINE_BYTES);
		else if (config_line(c, line, keys_fixed, &err))
			config_note(c, "%s:%u: %s", path, number, err.msg);
	}
}

/* Returns -1 with errno when the file cannot be read.  Only the first FILE_BYTES are used; a note says so. */
static int read_file(struct config *c, const char *path, bool keys_fixed)
{
	FILE *f = infile_open(path);
	char *text;
	size_t n;
	int why;

	if (!f)
		return -1;
	text = xcalloc(1, FILE_BYTES + 2);
	n = fread(text, 1, FILE_BYTES + 1, f);
	why = ferror(f) ? errno : 0;
	fclose(f);
	if (!why) {
		c->path = xstrdup(path);
		if (n > FILE_BYTES)
			config_note(c, "%s: larger than 1 MiB, the rest was not read", path);
		config_text(c, path, text, n > FILE_BYTES ? FILE_BYTES : n, keys_fixed);
	}
	free(text);
	errno = why;
	return why ? -1 : 0;
}

/* The i-th place of a file of the user; false: not defined in this environment. */
static bool user_place(int i, const char *name, char *path, size_t size)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	switch (i) {
	case 0: /* the specification says to ignore a relative path */
		return xdg && *xdg == '/' && snprintf(path, size, "%s/tpuscope/%s", xdg, name) < (int)size;
	default:
		return home && *home &&
		    snprintf(path, size, "%s/.config/tpuscope/%s", home, name) < (int)size;
	}
}

static bool config_place(int i, char *path, size_t size)
{
	return i < USER_PLACES ? user_place(i, "config", path, size)
			       : snprintf(path, size, "%s/tpuscope.conf", SYSCONFDIR) < (int)size;
}

static char *table_of_user(const char *name)
{
	char path[4096];

	for (int i = 0; i < USER_PLACES; i++)
		if (user_place(i, name, path, sizeof path) && !access(path, F_OK))
			return xstrdup(path);
	return NULL;
}

static void find_config_file(struct config *c, bool keys_fixed)
{
	const char *named = getenv("TPUSCOPERC");
	char path[4096];

	if (named && *named) {
		if (read_file(c, named, keys_fixed))
			config_note(c, "%s (TPUSCOPERC): %s", named, strerror(errno));
		return;
	}
	for (int i = 0; i <= USER_PLACES && !c->path; i++) {
		if (!config_place(i, path, sizeof path) || !read_file(c, path, keys_fixed) ||
		    errno == ENOENT || errno == ENOTDIR)
			continue;
		config_note(c, "%s: %s", path, strerror(errno));
		return;
	}
}

int config_read(struct config *c, const char *file, const char *keys, struct err *err)
{
	*c = (struct config){ 0 };
	keymap_init(&c->keymap);
	if (keys && keymap_preset(&c->keymap, keys, err))
		return -1;
	if (!file) {
		find_config_file(c, keys != NULL);
		c->errors = table_of_user("triage.tsv");
		c->tpu_ops = table_of_user("tpu_ops.tsv");
	}
	if (file && strcmp(file, "none") && read_file(c, file, keys != NULL))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--config %.300s: %s", file, strerror(errno));
	if (c->lost) {
		char text[80];

		snprintf(text, sizeof text, "%s: and %zu more", c->path ? c->path : "config", c->lost);
		c->notes[c->nnotes++] = xstrdup(text);
	}
	return 0;
}

void config_free(struct config *c)
{
	keymap_free(&c->keymap);
	for (size_t i = 0; i < c->nnotes; i++)
		free(c->notes[i]);
	free(c->path);
	free(c->errors);
	free(c->tpu_ops);
	*c = (struct config){ 0 };
}
