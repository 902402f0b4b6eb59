/* The folders of tests/fuzz/corpus that hold files, each with a name by which its files are opened as what
 * they are. */
#ifndef TESTS_CORPUS_H
#define TESTS_CORPUS_H

static const char *const corpus_folders[][2] = {
	{ "archive", "x.tar" },
	{ "chrome-json", "x.trace.json" },
	{ "digest", "x.digest.pb" },
	{ "gzip", "x.xplane.pb.gz" },
	{ "hlo", "x.hlo_proto.pb" },
	{ "hlo-text", "x.txt" },
	{ "llo", "x.txt" },
	{ "old-trace", "x.trace" },
	{ "perfetto", "x.pftrace" },
	{ "pprof", "memory.prof" },
	{ "ptxla", "x.txt" },
	{ "riegeli", "x.xplane.riegeli" },
	{ "tf-events", "events.out.tfevents.1" },
	{ "tf-graph", "graph.pb" },
	{ "tool-json", "x.json" },
	{ "tool-pb", "x.overview_page.pb" },
	{ "trace-table", "x.SSTABLE" },
	{ "triage", "x.log" },
	{ "xla-dump", "x.txt" },
	{ "xspace", "x.xplane.pb" },
};
#define CORPUS_FOLDERS (sizeof corpus_folders / sizeof *corpus_folders)

#endif
