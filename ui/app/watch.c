#include "config.h"
#include "app/internal.h"

#include "base/now.h"
#include "load/follow.h"

/* Jobs read the dump, which news are added to, so they wait until no job runs. */
bool app_watch(struct app *app)
{
	struct app_private *p = app->p;
	int64_t now = now_ms();
	bool ask = now >= p->next_watch, news, busy = jobs_fd(app) >= 0;
	char text[300], run[sizeof p->new_run] = "";
	const char *how;

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
	how = follow_polls(p->follow) ? " (seen by polling)" : "";
	news = follow_look(p->follow, app->dump, ask, text, sizeof text, run);
	if (*run)
		memcpy(p->new_run, run, sizeof run);
	if (news)
		app_message(app, true, "%s%s; F5 reads it again, v f for details", text, how);
	else if (*run)
		app_message(app, false, "new run %s%s: F5 opens it", run, how);
	return news || *run;
}

/* The kernel, or one who asked for us, has news: they are looked at with the next frame, not more often. */
void app_watch_woken(struct app *app)
{
	struct app_private *p = app->p;

	if (follow_woken(p->follow) && p->next_watch > now_ms() + WAKE_MS)
		p->next_watch = now_ms() + WAKE_MS;
}
