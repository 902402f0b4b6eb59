/* (Not named config.h: that name is the header that configure makes.) The config file: $TPUSCOPERC, else the
 * first that exists of $XDG_CONFIG_HOME/tpuscope/config, ~/.config/tpuscope/config and
 * SYSCONFDIR/tpuscope.conf.  It is read, never written.  Its lines are `bind SCOPE KEY ACTION`, `unbind SCOPE
 * KEY`, `keys PRESET` and `set NAME VALUE`.  Empty lines and lines that start with # are comments, and so is
 * what follows a # that stands alone after a line.  A mistake becomes a note that names file and line; the
 * rest of the file is used.  `keys` starts over from a preset, so binds come after it.  config_read() fills
 * the struct (even when it fails), config_free() frees it. */
#ifndef CORE_INPUT_CONF_H
#define CORE_INPUT_CONF_H

#include "core/config/settings.h"
#include "core/input/keymap.h"

#define CONFIG_NOTES 20 /* this many are kept; one more counts the rest */

struct config {
	char *path; /* of the file read, NULL = none */
	/* beside the usual config file, NULL = none: more errors to search texts for, more ops that a TPU runs */
	char *errors, *tpu_ops; /* triage.tsv, tpu_ops.tsv */
	struct settings settings;
	struct keymap keymap;
	char *notes[CONFIG_NOTES + 1];
	size_t nnotes, lost;
};

/* file: --config, NULL = search for it, "none" = read none; keys: --keymap, NULL = as the file says.  -1 with
 * EXIT_USAGE: the file named by --config cannot be read, or there is no such preset. */
int config_read(struct config *, const char *file, const char *keys, struct err *);
void config_free(struct config *);
/* adds a note about a mistake of the user */
void config_note(struct config *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* parses the text of a file, for config_read() and tests; text[n] must be 0 */
void config_text(struct config *, const char *path, char *text, size_t n, bool keys_fixed);

#endif
