/* What logs and error texts say went wrong (analyze/triage/triage.h, RESULT_TRIAGE): one problem at a time,
 * with the verdict, a bar of what fills the memory whose right end is the limit, the largest buffers, and the
 * lines of the log; a card of causes, what is ruled out and what to do.  There are two more pages: a text in
 * full (a buffer, a line, the card) and the lines of a log.  Without a problem, or if it lists no buffers,
 * the table of the logs is shown instead.  It is the view of tab 9.  triage.c is the view and its keys,
 * problem.c the page of a problem, facts.c collects what is known of it, card.c is the card, log.c the lines
 * of a log or of all, log_rows.c which of them are shown, log_draw.c their picture, state.c what is saved in a
 * session. */
#ifndef VIEW_TRIAGE_TRIAGE_H
#define VIEW_TRIAGE_TRIAGE_H

#include "analyze/logs/logs.h"
#include "analyze/triage/triage.h"
#include "core/view.h"
#include "widget/bar.h"
#include "view/frame.h"

enum { TRI_TEXTS = 24, TRI_PARTS = 6, TRI_MERGED = -2 };

enum tri_page { TRI_PROBLEM, TRI_BUFFER, TRI_ADVICE, TRI_LOG, TRI_LINE };

struct tri_texts {
	char *s[TRI_TEXTS];
	size_t n;
};

/* A part of what fills the memory, in bytes; in the order of the bar. */
struct tri_part {
	const char *label;
	double bytes;
	enum role role;
	uint32_t sign;
};

struct tri_job;

/* The lines of one log, or of all as one.  A row of the list is a line of `logs`, or of `shown`. */
struct tri_log {
	int file; /* file of the dump; TRI_MERGED: all; -1 = none */
	struct logs logs;
	char **names;        /* of the texts of several logs: what tells their files apart */
	struct tri_job *job; /* reading the logs; NULL = they are ready */
	size_t *shown;       /* lines that pass the filter; NULL: all */
	uint32_t *times;     /* how often each of them was repeated; NULL: not folded */
	struct list list;
	struct log_line want; /* to go to; line from 1, 0 = none */
	int64_t above;        /* visible lines before it; -1: some */
	char least;           /* severity: 'W' and worse, 'E' and worse, 0 = all */
	bool fold;            /* lines that repeat the one before, but for numbers, are one row */
	struct regex *filter;
	int shift;
	char *worst;  /* severity of the worst line behind each row of the scroll bar */
	int worst_of; /* its rows; 0: to be made anew */
};

struct tri_view {
	struct frame frame;     /* its full card is a buffer, the card, or a line */
	const struct triage *t; /* NULL = not ready */
	size_t *order, n, at;   /* rows of t->errors, the most severe first */
	uint64_t go;            /* error that a jump named, from 1; 0 = none */
	enum tri_page page;
	struct table table;    /* the rows of t->buffers or of t->report that are listed */
	bool reported;         /* they are of t->report */
	struct sheet sheet[2]; /* of buffers, of a report */
	struct sheet logs;
	struct tri_part part[TRI_PARTS];
	size_t nparts;
	double limit; /* NaN = unknown */
	char title[160], facts[320], of[96], module[96];
	struct tri_texts why, not, todo, says;
	struct tri_log log;
	struct kv want; /* saved state, until the texts have been read */
};

void triage_view_show_page(struct view *, enum tri_page);
struct sheet *triage_view_buffers(struct tri_view *);
struct sheet *triage_view_sheet(struct tri_view *); /* the table on the page of a problem */

/* state.c */
void triage_view_save(const struct view *, struct kv *);
void triage_view_restore(struct view *, const struct kv *);
void triage_view_return(struct view *); /* restores the saved position when the triage is ready */

/* facts.c */
const char *triage_view_str(const struct table *, size_t row, size_t column); /* "" = unknown */
enum role triage_view_cell_role(const void *view, size_t row, size_t column);
void triage_view_problem_make(struct view *);
void triage_view_problem_free(struct tri_view *);

/* problem.c */
void triage_view_problem_draw(struct tri_view *, struct canvas *, struct rect);

/* card.c */
int triage_view_card(struct view *, struct canvas *, struct rect, enum frame_card);
void triage_view_text(struct view *, FILE *); /* the selection as text */

/* log.c */
/* line from 1; 0 = keep the position.  For TRI_MERGED it is a line of the file `of`. */
void triage_view_log_open(struct view *, int file, int of, size_t line);
void triage_view_log_close(struct view *);
unsigned triage_view_log_act(struct view *, enum action, int count);
int triage_view_log_find(struct view *, const struct regex *, int dir, struct list_hits *);
int triage_view_log_filter(struct view *, const char *pattern, struct err *);
int triage_view_log_file(const struct view *, const char *path); /* file of the dump; -1 = none */

/* log_rows.c: which lines are shown */
#define TRI_LINE_BYTES 8192 /* shown and searched of a line */
/* -1: the filter is too expensive, and is gone */
int triage_view_log_arrange(struct tri_log *, struct err *);
struct log_line triage_view_log_row(const struct tri_log *, size_t row);
bool triage_view_log_line(const struct tri_log *, struct log_line *); /* under the cursor; false = none */
int triage_view_severity_rank(char severity);

/* log_draw.c */
void triage_view_log_draw(struct view *, struct canvas *, struct rect);
void triage_view_log_status(const struct view *, char *left, size_t size);
/* the line under the cursor in full: its file, what is known of it */
int triage_view_log_card(struct view *, struct canvas *, struct rect);

#endif
