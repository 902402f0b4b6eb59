#include "config.h"
#include "base/embedded.h"

#include <string.h>

const struct embedded *embedded_find(const char *name)
{
	for (const struct embedded *e = embedded_files; e->name; e++)
		if (!strcmp(e->name, name))
			return e;
	return NULL;
}
