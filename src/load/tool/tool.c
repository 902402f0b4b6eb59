/* Loads results of a profiler's tools, protobuf or JSON: model/toolfile.h. */
#include "config.h"

#include <string.h>

#include "base/codec/pbread.h"
#include "base/text/utf8.h"
#include "base/text/words.h"
#include "hlo.pb-c.h"
#include "load/build/loaders.h"
#include "load/probe/tool_name.h"
#include "load/source/source.h"
#include "memory_viewer.pb-c.h"
#include "model/toolfile.h"
#include "overview.pb-c.h"
#include "pod.pb-c.h"
#include "pprof.pb-c.h"
#include "tf_stats.pb-c.h"

/* The file was recognized by its start, but the rest is not there. */
static int no_result(const struct file *f, struct err *err)
{
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
	    "not a valid %s: its main part is missing or in the wrong place", file_kind_label(f->kind));
}

static bool has_any(const struct json *j, const char *const *keys)
{
	for (; *keys; keys++)
		if (json_get(j, *keys))
			return true;
	return false;
}

static bool has_tree(const struct json *j)
{
	static const char *const trees[] = {
		"byCategory",
		"byProgram",
		"byProvenance",
		"byCategoryExcludeIdle",
		"byProgramExcludeIdle",
		"byProvenanceExcludeIdle",
	};

	for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
		const struct json *tree = json_get(j, trees[i]);

		if (tree && tree->type == JSON_OBJECT)
			return true;
	}
	return false;
}

/* Newer files are proto3 JSON with a map per core; in old ones the numbers of a core are members of its
 * record. */
static bool is_new_pod(const struct json *j)
{
	const struct json *step = json_get(json_get(j, "podStatsSequence"), "podStatsMap"), *cores;

	for (step = step && step->type == JSON_ARRAY ? step->child : NULL; step; step = step->next) {
		cores = json_get(step, "podStatsPerCore");
		if (cores && cores->type == JSON_OBJECT && cores->child)
			return json_get(cores->child, "stepBreakdownUs");
	}
	return !json_get(j, "hloInfoMap") && !json_get(j, "runEnvironment");
}

static int read_json(struct toolfile *t, const struct file *f, const uint8_t *bytes, size_t n,
    struct err *err)
{
	static const char *const hlo[] = { "hloModule", "bufferAssignment", NULL };
	const ProtobufCMessageDescriptor *m = NULL;
	const struct json *j = json_parse(&t->arena, (const char *)bytes, n, err);

	if (!j)
		return -1;
	t->json = j;
	switch (f->kind) {
	case FILE_OP_PROFILE:
		return has_tree(j) ? 0 : no_result(f, err);
	case FILE_FRAMEWORK_OPS:
		return datatable_find(j, "host_or_device") ? 0 : no_result(f, err);
	case FILE_MEMORY_VIEWER:
		m = has_any(j, hlo) ? &pb__hlo_proto__descriptor : &pb__preprocess_result__descriptor;
		break;
	case FILE_POD_VIEWER:
		m = is_new_pod(j) ? &pb__pod_viewer_database__descriptor : NULL;
		if (!m)
			return j->type == JSON_OBJECT ? 0 : no_result(f, err);
		break;
	default:
		return j->type == JSON_ARRAY || j->type == JSON_OBJECT ? 0 : no_result(f, err);
	}
	t->message = pb_read_json(m, &t->arena, j, err);
	return t->message ? 0 : -1;
}

static int read_message(struct toolfile *t, const struct file *f, const uint8_t *bytes, size_t n,
    struct err *err)
{
	const ProtobufCMessageDescriptor *const messages[] = {
		[FILE_FRAMEWORK_OPS] = &pb__tf_stats_database__descriptor,
		[FILE_OVERVIEW] = &pb__overview_page__descriptor,
		[FILE_INPUT_PIPELINE] = &pb__input_pipeline_analysis_result__descriptor,
		[FILE_POD_VIEWER] = &pb__pod_stats_database__descriptor,
	};

	if (f->kind >= sizeof messages / sizeof *messages || !messages[f->kind])
		return no_result(f, err);
	t->message = pb_read(messages[f->kind], &t->arena, bytes, n, err);
	return t->message ? 0 : -1;
}

