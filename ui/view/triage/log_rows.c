#include "config.h"
#include "view/triage/triage.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/digit.h"

int triage_view_severity_rank(char severity)
{
	const char *at = severity && severity != ' ' ? strchr("DIWEF", severity) : NULL;

	return at ? (int)(at - "DIWEF") : -1;
}

static size_t line_at(const struct tri_log *l, size_t row)
{
	return l->shown ? l->shown[row] : row;
}

struct log_line triage_view_log_row(const struct tri_log *l, size_t row)
{
	return logs_line(&l->logs, line_at(l, row));
}

bool triage_view_log_line(const struct tri_log *l, struct log_line *at)
{
	if (l->job || l->list.at >= l->list.n)
		return false;
	*at = triage_view_log_row(l, l->list.at);
	return true;
}

static bool line_passes(const struct tri_log *l, struct log_line at, struct regex_scratch *scratch)
{
	char severity = l->logs.texts[at.text].lines.severity[at.line];
	struct slice s;

	if (l->least && triage_view_severity_rank(severity) < triage_view_severity_rank(l->least))
		return false;
	s = logs_bytes(&l->logs, at);
	return !l->filter ||
	    regex_match(l->filter, scratch, s.s, s.n < TRI_LINE_BYTES ? s.n : TRI_LINE_BYTES, NULL, NULL);
}

/* Have two records the same severity and, but for the digits of numbers, the same message? */
static bool repeats(const struct logs *l, struct log_line a, struct log_line b)
{
	const struct triage_lines *la = &l->texts[a.text].lines, *lb = &l->texts[b.text].lines;
	struct slice x = logs_bytes(l, a), y = logs_bytes(l, b);
	size_t i = la->prefix[a.line], k = lb->prefix[b.line];

	if (la->severity[a.line] != lb->severity[b.line] || !i != !k || i >= x.n)
		return false;
	while (i < x.n && k < y.n) {
		if (is_digit(x.s[i]) && is_digit(y.s[k])) {
			while (i < x.n && is_digit(x.s[i]))
				i++;
			while (k < y.n && is_digit(y.s[k]))
				k++;
		} else if (x.s[i++] != y.s[k++]) {
			return false;
		}
	}
	return i == x.n && k == y.n;
}

static int choose_rows(struct tri_log *l, struct err *err)
{
	struct regex_scratch *scratch = l->filter ? regex_scratch_new(l->filter) : NULL;
	size_t all = l->logs.n, n = 0;

	l->shown = xcalloc(all + 1, sizeof *l->shown);
	if (l->fold)
		l->times = xcalloc(all + 1, sizeof *l->times);
	for (size_t i = 0; i < all; i++) {
		struct log_line at = logs_line(&l->logs, i);

		if (!line_passes(l, at, scratch)) {
			if (regex_too_expensive(l->filter, err))
				break;
			continue;
		}
		if (l->fold && n && repeats(&l->logs, logs_line(&l->logs, l->shown[n - 1]), at)) {
			l->times[n - 1]++;
			continue;
		}
		l->shown[n++] = i;
	}
	regex_scratch_free(scratch);
	l->list.n = n;
	return regex_too_expensive(l->filter, err) ? -1 : 0;
}

static void forget_rows(struct tri_log *l)
{
	free(l->shown);
	free(l->times);
	l->shown = NULL;
	l->times = NULL;
}

static int filter_rows(struct tri_log *l, struct err *err)
{
	struct err none;

	if (l->least || l->filter || l->fold) {
		if (!choose_rows(l, err))
			return 0;
		forget_rows(l);
		regex_free(l->filter);
		l->filter = NULL;
		filter_rows(l, &none);
		return -1;
	}
	l->list.n = l->logs.n;
	return 0;
}

/* The line that is wanted, as a line of `logs`: of the merged ones it is looked for. */
static size_t wanted(const struct tri_log *l)
{
	if (!l->logs.order)
		return l->want.line - 1;
	for (size_t i = 0; i < l->logs.n; i++)
		if (l->logs.order[i].text == l->want.text && l->logs.order[i].line + 1 >= l->want.line)
			return i;
	return 0;
}

/* Keeps the cursor on its line, or on the next one that is shown. */
int triage_view_log_arrange(struct tri_log *l, struct err *err)
{
	size_t here = l->want.line ? wanted(l) : l->list.at < l->list.n ? line_at(l, l->list.at) : 0, at = 0;
	int bad;

	forget_rows(l);
	bad = filter_rows(l, err);
	l->worst_of = 0;
	while (l->shown && at < l->list.n && l->shown[at] < here)
		at++;
	l->list.at = l->shown ? at : here;
	if (l->list.at >= l->list.n)
		l->list.at = l->list.n ? l->list.n - 1 : 0;
	if (l->want.line) { /* keep some lines before it visible */
		size_t before = (size_t)(l->above >= 0 ? l->above : l->list.rows > 0 ? l->list.rows / 4 : 5);

		l->list.top = l->list.at > before ? l->list.at - before : 0;
	}
	l->want.line = 0;
	l->above = -1;
	return bad;
}
