#include "config.h"
#include "cli/sides.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text/words.h"
#include "cli/baseline.h"

/* "12-40": from one step to another */
static struct side_options side_options_of(const struct options *o, char *range)
{
	struct side_options s = { .host = o->report.host,
		.module = o->report.module,
		.core = o->report.core,
		.threads = o->report.threads };
	char *dash = range ? strrchr(range, '-') : NULL;

	if (dash)
		*dash = '\0';
	s.from = range && *range ? range : NULL;
	s.to = dash && dash[1] ? dash + 1 : s.from;
	return s;
}

static char *words_of_run(const char *path, const char *run)
{
	char *a = words_quoted(path), *b = words_quoted(run), *words = xasprintf("%s --run %s", a, b);

	free(a);
	free(b);
	return words;
}

/* The newest run if run is NULL. */
static int open_capture(const struct options *o, const char *const *path, size_t n, const char *run,
    const char *name, struct cli_sides *all, struct cli_side *to, struct err *err)
{
	struct dump *d = cli_load_paths(o, path, n, run, err);
	char *range = o->steps ? xstrdup(o->steps) : NULL;
	struct side_options options = side_options_of(o, range);
	struct side *s = NULL;
	struct capture *c;

	if (d) {
		c = capture_of(d, o->report.threads);
		s = capture_side(c, &options, err);
		cli_problems(d);
		all->damaged |= dump_status(d) == EXIT_DAMAGED;
		capture_close(c);
	}
	free(range);
	if (!s)
		return -1;
	to->path = xrealloc(to->path, to->n + 1, sizeof *to->path);
	s->path = to->path[to->n] = xstrdup(name);
	if (run) {
		char *words = words_of_run(path[0], run);

		s->opened = arena_strndup(&s->text, words, strlen(words));
		free(words);
	}
	VEC_ADD(to->v, to->n, to->cap, s);
	return 0;
}

static int name_side(const char *path, struct err *err)
{
	char why[sizeof err->msg];

	memcpy(why, err->msg, sizeof why);
	return err_set(err, err->status, err->at, "%s: %s", path, why);
}

/* PATH, or PATH@RUN where no file is called so. */
static int open_named(const struct options *o, const char *name, struct cli_sides *all, struct cli_side *to,
    struct err *err)
{
	const char *at = access(name, F_OK) ? strrchr(name, '@') : NULL;
	char *path = at ? xstrndup(name, (size_t)(at - name)) : xstrdup(name);
	int bad = open_capture(o, (const char *const *)&path, 1, at ? at + 1 : o->run, name, all, to, err);

	free(path);
	return bad ? name_side(name, err) : 0;
}

/* A folder of digests is a capture for each run in it. A comma parts captures, unless a file is called so. */
static int open_side(const struct options *o, const char *text, struct cli_sides *all, struct cli_side *to,
    struct err *err)
{
	struct baseline base;
	int bad = 0;

	if (sides_baseline(o, text, &base)) {
		for (size_t i = 0; i < base.n && !bad; i++)
			bad = open_capture(o, base.v[i].path, base.v[i].n, NULL, base.v[i].path[0], all, to,
			    err);
		baseline_free(&base);
		return bad ? name_side(text, err) : 0;
	}
	if (!access(text, F_OK) || !strchr(text, ','))
		return open_named(o, text, all, to, err);
	for (size_t n; *text && !bad; text += n + (text[n] == ',')) {
		char *one = xstrndup(text, n = strcspn(text, ","));

		bad = *one ? open_named(o, one, all, to, err) : 0;
		free(one);
	}
	return bad;
}

/* A logdir alone: its two newest runs. */
static int open_runs(const struct options *o, struct cli_sides *s, struct err *err)
{
	const char *path = o->paths[0];
	struct dump *d = cli_load_paths(o, &path, 1, NULL, err);
	char *name, *run = NULL;
	int bad;

	if (!d)
		return name_side(path, err);
	if (d->nruns > 1)
		run = xstrdup(d->runs[1].name);
	dump_close(d);
	if (!run)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "diff needs two captures: BASE NEW, or a logdir of two runs");
	fprintf(stderr, "tpuscope: comparing the newest run of %s with the one before it, %s\n", path, run);
	name = xasprintf("%s@%s", path, run);
	bad = open_capture(o, &path, 1, run, name, s, &s->v[0], err);
	if (!bad)
		bad = open_capture(o, &path, 1, NULL, path, s, &s->v[1], err);
	free(name);
	free(run);
	return bad ? name_side(path, err) : 0;
}

int sides_open(const struct options *o, struct cli_sides *s, struct err *err)
{
	int bad = 0;

	*s = (struct cli_sides){ .n = o->npaths < 2 ? 2 : o->npaths };
	s->v = xcalloc(s->n, sizeof *s->v);
	if (o->npaths < 2)
		bad = open_runs(o, s, err);
	for (size_t i = 0; i < o->npaths && o->npaths > 1 && !bad; i++)
		bad = open_side(o, o->paths[i], s, &s->v[i], err);
	for (size_t i = 0; i < s->v[0].n && !bad; i++)
		if (o->scale > 0)
			side_scale(s->v[0].v[i], o->scale);
	if (bad)
		sides_free(s);
	return bad;
}

void sides_free(struct cli_sides *s)
{
	for (size_t i = 0; i < s->n; i++) {
		for (size_t k = 0; k < s->v[i].n; k++) {
			capture_side_free(s->v[i].v[k]);
			free(s->v[i].path[k]);
		}
		free(s->v[i].v);
		free(s->v[i].path);
	}
	free(s->v);
	*s = (struct cli_sides){ .n = 0 };
}
