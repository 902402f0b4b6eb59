#include "config.h"
#include "view/triage/triage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "core/app.h"
#include "model/hlo.h"
#include "widget/text.h"

#define MESSAGE 390             /* bytes of a message that may have been cut at 400 */
#define NOTHING .001            /* parts below this share of the limit are left out of the bar */
#define NEAR ((size_t)64 << 10) /* bytes after a sentence that are searched for its lines */

const char *triage_view_str(const struct table *t, size_t row, size_t column)
{
	const struct cell *c = table_at(t, row, column);

	return c->type == CELL_STR ? c->s : "";
}

static void triage_view_texts_add(struct tri_texts *t, const char *s, size_t n)
{
	if (t->n < TRI_TEXTS && n)
		t->s[t->n++] = xstrndup(s, n);
}

static void triage_view_texts_free(struct tri_texts *t)
{
	while (t->n)
		free(t->s[--t->n]);
}

/* Adds the pieces between separators. */
static void add_parts(struct tri_texts *t, const char *s, const char *separator)
{
	for (const char *end; *s; s = end ? end + strlen(separator) : "") {
		end = strstr(s, separator);
		triage_view_texts_add(t, s, end ? (size_t)(end - s) : strlen(s));
	}
}

/* --- verdict --- */

static size_t first_finding(const struct triage *t, size_t error)
{
	for (size_t i = 0; i < t->findings.nrows; i++)
		if (table_num(&t->findings, i, TRIAGE_FINDINGS_error) == (double)error)
			return i;
	return SIZE_MAX;
}

static double too_much(const struct table *e, size_t i)
{
	double by = table_num(e, i, TRIAGE_ERRORS_exceeded_bytes);

	return isnan(by)
	    ? table_num(e, i, TRIAGE_ERRORS_needed_bytes) - table_num(e, i, TRIAGE_ERRORS_limit_bytes)
	    : by;
}

static void make_title(struct tri_view *s, size_t error)
{
	static const struct {
		const char *kind, *title;
	} said[] = {
		{ "hbm_compile_oom", "Out of HBM while compiling" },
		{ "compile_abort_oom", "Far out of HBM: compilation aborted" },
		{ "vmem_oom", "Out of VMEM in a kernel" },
		{ "scoped_vmem_oom", "Out of scoped VMEM in a kernel" },
		{ "smem_oom", "Out of SMEM in a kernel" },
		{ "runtime_alloc", "Out of HBM at run time" },
		{ "program_load", "No room in HBM to load a program" },
	};
	const struct table *e = &s->t->errors;
	const char *kind = triage_view_str(e, error, TRIAGE_ERRORS_kind), *title = kind;
	size_t finding = first_finding(s->t, error);
	char by[32];

	if (finding != SIZE_MAX)
		title = triage_view_str(&s->t->findings, finding, TRIAGE_FINDINGS_title);
	for (size_t i = 0; i < sizeof said / sizeof *said; i++)
		if (!strcmp(kind, said[i].kind))
			title = said[i].title;
	snprintf(s->title, sizeof s->title, "%.120s", title);
	if (!(too_much(e, error) > 0))
		return;
	text_bytes(by, sizeof by, too_much(e, error));
	if (too_much(e, error) >= GIB / 1024 && too_much(e, error) < GIB)
		snprintf(by, sizeof by, "%.2f MiB", too_much(e, error) / (GIB / 1024));
	snprintf(s->title, sizeof s->title, "%.100s, by %s", title, by);
}

static size_t temp_row(const struct triage *t, size_t error)
{
	for (size_t i = 0; i < t->requirement.nrows; i++)
		if (table_num(&t->requirement, i, TRIAGE_REQUIREMENT_error) == (double)error &&
		    !strcmp(triage_view_str(&t->requirement, i, TRIAGE_REQUIREMENT_name), "HLO temp"))
			return i;
	return SIZE_MAX;
}

static void append_fact(char *out, size_t size, const char *before, const char *text, const char *behind)
{
	size_t n = strlen(out);

	snprintf(out + n, size - n, "%s%s%s%s", n ? "; " : "", before, text, behind);
}

