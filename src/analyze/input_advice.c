#include "config.h"
#include "analyze/input_part.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WORTH 0.05 /* parts of the host's work below this share are not worth advice */

const struct input_category_info input_category_info[INPUT_CATEGORIES] = {
	{ "enqueue", "Enqueue", "Enqueueing to the device",
	    "Hand over fewer, larger pieces: pack small arrays into one transfer, or enqueue several steps at "
	    "once." },
	{ "preprocessing", "Preprocessing", "Preprocessing",
	    "Give the map more threads (num_parallel_calls = AUTOTUNE), map after batching, cache what does not "
	    "change between epochs, or preprocess offline." },
	{ "advanced_file_read", "Advanced file read", "Reading files ahead",
	    "Reading ahead is on but does not keep up: raise the depth of prefetch and the cycle_length of "
	    "interleave, enlarge the read buffer, or move the files nearer." },
	{ "demanded_file_read", "Demanded file read", "Reading files on demand",
	    "Every read waits for the step that asks for it: add prefetch and a parallel interleave over the "
	    "files." },
	{ "unclassified_nonequeue", "Unknown", "Other input work",
	    "Work that the trace does not name: feed the program through tf.data (or annotate your own loader) "
	    "so that its stages can be told apart." },
};

static const struct column columns[] = {
	{ "id", "Id", "", COL_STRING },
	{ "severity", "Severity", "", COL_STRING },
	{ "title", "What", "", COL_STRING },
	{ "evidence", "Evidence", "", COL_STRING },
	{ "advice", "Advice", "", COL_STRING },
};

static struct cell text(struct table *t, const char *s)
{
	return cell_str(table_copy(t, s, strlen(s)), strlen(s));
}

static void add(struct table *t, const char *id, const char *severity, const char *title,
    const char *evidence, const char *advice)
{
	struct cell *c = table_row(t);

	*c++ = text(t, id);
	*c++ = text(t, severity);
	*c++ = text(t, title);
	*c++ = text(t, evidence);
	*c = text(t, advice);
}

static double number(const struct table *t, size_t row, size_t column)
{
	const struct cell *c = &t->cells[row * t->ncolumns + column];

	return c->type == CELL_NUM ? c->u.d : 0;
}

void input_recommend(struct input_pipeline *p)
{
	const char *class = facts_text(&p->summary, "input_class"), *severity;
	size_t order[INPUT_CATEGORIES],
	    n = p->breakdown.nrows < INPUT_CATEGORIES ? p->breakdown.nrows : INPUT_CATEGORIES;
	double percent = facts_number(&p->summary, "input_percent");
	char evidence[160], id[48];

	table_init(&p->recommendations, columns, sizeof columns / sizeof *columns);
	severity = !strcmp(class, "high") ? "high" : !strcmp(class, "moderate") ? "medium" : NULL;
	if (!severity)
		return;
	for (size_t i = 0; i < n; i++) {
		size_t k = i;

		for (; k && number(&p->breakdown, order[k - 1], 2) < number(&p->breakdown, i, 2); k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	for (size_t i = 0; i < n; i++) {
		const struct input_category_info *c = &input_category_info[order[i]];
		double share = number(&p->breakdown, order[i], 2);

		if (share < WORTH)
			break;
		snprintf(id, sizeof id, "input_%s", c->id);
		snprintf(evidence, sizeof evidence, "%.3f ms, %.1f %% of the host's input work",
		    number(&p->breakdown, order[i], 1) / 1e3, 100 * share);
		add(&p->recommendations, id, i ? "low" : severity, c->title, evidence, c->advice);
	}
	if (p->recommendations.nrows || isnan(percent))
		return;
	snprintf(evidence, sizeof evidence,
	    "%.1f %% of the step time waits for input; no input op on the host", percent);
	add(&p->recommendations, "input_unseen", severity, "Input work that the trace does not show",
	    evidence, input_category_info[INPUT_OTHER].advice);
}
