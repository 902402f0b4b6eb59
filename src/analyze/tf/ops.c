#include "config.h"

#include "analyze/tf/ops.h"

#include <stdlib.h>
#include <string.h>

#include "base/file/embedded.h"

static const char *const names[TF_CLASSES] = { "valid", "probable", "unknown" };

const char *tf_class_name(enum tf_class c)
{
	return names[c];
}

static void put_entry(struct tf_ops *t, const char *op, struct tf_op_entry e, size_t *cap)
{
	strid id = strtab_addz(&t->names, op);

	while (id >= *cap) {
		*cap = *cap ? *cap * 2 : 1024;
		t->v = xrealloc(t->v, *cap, sizeof *t->v);
	}
	t->v[id] = e;
}

/* op, class, and in the compiled table whether there is a kernel; separated by tabs or blanks. */
static int take_line(struct tf_ops *t, const char *path, size_t number, char *line, size_t *cap,
    struct err *e)
{
	static const char blanks[] = " \t\r";
	char *rest = line, *op = strtok_r(line, blanks, &rest), *class = strtok_r(NULL, blanks, &rest),
	     *kernel = strtok_r(NULL, blanks, &rest);
	int c = 0;

	if (!op || *op == '#')
		return 0;
	while (class && c < TF_CLASSES && strcmp(class, names[c]))
		c++;
	if (!class || c == TF_CLASSES)
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "%s: line %zu: after the name of an op comes valid, probable or unknown", path, number);
	put_entry(t, op,
	    (struct tf_op_entry){ (uint8_t)c, kernel && !strcmp(kernel, "yes"),
		strcmp(path, "tpu_ops.tsv") != 0 },
	    cap);
	return 0;
}

static int take_table(struct tf_ops *t, const char *name, char *text, size_t *cap, struct err *e)
{
	char *line;

	for (size_t n = 1; (line = strsep(&text, "\n")); n++)
		if (take_line(t, name, n, line, cap, e))
			return -1;
	return 0;
}

int tf_ops_own(const char *path, struct err *e)
{
	struct tf_ops t;

	if (embedded_set_own("tpu_ops.tsv", path, e))
		return -1;
	if (tf_ops_read(&t, e)) {
		embedded_set_own("tpu_ops.tsv", NULL, e);
		return -1;
	}
	tf_ops_free(&t);
	return 0;
}

int tf_ops_read(struct tf_ops *t, struct err *e)
{
	const char *path;
	char *text, *own;
	size_t cap = 0;
	int bad;

	*t = (struct tf_ops){ 0 };
	strtab_init(&t->names);
	put_entry(t, "", (struct tf_op_entry){ .class = TF_UNKNOWN }, &cap);
	text = embedded_or_file(&t->text, "tpu_ops.tsv", NULL, e);
	bad = take_table(t, "tpu_ops.tsv", text, &cap, e);
	if (!bad && (own = embedded_own(&t->text, "tpu_ops.tsv", &path)))
		bad = take_table(t, path, own, &cap, e);
	if (bad)
		tf_ops_free(t);
	return bad;
}

void tf_ops_free(struct tf_ops *t)
{
	strtab_free(&t->names);
	free(t->v);
	arena_free(&t->text);
	*t = (struct tf_ops){ 0 };
}

const struct tf_op_entry *tf_ops_find(const struct tf_ops *t, struct slice op)
{
	strid id = strtab_find(&t->names, op.s, op.n);

	return id && id != UINT32_MAX ? &t->v[id] : NULL;
}
