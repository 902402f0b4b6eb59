#include "config.h"
#include "analyze/diff/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/words.h"

/* The report that shows changes of a kind; all others are of an op, whose runs are listed. */
static const struct {
	const char *kind, *report;
} reports[] = {
	{ "straggler", "pod" },
	{ "comm", "communication" },
	{ "comm_wait", "communication" },
	{ "input", "input_pipeline" },
	{ "idle", "idle" },
};

/* A pattern that is the name. */
static char *exactly(struct slice name)
{
	char *text = xmalloc(2 * name.n + 3), *to = text;

	*to++ = '^';
	for (size_t i = 0; i < name.n; i++) {
		if (strchr("\\^$.[]|()?*+{}", name.s[i]))
			*to++ = '\\';
		*to++ = name.s[i];
	}
	strcpy(to, "$");
	return text;
}

/* "tpuscope report trace PATH --by step --name NAME": of the side that has the op. */
char *change_where(const struct comparison *c, const struct change *x)
{
	int side = x->unit && !x->unit->op[NEW] ? BASE : NEW;
	const struct side *s = c->v[c->first[side]];
	char *path = s->opened ? xstrdup(s->opened) : words_quoted(s->path), *text = NULL, *name, *word;

	for (size_t i = 0; i < sizeof reports / sizeof *reports && !text; i++)
		if (!strcmp(reports[i].kind, x->kind))
			text = xasprintf("tpuscope report %s %s", reports[i].report, path);
	if (!text && x->unit) {
		name = exactly(x->unit->op[side]->name);
		word = words_quoted(name);
		text = xasprintf("tpuscope report trace %s --by step --name %s", path, word);
		free(name);
		free(word);
	} else if (!text) {
		text = xasprintf("tpuscope report account %s", path);
	}
	free(path);
	return text;
}
