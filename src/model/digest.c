#include "config.h"
#include "model/digest.h"

#include <stdlib.h>

#include "model/dump.h"

void digest_part_add(struct digest_part *p, const char *name, uint8_t *bytes, size_t n)
{
	p->stat[p->nstats++] = (struct digest_stat){ name, bytes, n };
}

void digest_parts_free(struct digest_part *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < v[i].nstats; k++)
			free(v[i].stat[k].v);
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
