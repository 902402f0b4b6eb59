#include "config.h"
#include "base/text/python.h"

#include <stddef.h>
#include <string.h>

bool python_is_library(const char *file)
{
	static const char *const folders[] = { "/site-packages/", "/dist-packages/", "/torch_xla/core/",
		"/torch_xla/distributed/", "/torch_xla/_internal/", "/torch_xla/torch_xla.py",
		"/pytorch/torch/", "/lib/python" };

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (strstr(file, folders[i]))
			return true;
	return *file == '<' && strchr(file, '>');
}
