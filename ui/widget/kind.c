#include "config.h"
#include "widget/kind.h"

static const struct {
	enum role role;
	uint32_t sign;
} look[KIND_COUNT] = {
	[KIND_MATMUL] = { ROLE_BLOCK_MATMUL, 0x2588 },
	[KIND_COMPUTE] = { ROLE_BLOCK_COMPUTE, 0x2593 },
	[KIND_COLLECTIVE] = { ROLE_BLOCK_COLLECTIVE, 0x2592 },
	[KIND_COPY] = { ROLE_BLOCK_COPY, 0x259e },
	[KIND_IO] = { ROLE_BLOCK_IO, '=' },
	[KIND_HOST_WAIT] = { ROLE_BLOCK_WAIT, '-' },
	[KIND_IDLE] = { ROLE_BLOCK_OTHER, 0x2591 },
	[KIND_HOST] = { ROLE_BLOCK_HOST, '+' },
	[KIND_WAIT] = { ROLE_BLOCK_WAIT, '-' },
	[KIND_OTHER] = { ROLE_BLOCK_OTHER, 0x2591 },
	[KIND_INFEED] = { ROLE_BLOCK_IO, '=' },
	[KIND_OUTFEED] = { ROLE_BLOCK_IO, '~' },
	[KIND_HOST_TRANSFER] = { ROLE_BLOCK_IO, '+' },
	[KIND_SEND_RECV] = { ROLE_BLOCK_COLLECTIVE, '>' },
	[KIND_ANY_COMPUTE] = { ROLE_BLOCK_COMPUTE, 0x259a },
	[KIND_SPARSECORE] = { ROLE_BLOCK_MATMUL, 0x2588 },
	[KIND_DEVICE] = { ROLE_BLOCK_MATMUL, 0x2588 },
	[KIND_HOST_COMPUTE] = { ROLE_BLOCK_COMPUTE, 0x2593 },
	[KIND_LAUNCH] = { ROLE_BLOCK_HOST, '+' },
	[KIND_COMPILE] = { ROLE_BLOCK_HOST, 'c' },
};

enum role kind_role(enum time_kind k)
{
	return look[k].role;
}

struct bar_part kind_part(enum time_kind k, bool narrow, double share)
{
	return (struct bar_part){ narrow ? kind_info[k].short_name : kind_info[k].name, share, look[k].role,
		look[k].sign };
}
