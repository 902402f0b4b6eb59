#include "config.h"
#include "report/tool_file.h"

#include "analyze/overview/legacy_choice.h"

const struct toolfile *report_instead(const struct dump *d, enum file_kind kind,
    const struct report_options *o, size_t *more)
{
	return legacy_instead(d, kind,
	    &(struct opdb_options){ .host = o->host, .core = o->core, .threads = o->threads }, more);
}
