#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/graph/build.h"

/* A statement is a line of HLO text, or several while a bracket or a quotation is open.  One pass over the text
 * finds the computations and instructions; a second one connects them, when all names are known. */
struct reader {
	struct hlo_graph *g;
	const char *p, *end;
	bool inside; /* a computation */
	enum { NO_TABLE, FILES, LOCATIONS, FRAMES, OTHER_TABLE } in;
	uint32_t *at;           /* by strid: the instruction of that name in the computation */
	uint32_t *computations; /* by strid */
};

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("._-", c)) || (unsigned char)c >= 0x80;
}

static const char *skip_blanks(const char *p, const char *end)
{
	for (;;) {
		while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
			p++;
		if (end - p < 4 || p[0] != '/' || p[1] != '*')
			return p;
		p = memmem(p + 2, (size_t)(end - p - 2), "*/", 2);
		if (!p)
			return end;
		p += 2;
	}
}

/* Takes "%name" or "name" off the front; empty: there is none. */
static struct slice take_name(const char **p, const char *end)
{
	struct slice name;

	*p += *p < end && **p == '%';
	name.s = *p;
	while (*p < end && is_name_char(**p))
		++*p;
	name.n = (size_t)(*p - name.s);
	return name;
}

/* Whether a line begins something new: "%name = ", "ROOT %name = ", "}" or the head of a computation.  Where a
 * bracket is still open then, the line before it was cut.  quoted: a quotation is open, which may have lines of
 * its own; only names with % count. */
static bool begins_statement(const char *p, const char *end, bool quoted)
{
	const char *s, *line_end = memchr(p, '\n', (size_t)(end - p));
	struct slice line;

	end = line_end ? line_end : end;
	if (p < end && (*p == '%' || (*p == '}' && !quoted)))
		return true;
	line = (struct slice){ p, (size_t)(end - p) };
	if (slice_begins(line, "ENTRY "))
		return true;
	s = skip_blanks(p, end);
	line = (struct slice){ s, (size_t)(end - s) };
	if (slice_cut(&line, "ROOT "))
		s = line.s;
	if (quoted && (s == end || *s != '%'))
		return false;
	return take_name(&s, end).n && end - s >= 3 && !memcmp(s, " = ", 3);
}

/* Returns the end of a quotation that begins at p, behind its closing mark. */
static const char *skip_quoted(const char *p, const char *end)
{
	char mark = *p++;

	while (p < end && *p != mark) {
		if (*p == '\n' && begins_statement(p + 1, end, true))
			return p;
		p += *p == '\\' && p + 1 < end ? 2 : 1;
	}
	return p < end ? p + 1 : end;
}

/* Returns the first of the characters in `stops` outside of brackets and quotations, or the end; a bracket that
 * closes what was not opened stops, too. */
static const char *skip_nested(const char *p, const char *end, const char *stops)
{
	int depth = 0;

	while (p < end) {
		char c = *p;

		if (c == '"') {
			p = skip_quoted(p, end);
			continue;
		}
		if (!depth && c && strchr(stops, c))
			return p;
		if (c == '(' || c == '[' || c == '{') {
			depth++;
		} else if (c == ')' || c == ']' || c == '}') {
			if (!depth)
				return p;
			depth--;
		} else if (c == '\n' && begins_statement(p + 1, end, false)) {
			return p;
		}
		p++;
	}
	return p;
}

/* Behind the bracket that closes the one at p, or where the statement is cut. */
static const char *skip_bracket(const char *p, const char *end)
{
	const char *close = skip_nested(p + 1, end, "");

	return close < end && *close != '\n' ? close + 1 : close;
}

