#include "config.h"
#include "analyze/kernels/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/digit.h"

/* Reads a number of 32 bits at the front and takes it off; false: there is none. */
static bool cut_number(struct slice *t, uint32_t *out)
{
	uint64_t v = 0;
	size_t i = 0;

	for (; i < t->n && is_digit(t->s[i]) && v <= UINT32_MAX; i++)
		v = v * 10 + (uint64_t)(t->s[i] - '0');
	if (!i || v > UINT32_MAX)
		return false;
	*out = (uint32_t)v;
	t->s += i;
	t->n -= i;
	return true;
}

static bool cut_dimension(struct slice *t, bool first, uint32_t *out)
{
	bool comma = first;

	for (; t->n && !is_digit(*t->s); t->s++, t->n--) {
		if (*t->s == ',' && !comma)
			comma = true;
		else if (!strchr(" \t\r\n", *t->s))
			return false;
	}
	return comma && cut_number(t, out);
}

void kernel_dims(struct slice t, uint32_t out[3])
{
	uint32_t v[3];

	slice_cut(&t, "[");
	for (int i = 0; i < 3; i++)
		if (!cut_dimension(&t, !i, &v[i]))
			return;
	memcpy(out, v, sizeof v);
}

static void percent_of(struct slice t, double *out)
{
	char text[32];

	if (!t.n || t.n >= sizeof text)
		return;
	memcpy(text, t.s, t.n);
	text[t.n] = 0;
	*out = strtod(text, NULL);
	if (!(*out > 0 && *out <= 100))
		*out = 0;
}

static void take_token(struct slice key, struct slice value, struct kernel_shape *s, double *occupancy)
{
	uint32_t v = 0;

	if (slice_is(key, "block"))
		kernel_dims(value, s->block);
	else if (slice_is(key, "grid"))
		kernel_dims(value, s->grid);
	else if (slice_is(key, "occ_pct"))
		percent_of(value, occupancy);
	else if (!cut_number(&value, &v) || value.n)
		return;
	else if (slice_is(key, "regs"))
		s->registers = v;
	else if (slice_is(key, "static_shared"))
		s->static_shared = v;
	else if (slice_is(key, "dynamic_shared"))
		s->dynamic_shared = v;
	else if (slice_is(key, "group_mem"))
		s->lds = v;
	else if (slice_is(key, "private_mem"))
		s->scratch = v;
}

void kernel_details(struct slice t, struct kernel_shape *s, double *occupancy)
{
	const char *end = t.s + t.n;

	for (const char *p = t.s, *q; p < end; p = q + 1) {
		const char *colon;

		for (q = p; q < end && *q != ' ' && *q != '\n'; q++)
			;
		colon = memchr(p, ':', (size_t)(q - p));
		if (colon)
			take_token((struct slice){ p, (size_t)(colon - p) },
			    (struct slice){ colon + 1, (size_t)(q - colon - 1) }, s, occupancy);
	}
}

/* --- does it use the matrix unit, going by its name? --- */

enum name_rule { NAME_HAS, NAME_ENDS };

struct name_pattern {
	const char *text;
	enum name_rule rule;
};

static bool name_fits(struct slice name, const struct name_pattern *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i].rule == NAME_HAS ? slice_find(name, p[i].text) != NULL : slice_ends(name, p[i].text))
			return true;
	return false;
}

bool kernel_uses_matrix_unit(struct slice kernel)
{
	static const struct name_pattern patterns[] = {
		{ "16816", NAME_HAS },
		{ "c1688", NAME_HAS },
		{ "conv1x1", NAME_HAS },
		{ "conv2d_c1_k1", NAME_HAS },
		{ "dgrad_1x1_stride_2x2", NAME_HAS },
		{ "direct_group", NAME_HAS },
		{ "first_layer_wgrad_kernel", NAME_HAS },
		{ "h1688", NAME_HAS },
		{ "h884", NAME_HAS },
		{ "hmma", NAME_HAS },
		{ "i16832", NAME_HAS },
		{ "i8816", NAME_HAS },
		{ "s884", NAME_HAS },
		{ "s1688", NAME_HAS },
		{ "xmma_gemm", NAME_HAS },
		{ "xmma_implicit_gemm", NAME_HAS },
		{ "xmma_sparse_conv", NAME_HAS },
		{ "xmma_sparse_gemm", NAME_HAS },
		{ "xmma_warp_specialized_implicit_gemm", NAME_HAS },
		{ "Cijk_", NAME_HAS }, /* from here on: ROCm and Triton */
		{ "gemm_fusion", NAME_HAS },
		{ "FmhaFwdKernel", NAME_HAS },
		{ "FmhaBwdDQDKDV", NAME_HAS },
	};

	return name_fits(kernel, patterns, sizeof patterns / sizeof *patterns);
}

bool kernel_op_is_eligible(struct slice op)
{
	static const struct name_pattern patterns[] = {
		{ "Conv2D", NAME_ENDS },
		{ "Conv2DBackpropFilter", NAME_ENDS },
		{ "Conv2DBackpropInput", NAME_ENDS },
		{ "Conv3D", NAME_ENDS },
		{ "DepthwiseConv2dNative", NAME_ENDS },
		{ "DepthwiseConv2dNativeBackpropFilter", NAME_ENDS },
		{ "DepthwiseConv2dNativeBackpropInput", NAME_ENDS },
		{ "BatchMatMul", NAME_HAS }, /* versions have a suffix: V2, V3 */
		{ "/MatMul", NAME_ENDS },
		{ "FusedMatMul", NAME_ENDS },
		{ "/CudnnRNN", NAME_ENDS },
		{ "CudnnRNNV", NAME_HAS },
		{ "CudnnRNNForward", NAME_HAS },
		{ "CudnnRNNBackprop", NAME_HAS },
		{ "XlaDot", NAME_ENDS },
		{ "XlaDotV2", NAME_ENDS },
		{ "dot_general", NAME_ENDS },
		{ "conv_general_dilated", NAME_ENDS },
	};

	return name_fits(op, patterns, sizeof patterns / sizeof *patterns);
}
