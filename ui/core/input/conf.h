/* (Not named config.h: that name is the header that configure makes.)
 * The config file: $TPUSCOPERC, else the first there is of $XDG_CONFIG_HOME/tpuscope/config,
 * ~/.config/tpuscope/config and SYSCONFDIR/tpuscope.conf.  It is read, never written.  Lines:
 *     bind SCOPE KEY ACTION     unbind SCOPE KEY     keys PRESET     set NAME VALUE
 * Empty lines and those that begin with # are comments; so is what follows a # that stands alone behind a
 * whole line.
 * A mistake is a note that names file and line; the rest of the file counts.  `keys` begins anew from a
 * preset: binds come after it.
 * config_read() fills the struct (even when it fails), config_free() frees. */
#ifndef CORE_INPUT_CONF_H
#define CORE_INPUT_CONF_H

#include "core/config/settings.h"
#include "core/input/keymap.h"

#define CONFIG_NOTES 20 /* that many are kept, one more counts the rest */

struct config {
	char *path; /* what was read, NULL = nothing */
	struct settings settings;
	struct keymap keymap;
	char *notes[CONFIG_NOTES + 1];
	size_t nnotes, lost;
};

/* file: --config, NULL = look for one, "none" = read none; keys: --keymap, NULL = as the file says.
 * -1 with EXIT_USAGE: a file named by --config cannot be read, there is no such preset. */
int config_read(struct config *, const char *file, const char *keys, struct err *);
void config_free(struct config *);
/* the text of a file, for config_read() and the tests; ends with a 0 that n does not count */
void config_text(struct config *, const char *path, char *text, size_t n, bool keys_fixed);

#endif
