#include "config.h"

#include "remote/profiler/request.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/slice.h"
#include "profiler.pb-c.h"

#define MAX_EVENTS 1000000
#define ADVANCED_MAX 64

struct entry {
	Pb__AdvancedEntry entry;
	Pb__AdvancedValue value;
	char *key, *text;
};

static bool is_key(struct slice s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!isalnum((unsigned char)s.s[i]) && !strchr("_-.", s.s[i]))
			return false;
	return s.n > 0;
}

/* Cuts the next "key=value" off the list; false: there is none. */
static bool next_pair(const char **list, struct slice *key, struct slice *value)
{
	const char *p = *list;
	size_t n = strcspn(p ? p : "", ","), k;

	if (!n)
		return false;
	k = strcspn(p, "=");
	*key = slice_trim((struct slice){ p, k < n ? k : n });
	*value = k < n ? (struct slice){ p + k + 1, n - k - 1 } : (struct slice){ NULL, 0 };
	*list = p + n + (p[n] == ',');
	return true;
}

int request_check(const struct profile_options *what, struct err *err)
{
	const char *list = what->advanced;
	struct slice key, value;
	size_t n = 0;

	while (next_pair(&list, &key, &value))
		if (!is_key(key) || !value.s || ++n > ADVANCED_MAX)
			return err_set(err, EXIT_USAGE, ERR_NOWHERE,
			    "--advanced %.200s: must be key=value,key=value", what->advanced);
	return 0;
}

static void set_value(struct entry *e, struct slice value)
{
	char *end;
	long long number;

	e->text = xstrndup(value.s, value.n);
	errno = 0;
	number = strtoll(e->text, &end, 10);
	if (!strcmp(e->text, "true") || !strcmp(e->text, "false")) {
		e->value.has_bool_value = true;
		e->value.bool_value = *e->text == 't';
	} else if (*e->text && !*end && !errno) {
		e->value.has_int64_value = true;
		e->value.int64_value = number;
	} else {
		e->value.string_value = e->text;
	}
}

static size_t read_advanced(const char *list, struct entry *entries)
{
	struct slice key, value;
	size_t n = 0;

	while (n < ADVANCED_MAX && next_pair(&list, &key, &value)) {
		struct entry *e = &entries[n++];

		pb__advanced_entry__init(&e->entry);
		pb__advanced_value__init(&e->value);
		e->key = xstrndup(key.s, key.n);
		e->entry.key = e->key;
		e->entry.value = &e->value;
		set_value(e, value);
	}
	return n;
}

static void set_options(Pb__ProfileOptions *o, const struct profile_request *r)
{
	pb__profile_options__init(o);
#define SET(field, v) (o->has_##field = true, o->field = (v))
	SET(include_dataset_ops, !r->what.no_dataset_ops);
	SET(host_tracer_level, (uint32_t)r->what.host_level);
	SET(device_tracer_level, (uint32_t)r->what.device_level);
	SET(python_tracer_level, (uint32_t)r->what.python_level);
	SET(version, 1);
	SET(enable_hlo_proto, !r->what.no_hlo);
	SET(duration_ms, (uint64_t)r->what.duration_ms);
	if (r->start_ns)
		SET(start_timestamp_ns, (uint64_t)r->start_ns);
#undef SET
	o->repository_path = (char *)r->root;
}

uint8_t *request_profile(const struct profile_request *r, size_t *n)
{
	static const char *const tools[] = { "trace_viewer", "op_profile", "input_pipeline", "kernel_stats",
		"memory_viewer", "memory_profile", "overview_page", "pod_viewer", "tensorflow_stats",
		"xplane.pb" };
	struct entry *entries = xcalloc(ADVANCED_MAX, sizeof *entries);
	Pb__AdvancedEntry *advanced[ADVANCED_MAX];
	Pb__ProfileRequest m = PB__PROFILE_REQUEST__INIT;
	Pb__ProfileOptions o;
	uint8_t *bytes;

	set_options(&o, r);
	o.n_advanced_configuration = read_advanced(r->what.advanced, entries);
	for (size_t i = 0; i < o.n_advanced_configuration; i++)
		advanced[i] = &entries[i].entry;
	o.advanced_configuration = advanced;
	m.has_duration_ms = m.has_max_events = m.has_emit_xspace = true;
	m.duration_ms = (uint64_t)r->what.duration_ms;
	m.max_events = MAX_EVENTS;
	m.emit_xspace = !r->save_there;
	m.n_tools = sizeof tools / sizeof *tools;
	m.tools = (char **)tools;
	m.opts = &o;
	m.repository_root = (char *)r->root;
	m.session_id = (char *)r->session;
	m.host_name = (char *)r->host;
	bytes = xmalloc(pb__profile_request__get_packed_size(&m) + 1);
	*n = pb__profile_request__pack(&m, bytes);
	for (size_t i = 0; i < o.n_advanced_configuration; i++) {
		free(entries[i].key);
		free(entries[i].text);
	}
	free(entries);
	return bytes;
}

uint8_t *request_terminate(const char *session, size_t *n)
{
	Pb__TerminateRequest m = PB__TERMINATE_REQUEST__INIT;
	uint8_t *bytes;

	m.session_id = (char *)session;
	bytes = xmalloc(pb__terminate_request__get_packed_size(&m) + 1);
	*n = pb__terminate_request__pack(&m, bytes);
	return bytes;
}

uint8_t *request_monitor(int duration_ms, int level, size_t *n)
{
	Pb__MonitorRequest m = PB__MONITOR_REQUEST__INIT;
	uint8_t *bytes;

	m.has_duration_ms = m.has_monitoring_level = m.has_timestamp = true;
	m.duration_ms = (uint64_t)duration_ms;
	m.monitoring_level = level;
	m.timestamp = true;
	bytes = xmalloc(pb__monitor_request__get_packed_size(&m) + 1);
	*n = pb__monitor_request__pack(&m, bytes);
	return bytes;
}
