#include "config.h"
#include "analyze/overview/legacy_choice.h"

/* Traces without the statistics of XSpaces have tracks of ops, but not the data for an op database. */
static bool has_ops(const struct dump *d, const struct opdb_options *asked)
{
	struct opdb_options options = *asked;
	bool tracks = false, has;
	struct opdb db;

	for (size_t i = 0; i < d->trace.ntracks; i++)
		tracks |= d->trace.tracks[i].role == TRACK_OPS && d->trace.tracks[i].n;
	if (!tracks)
		return false;
	options.no_texts = true;
	opdb_build(d, &options, &db);
	has = db.n;
	opdb_free(&db);
	return has;
}

const struct toolfile *legacy_instead(const struct dump *d, enum file_kind kind, const struct opdb_options *o,
    size_t *more)
{
	const struct toolfile *t = toolfile_find(d, kind, o->host, more);

	return t && !has_ops(d, o) ? t : NULL;
}
