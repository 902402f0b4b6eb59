#include "config.h"

#include "load/probe/listing.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "load/probe/logdir.h"
#include "load/probe/probe.h"
#include "load/probe/tool_name.h"
#include "load/source/file_name.h"

#define MISSES_MAX 100u /* files of a directory whose content is looked at in vain */

void listing_free(struct listing *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->name[i]);
	free(l->name);
	free(l->sort);
	*l = (struct listing){ .n = 0 };
}

int listing_by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

bool listing_is_kind(const char *dir, const char *name, mode_t kind)
{
	char *path = xasprintf("%s/%s", dir, name);
	struct stat st;
	bool is = !stat(path, &st) && (st.st_mode & S_IFMT) == kind;

	free(path);
	return is;
}

/* Lists the names of the files (S_IFREG) or directories (S_IFDIR) in a directory, without hidden ones,
 * sorted. */
struct listing listing_of(struct logdir *ld, const char *dir, mode_t kind)
{
	struct listing l = { .n = 0 };
	DIR *d = opendir(dir);
	struct dirent *e;

	if (!d && errno != ENOENT && errno != ENOTDIR && !ld->unread) {
		ld->why_unread = errno;
		ld->unread = xstrdup(dir);
	}
	while (d && (e = readdir(d))) {
		bool sure = e->d_type == (kind == S_IFDIR ? DT_DIR : DT_REG);
		bool maybe = e->d_type == DT_UNKNOWN || e->d_type == DT_LNK;

		if (e->d_name[0] == '.' || !(sure || (maybe && listing_is_kind(dir, e->d_name, kind))))
			continue;
		VEC_ADD(l.name, l.n, l.cap, xstrdup(e->d_name));
	}
	if (d)
		closedir(d);
	VEC_SORT(l.name, l.n, listing_by_bytes);
	return l;
}

static bool is_text_name(const char *name)
{
	return !logdir_is_dump(name) &&
	    (file_name_ends(name, ".txt") || file_name_ends(name, ".out") || file_name_ends(name, ".err"));
}

static enum sort sort_of_kind(enum file_kind kind)
{
	switch (file_kind_info[kind].family) {
	case FILES_CAPTURE:
		return XSPACE;
	case FILES_CONVERTED:
		return kind == FILE_CHROME_JSON ? JSON
		    : kind == FILE_OLD_TRACE    ? OLD_TRACE
		    : kind == FILE_TRACE_TABLE  ? TABLE
						: OTHER_TRACE;
	case FILES_TOOL:
		return TOOL;
	default:
		return NOTHING;
	}
}

/* Returns the sort of a file; *at: where the suffix that decides it starts. */
enum sort listing_sort_at(const char *name, size_t *at)
{
	static const struct {
		const char *suffix;
		enum sort sort;
	} table[] = {
		{ "perfetto_trace.json", LINKED_JSON },
		{ ".trie.SSTABLE", NOTHING },
		{ ".metadata.SSTABLE", NOTHING },
		{ "NO_MODULE.hlo_proto.pb", NOTHING },
		{ ".hlo_proto.pb", HLO },
		{ "after_optimizations.hlo.pb", HLO },
		{ "after_codegen.hlo.pb", HLO },
		{ "oom_intermediate_module.hlo.pb", HLO },
	};
	struct tool_name tool;
	struct slice plain = file_name_plain(name);
	enum file_kind kind;
	size_t stem;

	*at = 0;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (!slice_ends_nocase(plain, table[i].suffix))
			continue;
		*at = plain.n - strlen(table[i].suffix);
		return table[i].sort;
	}
	kind = file_kind_named(plain, &stem);
	if (kind != FILE_UNKNOWN) {
		*at = stem;
		/* a table is read from its end */
		return kind == FILE_TRACE_TABLE && name[plain.n] ? NOTHING : sort_of_kind(kind);
	}
	if (tool_name(name, &tool) && tool.whole) {
		*at = tool.host;
		return TOOL;
	}
	if (strstr(name, ".log.") || slice_ends(slice_of(name), ".log"))
		return LOG;
	return is_text_name(name) ? TEXT : NOTHING;
}

static enum sort sort_of(const char *name)
{
	size_t at;

	return listing_sort_at(name, &at);
}

/* Names of files that go with another one, or hold nothing. */
static bool tells_nothing_alone(const char *name)
{
	return strcasestr(name, ".SSTABLE") || strstr(name, "NO_MODULE.hlo_proto.pb");
}

/* Some programs save a trace under any name.  Only traces and results are told this way: folders of dumps and of
 * logs are opened in another way. */
static enum sort sort_by_content(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name);
	enum sort sort = sort_of_kind(probe_file(path));

	free(path);
	return sort;
}

/* The files of a directory and what each is, by its name; with by_content files are also looked into whose names
 * tell nothing. */
struct listing listing_files(struct logdir *ld, const char *dir)
{
	struct listing l = listing_of(ld, dir, S_IFREG);
	size_t misses = 0, passed_over = 0;

	l.sort = xcalloc(l.n + 1, sizeof *l.sort);
	for (size_t i = 0; i < l.n; i++) {
		l.sort[i] = sort_of(l.name[i]);
		if (!ld->by_content || l.sort[i] != NOTHING || tells_nothing_alone(l.name[i]) ||
		    logdir_is_dump(l.name[i]))
			continue;
		if (misses < MISSES_MAX)
			l.sort[i] = sort_by_content(dir, l.name[i]);
		else
			passed_over++;
		misses += l.sort[i] == NOTHING;
	}
	if (passed_over > ld->passed_over)
		ld->passed_over = passed_over;
	return l;
}

/* Returns the best sort of which there are files; NOTHING when there are none. */
enum sort listing_best(const struct listing *l)
{
	enum sort best = NOTHING;

	for (size_t i = 0; i < l->n; i++) {
		if (l->sort[i] < best)
			best = l->sort[i];
	}
	return best;
}
