#include "config.h"
#include "base/text/roff.h"

void roff_text(FILE *f, const char *s)
{
	if (*s == '.' || *s == '\'')
		fputs("\\&", f);
	for (; *s; s++)
		switch (*s) {
		case '\\':
			fputs("\\e", f);
			break;
		case '-':
			fputs("\\-", f);
			break;
		case '^':
			fputs("\\(ha", f);
			break;
		case '~':
			fputs("\\(ti", f);
			break;
		case '`':
			fputs("\\(ga", f);
			break;
		case '\'':
			fputs("\\(aq", f);
			break;
		case '"':
			fputs("\\(dq", f);
			break;
		default:
			fputc(*s, f);
		}
}
