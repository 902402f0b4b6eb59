#include "config.h"
#include "app/internal.h"

#include "base/now.h"
#include "load/follow.h"

static void tell_news(struct app *app, const struct follow_news *is)
{
	const char *how = follow_polls(app->p->follow) ? " (seen by polling)" : "";

	if (is->changes)
		app_error(app, "%s%s; F5 reads it again, v f for details", is->text, how);
	else if (*is->run)
		app_say(app, "new run %s%s: F5 opens it", is->run, how);
	else if (is->nfiles == 1)
		app_say(app, "new file %s%s: F5 opens it with the others", is->file, how);
	else
		app_say(app, "%zu new files, such as %s%s: F5 opens them with the others", is->nfiles,
		    is->file, how);
}

/* Jobs read the dump, which news are added to, so they wait until no job runs. */
bool app_watch(struct app *app)
{
	struct app_private *p = app->p;
	int64_t now = now_ms();
	bool ask = now >= p->next_watch, news, busy = jobs_fd(app) >= 0;
	struct follow_news is;

	/* soon after a frame, then more and more rarely */
	if (!ask || !p->watch_pause)
		p->watch_pause = WATCH_MS;
	else
		p->watch_pause = p->watch_pause < WATCH_MOST_MS / 2 ? 2 * p->watch_pause : WATCH_MOST_MS;
	if (ask || p->next_watch > now + WATCH_MS)
		p->next_watch = now + p->watch_pause;
	p->watch_due = app->cap->dump != NULL;
	if (!app->cap->dump || busy)
		return false;
	news = follow_look(p->follow, app->cap->base, ask, &is);
	if (*is.run)
		memcpy(p->new_run, is.run, sizeof p->new_run);
	if (news)
		tell_news(app, &is);
	return news;
}

/* The kernel, or one who asked for us, has news: they are looked at with the next frame, not more often. */
void app_watch_woken(struct app *app)
{
	struct app_private *p = app->p;

	if (follow_woken(p->follow) && p->next_watch > now_ms() + WAKE_MS)
		p->next_watch = now_ms() + WAKE_MS;
}
