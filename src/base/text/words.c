#include "config.h"
#include "base/text/words.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

void words_add(char *list, size_t size, const char *between, const char *word)
{
	size_t n = strlen(list);

	snprintf(list + n, size - n, "%s%s", n ? between : "", word);
}

bool word_is_typo(const char *s, size_t n, const char *word)
{
	size_t m = strlen(word), from = 0, behind = 0, a, b;

	while (from < n && from < m && s[from] == word[from])
		from++;
	while (behind < n - from && behind < m - from && s[n - 1 - behind] == word[m - 1 - behind])
		behind++;
	a = n - from - behind;
	b = m - from - behind;
	return (a <= 1 && b <= 1) ||
	    (a == 2 && b == 2 && s[from] == word[from + 1] && s[from + 1] == word[from]);
}

char *words_quoted(const char *s)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+@%-";
	char *out = xmalloc(4 * strlen(s) + 3), *to = out;

	if (*s && !s[strspn(s, plain)])
		return strcpy(out, s);
	*to++ = '\'';
	for (; *s; s++)
		if (*s == '\'')
			to = stpcpy(to, "'\\''");
		else
			*to++ = *s;
	return strcpy(to, "'"), out;
}
