#include "config.h"

#include <string.h>
#include <strings.h>

#include "base/codec/wire.h"
#include "load/probe/probe.h"
#include "base/text/utf8.h"
#include "load/probe/probe_tf.h"
#include "load/probe/probe_tool.h"
#include "load/probe/ptxla_text.h"
#include "load/probe/tool_name.h"
#include "load/riegeli/riegeli.h"
#include "load/source/archive.h"
#include "load/source/file_name.h"
#include "model/llo.h"

#define KEY(field, type) ((field) << 3 | (type))
#define FIELDS_LOOKED_AT 64

static bool is_named(const char *name, enum file_kind kind)
{
	size_t stem;

	return file_kind_named(file_name_plain(name), &stem) == kind;
}

static bool is_plain_text(const uint8_t *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] == 0x7f || (s[i] < 0x20 && !memchr("\t\n\v\f\r\033\b", s[i], 7)))
			return false;
	return true;
}

/* Reads the next field, or the part of it that is before the end of the head. */
static bool peek_field(struct wire *w)
{
	return wire_next(w) || (w->bad && w->s && w->n);
}

/* Device of the old Trace: name, number, resources. */
static bool is_device(const uint8_t *s, size_t n)
{
	struct wire w = wire_open(s, n);

	if (!peek_field(&w) || KEY(w.field, w.type) != KEY(1, 2) || w.n > 4096 || !is_plain_text(w.s, w.n))
		return false;
	return w.bad || w.p == w.end ||
	    (peek_field(&w) && (KEY(w.field, w.type) == KEY(2, 0) || KEY(w.field, w.type) == KEY(3, 2)));
}

/* TraceEvent of the old Trace: it has a timestamp or a duration. */
static bool is_old_event(const uint8_t *s, size_t n)
{
	struct wire w = wire_open(s, n);
	bool timed = false;

	while (wire_next(&w)) {
		if (w.field > 11 || w.type == 1 || w.type == 5)
			return false;
		timed |= w.type == 0 && (w.field == 9 || w.field == 10);
	}
	return timed;
}

static bool begins_with(const uint8_t *s, size_t n, const char *const *beginnings)
{
	struct slice text = { (const char *)s, n };

	while (*beginnings && !slice_begins(text, *beginnings))
		beginnings++;
	return *beginnings;
}

static bool is_plane_name(const uint8_t *s, size_t n)
{
	static const char *const beginnings[] = {
		"/device:",
		"/host:",
		"#",
		"/custom:",
		"/virtualdevice:",
		"Task Env",
		"Host CPUs",
		"Syscalls",
		NULL,
	};

	return begins_with(s, n, beginnings);
}

enum plane_evidence { KNOWN_NAMES_ONLY, LISTS_TOO, NAMED_XSPACE };

/* XPlane: a well-known name, or only fields that it has, among them a name and one of its lists. */
static bool is_plane(const uint8_t *s, size_t n, enum plane_evidence what)
{
	bool named = what == NAMED_XSPACE;
	struct wire w = wire_open(s, n);
	bool name = false, list = false;

	for (int i = 0; i < FIELDS_LOOKED_AT && peek_field(&w); i++) {
		if (w.field > 6 || w.type != (w.field == 1 ? 0 : 2))
			return false;
		if (w.field == 2) {
			if (is_plane_name(w.s, w.n))
				return true;
			if (!is_plain_text(w.s, w.n) && !named)
				return false;
			name = true;
		}
		list |= w.field >= 3;
		if (w.bad)
			break;
	}
	return (name && list && what != KNOWN_NAMES_ONLY) || (named && (name || list));
}

/* HloModuleProto: name, entry computation, computations, which start with their names. */
static bool is_hlo_module(const uint8_t *s, size_t n)
{
	struct wire w = wire_open(s, n);

	if (!peek_field(&w) || KEY(w.field, w.type) != KEY(1, 2) || !is_plain_text(w.s, w.n))
		return false;
	while (!w.bad && peek_field(&w)) {
		if (w.type != 2 || w.field > 3)
			return false;
		if (w.field == 3)
			return w.n && w.s[0] == KEY(1, 2);
	}
	return false;
}

