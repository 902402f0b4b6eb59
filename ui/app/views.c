#include "config.h"
#include "core/view.h"

#define VIEW(name) extern const struct view_ops view_##name;
#include "core/input/scopes.def"

const struct view_ops *const view_list[] = {
#define VIEW(name) &view_##name,
#include "core/input/scopes.def"
	NULL
};
