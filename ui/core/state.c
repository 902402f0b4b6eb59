#include "config.h"
#include "core/state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/file/infile.h"
#include "base/mem.h"
#include "base/file/outfile.h"
#include "load/source/source.h"

enum { STATE_VERSION = 1, PEEK = 64 << 10, STATE_MAX = 4 << 20 };

void state_head(const struct dump *d, char head[STATE_HEAD], uint64_t *id)
{
	uint64_t h = HASH_START, bytes = 0;
	uint8_t *buf = xmalloc(PEEK);

	for (size_t i = 0; i < d->nfiles; i++) {
		const struct file *f = &d->files[i];
		char size[32];
		size_t n = f->source ? source_peek(f->source, buf, PEEK) : 0;

		snprintf(size, sizeof size, "%" PRIu64 "\n", f->bytes);
		h = hash_bytes(hash_bytes(h, buf, n), size, strlen(size));
		bytes += f->bytes;
	}
	free(buf);
	*id = h;
	snprintf(head, STATE_HEAD, "tpuscope-state %d\ncapture %016" PRIx64 " %zu %" PRIu64 "\n",
	    STATE_VERSION, h, d->nfiles, bytes);
}

char *state_path(uint64_t id)
{
	const char *base = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (base && *base == '/')
		return xasprintf("%s/tpuscope/%016" PRIx64, base, id);
	if (home && *home == '/')
		return xasprintf("%s/.local/state/tpuscope/%016" PRIx64, home, id);
	return NULL;
}

static char *file_text(const char *path, size_t *n)
{
	FILE *f = infile_open(path);
	char *bytes;

	if (!f)
		return NULL;
	bytes = xmalloc(STATE_MAX + 1);
	*n = fread(bytes, 1, STATE_MAX, f);
	bytes[*n] = 0;
	fclose(f);
	return bytes;
}

enum state_read state_read(const char *path, const char *head, struct kv *kv)
{
	size_t n, len = strlen(head);
	char *bytes = file_text(path, &n);
	bool same;

	if (!bytes)
		return STATE_NONE;
	same = n >= len && !memcmp(bytes, head, len);
	if (same)
		kv_read(kv, bytes + len, n - len);
	free(bytes);
	return same ? STATE_READ : STATE_OTHER;
}

/* Creates the folders of a path; errors show when the file is opened. */
static void make_folders(const char *path)
{
	char *p = xstrdup(path);

	for (char *slash = strchr(p + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		(void)mkdir(p, 0700);
		*slash = '/';
	}
	free(p);
}

int state_write(const char *path, const char *head, const struct kv *kv, struct err *err)
{
	struct outfile out;

	make_folders(path);
	if (outfile_open(&out, path, true, err))
		return -1;
	(void)fchmod(fileno(out.f), 0600);
	fputs(head, out.f);
	kv_write(kv, out.f);
	return outfile_close(&out, err);
}
