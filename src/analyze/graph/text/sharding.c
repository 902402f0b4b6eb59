#include "config.h"
#include "analyze/graph/text/sharding.h"

#include <inttypes.h>

#include "analyze/graph/text/fields.h"

enum { SHARDING_DEPTH = 8 };

/* OpSharding.Type */
enum { REPLICATED, MAXIMAL, TUPLE, OTHER, MANUAL, UNKNOWN, UNREDUCED };

static const char *type_name(int64_t type)
{
	static const char *const names[] = { "replicated", "maximal", "tuple", "other", "manual", "unknown",
		"unreduced" };

	return type >= 0 && type <= UNREDUCED ? names[type] : "?";
}

/* "[2,4]<=[4,2]T(1,0)": an order of devices made from counting up */
static void put_iota(FILE *f, const struct shape_list *reshape, const struct shape_list *permutation)
{
	fputs("<=[", f);
	put_numbers(f, reshape, ",");
	fputc(']', f);
	if (permutation->n > 1) {
		fputs("T(", f);
		put_numbers(f, permutation, ",");
		fputc(')', f);
	}
}

/* --- meshes: ['x'=2,'y'=4] and the axes of them that are meant --- */

static bool axis_at(struct slice mesh, int64_t index, struct slice *axis)
{
	struct wire w = wire_open(mesh.s, mesh.n);

	for (int64_t i = 0; field_next(&w, 1, axis); i++)
		if (i == index)
			return true;
	return false;
}

static void put_mesh(FILE *f, struct arena *a, struct slice mesh)
{
	struct wire w = wire_open(mesh.s, mesh.n);
	struct shape_list devices = field_numbers(a, mesh, 2);
	struct slice axis, iota = field_slice(mesh, 3);
	const char *between = "";

	fputs("mesh[", f);
	while (field_next(&w, 1, &axis)) {
		fprintf(f, "%s'", between);
		put_slice(f, field_slice(axis, 1));
		fprintf(f, "'=%" PRId64, field_number(axis, 2));
		between = ",";
	}
	fputc(']', f);
	if (iota.n) {
		struct shape_list reshape = field_numbers(a, iota, 1), order = field_numbers(a, iota, 2);

		fputs(", device_ids=([", f);
		put_numbers(f, &reshape, ",");
		fputs("]T(", f);
		put_numbers(f, &order, ",");
		fputs("))", f);
	} else if (devices.n) {
		fputs(", device_ids=(", f);
		put_numbers(f, &devices, ",");
		fputc(')', f);
	}
}

/* {'x','y':(1)2}: the repeated AxisRefProtos of a message */
static void put_axes(FILE *f, struct slice mesh, struct slice message, uint32_t field)
{
	struct wire w = wire_open(message.s, message.n);
	const char *between = "";
	struct slice ref, axis, part;

	fputc('{', f);
	while (field_next(&w, field, &ref)) {
		fprintf(f, "%s'", between);
		if (axis_at(mesh, field_number(ref, 1), &axis))
			put_slice(f, field_slice(axis, 1));
		fputc('\'', f);
		part = field_slice(ref, 2);
		if (part.n)
			fprintf(f, ":(%" PRId64 ")%" PRId64, field_number(part, 1), field_number(part, 2));
		between = ",";
	}
	fputc('}', f);
}

static bool has_field(struct slice message, uint32_t field)
{
	struct wire w;

	return field_first(message, field, &w);
}

/* NamedShardingProto */
static void put_named(FILE *f, struct arena *a, struct slice s)
{
	static const struct {
		uint32_t field;
		const char *key;
	} others[] = { { 4, "replicated" }, { 5, "unreduced" }, { 7, "manual" } };
	struct slice mesh = field_slice(s, 2), dimension;
	struct wire w = wire_open(s.s, s.n);
	const char *between = "";

	put_mesh(f, a, mesh);
	fputs(", [", f);
	while (field_next(&w, 3, &dimension)) {
		fputs(between, f);
		put_axes(f, mesh, dimension, 1);
		between = ", ";
	}
	fputc(']', f);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (has_field(s, others[i].field)) {
			fprintf(f, ", %s=", others[i].key);
			put_axes(f, mesh, s, others[i].field);
		}
}

