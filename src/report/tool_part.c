#include "config.h"
#include "report/tool_part.h"

#include "analyze/opdb.h"

/* Traces without the statistics of XSpaces have op tracks, but nothing that a database could be made of. */
static bool has_ops(const struct dump *d, const struct report_options *o)
{
	struct opdb_options options = { .host = o->host,
		.core = o->core,
		.threads = o->threads,
		.no_texts = true };
	bool tracks = false, has;
	struct opdb db;

	for (size_t i = 0; i < d->trace.ntracks; i++)
		tracks |= d->trace.tracks[i].role == TRACK_OPS && d->trace.tracks[i].n;
	if (!tracks)
		return false;
	opdb_build(d, &options, &db);
	has = db.n;
	opdb_free(&db);
	return has;
}

const struct toolfile *tool_instead(const struct dump *d, enum file_kind kind, const struct report_options *o,
    size_t *more)
{
	const struct toolfile *t = toolfile_find(d, kind, o->host, more);

	return t && !has_ops(d, o) ? t : NULL;
}

void tool_warnings(struct report *r, const struct dump *d, const struct toolfile *t, size_t more)
{
	report_dump_warnings(r, d);
	report_warning(r,
	    "the numbers are those of %s, as the profiler wrote them: nothing was measured again",
	    d->files[t->file].base);
	if (more)
		report_warning(r, "%zu more files of this kind are not shown: choose one with --host", more);
}
