/* Restores the terminal on every way out.  restore_prepare() (after setupterm, before anything is sent) saves
 * the line settings of `fd` and builds the bytes that undo everything this program may have switched on;
 * restore_arm() installs handlers for TERM INT HUP QUIT PIPE and for crashes.  A handler writes those bytes,
 * resets the line settings, prints one line if it was a crash, and dies of the same signal, so that the exit
 * status and core dump are right; the same is written when memory runs out.  One terminal per process: the
 * state is static. */
#ifndef TERM_RESTORE_H
#define TERM_RESTORE_H

void restore_prepare(int fd);
void restore_arm(void);
void restore_disarm(void); /* restores the previous handlers */
void restore_pause(void);  /* the screen was left: resets the line; until restore_resume() others have it */
void restore_resume(void);
void restore_where(const char *view); /* the view to name in a crash; the string must stay valid */

#endif