/* --- tiles --- */

static void put_last_dims(FILE *f, const struct shape_list *types)
{
	fputs(" last_tile_dims={", f);
	for (size_t i = 0; i < types->n; i++)
		fprintf(f, "%s%s", i ? ", " : "", type_name(types->v[i]));
	fputc('}', f);
}

static void put_tiles(FILE *f, struct arena *a, struct slice s)
{
	struct shape_list dims = field_numbers(a, s, 3), devices = field_numbers(a, s, 4);
	struct shape_list reshape = field_numbers(a, s, 9), order = field_numbers(a, s, 10);
	struct shape_list last = field_numbers(a, s, 8);

	fputs("devices=[", f);
	put_numbers(f, &dims, ",");
	fputc(']', f);
	if (reshape.n)
		put_iota(f, &reshape, &order);
	else
		put_numbers(f, &devices, ",");
	if (last.n)
		put_last_dims(f, &last);
	else if (field_number(s, 6))
		fputs(" last_tile_dim_replicate", f);
}

static void put_at(FILE *f, struct arena *a, struct slice s, int depth)
{
	int64_t type = field_number(s, 1);
	struct wire w = wire_open(s.s, s.n);
	const char *between = "";
	struct slice part;

	fputc('{', f);
	if (field_slice(s, 14).n) {
		put_named(f, a, field_slice(s, 14));
	} else if (type == TUPLE) {
		while (depth < SHARDING_DEPTH && field_next(&w, 5, &part)) {
			fputs(between, f);
			put_at(f, a, part, depth + 1);
			between = ", ";
		}
	} else if (type == OTHER) {
		put_tiles(f, a, s);
	} else {
		fputs(type_name(type), f);
		if (type == MAXIMAL) {
			struct shape_list devices = field_numbers(a, s, 4);

			fprintf(f, " device=%" PRId64, devices.n ? devices.v[0] : 0);
		}
	}
	if (field_number(s, 11))
		fprintf(f, " shard_%s %" PRId64, field_number(s, 13) ? "like" : "as", field_number(s, 12));
	fputc('}', f);
}

void put_sharding(FILE *f, struct slice message)
{
	struct arena a = { 0 };

	put_at(f, &a, message, 0);
	arena_free(&a);
}

/* --- groups --- */

static void put_groups(FILE *f, struct slice message, uint32_t field)
{
	struct wire w = wire_open(message.s, message.n);
	const char *between = "";
	struct slice group;

	fputc('{', f);
	while (field_next(&w, field, &group)) {
		fputs(between, f);
		put_list(f, group, 1);
		between = ",";
	}
	fputc('}', f);
}

static void put_iota_groups(FILE *f, struct arena *a, struct slice s)
{
	struct shape_list reshape = field_numbers(a, s, 3), order = field_numbers(a, s, 4);

	fprintf(f, "[%" PRId64 ",%" PRId64 "]", field_number(s, 1), field_number(s, 2));
	put_iota(f, &reshape, &order);
}

/* Fields of HloInstructionProto: the list of newer compilers, then those of older ones. */
void put_replica_groups(FILE *f, struct slice instr)
{
	enum { GROUPS = 49, LIST = 87, IOTA = 92, MESH = 93 };
	struct slice list = field_slice(instr, LIST), mesh = field_slice(instr, MESH);
	struct slice iota = field_slice(instr, IOTA);
	struct arena a = { 0 };

	if (!iota.n)
		iota = field_slice(list, 2);
	if (mesh.n) {
		put_mesh(f, &a, field_slice(mesh, 1));
		fputc(' ', f);
		put_axes(f, field_slice(mesh, 1), mesh, 2);
	} else if (iota.n) {
		put_iota_groups(f, &a, iota);
	} else if (list.n) {
		put_groups(f, list, 1);
	} else {
		put_groups(f, instr, GROUPS);
	}
	arena_free(&a);
}
