#include "config.h"
#include "model/digest.h"

#include <stdlib.h>

void digest_parts_free(struct digest_part *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(v[i].message);
		free(v[i].kind);
	}
	free(v);
}
