#include "config.h"

#include "load/probe/tool_name.h"

#include <string.h>
#include <strings.h>

#include "load/source/file_name.h"

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
		const char *at = strcasestr(name, tools[i].part);
		struct slice form;

		if (!at)
			continue;
		form = file_name_plain(at + strlen(tools[i].part));
		*t = (struct tool_name){ .host = (size_t)(at - name), .kind = tools[i].kind };
		t->message = tools[i].message && form.n == 2 && slice_ends_nocase(form, "pb");
		t->whole = t->message || (tools[i].json && form.n == 4 && slice_ends_nocase(form, "json"));
		return true;
	}
	return false;
}