/* "f32[8,128]{1,0:T(8,128)}", "(f32[], s32[2])", "token[]", "b(f32[2])" */
static const char *skip_shape(const char *p, const char *end)
{
	const char *s = p;

	if (p < end && *p == '(')
		return skip_bracket(p, end);
	while (s < end && isalnum((unsigned char)*s))
		s++;
	if (s == p || s == end || (*s != '[' && !(*s == '(' && s == p + 1 && *p == 'b')))
		return p;
	s = skip_bracket(s, end);
	if (s < end && *s == '{')
		s = skip_bracket(s, end);
	return s;
}

static struct slice take_opcode(const char **p, const char *end)
{
	struct slice word = { *p, 0 };

	while (*p < end && (isalnum((unsigned char)**p) || **p == '-' || **p == '_'))
		++*p;
	word.n = (size_t)(*p - word.s);
	return word;
}

/* "ROOT %name = shape opcode(operands), attributes" */
static bool read_instr(struct reader *r, const char *s, const char *end)
{
	struct slice line = { s, (size_t)(end - s) }, name, opcode;
	bool root = slice_cut(&line, "ROOT ");
	const char *p = skip_blanks(line.s, end), *shape;
	struct hlo_instr i = { .shape_len = 0 };

	name = take_name(&p, end);
	p = skip_blanks(p, end);
	if (!name.n || p == end || *p != '=')
		return false;
	shape = p = skip_blanks(p + 1, end);
	p = skip_shape(p, end);
	if (p > shape) {
		i.shape = shape;
		i.shape_len = (uint32_t)(p - shape);
	}
	p = skip_blanks(p, end);
	opcode = take_opcode(&p, end);
	if (!opcode.n)
		return false;
	i.at = p;
	i.len = (uint32_t)(end - p);
	i.args = p < end && *p == '(' ? (uint32_t)(skip_bracket(p, end) - p) : 0;
	r->g->unread += !i.args || p[i.args - 1] != ')';
	if (!hlo_add_instr(r->g, name, opcode, &i))
		return true;
	if (root)
		r->g->computation[r->g->ncomputations - 1].root = r->g->n - 1;
	return true;
}

/* "ENTRY %main (p: f32[8]) -> f32[8] {" */
static bool read_head(struct reader *r, const char *s, const char *end)
{
	struct slice line = { s, (size_t)(end - s) }, name;
	bool entry = slice_cut(&line, "ENTRY ");
	const char *p = skip_blanks(line.s, end);
	uint32_t c;

	name = take_name(&p, end);
	p = skip_blanks(p, end);
	if (!name.n || p == end || (*p != '(' && *p != '{'))
		return false;
	c = hlo_add_computation(r->g, name);
	if (entry)
		r->g->entry = c;
	r->inside = true;
	return true;
}

static void read_module(struct reader *r, const char *s, const char *end)
{
	struct slice name;

	r->g->header = (struct slice){ s, (size_t)(end - s) };
	r->g->scheduled = slice_find(r->g->header, "is_scheduled=true");
	s = skip_blanks(s + sizeof "HloModule" - 1, end);
	name = take_name(&s, end);
	r->g->name = strtab_str(&r->g->names, strtab_add(&r->g->names, name.s, name.n));
}

static uint32_t number_after(const char *s, const char *end, const char *key)
{
	const char *p = memmem(s, (size_t)(end - s), key, strlen(key));
	uint32_t v = 0;

	for (p = p ? p + strlen(key) : end; p < end && isdigit((unsigned char)*p) && v < 100000000; p++)
		v = v * 10 + (uint32_t)(*p - '0');
	return v;
}

static void read_table_line(struct reader *r, const char *s, const char *end)
{
	struct hlo_graph *g = r->g;
	const char *open, *close;
	uint32_t file;

	switch (r->in) {
	case FILES:
		open = memchr(s, '"', (size_t)(end - s));
		close = memrchr(s, '"', (size_t)(end - s));
		VEC_ADD(g->files, g->nfiles, g->files_cap,
		    open && close > open ? (struct slice){ open + 1, (size_t)(close - open - 1) }
					 : (struct slice){ s, 0 });
		break;
	case LOCATIONS:
		file = number_after(s, end, "file_name_id=");
		VEC_ADD(g->locations, g->nlocations, g->locations_cap,
		    (struct hlo_frame_line){ file ? file - 1 : HLO_NONE,
			(int)number_after(s, end, " line=") });
		break;
	case FRAMES:
		hlo_frame_add(g, number_after(s, end, "file_location_id="));
		break;
	default:
		break;
	}
}

