/* tpuscope doctor: what this build is, what this machine and this terminal can do, and what to change.  It opens no
 * file of the user but the config file, and writes nothing. */
#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/checks.h"
#include "base/codec/json.h"
#include "base/file/disk.h"
#include "base/file/outfile.h"
#include "base/memcap.h"
#include "base/spill/spill.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "cli/cli.h"
#include "cli/narrow.h"
#include "fetch/fetch.h"
#include "live/local.h"
#include "remote/address.h"

#define LITTLE_MEMORY ((uint64_t)256 << 20)
#define LITTLE_ROOM ((uint64_t)1 << 30)
#define TPU_PORT 8431

static const char *bytes_text(char *buf, size_t size, uint64_t bytes)
{
	return units_bytes(buf, size, (double)bytes);
}

static bool in_container(void)
{
	const char *named = getenv("container");

	return (named && *named) || getenv("KUBERNETES_SERVICE_HOST") || !access("/.dockerenv", F_OK) ||
	    !access("/run/.containerenv", F_OK);
}

static void check_system(struct checks *c)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct utsname u;
	char text[400];

	options_libraries(text, sizeof text);
	checks_add(c, "libraries", CHECK_OK, NULL, "%s", text);
	if (!uname(&u))
		checks_add(c, "system", CHECK_OK, NULL, "%s %s, %ld processor%s%s", u.sysname, u.release,
		    processors, processors == 1 ? "" : "s", in_container() ? ", container" : "");
}

static void check_memory(struct checks *c)
{
	uint64_t may = memcap_bytes(), group = cgroup_memory(CGROUP_LIST, CGROUP_MOUNT);
	bool little = may < LITTLE_MEMORY, contained = group <= memcap_free();
	char buf[2][40];

	checks_add(c, "memory", little ? CHECK_WARN : CHECK_OK,
	    little ? "larger captures are cut: free some, or allow more with --memory SIZE" : NULL,
	    contained ? "may use %s: this container ends at %s" : "may use %s of %s that are free",
	    bytes_text(buf[0], sizeof buf[0], may),
	    bytes_text(buf[1], sizeof buf[1], contained ? group : memcap_free()));
}

static void check_temporary(struct checks *c)
{
	const char *folder = spill_folder(), *advice = "set TMPDIR to a folder with room on a disk";
	uint64_t room = folder ? disk_room(folder) : 0;
	char buf[40];

	if (!folder)
		checks_add(c, "temporary", CHECK_WARN, advice,
		    "no folder can be written: what memory does not hold is left out");
	else if (room == UINT64_MAX)
		checks_add(c, "temporary", CHECK_OK, NULL, "%s", folder);
	else
		checks_add(c, "temporary", room < LITTLE_ROOM ? CHECK_WARN : CHECK_OK,
		    room < LITTLE_ROOM ? advice : NULL, "%s, %s free", folder,
		    bytes_text(buf, sizeof buf, room));
}

static void check_cache(struct checks *c)
{
	uint64_t bytes;
	char *folder = fetch_cache(&bytes), buf[40];

	if (folder && !disk_writable(folder))
		checks_add(c, "cache", CHECK_WARN, "set XDG_CACHE_HOME to a folder that can be written",
		    "%s cannot be written: --fetch cannot get anything", folder);
	else if (folder)
		checks_add(c, "cache", bytes ? CHECK_OK : CHECK_OFF, NULL, "%s, %s", folder,
		    bytes ? bytes_text(buf, sizeof buf, bytes) : "empty");
	else
		checks_add(c, "cache", CHECK_WARN, "set HOME, or XDG_CACHE_HOME",
		    "no folder for what --fetch gets");
	free(folder);
}

static void check_downloads(struct checks *c)
{
	char there[200], not_there[200];

	fetch_programs(there, not_there, sizeof there);
	checks_add(c, "downloads", *there ? CHECK_OK : CHECK_OFF, NULL, "%s%s%s%s%s", there,
	    *there ? " found" : "", *there && *not_there ? "; " : "", not_there,
	    *not_there ? " not found" : "");
}

