#include "config.h"
#include "base/text/words.h"

#include <stdio.h>
#include <string.h>

void words_add(char *list, size_t size, const char *between, const char *word)
{
	size_t n = strlen(list);

	snprintf(list + n, size - n, "%s%s", n ? between : "", word);
}
