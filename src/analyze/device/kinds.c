#include "config.h"
#include "analyze/device/kinds.h"

const struct kind_info kind_info[KIND_COUNT] = {
#define CLASS(key, id, name, short_name, letter) [KIND_##key] = { id, name, short_name, letter },
#define TIME(key, name, short_name) [KIND_##key] = { NULL, name, short_name, ' ' },
#include "analyze/device/kinds.def"
#undef CLASS
#undef TIME
};

enum time_kind kind_of_class(int class)
{
	static const enum time_kind kind[CLASS_COUNT] = {
#define CLASS(key, ...) [CLASS_##key] = KIND_##key,
#define TIME(...)
#include "analyze/device/kinds.def"
#undef CLASS
#undef TIME
	};

	return class >= 0 && class < CLASS_COUNT ? kind[class] : KIND_OTHER;
}

const struct kind_info *class_info(int class)
{
	return &kind_info[kind_of_class(class)];
}

enum time_kind kind_of_op(unsigned meta_class, bool known)
{
	enum time_kind kind = kind_of_class((int)META_CLASS(meta_class));

	if (meta_class & META_CONTAINER || (int)kind >= KIND_OPS)
		kind = KIND_COMPUTE;
	return !known && (kind == KIND_MATMUL || kind == KIND_COMPUTE) ? KIND_ANY_COMPUTE : kind;
}
