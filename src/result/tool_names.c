#include "config.h"
#include "result/tool_names.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *guide, *report, *view;
} names[] = {
#define GUIDE_NAME(guide, report, view) { guide, report, view },
#include "result/tool_names.def"
#undef GUIDE_NAME
};

const char *tool_report(const char *name)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i].guide, name))
			return names[i].report;
	return name;
}

const char *tool_view(const char *name)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i].guide, name))
			return names[i].view;
	return name;
}
