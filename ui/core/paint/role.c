#include "config.h"
#include "core/paint/role.h"

/* In the order of enum role: text and chrome, marks, fills (capitals), blocks (lower case), heat. */
const char role_letter[ROLE_COUNT + 1] = ".dbTtAkKspgE"
					 "DlS|^r*-!GBn#"
					 "MVCXIHWO"
					 "mvcxihwo"
					 "01234567";
