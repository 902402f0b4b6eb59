/* A process beside the viewer that starts programs for the user: the viewer itself may not, because it reads files of
 * others (cli/narrow.h).  It is forked before that is given up and before there are threads, reads no file, and ends
 * with the viewer.  It takes small messages of a fixed size and starts three things only: the user's editor at a line
 * of a file, a command that the user typed and confirms once more, on the terminal, to this process, and
 * `tmux load-buffer`.  Which editor, it knows from its own environment.  What took over the viewer could therefore
 * open files in an editor, but run nothing.
 *
 * helper_ask() waits until the program has ended; for all but tmux the caller has left the screen, and the line
 * settings are those of the shell.  One caller at a time. */
#ifndef BASE_HELPER_H
#define BASE_HELPER_H

#include <stddef.h>

enum { HELPER_TEXT = 4096 };

enum helper_wish {
	HELPER_EDIT,  /* text: a path that begins with '/'; line: 0 = its first */
	HELPER_SHELL, /* text: a command for sh; data: its standard input */
	HELPER_TMUX   /* data: what goes into tmux's buffer */
};

enum { HELPER_CANCELED = -2 };

struct helper;

struct helper *helper_start(void); /* NULL: there is none */
/* Returns the exit status of the program, 127 where it could not be started, 128 and more for a signal;
 * HELPER_CANCELED: the user did not want it; -1: there is no helper, or it ended, or the text is too long. */
int helper_ask(struct helper *, enum helper_wish, int line, const char *text, const char *data, size_t n);
void helper_end(struct helper *);
/* The words of $VISUAL or $EDITOR, else vi (quotes keep blanks), with the file and the line as that editor takes them:
 * pointers into buf, ending with NULL; returns their number, 0 where there is no room. */
int helper_editor(const char *command, const char *path, int line, char *buf, size_t size, char **argv,
    int most);

#endif
