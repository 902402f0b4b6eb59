/* A line editor with history, for ':' and '/'.  prompt_key() edits and says what happened; the caller acts on
 * it and reads prompt->text.  Text is UTF-8, at most PROMPT_MAX bytes; more is refused.  Histories outlive
 * the prompt; history_free() frees one.  For one thread. */
#ifndef CORE_INPUT_PROMPT_H
#define CORE_INPUT_PROMPT_H

#include "core/input/key.h"
#include "core/paint/canvas.h"

#define PROMPT_MAX 1000
#define HISTORY_MAX 100

struct history {
	char *v[HISTORY_MAX];
	size_t n;
};

struct prompt {
	bool open;
	char label; /* ':' or '/' */
	char text[PROMPT_MAX + 1];
	bool proposed;  /* the text is a proposal: the first character typed replaces it */
	size_t len, at; /* bytes; at: where the next character goes */
	struct history *history;
	size_t past;                /* history line shown; history->n = the line being typed */
	char typed[PROMPT_MAX + 1]; /* the line being typed, kept while browsing the history */
	char hint[256];             /* shown after the text: completions */
};

enum prompt_event { PROMPT_NOTHING, PROMPT_EDITED, PROMPT_DONE, PROMPT_CLOSED, PROMPT_COMPLETE };

void prompt_open(struct prompt *, char label, struct history *);
void prompt_set(struct prompt *, const char *text);
void prompt_propose(struct prompt *, const char *text);
/* DONE and CLOSED close the prompt; DONE also adds the line to the history */
enum prompt_event prompt_key(struct prompt *, struct key);
void prompt_draw(const struct prompt *, struct canvas *, int y);
void history_free(struct history *);

#endif
