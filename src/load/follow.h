/* What comes to the files and the logdir of a dump while it is open.  On local file systems the kernel tells
 * (inotify), and follow_look() asks at once; on remote mounts, which it knows nothing about, a thread of its own asks,
 * because an answer may take long or never come: nobody waits for it, not even follow_close().  For the owner of the
 * dump. */
#ifndef LOAD_FOLLOW_H
#define LOAD_FOLLOW_H

#include "load/watch.h"

struct follow;

struct follow *follow_open(const struct dump *);
void follow_close(struct follow *); /* also after the dump was closed; NULL is fine */
/* Readable when follow_look() may have news, which follow_woken() empties; -1: there are only times to look. */
int follow_fd(const struct follow *);
bool follow_woken(struct follow *);

struct follow_news {
	size_t changes; /* of files that are open, as load_watch() says them in `text` */
	char text[300];
	char run[256];  /* that came into the logdir; "": none */
	size_t nfiles;  /* that came into the folder that is open */
	char file[256]; /* one of them */
};

/* As load_watch(), of the dump that it was opened for.  ask: asks the file system, or has it asked.  Returns whether
 * there are news. */
bool follow_look(struct follow *, struct dump *, bool ask, struct follow_news *);
bool follow_polls(const struct follow *); /* asks again and again: what came is seen late */

#endif