static void check_chips(struct checks *c)
{
	struct local_chips chips;
	size_t listeners = address_listeners(TPU_PORT);

	local_read(&chips, "");
	if (!chips.n)
		checks_add(c, "chips", CHECK_OFF, NULL, "no TPU in this machine");
	else
		checks_add(c, "chips", CHECK_OK, NULL, "%zu %s; %s on localhost:%d: %s", chips.n,
		    *chips.type ? chips.type : "TPU", listeners ? "a job listens" : "nothing listens",
		    TPU_PORT, listeners ? "tpuscope top shows it" : "no job of this machine uses its TPU");
	local_free(&chips);
}

/* The last one: from here on the process has no sockets. */
static void check_protection(struct checks *c)
{
	narrow();
	if (address_network())
		checks_add(c, "protection", CHECK_WARN, "open captures of strangers elsewhere",
		    "this kernel or build does not confine the program while it reads a file");
	else
		checks_add(c, "protection", CHECK_OK, NULL,
		    "while a file is read: no programs, no sockets (seccomp)");
}

static size_t warnings(const struct checks *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += c->v[i].state == CHECK_WARN;
	return n;
}

static void write_text(FILE *f, const struct checks *c)
{
	char version[200], clean[1000];

	fprintf(f, "%s\n", options_build(version, sizeof version));
	for (size_t i = 0; i < c->n; i++) {
		const struct check *k = &c->v[i];

		fprintf(f, "%s %-13s %s\n", k->state == CHECK_WARN ? "!" : " ", k->name,
		    utf8_clean_text(clean, sizeof clean, k->value));
		if (k->advice)
			fprintf(f, "  %-13s %s\n", "", utf8_clean_text(clean, sizeof clean, k->advice));
	}
	if (warnings(c))
		fprintf(f, "%zu of %zu need attention\n", warnings(c), c->n);
}

static void write_json(FILE *f, const struct checks *c)
{
	static const char *const states[] = { "ok", "warn", "off" };
	struct json_out *o = json_out_file(f);
	char version[200];

	json_obj(o);
	json_key(o, "tool");
	json_strz(o, "doctor");
	json_key(o, "build");
	json_strz(o, options_build(version, sizeof version));
	json_key(o, "checks");
	json_arr(o);
	for (size_t i = 0; i < c->n; i++) {
		const struct check *k = &c->v[i];

		json_newline(o);
		json_obj(o);
		json_key(o, "check");
		json_strz(o, k->name);
		json_key(o, "state");
		json_strz(o, states[k->state]);
		json_key(o, "value");
		json_strz(o, k->value);
		json_key(o, "advice");
		if (k->advice)
			json_strz(o, k->advice);
		else
			json_null(o);
		json_end(o);
	}
	json_end(o);
	json_end(o);
	json_newline(o);
	json_out_end(o, NULL, NULL);
}

int cli_doctor(struct options *o, const struct frontend *fe, struct err *err)
{
	struct checks c = { 0 };
	FILE *f = cli_stdout();
	int status;

	if (o->report.format != REPORT_TEXT && o->report.format != REPORT_JSON)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "doctor writes --format text or json");
	check_system(&c);
	status = fe->screen(o, &c, err);
	if (!status) {
		check_memory(&c);
		check_temporary(&c);
		check_cache(&c);
		check_downloads(&c);
		check_chips(&c);
		check_protection(&c);
		(o->report.format == REPORT_JSON ? write_json : write_text)(f, &c);
		status = warnings(&c) ? EXIT_NOTHING : EXIT_OK;
		if (fflush(f) || ferror(f))
			status = err_set(err, EXIT_NOTHING, ERR_NOWHERE, "standard output cannot be written");
	}
	checks_free(&c);
	return status;
}
