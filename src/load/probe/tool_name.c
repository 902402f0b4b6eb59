#include "config.h"

#include "load/probe/tool_name.h"

#include <string.h>
#include <strings.h>

#include "load/source/source.h"

static const struct {
	const char *part;
	enum file_kind kind;
	bool json, message;
} tools[] = {
	{ ".op_profile.", FILE_OP_PROFILE, true, false },
	{ ".tensorflow_stats.", FILE_FRAMEWORK_OPS, false, true },
	{ ".framework_op_stats.", FILE_FRAMEWORK_OPS, true, true },
	{ ".overview_page.", FILE_OVERVIEW, true, true },
	{ ".input_pipeline.", FILE_INPUT_PIPELINE, true, true },
	{ ".memory_viewer.", FILE_MEMORY_VIEWER, true, false },
	{ ".pod_viewer.", FILE_POD_VIEWER, true, false },
	{ ".pod_stats.", FILE_POD_VIEWER, false, true },
};

bool tool_name(const char *name, struct tool_name *t)
{
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
		const char *at = strcasestr(name, tools[i].part), *form;
		size_t n;

		if (!at)
			continue;
		form = at + strlen(tools[i].part);
		n = source_plain_name(form);
		*t = (struct tool_name){ .host = (size_t)(at - name), .kind = tools[i].kind };
		t->message = tools[i].message && n == 2 && !strncasecmp(form, "pb", n);
		t->whole = t->message || (tools[i].json && n == 4 && !strncasecmp(form, "json", n));
		return true;
	}
	return false;
}
