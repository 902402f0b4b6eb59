#include "config.h"

#include "load/refuse.h"

#include <string.h>

#include "base/text/slice.h"
#include "load/probe/foreign.h"
#include "load/probe/probe.h"
#include "load/source/decoder.h"

#define WHAT_IS_READ "tpuscope --help names the kinds of files that it opens"

/* Text in a file that is named like something else: what a server or a tool left in its place. */
static int refuse_named(enum file_kind named, struct slice text, struct err *err)
{
	const char *kind = file_kind_label(named);

	if (slice_begins(text, "version https://git-lfs"))
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "a pointer of Git LFS, not the file itself; fetch that with git lfs pull");
	if (slice_begins(text, "<"))
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "named like a file of kind %s, but it is a page of a web server; download the file again",
		    kind);
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
	    "named like a file of kind %s, but it holds other text; copy it again, as binary", kind);
}

int refuse_file(enum file_kind kind, const char *name, const uint8_t *head, size_t n, struct err *err)
{
	static const char *const what[FILE_KIND_COUNT] = {
		[FILE_EMPTY] =
		    "the file is empty; the program that wrote it was stopped, or its disk was full",
		[FILE_UNKNOWN] = "not a known kind of capture; " WHAT_IS_READ,
		[FILE_JSON] = "JSON, but neither a trace nor a result of a profiler; " WHAT_IS_READ,
		[FILE_TEXT] = "text, not a capture; open logs with tpuscope triage; " WHAT_IS_READ,
	};
	const struct packing *inside = packing_of(head, n);
	const char *foreign = foreign_text(name, (const char *)head, n);

	if (kind == FILE_UNKNOWN && inside)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "compressed twice, with %s inside; unpack it once", inside->name);
	if (kind == FILE_TEXT && probe_name(name) != FILE_UNKNOWN)
		return refuse_named(probe_name(name), (struct slice){ (const char *)head, n }, err);
	if ((kind == FILE_TEXT || kind == FILE_UNKNOWN) && foreign)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s", foreign);
	if (what[kind])
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s", what[kind]);
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s, not a capture; " WHAT_IS_READ,
	    file_kind_label(kind));
}
