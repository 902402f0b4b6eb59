/* What logs and error texts say went wrong (analyze/triage/triage.h, RESULT_TRIAGE): one problem at a time,
 * the verdict first, what fills the memory as a bar whose right end is the limit, the largest buffers,
 * the log's own words; a card of causes, what is ruled out and what to do.  Beside it two more pages:
 * a text in full (a buffer, a line, the card) and the lines of a log.  Where nothing is recognised, or
 * a problem lists no buffers, the table of the logs stands there.  It is the view of tab 9.  triage.c
 * is the view and what keys do, tri_problem.c the page of a problem, tri_facts.c what is known of it,
 * tri_card.c the card, tri_log.c the lines of a log, tri_state.c what is kept from one session to the
 * next. */
#ifndef VIEW_TRIAGE_TRIAGE_H
#define VIEW_TRIAGE_TRIAGE_H

#include "analyze/triage/triage.h"
#include "core/view.h"
#include "widget/bar.h"
#include "widget/frame.h"

enum { TRI_TEXTS = 24, TRI_PARTS = 6 };

enum tri_page { TRI_PROBLEM, TRI_BUFFER, TRI_ADVICE, TRI_LOG, TRI_LINE };

struct tri_texts {
	char *s[TRI_TEXTS];
	size_t n;
};

/* What fills the memory: bytes; in the order of the bar. */
struct tri_part {
	const char *label;
	double bytes;
	enum role role;
	uint32_t sign;
};

struct tri_job;

struct tri_log {
	int file; /* of the dump; -1 = none */
	const char *text;
	size_t n;
	struct triage_lines lines;
	struct tri_job *job; /* finding them; NULL = they are there */
	size_t *shown;       /* lines that pass; NULL: all */
	struct list list;
	size_t want;   /* line to stand on, from 1; 0 = none */
	int64_t above; /* lines in sight before it; -1: some */
	char least;    /* severity: 'W' and worse, 'E' and worse, 0 = all */
	struct regex *filter;
	int shift;
};

struct tri_view {
	struct frame frame;     /* in full: a buffer, the card, a line */
	const struct triage *t; /* NULL = not there yet */
	size_t *order, n, at;   /* rows of t->errors, the gravest first */
	enum tri_page page;
	size_t *buffer, nbuffers; /* rows of t->buffers, or of t->report, which are listed */
	bool reported;            /* they are of t->report */
	struct table table;       /* of them */
	struct sheet sheet;
	struct sheet logs;
	struct tri_part part[TRI_PARTS];
	size_t nparts;
	double limit; /* NaN */
	char title[160], facts[320], of[96], module[96];
	struct tri_texts why, not, todo, says;
	struct tri_log log;
	struct kv want; /* of another session, until the texts have been read */
};

void triage_view_show_page(struct view *, enum tri_page);
struct sheet *triage_view_sheet(struct tri_view *); /* the table of the page of a problem */

/* tri_state.c */
void triage_view_save(const struct view *, struct kv *);
void triage_view_restore(struct view *, const struct kv *);
void triage_view_return(struct view *); /* to where one was, once there is a triage */

/* tri_facts.c */
extern const struct schema tri_buffers_schema;
const char *triage_view_str(const struct table *, size_t row, const char *id); /* "" */
double triage_view_num(const struct table *, size_t row, const char *id);      /* NaN */
enum role triage_view_cell_role(const void *view, size_t row, size_t column);
void triage_view_problem_make(struct view *);
void triage_view_problem_free(struct tri_view *);
void triage_view_texts_add(struct tri_texts *, const char *s, size_t n);
void triage_view_texts_free(struct tri_texts *);

/* tri_problem.c */
void triage_view_problem_draw(struct tri_view *, struct canvas *, struct rect);

/* tri_card.c */
int triage_view_card(struct view *, struct canvas *, struct rect, enum frame_card);
void triage_view_text(struct view *, FILE *);     /* of what is selected */
bool triage_view_has_module(const struct view *); /* the module of the problem is in the dump */

/* tri_log.c */
void triage_view_log_open(struct view *, int file, size_t line); /* line from 1; 0 = where it was */
void triage_view_log_close(struct view *);
void triage_view_log_draw(struct view *, struct canvas *, struct rect);
unsigned triage_view_log_act(struct view *, enum action, int count);
int triage_view_log_find(struct view *, const struct regex *, int dir, struct list_hits *);
int triage_view_log_filter(struct view *, const char *pattern, struct err *);
void triage_view_log_arrange(struct tri_log *);
size_t triage_view_log_line(const struct tri_log *);             /* under the cursor; SIZE_MAX */
int triage_view_log_file(const struct view *, const char *path); /* of the dump; -1 */
void triage_view_log_status(const struct view *, char *left, size_t size);

#endif