static void make_facts(struct tri_view *s, const struct dump *d, size_t error)
{
	const struct table *e = &s->t->errors;
	double needed = table_num(e, error, TRIAGE_ERRORS_needed_bytes),
	       limit = table_num(e, error, TRIAGE_ERRORS_limit_bytes),
	       spare = table_num(e, error, TRIAGE_ERRORS_free_bytes),
	       program = table_num(e, error, TRIAGE_ERRORS_program_bytes),
	       count = table_num(e, error, TRIAGE_ERRORS_count);
	size_t temp = temp_row(s->t, error);
	char *out = s->facts, a[32], b[32], text[80];

	*out = 0;
	if (needed >= 0 && limit >= 0) {
		snprintf(text, sizeof text, "%s of %s", text_bytes(a, sizeof a, needed),
		    text_bytes(b, sizeof b, limit));
		append_fact(out, sizeof s->facts, "needs ", text, "");
	} else if (needed >= 0 && !strcmp(triage_view_str(e, error, TRIAGE_ERRORS_kind), "input_mismatch")) {
		snprintf(text, sizeof text, "%s, it got %s", text_bytes(a, sizeof a, needed),
		    text_bytes(b, sizeof b, table_num(e, error, TRIAGE_ERRORS_used_bytes)));
		append_fact(out, sizeof s->facts, "the program expects ", text, "");
	} else if (needed >= 0) {
		append_fact(out, sizeof s->facts, "asks for ", text_bytes(a, sizeof a, needed), "");
	} else if (program >= 0) {
		append_fact(out, sizeof s->facts, "the program needs ", text_bytes(a, sizeof a, program), "");
	}
	if (spare >= 0)
		append_fact(out, sizeof s->facts, "", text_bytes(a, sizeof a, spare), " free");
	if (table_num(e, error, TRIAGE_ERRORS_largest_free_bytes) >= 0)
		append_fact(out, sizeof s->facts, "largest piece ",
		    text_bytes(a, sizeof a, table_num(e, error, TRIAGE_ERRORS_largest_free_bytes)), "");
	if (temp != SIZE_MAX &&
	    table_num(&s->t->requirement, temp, TRIAGE_REQUIREMENT_fragmentation_bytes) >= .01 * needed)
		append_fact(out, sizeof s->facts, "",
		    text_bytes(a, sizeof a,
			table_num(&s->t->requirement, temp, TRIAGE_REQUIREMENT_fragmentation_bytes)),
		    " of it is fragmentation");
	if (*s->module)
		append_fact(out, sizeof s->facts, "module ", s->module,
		    d->nmodules && hlo_module_find(d, s->module) < 0 ? ", whose dump is not here" : "");
	if (needed >= 0 && *triage_view_str(e, error, TRIAGE_ERRORS_op))
		append_fact(out, sizeof s->facts, "in ", triage_view_str(e, error, TRIAGE_ERRORS_op), "");
	if (count > 1) {
		snprintf(text, sizeof text, "%.0f times", count);
		append_fact(out, sizeof s->facts, "", text, "");
	}
}

/* --- bar --- */

static void add_part(struct tri_view *s, const char *label, double bytes, enum role role, uint32_t sign)
{
	if (bytes > NOTHING * s->limit && bytes > 0 && s->nparts < TRI_PARTS)
		s->part[s->nparts++] = (struct tri_part){ label, bytes, role, sign };
}

static void make_parts(struct tri_view *s, size_t error)
{
	const struct table *e = &s->t->errors, *r = &s->t->requirement;
	size_t temp = temp_row(s->t, error);
	double program = table_num(e, error, TRIAGE_ERRORS_program_bytes),
	       needed = table_num(e, error, TRIAGE_ERRORS_needed_bytes),
	       spare = table_num(e, error, TRIAGE_ERRORS_free_bytes),
	       all = table_num(e, error, TRIAGE_ERRORS_total_bytes), holes, size;

	s->nparts = 0;
	s->limit = table_num(e, error, TRIAGE_ERRORS_limit_bytes);
	if (temp != SIZE_MAX) {
		size = table_num(r, temp, TRIAGE_REQUIREMENT_size_bytes);
		holes = table_num(r, temp, TRIAGE_REQUIREMENT_fragmentation_bytes);
		add_part(s, "HLO temp, in use", size - (holes > 0 ? holes : 0), ROLE_BLOCK_COLLECTIVE,
		    0x2592);
		add_part(s, "fragmentation", holes, ROLE_BAD, 0x2591);
		add_part(s, "arguments", table_num(e, error, TRIAGE_ERRORS_arguments_bytes),
		    ROLE_BLOCK_MATMUL, 0x2588);
		add_part(s, "rest of program", program - size, ROLE_BLOCK_COMPUTE, 0x2593);
		add_part(s, "reserved", table_num(e, error, TRIAGE_ERRORS_reserved_bytes), ROLE_DIM, '-');
	} else if (needed > 0 && s->limit > 0 && !(spare >= 0)) {
		add_part(s, "needed", needed, ROLE_BLOCK_COLLECTIVE, 0x2592);
	} else if (needed > 0 && spare >= 0 && (all > spare || s->limit > spare)) {
		s->limit = all = all > spare ? all : s->limit;
		add_part(s, "in use", all - spare, ROLE_BLOCK_COMPUTE, 0x2593);
		add_part(s, "asked for", needed, ROLE_BLOCK_COLLECTIVE, 0x2592);
	}
}

