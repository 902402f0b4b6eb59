/* The files of an LLO dump, which libtpu writes with --xla_jf_dump_to: TIME-UNIT-NN-PASS.txt, where UNIT is an
 * instruction of HLO, "TLP" (the program itself) or "<late-...>", and NN is another number in each version and for
 * each unit.  Long names are cut, at another place in each file of a unit: their first LLO_KEY bytes count.
 * Pure; llo_units() points into the dump, and its arrays belong to the caller (llo_units_free). */
#ifndef MODEL_LLO_H
#define MODEL_LLO_H

#include "base/text/slice.h"
#include "model/dump.h"

enum { LLO_KEY = 100 };

struct llo_name {
	int64_t ns; /* since 1970 */
	struct slice unit, pass;
	bool cut;
};
bool llo_name(const char *base, struct llo_name *);
/* What a file of that name is; FILE_UNKNOWN: of a pass that is not read, or none of a dump. */
enum file_kind llo_kind(const char *base);

/* A unit: its files are file[first] … of struct llo_units, numbers in dump.files. */
struct llo_unit {
	struct slice dir, name; /* name empty: the files were renamed */
	int64_t ns;             /* -1: not known, as the files were renamed */
	bool cut;               /* the name is only its beginning */
	size_t first, n;
	uint64_t bytes;
};
struct llo_units {
	struct llo_unit *v; /* by folder, time, name */
	size_t n, cap;
	int *file;
};
bool llo_any(const struct dump *);
void llo_units(const struct dump *, struct llo_units *);
void llo_units_free(struct llo_units *);

#endif
