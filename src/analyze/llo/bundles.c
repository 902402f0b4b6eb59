#include "config.h"
#include "analyze/llo/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct buffer {
	char *s;
	size_t n, cap;
};

static void put_char(struct buffer *b, char c)
{
	VEC_ADD(b->s, b->n, b->cap, c);
}

/* Reads bundles: " ADDR [MARK]: [>...] { INSTRUCTION ;; INSTRUCTION } comments".  Comments are nested, go over several
 * lines and may never end, but a line that begins as a bundle does is always one. */
struct reading {
	struct llo_kernel *k; /* NULL: only hashes of opcodes */
	struct llo_bundles *b;
	struct buffer word, note, source;
	size_t depth; /* of comments */
	bool after;   /* the closing brace */
	strid at;     /* source of the instruction; 0: none yet */
};

/* --- instructions --- */

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static bool is_pseudo(struct slice op)
{
	static const char *const names[] = { "sphi", "vphi", "vmphi", "pphi", "inlined_call_operand" };
	const char *dot = memchr(op.s, '.', op.n);

	op.n = dot ? (size_t)(dot - op.s) : op.n;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (slice_is(op, names[i]))
			return true;
	return false;
}

/* "(%p12_p3)" or "(!%p12_p3)" anywhere in it */
static bool is_predicated(struct slice t)
{
	for (size_t i = 0; i + 4 < t.n; i++) {
		size_t at = i + 1 + (t.s[i + 1] == '!'), n = 2;

		if (t.s[i] != '(' || at + 3 > t.n || t.s[at] != '%' || t.s[at + 1] != 'p')
			continue;
		while (at + n < t.n &&
		    (islower((unsigned char)t.s[at + n]) || isdigit((unsigned char)t.s[at + n]) ||
			t.s[at + n] == '_'))
			n++;
		if (n > 2 && at + n < t.n && t.s[at + n] == ')')
			return true;
	}
	return false;
}

static uint64_t hash_op(uint64_t h, struct slice op)
{
	for (size_t i = 0; i <= op.n; i++)
		h = (h ^ (i < op.n ? (unsigned char)op.s[i] : 0xffu)) * UINT64_C(0x100000001b3);
	return h;
}

static struct slice opcode_of(struct slice t, struct slice *name)
{
	struct slice op = t;
	size_t n = 0;

	*name = (struct slice){ t.s, 0 };
	if (op.n && *op.s == '%') {
		const char *space = memchr(op.s, ' ', op.n);
		struct slice rest = { space, space ? (size_t)(op.s + op.n - space) : 0 };

		if (space > op.s + 1 && slice_cut(&rest, " = ")) {
			*name = (struct slice){ t.s, (size_t)(space - t.s) };
			op = rest;
		}
	}
	if (op.n && (islower((unsigned char)*op.s) || *op.s == '_'))
		while (n < op.n && is_name(op.s[n]))
			n++;
	return n ? (struct slice){ op.s, n } : (struct slice){ "?", 1 };
}

static void end_instruction(struct reading *r)
{
	struct llo_bundle *b = &r->b->v[r->b->n - 1];
	struct slice t = { r->word.s, r->word.n }, name, op;

	r->word.n = 0;
	if (t.n && t.s[t.n - 1] == ' ')
		t.n--;
	if (!t.n)
		return;
	op = opcode_of(t, &name);
	bool real = !is_pseudo(op);

	if (real) {
		b->ops = hash_op(b->ops, op);
		b->real++;
	}
	b->n++;
	if (r->k)
		VEC_ADD(r->b->ins, r->b->nins, r->b->ins_cap,
		    (struct llo_ins){ .text = arena_strndup(&r->k->text, t.s, t.n),
			.n = t.n < UINT32_MAX ? (uint32_t)t.n : UINT32_MAX,
			.name = strtab_add(&r->k->str, name.s, name.n),
			.op = strtab_add(&r->k->str, op.s, op.n),
			.source = r->at,
			.real = real,
			.predicated = is_predicated(t) });
	r->at = 0;
}

/* --- comments --- */

/* loc("FILE":LINE:COL): the first one is where the instruction comes from. */
static void find_source(struct reading *r, struct slice s)
{
	const char *p;

	while ((p = slice_find(s, "loc(\""))) {
		size_t i = 0, file, line;

		s.n -= (size_t)(p + 5 - s.s);
		s.s = p + 5;
		while (i < s.n && s.s[i] != '"')
			i += s.s[i] == '\\' ? 2 : 1;
		if (i + 1 >= s.n || s.s[i + 1] != ':')
			continue;
		file = i++;
		for (line = ++i; line < s.n && isdigit((unsigned char)s.s[line]); line++)
			;
		if (line == i || line + 1 >= s.n || s.s[line] != ':' ||
		    !isdigit((unsigned char)s.s[line + 1]))
			continue;
		r->source.n = 0;
		for (size_t k = 0; k < line; k++)
			if (k != file)
				put_char(&r->source, s.s[k]);
		r->at = strtab_add(&r->k->str, r->source.s, r->source.n);
		return;
	}
}