/* --- buffers --- */

enum role triage_view_cell_role(const void *view, size_t row, size_t column)
{
	const struct tri_view *s = view;

	if (column == TRIAGE_BUFFERS_share)
		return ROLE_BLOCK_COLLECTIVE;
	return column == TRIAGE_BUFFERS_expansion &&
		table_num(&s->table, row, column) >= memory_padded_times()
	    ? ROLE_BAD
	    : ROLE_TEXT;
}

/* Copies the rows of an error, of a report those of one memory space of it.  `of`: the column of the error. */
static void copy_rows(struct tri_view *s, const struct table *t, size_t of, size_t error, const char *space)
{
	table_begin(&s->table, t->schema);
	for (size_t i = 0; i < t->nrows; i++)
		if (table_num(t, i, of) == (double)error &&
		    (!space || !strcmp(triage_view_str(t, i, TRIAGE_REPORT_label), space)))
			memcpy(table_row(&s->table), table_at(t, i, 0), t->ncolumns * sizeof *t->cells);
}

/* Takes the buffers listed in the message, else those of the first memory space of its report. */
static void take_rows(struct tri_view *s, size_t error)
{
	const struct table *r = &s->t->report;

	s->reported = false;
	copy_rows(s, &s->t->buffers, TRIAGE_BUFFERS_error, error, NULL);
	for (size_t i = 0; i < r->nrows && !s->table.nrows; i++)
		if (table_num(r, i, TRIAGE_REPORT_error) == (double)error) {
			s->reported = true;
			copy_rows(s, r, TRIAGE_REPORT_error, error,
			    triage_view_str(r, i, TRIAGE_REPORT_label));
		}
}

static void make_buffers(struct tri_view *s, size_t error)
{
	struct sheet *sheet;
	size_t lists = 1;
	double all = 0;
	char buf[32];

	take_rows(s, error);
	for (size_t i = 0; i < s->table.nrows; i++) {
		double size = table_num(&s->table, i,
		    s->reported ? (size_t)TRIAGE_REPORT_size_bytes : (size_t)TRIAGE_BUFFERS_size_bytes);

		all += size > 0 ? size : 0;
		lists += i && !s->reported &&
		    strcmp(triage_view_str(&s->table, i, TRIAGE_BUFFERS_list),
			triage_view_str(&s->table, i - 1, TRIAGE_BUFFERS_list));
	}
	snprintf(s->of, sizeof s->of, "%s %s", text_bytes(buf, sizeof buf, all),
	    s->reported ? "in the report" : "are listed");
	sheet = triage_view_buffers(s);
	sheet_set(sheet, &s->table);
	sheet_hide(sheet, "list", lists < 2);
	sheet->list.at = sheet->list.top = 0;
}

/* --- causes and advice --- */

/* Splits the error's own evidence into facts, which are shown in the heading, and what is ruled out. */
static void take_evidence(struct tri_view *s, const char *evidence, bool numbers)
{
	struct tri_texts parts = { .n = 0 };

	add_parts(&parts, evidence, "; ");
	for (size_t i = 0; i < parts.n; i++) {
		const char *p = parts.s[i];

		if (!strncmp(p, "not ", 4))
			triage_view_texts_add(&s->not, p, strlen(p));
		else if (!strcmp(p, TRIAGE_CUT))
			append_fact(s->facts, sizeof s->facts, "", p, "");
		else if (!i && !numbers)
			triage_view_texts_add(&s->says, p, strlen(p));
	}
	triage_view_texts_free(&parts);
}

