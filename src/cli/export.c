#include "config.h"
#include "cli/cli.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/ops/profile.h"
#include "analyze/scopes/scopes.h"
#include "base/clamp.h"
#include "base/file/outfile.h"
#include "capture/results.h"
#include "cli/sides.h"

static const char no_ops[] = "no ops of a device: nothing to export";

/* Folded stacks, as flame graphs read them: "program;scope;...;op ps", with a base "... base new". */
struct line {
	const char *stack;
	int64_t v[2];
};

struct stacks {
	struct line *line;
	size_t n, cap;
	struct arena text;
};

static int by_stack(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->stack, ((const struct line *)b)->stack);
}

/* A frame has neither what parts frames nor what parts numbers from them. */
static void put_frame(FILE *f, struct slice name)
{
	for (size_t i = 0; i < name.n; i++) {
		unsigned char c = (unsigned char)name.s[i];

		putc(c == ';' ? ',' : c <= ' ' || c == 127 ? '_' : c, f);
	}
}

static void add_stack(struct stacks *s, struct slice program, struct slice tf_op, struct slice name,
    int64_t base, int64_t new)
{
	struct slice part[PATH_PARTS];
	size_t n = scope_path(tf_op, part), id = program.n ? program.n - 1 : 0, len;
	char *text;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return;
	while (id > 0 && program.s[id] != '(') /* "jit_f(17)" */
		id--;
	program.n = id ? id : program.n;
	put_frame(f, program.n ? program : slice_of("(no program)"));
	for (size_t i = 0; i < n; i++) {
		putc(';', f);
		put_frame(f, part[i]);
	}
	putc(';', f);
	put_frame(f, name);
	if (!fclose(f))
		VEC_ADD(s->line, s->n, s->cap,
		    (struct line){ arena_strndup(&s->text, text, len), { base, new } });
	free(text);
}

/* Lines of the same stack are one. */
static void write_stacks(struct stacks *s, bool base, FILE *f)
{
	size_t n = 0;

	if (s->n)
		qsort(s->line, s->n, sizeof *s->line, by_stack);
	for (size_t i = 0; i < s->n; i++) {
		if (n && !strcmp(s->line[n - 1].stack, s->line[i].stack)) {
			for (int k = 0; k < 2; k++)
				s->line[n - 1].v[k] = add_clamped(s->line[n - 1].v[k], s->line[i].v[k]);
		} else {
			s->line[n++] = s->line[i];
		}
	}
	for (size_t i = 0; i < n; i++) {
		fprintf(f, "%s %" PRId64, s->line[i].stack, s->line[i].v[0]);
		if (base)
			fprintf(f, " %" PRId64, s->line[i].v[1]);
		putc('\n', f);
	}
	free(s->line);
	arena_free(&s->text);
}

/* Self times of all ops of the capture; those of SparseCores run beside the others. */
static int stacks_of_capture(struct options *o, struct stacks *s, bool *damaged, struct err *err)
{
	struct dump *d = cli_load(o, err);
	struct capture *c;
	struct op_program_names names = { .n = 0 };
	const struct opdb *db;

	if (!d)
		return -1;
	c = capture_of(d, o->report.threads);
	db = capture_get(c, RESULT_OPS, NULL, err);
	if (db)
		names = op_program_names(c->dump);
	for (size_t i = 0; db && i < db->n; i++) {
		const struct op *x = &db->v[i];
		struct slice program =
		    x->module ? dump_text(c->dump, x->module) : op_program_named(&names, x->program);

		if (x->parent == OP_NONE)
			add_stack(s, program, x->provenance, op_short_name(c->dump, x), x->sum.self, 0);
	}
	free(names.v);
	cli_problems(d);
	*damaged = dump_status(d) == EXIT_DAMAGED;
	if (db && !s->n)
		err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s", no_ops);
	capture_close(c);
	return s->n ? 0 : -1;
}

/* Self times of ops per step and core, of the base and of the capture, by the path of the latter. */
static int add_both(const struct cli_side *base, const struct cli_side *new, struct stacks *s,
    struct err *err)
{
	const struct diff_options plain = { .margin = NAN, .scale = NAN };
	struct diff d;

	if (capture_diff((const struct side *const *)base->v, base->n, (const struct side *const *)new->v,
		new->n, false, &plain, &d, err))
		return -1;
	for (size_t i = 0; i < d.nops + d.ngone; i++)
		add_stack(s, d.op[i].of->module, d.op[i].of->tf_op, d.op[i].name,
		    from_double(d.op[i].base + .5), from_double(d.op[i].new + .5));
	if (!s->n)
		err_set(err, d.verdict == VERDICT_NOT_COMPARABLE ? EXIT_UNJUDGED : EXIT_NOTHING, ERR_NOWHERE,
		    "%s", d.verdict == VERDICT_NOT_COMPARABLE ? facts_text(&d.summary, "text") : no_ops);
	diff_free(&d);
	return s->n ? 0 : -1;
}

static int stacks_of_both(struct options *o, struct stacks *s, bool *damaged, struct err *err)
{
	const char *path[2] = { o->report.against, o->npaths ? o->paths[0] : NULL };
	struct options both = *o;
	struct cli_sides sides;
	int bad;

	if (o->demo || o->npaths != 1)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "export --against compares one PATH with its base");
	both.paths = path;
	both.npaths = 2;
	bad = sides_open(&both, &sides, err);
	o->npaths = bad ? 0 : o->npaths; /* the message names the capture */
	if (bad)
		return -1;
	bad = add_both(&sides.v[0], &sides.v[1], s, err);
	*damaged = sides.damaged;
	sides_free(&sides);
	return bad;
}

int cli_export(struct options *o, struct err *err)
{
	struct stacks s = { .n = 0 };
	struct outfile out;
	bool damaged = false;
	int bad = o->report.against ? stacks_of_both(o, &s, &damaged, err)
				    : stacks_of_capture(o, &s, &damaged, err);

	if (!bad)
		bad = cli_output_open(o, &out, err);
	if (bad) {
		free(s.line);
		arena_free(&s.text);
		return -1;
	}
	write_stacks(&s, o->report.against, out.f);
	return cli_output_close(o, &out, damaged ? EXIT_DAMAGED : EXIT_OK, err);
}