static void find_regions(struct reading *r, struct slice s)
{
	static const struct {
		const char *text;
		enum llo_mark mark;
	} marks[] = { { "Start/End empty region ", LLO_EMPTY }, { "Start region ", LLO_START },
		{ "End region ", LLO_END } };

	while (s.n) {
		int64_t number = -1;
		enum llo_mark mark = LLO_START;

		for (size_t i = 0; number < 0 && (*s.s == 'S' || *s.s == 'E') && i < 3; i++) {
			struct slice t = s;

			mark = marks[i].mark;
			if (slice_cut(&t, marks[i].text))
				llo_cut_number(&t, &number);
		}
		if (number >= 0 && number < UINT32_MAX)
			VEC_ADD(r->b->region, r->b->nregions, r->b->regions_cap,
			    (struct llo_region){ (uint32_t)(r->b->n - 1), (uint32_t)number, mark });
		s.s++, s.n--;
	}
}

/* "entry bundle: %NAME = opcode(", where the shape of the result may stand before the opcode */
static void find_entry(struct reading *r, struct slice s)
{
	struct slice t = llo_between(s, "entry bundle: %", "(");
	const char *space = t.s ? memchr(t.s, ' ', t.n) : NULL;

	if (!space || r->b->name.n)
		return;
	r->b->name =
	    (struct slice){ arena_strndup(&r->k->text, t.s, (size_t)(space - t.s)), (size_t)(space - t.s) };
	t.n -= (size_t)(space - t.s);
	t.s = space;
	if (slice_cut(&t, " = ") && t.n && islower((unsigned char)*t.s))
		r->b->opcode = (struct slice){ arena_strndup(&r->k->text, t.s, t.n), t.n };
}

static void end_comment(struct reading *r)
{
	struct slice s = { r->note.s, r->note.n };

	if (!r->k || !s.n)
		return;
	if (slice_find(s, "iteration index, stage"))
		r->b->v[r->b->n - 1].pipeline |= !r->after;
	if (!r->after && !r->at)
		find_source(r, s);
	if (r->after)
		find_regions(r, s);
	find_entry(r, s);
}

/* --- bundles --- */

static void read_text(struct reading *r, struct slice s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.s[i], next = i + 1 < s.n ? s.s[i + 1] : 0;

		if (c == '/' && next == '*') {
			if (!r->depth++)
				r->note.n = 0;
			i++;
		} else if (r->depth && c == '*' && next == '/') {
			i++;
			if (!--r->depth)
				end_comment(r);
		} else if (r->depth) {
			if (r->k)
				put_char(&r->note, c);
		} else if (r->after) {
			continue;
		} else if ((c == ';' && next == ';') || c == '}') {
			end_instruction(r);
			r->after = c == '}';
			i += c == ';';
		} else if (!isspace((unsigned char)c)) {
			put_char(&r->word, c);
		} else if (r->word.n && r->word.s[r->word.n - 1] != ' ') {
			put_char(&r->word, ' ');
		}
	}
}

static void end_bundle(struct reading *r)
{
	if (r->b->n && !r->after) {
		end_instruction(r);
		r->b->open = true;
	}
	r->depth = r->word.n = 0;
	r->after = false;
	r->at = 0;
}

/* Reads " 0x1f LB: >> {" and takes it off. */
static bool cut_head(struct slice *line, struct llo_bundle *b, int64_t *address)
{
	static const char *const marks[] = { "LB", "LH", "LE", "PB", "PF", "CT" };
	struct slice s = slice_trim(*line);

	*b = (struct llo_bundle){ .ops = UINT64_C(0xcbf29ce484222325) };
	if (!s.n || !isdigit((unsigned char)*s.s) || !llo_cut_number(&s, address) || !s.n || *s.s != ' ')
		return false;
	s = slice_trim(s);
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (slice_cut(&s, marks[i])) {
			b->loop = !i;
			break;
		}
	s = slice_trim(s);
	if (!slice_cut(&s, ":"))
		return false;
	for (s = slice_trim(s); slice_cut(&s, ">");)
		b->depth++;
	slice_cut(&s, " ");
	if (!slice_cut(&s, "{"))
		return false;
	*line = s;
	return true;
}

void llo_read_bundles(struct slice text, struct llo_kernel *k, struct llo_bundles *b)
{
	struct reading r = { .k = k, .b = b };
	struct llo_bundle head;
	struct slice line;
	int64_t address = 0;

	while (llo_next_line(&text, &line)) {
		if (cut_head(&line, &head, &address)) {
			end_bundle(&r);
			head.at_place = address == (int64_t)b->n;
			head.first = (uint32_t)b->nins;
			VEC_ADD(b->v, b->n, b->cap, head);
		}
		if (!b->n)
			continue;
		read_text(&r, line);
		read_text(&r, (struct slice){ "\n", 1 });
	}
	end_bundle(&r);
	free(r.word.s);
	free(r.note.s);
	free(r.source.s);
}

void llo_bundles_free(struct llo_bundles *b)
{
	free(b->v);
	free(b->ins);
	free(b->region);
	*b = (struct llo_bundles){ .n = 0 };
}