static bool read_outside(struct reader *r, const char *s, const char *end)
{
	static const char *const tables[] = { [FILES] = "FileNames",
		[LOCATIONS] = "FileLocations",
		[FRAMES] = "StackFrames",
		[OTHER_TABLE] = "FunctionNames" };
	struct slice line = { s, (size_t)(end - s) };

	if (slice_begins(line, "HloModule")) {
		read_module(r, s, end);
		return true;
	}
	for (int t = FILES; t <= OTHER_TABLE; t++)
		if (slice_is(slice_trim(line), tables[t])) {
			r->in = t;
			return true;
		}
	if (r->in != NO_TABLE && isdigit((unsigned char)*s)) {
		read_table_line(r, s, end);
		return true;
	}
	r->in = NO_TABLE;
	return read_head(r, s, end);
}

/* A head ends behind its opening brace: what follows is the computation. */
static const char *statement_end(const struct reader *r, const char *s)
{
	const char *p = s, *line = memchr(s, '\n', (size_t)(r->end - s));

	line = line ? line : r->end;
	if (r->in != NO_TABLE)
		return line;
	while ((p = skip_nested(p, r->end, "\n")) < r->end && *p != '\n')
		p++; /* a bracket that closes nothing */
	return p;
}

/* The head of a computation has the brace that its instructions follow. */
static const char *head_end(const struct reader *r, const char *s)
{
	const char *line = memchr(s, '\n', (size_t)(r->end - s));

	line = line ? line : r->end;
	for (const char *p = line; p > s;) {
		p--;
		if (*p == '{')
			return line;
		if (!isspace((unsigned char)*p))
			break;
	}
	return NULL;
}

static void read_statement(struct reader *r, const char *s)
{
	const char *end = r->inside ? NULL : head_end(r, s);

	end = end ? end : statement_end(r, s);
	r->p = end < r->end ? end + 1 : end;
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	if (r->inside && *s == '}') {
		r->inside = false;
		return;
	}
	if (r->inside ? read_instr(r, s, end) : read_outside(r, s, end))
		return;
	if (r->inside && read_head(r, s, end)) /* the end of the one before is missing */
		return;
	r->g->unread++;
}

/* --- links --- */

static uint32_t instr_at(const struct reader *r, uint32_t computation, struct slice name)
{
	const struct hlo_computation *c = &r->g->computation[computation];
	strid id = strtab_find(&r->g->names, name.s, name.n);
	uint32_t i = id == UINT32_MAX ? HLO_NONE : r->at[id];

	return i != HLO_NONE && i >= c->first && i < c->first + c->n ? i : HLO_NONE;
}

/* Names of a list "f32[8] %a, %b": of each part the last word. */
static bool next_in_list(struct slice *list, struct slice *name)
{
	const char *end = list->s + list->n, *stop, *p;

	if (!list->n)
		return false;
	stop = skip_nested(list->s, end, ",");
	p = stop;
	while (p > list->s && isspace((unsigned char)p[-1]))
		p--;
	name->n = 0;
	while (p > list->s && is_name_char(p[-1])) {
		p--;
		name->n++;
	}
	name->s = p;
	stop += stop < end; /* the comma, or a bracket that closes nothing */
	list->n = (size_t)(end - stop);
	list->s = stop;
	return true;
}

static void link_operands(struct reader *r, struct hlo_build *b, uint32_t i)
{
	struct slice list = hlo_operands_text(r->g, i), name;
	bool has = !hlo_opcode_is(r->g, i, "constant") && !hlo_opcode_is(r->g, i, "parameter");

	while (has && next_in_list(&list, &name))
		if (name.n)
			hlo_link_add(r->g, &b->operands, instr_at(r, r->g->v[i].computation, name));
}