static bool is_sample_type(const uint8_t *s, size_t n)
{
	struct wire w = wire_open(s, n);
	uint32_t seen = 0;

	while (wire_next(&w)) {
		if (w.type != 0 || w.field > 2)
			return false;
		seen |= 1u << w.field;
	}
	return !w.bad && seen == 6;
}

/* TracePacket: two of timestamp, sequence, clock, event and track, each of its type. */
static bool is_packet(const uint8_t *s, size_t n)
{
	struct wire w = wire_open(s, n);
	int usual = 0;

	if (peek_field(&w) && w.field == 50 && w.type == 2) /* packets in it, packed with zlib */
		return w.n >= 2 && w.s[0] == 0x78 && (w.s[0] << 8 | w.s[1]) % 31 == 0;
	if (w.field == 133 && w.type == 2) /* with zstd */
		return w.n >= 4 && !memcmp(w.s, "\x28\xb5\x2f\xfd", 4);
	w = wire_open(s, n);

	for (int i = 0; i < FIELDS_LOOKED_AT && !w.bad && peek_field(&w); i++) {
		bool number = w.field == 8 || w.field == 10 || w.field == 58;

		if ((number && w.type != 0) || ((w.field == 11 || w.field == 60) && w.type != 2))
			return false;
		usual += number || w.field == 11 || w.field == 60;
	}
	return usual >= 2;
}

/* MemoryUsageReportProto: a memory space has a total, a color and allocations with index, size, cumulative
 * size and percentage. */
static bool is_usage_report(const uint8_t *s, size_t n)
{
	struct wire w = wire_open(s, n), entry;

	if (!peek_field(&w) || KEY(w.field, w.type) != KEY(1, 2))
		return false;
	w = wire_open(w.s, w.n);
	if (!wire_next(&w) || KEY(w.field, w.type) != KEY(1, 0) || !peek_field(&w))
		return false;
	if (KEY(w.field, w.type) == KEY(2, 0) && !peek_field(&w))
		return false;
	if (KEY(w.field, w.type) != KEY(3, 2))
		return false;
	entry = wire_open(w.s, w.n);
	if (!wire_next(&entry) || (KEY(entry.field, entry.type) == KEY(1, 0) && !wire_next(&entry)))
		return false;
	return KEY(entry.field, entry.type) == KEY(2, 0) && wire_next(&entry) &&
	    KEY(entry.field, entry.type) == KEY(3, 0) && wire_next(&entry) &&
	    KEY(entry.field, entry.type) == KEY(4, 1);
}

/* Returns the kind of a protobuf file by its first field 1. */
static enum file_kind kind_of_message(const uint8_t *s, size_t n, bool named)
{
	struct wire w = wire_open(s, n);

	for (int i = 0; i < 2 && !w.bad && peek_field(&w); i++)
		if (KEY(w.field, w.type) == KEY(2, 2) && is_device(w.s, w.n))
			return FILE_OLD_TRACE;
	if (is_plane(s, n, named ? NAMED_XSPACE : LISTS_TOO))
		return FILE_XSPACE;
	if (is_sample_type(s, n))
		return FILE_PPROF;
	if (is_hlo_module(s, n))
		return FILE_HLO_PROTO;
	return is_packet(s, n) ? FILE_PERFETTO : FILE_UNKNOWN;
}

/* A newer profiler may have added fields at the start.  They are skipped, but then the rest must match more
 * strictly. */
static enum file_kind protobuf_kind(const uint8_t *head, size_t n, bool named)
{
	struct wire w = wire_open(head, n);
	bool strings = false, others = false;

