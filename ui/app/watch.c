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

	if (ask)
		p->next_watch = now + WATCH_MS;
	p->watch_due = !ask || busy;
	if (!app->dump || busy || !load_watch(app->dump, ask, text, sizeof text))
		return false;
	app_message(app, true, "%s; v f for details", text);
	return true;
}
