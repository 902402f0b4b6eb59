#include "config.h"
#include "analyze/diff/internal.h"

#include <ctype.h>

#include "base/hash.h"

#define LOOKED_AT ((size_t)64 << 10)

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

/* Numbers that every compilation deals out anew stand behind these. */
static size_t named_value(struct slice rest)
{
	static const char *const keys[] = { "calls=", "to_apply=", "body=", "condition=", "channel_id=" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (slice_begins(rest, keys[i]))
			return strlen(keys[i]);
	return 0;
}

uint64_t side_signature(struct slice text)
{
	uint64_t h = HASH_START;
	size_t n = text.n < LOOKED_AT ? text.n : LOOKED_AT, key;
	bool name = false, was_word = false;

	for (size_t i = 0; i < n; i++) {
		char c = text.s[i];

		name = c == '%' || (name && in_name(c));
		if (!name && !was_word && (key = named_value((struct slice){ text.s + i, n - i }))) {
			h = hash_bytes(h, text.s + i, key);
			for (i += key; i < n && text.s[i] != ',' && text.s[i] != ')'; i++)
				;
			i--;
			was_word = false;
			continue;
		}
		was_word = in_name(c);
		if (!name || (c != '.' && !isdigit((unsigned char)c)))
			h = hash_bytes(h, &c, 1);
	}
	return text.n ? h | 1 : 0;
}
