/* Gives the terminal back on every way out.  restore_prepare() (after setupterm, before anything is sent)
 * keeps the line settings of `fd` and builds the bytes that undo everything this program may have switched
 * on; restore_arm() installs handlers for TERM INT HUP QUIT PIPE and for crashes; restore_now() writes
 * those bytes and sets the line back: async-signal-safe, also the hook for memory running out.  A handler
 * restores, says in one line what happened when it was a crash, and dies of the same signal, so that
 * status and core are right.  One terminal per process: the state is static. */
#ifndef TERM_RESTORE_H
#define TERM_RESTORE_H

void restore_prepare(int fd);
void restore_arm(void);
void restore_disarm(void); /* the handlers that were there before come back */
void restore_now(void);
void restore_line(void);              /* only the settings of the line */
void restore_where(const char *view); /* what a crash names; a string that lives on */

#endif
