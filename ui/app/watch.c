#include "config.h"
#include "app/internal.h"

#include "base/now.h"
#include "load/watch.h"

/* Jobs read the dump, which news are added to, so they wait until no job runs. */
bool app_watch(struct app *app)
{
	struct app_private *p = app->p;
	int64_t now = now_ms();
	bool ask = now >= p->next_watch, busy = jobs_fd(app) >= 0;
	char text[300];

	/* soon after a frame, then more and more rarely */
	if (!ask || !p->watch_pause)
		p->watch_pause = WATCH_MS;
	else
		p->watch_pause = p->watch_pause < WATCH_MOST_MS / 2 ? 2 * p->watch_pause : WATCH_MOST_MS;
	if (ask || p->next_watch > now + WATCH_MS)
		p->next_watch = now + p->watch_pause;
	p->watch_due = app->dump != NULL;
	if (!app->dump || busy)
		return false;
	if (load_watch(app->dump, ask, text, sizeof text)) {
		app_message(app, true, "%s; F5 reads it again, v f for details", text);
		return true;
	}
	if (!ask || !load_new_run(app->dump, &p->runs_seen, p->new_run, sizeof p->new_run))
		return false;
	app_message(app, false, "new run %s: F5 opens it", p->new_run);
	return true;
}
