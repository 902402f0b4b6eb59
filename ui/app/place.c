/* A place as text: the state of the view on the screen, as a session saves it, and what is chosen for all
 * views; `tpuscope --view VIEW --place TEXT PATH...` opens it again. */
#include "config.h"
#include "app/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/words.h"

static void put_word(FILE *f, const char *s)
{
	char *word = words_quoted(s);

	fprintf(f, " %s", word);
	free(word);
}

static void put_option(FILE *f, const char *name, const char *value)
{
	if (value && *value) {
		fprintf(f, " --%s", name);
		put_word(f, value);
	}
}

static void put_path(FILE *f, const char *path)
{
	char *whole = realpath(path, NULL);

	put_word(f, whole ? whole : path);
	free(whole);
}

static void put_paths(FILE *f, const struct app *app)
{
	struct app_options o = app_source(app);

	if (o.sample)
		fputs(" --demo", f);
	for (size_t i = 0; !o.sample && i < o.npaths; i++)
		put_path(f, o.paths[i]);
}

char *place_command(struct app *app)
{
	struct view *v = app_here(app);
	const struct load_options *l = &app->p->load;
	const struct dump *d = app->cap->dump;
	const char *peaks = settings_get(&app->settings, SET_PEAKS);
	char *text = NULL, *place;
	const char *base;
	struct kv kv = { 0 };
	size_t n = 0;
	FILE *f;

	if (!v || app_against_swapped(app) || app_reads_stdin(app) || !(f = open_memstream(&text, &n)))
		return NULL;
	app_session_here(app, &kv);
	place = kv_line(&kv);
	kv_free(&kv);
	fputs("tpuscope", f);
	put_option(f, "view", v->ops->id);
	if (app->cap->clocks.any_differs && app->cap->clocks.in_use == CLOCK_PLAIN)
		put_option(f, "clock", "plain");
	put_option(f, "device", l->device);
	put_option(f, "host", l->host);
	if (strcmp(peaks, "file"))
		put_option(f, "peaks", peaks);
	if (d->nruns > 1 && !app->p->chosen.n)
		put_option(f, "run", d->runs[d->run].name);
	put_option(f, "place", place);
	for (size_t i = 0; (base = app_against_path(app, i)); i++) {
		fputs(" --against", f);
		put_path(f, base);
	}
	put_paths(f, app);
	fclose(f);
	free(place);
	return text;
}
