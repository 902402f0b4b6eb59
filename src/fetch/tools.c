#include "config.h"

#include "fetch/internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text/slice.h"
#include "base/text/words.h"

static const struct fetch_tool tools[] = {
	{ "gs://", "gcloud", "gcloud storage ls -l -r %s", "gcloud storage cp %s %d",
	    "gcloud storage cp -r %s %d", LIST_GOOGLE, "https://cloud.google.com/sdk/docs/install" },
	{ "gs://", "gsutil", "gsutil ls -l -r -- %s", "gsutil -m cp -- %s %d", "gsutil -m cp -r -- %s %d",
	    LIST_GOOGLE, NULL },
	{ "s3://", "aws", "aws s3 ls --recursive %s", "aws s3 cp --only-show-errors %s %d",
	    "aws s3 cp --recursive %s %d", LIST_AWS, "https://aws.amazon.com/cli/" },
	{ "s3://", "s5cmd", "s5cmd ls -- %s", "s5cmd cp -- %s %d", "s5cmd cp -- %s %d", LIST_S5CMD, NULL },
	{ "hdfs://", "hdfs", NULL, NULL, "hdfs dfs -get %s %d", LIST_NONE, "https://hadoop.apache.org" },
	{ "http://", "curl", NULL, "curl -fsSL -o %d -- %s", NULL, LIST_NONE,
	    "https://curl.se/download.html" },
	{ "http://", "wget", NULL, "wget -q -O %d -- %s", NULL, LIST_NONE, NULL },
	{ "https://", "curl", NULL, "curl -fsSL -o %d -- %s", NULL, LIST_NONE,
	    "https://curl.se/download.html" },
	{ "https://", "wget", NULL, "wget -q -O %d -- %s", NULL, LIST_NONE, NULL },
};
enum { NTOOLS = sizeof tools / sizeof *tools };

static bool is_on_path(const char *program)
{
	const char *path = getenv("PATH");
	bool found = false;

	for (const char *p = path, *end; p && *p && !found; p = end + (*end == ':')) {
		char *file;

		end = p + strcspn(p, ":");
		file = xasprintf("%.*s/%s", (int)(end - p), p, program);
		found = end > p && !access(file, X_OK);
		free(file);
	}
	return found;
}

const struct fetch_tool *fetch_tool_for(const char *url, bool installed)
{
	for (size_t i = 0; i < NTOOLS; i++)
		if (!strncmp(url, tools[i].scheme, strlen(tools[i].scheme)) &&
		    (!installed || is_on_path(tools[i].program)))
			return &tools[i];
	return NULL;
}

void fetch_programs(char *there, char *not_there, size_t size)
{
	*there = *not_there = 0;
	for (size_t i = 0; i < NTOOLS; i++) {
		size_t k = 0;

		while (strcmp(tools[k].program, tools[i].program))
			k++;
		if (k == i) /* one that fetches over several protocols is named once */
			words_add(is_on_path(tools[i].program) ? there : not_there, size, ", ",
			    tools[i].program);
	}
}

bool fetch_is_url(const char *path)
{
	return fetch_tool_for(path, false) != NULL;
}

int fetch_check_url(const char *url, struct err *err)
{
	const char *rest = strstr(url, "://");

	for (const char *p = url; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 127)
			return err_set(err, EXIT_USAGE, ERR_NOWHERE,
			    "an address with control characters: refused");
	if (!rest || !rest[3] || rest[3] == '-' || rest[3] == '/')
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "not an address: a bucket or host follows \"://\" and does not begin with \"-\"");
	return 0;
}

char **fetch_words(const char *command, const char *source, const char *place)
{
	char **v = NULL;
	size_t n = 0, cap = 0;

	for (const char *p = command + strspn(command, " "); *p; p += strspn(p, " ")) {
		struct slice word = { p, strcspn(p, " ") };

		VEC_ADD(v, n, cap,
		    slice_is(word, "%s")       ? xstrdup(source)
			: slice_is(word, "%d") ? xstrdup(place)
					       : xstrndup(word.s, word.n));
		p += word.n;
	}
	VEC_ADD(v, n, cap, NULL);
	return v;
}

void fetch_words_free(char **v)
{
	for (size_t i = 0; v && v[i]; i++)
		free(v[i]);
	free(v);
}

/* --- what to type --- */

static char *quoted(const char *text)
{
	char *out = xmalloc(4 * strlen(text) + 3), *o = out;

	*o++ = '\'';
	for (; *text; text++) {
		if (*text == '\'')
			o = stpcpy(o, "'\\''");
		else
			*o++ = *text;
	}
	stpcpy(o, "'");
	return out;
}

/* Whether it names a file rather than a folder. */
static bool names_file(const char *url)
{
	static const char *const ends[] = { ".pb", ".gz", ".json", ".riegeli", ".zst", ".SSTABLE", ".trace",
		".txt" };

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (slice_ends(slice_of(url), ends[i]))
			return true;
	return !strncmp(url, "http", 4);
}

/* Takes the slashes off the end, and /plugins/profile/RUN, which goes into *below. */
static char *logdir_of(const char *url, char **below)
{
	char *dir = xstrdup(url), *mark;

	for (size_t n = strlen(dir); n && dir[n - 1] == '/'; n--)
		dir[n - 1] = 0;
	mark = strstr(dir, "/plugins/profile");
	*below = xstrdup(mark ? mark : "/plugins/profile");
	if (mark)
		*mark = 0;
	return dir;
}

static char *copy_command(const struct fetch_tool *t, const char *url)
{
	char *below, *dir = logdir_of(url, &below), *from, *name, *to, *source, *place, *text, **words;
	const char *last = strrchr(dir, '/');
	bool file = names_file(url), all = t->form == LIST_GOOGLE || t->form == LIST_S5CMD;

	from = file ? xstrdup(url) : xasprintf("%s%s%s", dir, below, all ? "/*" : "");
	name = xstrdup(last && last[1] ? last + 1 : "capture");
	to = file ? xstrdup(strncmp(url, "http", 4) ? "." : strrchr(url, '/') + 1)
		  : xasprintf("./%s%s/", name, below);
	source = quoted(from);
	/* what needs no quotes stays as people write it */
	place = to[strspn(to, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-=")]
	    ? quoted(to)
	    : xstrdup(to);
	words = fetch_words(file && t->copy ? t->copy : t->tree ? t->tree : t->copy, source, place);
	text = xstrdup("");
	for (size_t i = 0; words[i]; i++) {
		char *longer = xasprintf("%s%s%s", text, i ? " " : "", words[i]);

		free(text);
		text = longer;
	}
	fetch_words_free(words);
	free(below);
	free(dir);
	free(from);
	free(name);
	free(to);
	free(source);
	free(place);
	return text;
}

char *fetch_command(const char *url, struct err *err)
{
	const struct fetch_tool *t = fetch_tool_for(url, true), *first = fetch_tool_for(url, false);
	char *command, *more = NULL, *text;

	if (fetch_check_url(url, err))
		return NULL;
	command = copy_command(t ? t : first, url);
	if (!t)
		more = xasprintf("(%s is not installed: %s)", first->program, first->page);
	else if (!strcmp(first->scheme, "gs://"))
		more = xasprintf("(or gsutil -m cp -r …; or mount: gcsfuse --implicit-dirs %.*s DIR)",
		    (int)strcspn(url + 5, "/ '\"$`\\;&|<>()*?"), url + 5);
	text = more ? xasprintf("%s     %s", command, more) : xstrdup(command);
	free(command);
	free(more);
	return text;
}
