#include "config.h"
#include "analyze/graph/text/module.h"

#include <inttypes.h>

#include "analyze/graph/text/attributes.h"
#include "analyze/graph/text/fields.h"
#include "analyze/hlo/shape.h"
#include "base/codec/pbread.h"

/* Fields of HloModuleProto */
enum { PROGRAM = 4, ALIASES = 8, DEVICES = 15, FRAMES = 17, DONORS = 18, FRONTEND = 19 };

static void put_aliases(FILE *f, struct slice message)
{
	struct wire w = wire_open(message.s, message.n);
	const char *between = ", input_output_alias={ ";
	struct slice m;

	while (field_next(&w, 1, &m)) {
		fputs(between, f);
		put_list(f, m, 1);
		fprintf(f, ": (%" PRId64 ", ", field_number(m, 2));
		put_list(f, m, 3);
		fputs(field_number(m, 4) == 2 ? ", must-alias)" : ", may-alias)", f);
		between = ", ";
	}
	fputs(*between == ',' && between[2] ? "" : " }", f);
}

static void put_donors(FILE *f, struct slice message)
{
	struct wire w = wire_open(message.s, message.n);
	const char *between = ", buffer_donor={ ";
	struct slice m;

	while (field_next(&w, 1, &m)) {
		fprintf(f, "%s(%" PRId64 ", ", between, field_number(m, 1));
		put_list(f, m, 2);
		fputc(')', f);
		between = ", ";
	}
	fputs(between[2] ? "" : " }", f);
}

static void put_shape_of(FILE *f, struct arena *a, struct slice message)
{
	struct err err;
	struct shape shape;
	const Pb__ShapeProto *p = pb_read(&pb__shape_proto__descriptor, a, message.s, message.n, &err);

	if (p && shape_of_proto(a, p, &shape))
		fputs(shape_text(a, &shape), f);
}

static void put_program(FILE *f, struct slice message)
{
	struct wire w = wire_open(message.s, message.n);
	const char *between = "";
	struct arena a = { 0 };
	struct slice m;
	unsigned n = 0;

	fputs(", entry_computation_layout={(", f);
	for (; field_next(&w, 1, &m); n++) {
		fputs(between, f);
		if (n && n % 5 == 0)
			fprintf(f, "/*index=%u*/", n);
		put_shape_of(f, &a, m);
		between = ", ";
	}
	fputs(")->", f);
	put_shape_of(f, &a, field_slice(message, 2));
	fputc('}', f);
	arena_free(&a);
}

static void put_count(FILE *f, const char *key, int64_t n)
{
	if (n > 1)
		fprintf(f, ", %s=%" PRId64, key, n);
}

/* --- source lines --- */

static void put_names(FILE *f, struct slice frames, uint32_t field, const char *title)
{
	struct wire w = wire_open(frames.s, frames.n);
	struct slice name;

	fprintf(f, "%s\n", title);
	for (unsigned n = 1; field_next(&w, field, &name); n++) {
		fprintf(f, "%u \"", n);
		put_escaped(f, name);
		fputs("\"\n", f);
	}
}

static void put_locations(FILE *f, struct slice frames)
{
	static const struct {
		const char *key;
		uint32_t field;
	} parts[] = { { "{file_name_id", 1 }, { " function_name_id", 2 }, { " line", 3 }, { " end_line", 5 },
		{ " column", 4 }, { " end_column", 6 } };
	struct wire w = wire_open(frames.s, frames.n);
	struct slice m;

	fputs("\nFileLocations\n", f);
	for (unsigned n = 1; field_next(&w, 3, &m); n++) {
		fprintf(f, "%u ", n);
		for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
			fprintf(f, "%s=%" PRId64, parts[k].key, field_number(m, parts[k].field));
		fputs("}\n", f);
	}
}

static void put_frames(FILE *f, struct slice frames)
{
	struct wire w = wire_open(frames.s, frames.n);
	struct slice m;

	put_names(f, frames, 1, "\nFileNames");
	put_names(f, frames, 2, "\nFunctionNames");
	put_locations(f, frames);
	fputs("\nStackFrames\n", f);
	for (unsigned n = 1; field_next(&w, 4, &m); n++)
		fprintf(f, "%u {file_location_id=%" PRId64 " parent_frame_id=%" PRId64 "}\n", n,
		    field_number(m, 1), field_number(m, 2) + 1);
	fputs("\n\n", f);
}

void graph_print_module_head(FILE *f, const struct hlo_graph *g)
{
	struct slice m = g->module;

	if (g->text) {
		put_slice(f, g->header.n ? g->header : slice_of("HloModule module"));
		fputc('\n', f);
		return;
	}
	fprintf(f, "HloModule %s%s", g->name, g->scheduled ? ", is_scheduled=true" : "");
	put_aliases(f, field_slice(m, ALIASES));
	put_donors(f, field_slice(m, DONORS));
	put_program(f, field_slice(m, PROGRAM));
	put_count(f, "replica_count", field_number(field_slice(m, DEVICES), 1));
	put_count(f, "num_partitions", field_number(field_slice(m, DEVICES), 2));
	if (field_slice(m, FRONTEND).n) {
		fputs(", frontend_attributes=", f);
		graph_frontend_attributes(f, field_slice(m, FRONTEND));
	}
	fputc('\n', f);
	if (field_slice(m, FRAMES).n)
		put_frames(f, field_slice(m, FRAMES));
}