static bool names_computations(struct slice key)
{
	static const char *const keys[] = { "calls", "to_apply", "body", "condition", "branch_computations",
		"true_computation", "false_computation", "called_computations", "called_computation",
		"select", "scatter", "comparator", "computation" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (slice_is(key, keys[i]))
			return true;
	return false;
}

static struct slice without_braces(struct slice v)
{
	if (v.n >= 2 && *v.s == '{') {
		v.s++;
		v.n -= v.s[v.n - 2] == '}' ? 2 : 1;
	}
	return v;
}

static bool hlo_attribute_next(struct slice *rest, struct slice *key, struct slice *value)
{
	const char *p = rest->s, *end = rest->s + rest->n, *stop;

	while (p < end && (*p == ',' || isspace((unsigned char)*p)))
		p++;
	if (p >= end)
		return false;
	*key = (struct slice){ p, 0 };
	while (p < end && is_name_char(*p))
		p++;
	key->n = (size_t)(p - key->s);
	p += p < end && *p == '=';
	stop = skip_nested(p, end, ",");
	*value = slice_trim((struct slice){ p, (size_t)(stop - p) });
	stop += stop < end && stop == key->s; /* never stays where it is */
	rest->s = stop;
	rest->n = (size_t)(end - stop);
	return true;
}

static void link_attributes(struct reader *r, struct hlo_build *b, uint32_t i)
{
	struct slice rest = hlo_attributes(r->g, i), key, value, name;
	strid id;

	while (hlo_attribute_next(&rest, &key, &value)) {
		bool control = slice_is(key, "control-predecessors");

		if (!control && !names_computations(key))
			continue;
		value = without_braces(value);
		while (next_in_list(&value, &name)) {
			id = name.n ? strtab_find(&r->g->names, name.s, name.n) : UINT32_MAX;
			if (control)
				hlo_link_add(r->g, &b->controls, instr_at(r, r->g->v[i].computation, name));
			else
				hlo_link_add(r->g, &b->calls,
				    id == UINT32_MAX ? HLO_NONE : r->computations[id]);
		}
	}
}

static void link_all(struct reader *r)
{
	struct hlo_graph *g = r->g;
	size_t names = (size_t)g->names.n + 1;
	struct hlo_build b = { .operands = { .n = 0 } };

	r->at = xmalloc(names * sizeof *r->at);
	memset(r->at, 0xff, names * sizeof *r->at);
	r->computations = xmalloc(names * sizeof *r->computations);
	memset(r->computations, 0xff, names * sizeof *r->computations);
	for (uint32_t c = g->ncomputations; c-- > 0;)
		r->computations[g->computation[c].name] = c;
	for (uint32_t c = 0; c < g->ncomputations; c++) {
		const struct hlo_computation *of = &g->computation[c];

		for (uint32_t i = of->first + of->n; i-- > of->first;)
			r->at[g->v[i].name] = i;
		for (uint32_t i = of->first; i < of->first + of->n; i++) {
			link_operands(r, &b, i);
			link_attributes(r, &b, i);
			hlo_link_end(&b.operands);
			hlo_link_end(&b.controls);
			hlo_link_end(&b.calls);
		}
	}
	free(r->at);
	free(r->computations);
	hlo_graph_end(g, &b);
}

/* Text without ENTRY, such as a part of a module, is entered at its last computation, which the others serve. */
static void find_entry(struct hlo_graph *g)
{
	if (g->entry == HLO_NONE && g->ncomputations)
		g->entry = g->ncomputations - 1;
	for (uint32_t c = 0; c < g->ncomputations; c++)
		if (g->computation[c].root == HLO_NONE && g->computation[c].n)
			g->computation[c].root = g->computation[c].first + g->computation[c].n - 1;
}

struct hlo_graph *hlo_graph_of_text(const char *s, size_t n)
{
	struct reader r = { .g = hlo_graph_new(), .p = s, .end = s + n };

	r.g->text = true;
	if (n > UINT32_MAX) { /* lengths have 32 bits */
		r.end = s + UINT32_MAX;
		r.g->cut = true;
	}
	while (r.p < r.end && r.g->n < HLO_MOST) {
		const char *at = skip_blanks(r.p, r.end);

		if (at == r.end || *at == '\n') {
			if (r.in != NO_TABLE && at == r.p)
				r.in = NO_TABLE;
			r.p = at < r.end ? at + 1 : at;
			continue;
		}
		read_statement(&r, at);
	}
	r.g->cut |= r.inside;
	find_entry(r.g);
	link_all(&r);
	return r.g;
}

/* --- one instruction --- */

struct slice hlo_operands_text(const struct hlo_graph *g, uint32_t i)
{
	const struct hlo_instr *v = &g->v[i];
	bool closed = v->args >= 2 && v->at[v->args - 1] == ')';

	return v->args ? (struct slice){ v->at + 1, v->args - 1u - closed } : (struct slice){ "", 0 };
}

struct slice hlo_attributes(const struct hlo_graph *g, uint32_t i)
{
	return (struct slice){ g->v[i].at + g->v[i].args, g->v[i].len - g->v[i].args };
}

static struct slice unquoted(struct slice v)
{
	if (v.n && *v.s == '"') {
		v.s++;
		v.n -= v.n >= 2 && v.s[v.n - 2] == '"' ? 2 : 1;
	}
	return v;
}

static int64_t number_of(struct slice v)
{
	int64_t n = 0;

	v = slice_trim(v);
	if (!v.n || v.n > 18)
		return -1;
	for (size_t i = 0; i < v.n; i++) {
		if (!isdigit((unsigned char)v.s[i]))
			return -1;
		n = n * 10 + (v.s[i] - '0');
	}
	return n;
}

/* metadata={op_type="add" op_name="jit(f)/add" source_file="a.py" source_line=3 stack_frame_id=7} */
static void read_metadata(const struct hlo_graph *g, struct slice v, struct hlo_detail *d)
{
	const char *p, *end, *stop;
	int64_t frame = 0;

	v = without_braces(v);
	for (p = v.s, end = v.s + v.n; p < end; p = stop) {
		struct slice key = { p, 0 }, value;

		while (p < end && *p != '=')
			p++;
		key.n = (size_t)(p - key.s);
		key = slice_trim(key);
		p += p < end;
		stop = skip_nested(p, end, " ,");
		value = unquoted((struct slice){ p, (size_t)(stop - p) });
		stop += stop < end;
		if (slice_is(key, "op_name"))
			d->op_name = value;
		else if (slice_is(key, "op_type"))
			d->op_type = value;
		else if (slice_is(key, "source_file"))
			d->source = value;
		else if (slice_is(key, "source_line"))
			d->line = (int)number_of(value);
		else if (slice_is(key, "stack_frame_id"))
			frame = number_of(value);
	}
	if (frame > 0)
		hlo_detail_frame(g, (uint64_t)frame, d);
}

void hlo_detail_of_text(const struct hlo_graph *g, uint32_t i, struct hlo_detail *d)
{
	struct slice rest = hlo_attributes(g, i), key, value;

	if (hlo_opcode_is(g, i, "parameter"))
		d->parameter = number_of(hlo_operands_text(g, i));
	while (hlo_attribute_next(&rest, &key, &value)) {
		if (slice_is(key, "metadata"))
			read_metadata(g, value, d);
		else if (slice_is(key, "kind"))
			d->fusion_kind = value;
		else if (slice_is(key, "index"))
			d->index = number_of(value);
		else if (slice_is(key, "custom_call_target"))
			d->target = unquoted(value);
	}
}
