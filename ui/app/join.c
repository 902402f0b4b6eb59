/* All runs of a logdir that are of one job, open together. */
#include "config.h"
#include "app/internal.h"

#include <stdlib.h>

#include "base/mem.h"

static void open_joined(struct app *app)
{
	const struct dump *d = app->cap->dump;
	struct chosen all = { .paths = xcalloc(d->nruns, sizeof *all.paths) };

	all.paths[all.n++] = xstrdup(d->runs[d->run].dir);
	for (size_t i = 0; i < d->nruns; i++)
		if (d->runs[i].other_hosts)
			all.paths[all.n++] = xstrdup(d->runs[i].dir);
	app_open_again(app, &all);
}

void app_join_runs(struct app *app)
{
	const struct dump *d = app->cap->dump;

	if (!d)
		return;
	if (app->p->chosen.n > 1)
		app_reload(app, d->runs[d->run].name);
	else if (dump_more_runs(d))
		open_joined(app);
	else
		app_say(app, "no other runs seem to belong to this job");
}