static void tell_cut(struct dump *d, int file, uint64_t at, const char *why, const char *lost)
{
	d->files[file].partial = true;
	problem_add(d->problems, PROBLEM_DAMAGE, file, at, 1, "%s%s", why, lost);
}

/* JAX counts allocations and their space; programs in other languages say other things in the same form. */
static int refuse_profile(const Pb__Profile *p, struct err *err)
{
	char types[160] = "";
	bool device = !p->n_sample_type || !p->n_string_table;

	for (size_t i = 0; i < p->n_sample_type && p->n_string_table; i++) {
		int64_t at = p->sample_type[i]->type;
		const char *type = at > 0 && (size_t)at < p->n_string_table ? p->string_table[at] : "";

		device |= !strcmp(type, "space") || !strcmp(type, "allocations");
		words_add(types, sizeof types, ", ", type);
	}
	if (device)
		return 0;
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
	    "a pprof profile of a program, not of device memory (%.150s%s); "
	    "jax.profiler.save_device_memory_profile() writes one of those",
	    types, strstr(types, "inuse_space") ? ": the heap of a Go program" : "");
}

/* Most of a memory profile is its samples, which come first: one that is cut off still has some. */
static int read_profile(struct dump *d, struct toolfile *t, const uint8_t *bytes, size_t n, struct err *err)
{
	struct err damaged = { .status = 0 };
	const Pb__Profile *p;
	const char *lost;

	t->message = pb_read_lean(&pb__profile__descriptor, &t->arena, bytes, n, SIZE_MAX, &damaged, err);
	p = (const Pb__Profile *)t->message;
	if ((!p || damaged.status) && n && (bytes[0] & 127) == '{')
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "a profile of Python's cProfile, not of device memory; read it with python -m pstats");
	if (!p || refuse_profile(p, err))
		return -1;
	if (damaged.status && !p->n_sample) {
		*err = damaged;
		return -1;
	}
	lost = p->n_string_table
	    ? ""
	    : "; all names are lost: values are taken for counts and bytes, as JAX has them";
	if (damaged.status)
		tell_cut(d, t->file, damaged.at, damaged.msg, lost);
	return 0;
}

static bool is_plain_text(const uint8_t *s, size_t n)
{
	size_t i = utf8_bom((const char *)s, n);

	while (i < n && s[i] && strchr(" \t\r\n", s[i]))
		i++;
	return i < n && (s[i] == '{' || s[i] == '[');
}

static int host_of(struct dump *d, const struct file *f)
{
	struct tool_name name;

	return tool_name(f->base, &name) && name.host ? dump_host(d, f->base, name.host) : -1;
}

int load_tool(struct load_ctx *ctx, int file, struct err *err)
{
	struct dump *d = ctx->dump;
	struct file *f = &d->files[file];
	uint64_t damaged;
	size_t n;
	const uint8_t *bytes = source_bytes(f->source, &n, &damaged, ctx->progress, err);
	struct toolfile t = { .file = file };
	const struct json *simulated;

	if (!bytes)
		return -1;
	progress_add(ctx->progress, f->packing ? 0 : n, 0);
	if (damaged != ERR_NOWHERE && f->kind == FILE_PPROF && n)
		tell_cut(d, file, damaged, source_why(f->source), ": what comes before is shown");
	else if (damaged != ERR_NOWHERE)
		return err_set(err, EXIT_NOTHING, damaged, "%s", source_why(f->source));
	/* a protobuf may start with the byte of a bracket, but then it is not JSON */
	if (is_plain_text(bytes, n)     ? read_json(&t, f, bytes, n, err)
		: f->kind == FILE_PPROF ? read_profile(d, &t, bytes, n, err)
					: read_message(&t, f, bytes, n, err)) {
		f->partial = true;
		toolfile_free(&t);
		return -1;
	}
	simulated = json_get(t.json, "simulated");
	d->simulated |= simulated && simulated->type == JSON_TRUE;
	f->host = host_of(d, f);
	*toolfile_add(d, file) = t;
	return 0;
}