/* Causes specific to this program come first, because their advice is about this program. */
static void make_advice(struct tri_view *s, size_t error)
{
	const struct table *f = &s->t->findings;
	const char *last = "";
	bool first = true, useless = false;

	for (size_t i = 0; i < f->nrows; i++) {
		if (table_num(f, i, TRIAGE_FINDINGS_error) != (double)error)
			continue;
		if (first) {
			take_evidence(s, triage_view_str(f, i, TRIAGE_FINDINGS_evidence), *s->facts);
			last = triage_view_str(f, i, TRIAGE_FINDINGS_advice);
			first = false;
			continue;
		}
		if (strcmp(triage_view_str(f, i, TRIAGE_FINDINGS_severity), "low")) {
			char *why = xasprintf("%s: %s", triage_view_str(f, i, TRIAGE_FINDINGS_title),
			    triage_view_str(f, i, TRIAGE_FINDINGS_evidence));

			triage_view_texts_add(&s->why, why, strlen(why));
			free(why);
		} else if (strcmp(triage_view_str(f, i, TRIAGE_FINDINGS_id), "no_list")) {
			continue;
		}
		/* general advice on temporaries does not help in that case */
		useless |= !strcmp(triage_view_str(f, i, TRIAGE_FINDINGS_id), "arguments_exceed_limit");
		add_parts(&s->todo, triage_view_str(f, i, TRIAGE_FINDINGS_advice), " | ");
	}
	if (!useless)
		add_parts(&s->todo, last, " | ");
}

/* --- lines of the log --- */

/* The line on temporaries has more details than the sentence. */
static void add_temp_line(struct view *v, const char *path, size_t line)
{
	struct tri_view *s = v->state;
	int file = triage_view_log_file(v, path);
	const struct file *f = file >= 0 ? &v->cap->dump->files[file] : NULL;
	struct err e;
	size_t n = 0, k;
	const char *p = f && f->content ? (const char *)f->content(f->source, &n, &e) : NULL,
		   *end = p ? p + n : NULL, *hit;

	for (size_t i = 1; p && i < line; i++) {
		p = memchr(p, '\n', (size_t)(end - p));
		p = p ? p + 1 : NULL;
	}
	if (!p)
		return;
	n = (size_t)(end - p) < NEAR ? (size_t)(end - p) : NEAR;
	if (!(hit = memmem(p, n, "HLO temp ", 9)))
		return;
	n -= (size_t)(hit - p);
	end = memchr(hit, '\n', n);
	k = end ? (size_t)(end - hit) : n;
	if (k < 400)
		triage_view_texts_add(&s->says, hit, k);
}

static void make_says(struct view *v, size_t error)
{
	struct tri_view *s = v->state;
	const struct table *e = &s->t->errors;
	const char *message = triage_view_str(e, error, TRIAGE_ERRORS_message);

	triage_view_texts_free(&s->says);
	add_parts(&s->says, message, "\n");
	if (strlen(message) >= MESSAGE && s->says.n) { /* the log has more of it */
		char **last = &s->says.s[s->says.n - 1], *more = xasprintf("%s …", *last);

		free(*last);
		*last = more;
	}
	if (temp_row(s->t, error) != SIZE_MAX)
		add_temp_line(v, triage_view_str(e, error, TRIAGE_ERRORS_file),
		    (size_t)from_double(table_num(e, error, TRIAGE_ERRORS_line)));
}

void triage_view_problem_make(struct view *v)
{
	struct tri_view *s = v->state;
	size_t error;

	triage_view_problem_free(s);
	if (!s->t || s->at >= s->n)
		return;
	error = s->order[s->at];
	snprintf(s->module, sizeof s->module, "%.90s",
	    triage_view_str(&s->t->errors, error, TRIAGE_ERRORS_module));
	make_title(s, error);
	make_facts(s, v->cap->dump, error);
	make_parts(s, error);
	make_buffers(s, error);
	make_advice(s, error);
	make_says(v, error);
}

void triage_view_problem_free(struct tri_view *s)
{
	struct tri_texts *const texts[] = { &s->why, &s->not, &s->todo, &s->says };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		triage_view_texts_free(texts[i]);
	for (int i = 0; i < 2; i++)
		sheet_set(&s->sheet[i], NULL);
	table_free(&s->table);
	s->nparts = 0;
	*s->title = *s->facts = *s->module = 0;
}
