/* What a digest keeps of a capture, passed from the analysis (analyze/device/digest.h) to the writer
 * (load/tool/digest.h): for each device plane the messages that replace its ops (data/proto/digest.proto), which
 * become its statistics, and which kinds of events stay.  Places are byte offsets in the unpacked file, as in
 * struct plane and struct evmeta.  Parts are sorted by file and place, kinds by place; digest_parts_free() frees
 * both.  A file of the dump is a digest if its first device plane says so; struct file has the version. */
#ifndef MODEL_DIGEST_H
#define MODEL_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIGEST_VERSION 4
#define DIGEST_STAT "tpuscope_digest"
#define DIGEST_OPS_STAT "tpuscope_digest_ops"
#define DIGEST_RUNS_STAT "tpuscope_digest_runs"
#define DIGEST_COMMUNICATION_STAT "tpuscope_digest_communication"
#define DIGEST_IDLE_STAT "tpuscope_digest_idle"
#define DIGEST_SCOPES_STAT "tpuscope_digest_scopes"
#define DIGEST_FINDINGS_STAT "tpuscope_digest_findings"

struct dump;

struct digest_kind {
	uint64_t at;
	bool texts, events;
}; /* texts: keep its HLO text and source; events: keep its events, too */

struct digest_stat {
	const char *name;
	uint8_t *v;
	size_t n;
};

struct digest_part {
	int file;
	uint64_t at; /* place of the XPlane */
	struct digest_stat stat[7];
	size_t nstats;
	struct digest_kind *kind;
	size_t nkinds;
};

void digest_part_add(struct digest_part *, const char *name, uint8_t *bytes, size_t n); /* takes the bytes */
void digest_parts_free(struct digest_part *, size_t n);
size_t digest_count(const struct dump *); /* number of files that are digests of this version */

#endif
