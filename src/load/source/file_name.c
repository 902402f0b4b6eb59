#include "config.h"

#include "load/source/file_name.h"

#include <string.h>

struct slice file_name_plain(const char *name)
{
	struct slice t = slice_of(name);

	if (t.n > 3 && slice_ends_nocase(t, ".gz"))
		t.n -= 3;
	else if (t.n > 4 && slice_ends_nocase(t, ".zst"))
		t.n -= 4;
	return t;
}

bool file_name_ends(const char *name, const char *ending)
{
	return slice_ends_nocase(file_name_plain(name), ending);
}

struct slice file_name_host(const char *name)
{
	static const char *const endings[] = { ".xplane.pb", ".xplane.riegeli", ".json", ".SSTABLE",
		".tracetable", ".trace" };
	struct slice t = file_name_plain(name);

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		size_t n = strlen(endings[i]);

		if (t.n > n && slice_ends_nocase(t, endings[i]))
			t.n -= n;
	}
	return t;
}
