#include "config.h"
#include "core/config/kv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const struct {
	char plain, letter;
} escapes[] = { { '\n', 'n' }, { '\r', 'r' }, { '\t', 't' }, { '\\', '\\' } };
#define NESCAPES (sizeof escapes / sizeof *escapes)

static void put_pair(struct kv *kv, char *name, char *value)
{
	VEC_ADD(kv->v, kv->n, kv->cap, (struct kv_pair){ name, value });
}

void kv_put(struct kv *kv, const char *name, const char *value)
{
	put_pair(kv, xstrdup(name), xstrdup(value));
}

void kv_putf(struct kv *kv, const char *name, const char *fmt, ...)
{
	char value[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(value, sizeof value, fmt, ap);
	va_end(ap);
	kv_put(kv, name, value);
}

void kv_put_int(struct kv *kv, const char *name, int64_t value)
{
	kv_putf(kv, name, "%" PRId64, value);
}

const char *kv_next(const struct kv *kv, const char *name, size_t *at)
{
	while (*at < kv->n) {
		const struct kv_pair *p = &kv->v[(*at)++];

		if (!strcmp(p->name, name))
			return p->value;
	}
	return NULL;
}

const char *kv_get(const struct kv *kv, const char *name)
{
	size_t at = 0;

	return kv_next(kv, name, &at);
}

bool kv_get_int(const struct kv *kv, const char *name, int64_t *out)
{
	const char *s = kv_get(kv, name);
	char *end;
	long long v;

	if (!s || !*s)
		return false;
	errno = 0;
	v = strtoll(s, &end, 10);
	if (errno || *end)
		return false;
	*out = v;
	return true;
}

void kv_add(struct kv *kv, const char *prefix, const struct kv *from)
{
	for (size_t i = 0; i < from->n; i++)
		put_pair(kv, xasprintf("%s%s", prefix, from->v[i].name), xstrdup(from->v[i].value));
}

void kv_part(const struct kv *kv, const char *prefix, struct kv *out)
{
	size_t n = strlen(prefix);

	for (size_t i = 0; i < kv->n; i++)
		if (!strncmp(kv->v[i].name, prefix, n) && kv->v[i].name[n])
			kv_put(out, kv->v[i].name + n, kv->v[i].value);
}

bool kv_same(const struct kv *a, const struct kv *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->v[i].name, b->v[i].name) || strcmp(a->v[i].value, b->v[i].value))
			return false;
	return true;
}

void kv_write(const struct kv *kv, FILE *f)
{
	for (size_t i = 0; i < kv->n; i++) {
		fprintf(f, "%s ", kv->v[i].name);
		for (const char *s = kv->v[i].value; *s; s++) {
			size_t e = 0;

			while (e < NESCAPES && escapes[e].plain != *s)
				e++;
			if (e < NESCAPES)
				fprintf(f, "\\%c", escapes[e].letter);
			else
				putc(*s, f);
		}
		putc('\n', f);
	}
}

static char *unescape_text(const char *s, size_t n)
{
	char *value = xmalloc(n + 1), *out = value;

	for (size_t i = 0; i < n; i++) {
		size_t e = NESCAPES;

		if (s[i] == '\\' && i + 1 < n)
			for (e = 0; e < NESCAPES && escapes[e].letter != s[i + 1]; e++)
				;
		*out++ = e < NESCAPES ? escapes[e].plain : s[i];
		i += e < NESCAPES;
	}
	*out = 0;
	return value;
}

void kv_read(struct kv *kv, const char *bytes, size_t n)
{
	const char *end = bytes + n;

	for (size_t lines = 0; bytes < end && lines < KV_LINES; lines++) {
		const char *line_end = memchr(bytes, '\n', (size_t)(end - bytes)), *blank;
		size_t len = (size_t)((line_end ? line_end : end) - bytes);

		blank = memchr(bytes, ' ', len);
		if (blank && blank > bytes && !memchr(bytes, 0, len))
			put_pair(kv, xstrndup(bytes, (size_t)(blank - bytes)),
			    unescape_text(blank + 1, len - (size_t)(blank - bytes) - 1));
		bytes += len + 1;
	}
}

/* --- in one line --- */

static void put_in_line(FILE *f, const char *s)
{
	for (; *s; s++)
		if (*s == '\n')
			fputs("\\n", f);
		else
			fprintf(f, "%s%c", *s == ';' || *s == '\\' ? "\\" : "", *s);
}

char *kv_line(const struct kv *kv)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	for (size_t i = 0; f && i < kv->n; i++) {
		fprintf(f, "%s%s=", i ? ";" : "", kv->v[i].name);
		put_in_line(f, kv->v[i].value);
	}
	if (f)
		fclose(f);
	return text;
}

void kv_read_line(struct kv *kv, const char *text)
{
	char *pair = xmalloc(strlen(text) + 1);

	while (*text) {
		char *to = pair, *eq;

		for (; *text && *text != ';'; text++) {
			bool escaped = *text == '\\' && text[1];

			text += escaped;
			*to++ = escaped && *text == 'n' ? '\n' : *text;
		}
		*to = 0;
		text += *text != 0;
		if ((eq = strchr(pair, '=')) && eq > pair) {
			*eq = 0;
			kv_put(kv, pair, eq + 1);
		}
	}
	free(pair);
}

void kv_free(struct kv *kv)
{
	for (size_t i = 0; i < kv->n; i++) {
		free(kv->v[i].name);
		free(kv->v[i].value);
	}
	free(kv->v);
	*kv = (struct kv){ 0 };
}