	if (!named && is_hlo_module(head, n))
		return FILE_HLO_PROTO;
	for (int i = 0; i < FIELDS_LOOKED_AT && !w.bad && (peek_field(&w) || wire_skip_end(&w)); i++) {
		if (w.type != 2 || w.field > 4) {
			others = true;
			continue;
		}
		if (w.field == 1 && others && (w.n || !named))
			return is_plane(w.s, w.n, named ? NAMED_XSPACE : KNOWN_NAMES_ONLY) ? FILE_XSPACE
											   : FILE_UNKNOWN;
		if (w.field == 1 && (w.n || !named))
			return kind_of_message(w.s, w.n, named);
		if (w.field == 4 && !others && is_old_event(w.s, w.n))
			return FILE_OLD_TRACE;
		if (w.field > 1 && !is_plain_text(w.s, w.n))
			return FILE_UNKNOWN;
		strings = true;
	}
	return named && strings ? FILE_XSPACE : FILE_UNKNOWN;
}

static const uint8_t *skip_space(const uint8_t *p, const uint8_t *end)
{
	while (p < end && strchr(" \t\r\n", *p) && *p)
		p++;
	return p;
}

/* Looks for members of the trace format; large ones (stackFrames) may come before the events, which are then
 * beyond the head. */
static bool has_trace_member(const uint8_t *p, size_t n)
{
	static const char *const members[] = { "\"traceEvents\"", "\"ph\"", "\"displayTimeUnit\"",
		"\"stackFrames\"" };

	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		if (memmem(p, n, members[i], strlen(members[i])))
			return true;
	return false;
}

static enum file_kind json_kind(const char *name, const uint8_t *p, const uint8_t *end)
{
	size_t n = (size_t)(end - p);
	const uint8_t *next;
	enum file_kind tool;

	if (!n || (*p != '{' && *p != '['))
		return FILE_UNKNOWN;
	next = skip_space(p + 1, end);
	if (next < end && (!*next || !strchr(*p == '{' ? "\"}" : "{[]\"", *next)))
		return FILE_UNKNOWN;
	tool = tool_json_kind(p, n);
	if (tool != FILE_UNKNOWN)
		return tool;
	if (has_trace_member(p, n) || is_named(name, FILE_CHROME_JSON))
		return FILE_CHROME_JSON;
	return *p == '{' && probe_is_keras(p, n) ? FILE_TF_GRAPH : FILE_JSON;
}

/* Recognizes the compiler's texts about the buffers of a program by their first line. */
static bool is_xla_dump(const uint8_t *s, size_t n)
{
	static const char *const beginnings[] = {
		"BufferAssignment:",
		"Memory Space: ",
		"Total bytes used: ",
		"HloLiveRange (max ",
		NULL,
	};

	return begins_with(s, n, beginnings);
}

/* Files of LLO dumps have names that say their pass; of those that were renamed, two kinds begin in their own way. */
static enum file_kind llo_text_kind(const char *name, const uint8_t *s, size_t n)
{
	static const char *const bundles[] = { "= control target key start", NULL };
	static const char *const utilization[] = { "== CAPACTIY:", "== CAPACITY:", NULL };
	struct llo_name of;

	if (llo_name(name, &of))
		return llo_kind(name);
	return begins_with(s, n, bundles)    ? FILE_LLO_BUNDLES
	    : begins_with(s, n, utilization) ? FILE_LLO_UTILIZATION
					     : FILE_UNKNOWN;
}

/* "HloModule jit_f, …", or a part of one */
static bool is_hlo_text(const uint8_t *s, size_t n)
{
	static const char *const beginnings[] = { "HloModule ", "ENTRY %", NULL };
	const uint8_t *p = skip_space(s + utf8_bom((const char *)s, n), s + n);

	return begins_with(p, (size_t)(s + n - p), beginnings);
}

/* The index of a TensorFlow checkpoint (NAME.index, variables/variables.index of a SavedModel) is a table of the same
 * form: its first key is empty, and has a BundleHeaderProto. */
