#include "config.h"
#include "model/digest.h"

#include <stdlib.h>

#include "model/dump.h"

void digest_parts_free(struct digest_part *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(v[i].message);
		free(v[i].ops);
		free(v[i].kind);
	}
	free(v);
}

size_t digest_count(const struct dump *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->nfiles; i++)
		n += d->files[i].digest == DIGEST_VERSION;
	return n;
}
