/* Fuzz target of the triage: the bytes are a text, read in pieces of a size given by the first byte, and
 * reported in all formats; its lines are found as in the view. */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "mutate.h"
#include "report/tool/triage.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

const int mutate_head_lines = 0;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static FILE *null;
	struct report_options report = { .core = -1, .top = -1, .width = 100 };
	struct err err = { 0 };
	struct triage_lines lines = { 0 };
	struct triage t;
	size_t step = size ? bytes[0] + 1u : 1;

	if (!null && !(null = fopen("/dev/null", "w")))
		abort();
	triage_begin(&t);
	triage_file(&t, "tpu_driver.host.user.log.ERROR.20260101-000000.1");
	for (size_t i = 0; i < size; i += step)
		triage_text(&t, (const char *)bytes + i, size - i < step ? size - i : step);
	triage_end(&t);
	for (int format = REPORT_TEXT; format <= REPORT_CSV; format++) {
		report.format = (enum report_format)format;
		report_triage(&t, &report, null, &err);
	}
	triage_free(&t);
	triage_lines_find("x", (const char *)bytes, size, NULL, &lines);
	for (size_t i = 0; i < lines.n; i++)
		if (lines.at[i] + lines.prefix[i] > lines.at[i + 1] || lines.at[i + 1] > size)
			abort();
	triage_lines_free(&lines);
	return 0;
}