static bool is_checkpoint_index(const uint8_t *s, size_t n)
{
	static const uint8_t version[] = { 0x1a, 2, 8, 1 };

	return n > 12 && !s[0] && !s[1] && s[2] < 16 && s[3] == 8 &&
	    memmem(s + 4, 8, version, sizeof version);
}

static bool is_trace_table(const char *name, const uint8_t *head, size_t nhead, const uint8_t *tail,
    size_t ntail)
{
	static const uint8_t end[8] = { 0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb };

	/* a table without its end is recognized by its name */
	return is_named(name, FILE_TRACE_TABLE) ||
	    (ntail >= 8 && !memcmp(tail + ntail - 8, end, 8) && !is_checkpoint_index(head, nhead));
}

enum file_kind probe_name(const char *name)
{
	static const struct {
		const char *suffix;
		enum file_kind kind;
	} others[] = {
		{ ".prof", FILE_PPROF },
		{ ".pprof", FILE_PPROF },
		{ ".hlo_proto.pb", FILE_HLO_PROTO },
		{ ".hlo.pb", FILE_HLO_PROTO },
		{ "saved_model.pb", FILE_SAVED_MODEL },
		{ ".pbtxt", FILE_TF_GRAPH },
	};
	struct tool_name tool;
	size_t stem;
	enum file_kind kind = file_kind_named(file_name_plain(name), &stem);

	for (size_t i = 0; kind == FILE_UNKNOWN && i < sizeof others / sizeof *others; i++)
		if (file_name_ends(name, others[i].suffix))
			kind = others[i].kind;
	if (kind == FILE_UNKNOWN && strstr(name, "tfevents"))
		kind = FILE_TFEVENTS;
	if (kind == FILE_UNKNOWN && tool_name(name, &tool) && tool.whole)
		kind = tool.kind;
	return kind;
}

enum file_kind probe_kind(const char *name, const uint8_t *head, size_t nhead, const uint8_t *tail,
    size_t ntail)
{
	const uint8_t *end = head + nhead;
	enum file_kind kind;

	if (!nhead)
		return FILE_EMPTY;
	if (archive_is(head, nhead))
		return FILE_ARCHIVE;
	if (riegeli_is(head, nhead) || file_name_ends(name, ".riegeli"))
		return FILE_RIEGELI;
	if (is_trace_table(name, head, nhead, tail, ntail))
		return FILE_TRACE_TABLE;
	if (probe_is_tfevents(head, nhead))
		return FILE_TFEVENTS;
	kind = json_kind(name, skip_space(head + utf8_bom((const char *)head, nhead), end), end);
	if (kind == FILE_UNKNOWN && is_usage_report(head, nhead))
		kind = FILE_XLA_DUMP;
	if (kind == FILE_UNKNOWN)
		kind = tool_message_kind(name, head, nhead);
	if (kind == FILE_UNKNOWN && !is_named(name, FILE_XSPACE))
		kind = probe_tf_kind(head, nhead);
	if (kind == FILE_UNKNOWN)
		kind = protobuf_kind(head, nhead, is_named(name, FILE_XSPACE));
	if (kind == FILE_UNKNOWN && *head == 0x0a && is_named(name, FILE_PERFETTO))
		kind = FILE_PERFETTO; /* whatever the first packets hold */
	if (kind == FILE_UNKNOWN && is_xla_dump(head, nhead))
		kind = FILE_XLA_DUMP;
	if (kind == FILE_UNKNOWN)
		kind = llo_text_kind(name, head, nhead);
	if (kind == FILE_UNKNOWN)
		kind = ptxla_text_kind((const char *)head, nhead);
	if (kind == FILE_UNKNOWN && is_hlo_text(head, nhead))
		kind = FILE_HLO_TEXT;
	if (kind == FILE_UNKNOWN && is_plain_text(head, nhead < 4096 ? nhead : 4096))
		kind = FILE_TEXT;
	if (kind == FILE_UNKNOWN && probe_is_long_name(head, nhead))
		kind = FILE_TF_GRAPH;
	return kind;
}
