#include "config.h"
#include "analyze/ptxla/meaning.h"

#include <stdbool.h>

static const struct {
	const char *name;
	bool begins; /* all names that begin so */
	const char *meaning, *advice;
} known[] = {
	{ "aten::_local_scalar_dense", false,
	    "The program took the value of a tensor: .item(), float(), bool(), print or an if on it. All "
	    "that "
	    "is pending is compiled and run first, and the host waits for it.",
	    "Take values rarely, after the step: in xm.add_step_closure(), or every 100 steps. Use "
	    "torch.where "
	    "in place of an if." },
	{ "aten::nonzero", false,
	    "The shape of the result depends on the data. It runs on the CPU, and every new shape compiles "
	    "the "
	    "graph again.",
	    "Keep shapes fixed: torch.where with three arguments, multiply by a mask, pad to a fixed size." },
	{ "aten::masked_select", false,
	    "The shape of the result depends on the data: every new shape compiles the graph again.",
	    "Keep shapes fixed: torch.where(mask, x, 0), or multiply by the mask." },
	{ "aten::_unique2", false, "The shape of the result depends on the data. It runs on the CPU.",
	    "Do it on the host before the data goes to the device, or use a fixed number of classes." },
	{ "aten::", true,
	    "torch_xla cannot lower this op. It runs on the CPU: its inputs are copied from the device, its "
	    "results back, and the graph is cut in two at this place.",
	    "Replace it by ops that are lowered, do it on the host before the step, or ask for its "
	    "lowering." },
	{ "xla::", true, "How often this op was traced into a graph for the device. That is as it should be.",
	    NULL },
	{ "CompileTime", false,
	    "Compilations of graphs by XLA. A graph that was seen before is not compiled.",
	    "After the first steps it should stay as it is. If it grows, shapes or constants of the graph "
	    "change: PT_XLA_DEBUG_LEVEL=2 says which line of the program made each graph." },
	{ "ExecuteTime", false, "Runs of graphs on the device, from their start to their end.", NULL },
	{ "ExecuteReplicatedTime", false, "Runs of graphs on several devices.", NULL },
	{ "ExecuteComputation", false, "How often a graph ran.", NULL },
	{ "TransferFromDeviceTime", false, "Transfers of tensors from the device to the host.",
	    "Each makes the host wait for the device. Look for .item(), .cpu(), print and ops that are not "
	    "lowered." },
	{ "TransferFromServerTime", false, "Transfers of tensors from the device to the host.",
	    "Each makes the host wait for the device. Look for .item(), .cpu(), print and ops that are not "
	    "lowered." },
	{ "TransferToDeviceTime", false, "Transfers of tensors from the host to the device.",
	    "Load batches ahead with MpDeviceLoader, and keep constants on the device." },
	{ "TransferToServerTime", false, "Transfers of tensors from the host to the device.",
	    "Load batches ahead with MpDeviceLoader, and keep constants on the device." },
	{ "TransferToServerTransformTime", false, "Changes of the layout of tensors before they are sent.",
	    NULL },
	{ "InboundData", false, "Bytes that came from the device.", NULL },
	{ "OutboundData", false, "Bytes that went to the device.", NULL },
	{ "DeviceLockWait", false,
	    "How long the host waited for the step before it to end on the device. Long waits are good: the "
	    "device is the one that is busy.",
	    NULL },
	{ "InputOutputAliasCount", false, "Inputs of a graph whose memory its outputs use again.", NULL },
	{ "IrValueTensorToXlaData", false, "Uploads of tensors that a graph needs.", NULL },
	{ "LazyTracing", false, "Time in which ops were recorded in the graph, on the host.",
	    "If a step spends much in it, the host is slower than the device: larger batches, or "
	    "torch_xla.compile() on the step." },
	{ "TensorsGraphSize", false, "Nodes of the graphs that were synced.",
	    "A graph that grows from step to step was never cut: call torch_xla.sync() once per step." },
	{ "TensorToData", false, "Copies of tensors into buffers for the device.", NULL },
	{ "UnwrapXlaData", false, "Work of the host around a run of a graph.", NULL },
	{ "WrapXlaData", false, "Work of the host around a run of a graph.", NULL },
	{ "ReleaseDataHandlesTime", false, "Frees of buffers on the device.", NULL },
	{ "MarkStep", false, "Steps: calls of torch_xla.sync(), which was xm.mark_step().", NULL },
	{ "CachedCompile", false, "Graphs that were not compiled because they were known.", NULL },
	{ "UncachedCompile", false, "Graphs that had to be compiled.",
	    "It should not grow after the first steps." },
	{ "PersistentCacheHit", false, "Programs that came from the cache on disk.", NULL },
	{ "PersistentCacheMiss", false, "Programs that were not in the cache on disk.",
	    "Initialize the cache in every process before the first graph, with one folder per version." },
	{ "CreateXlaTensor", false, "Tensors on the device that were made.", NULL },
	{ "DestroyXlaTensor", false, "Tensors on the device that were freed.", NULL },
	{ "DestroyLtcTensor", false, "Tensors on the device that were freed.", NULL },
	{ "CreateDataHandles", false, "Buffers on the device that were made.", NULL },
	{ "CreateCompileHandles", false, "Compiled programs that were loaded.", NULL },
	{ "DeviceDataCacheMiss", false, "Constants that had to be sent because they were not on the device.",
	    "Constants that change with each step are sent with each step." },
	{ "SyncTensorsToData", false, "Syncs of tensors with the device.", NULL },
	{ "XrtTryFreeMemory", false, "How often the device looked for memory to free.",
	    "Memory is short: a smaller batch, or fewer live tensors." },
	{ "XrtCompaction", false, "How often the memory of the device was rearranged.",
	    "Memory is short: a smaller batch, or fewer live tensors." },
	{ "XrtExecutorEvict", false, "Programs that were dropped from the device for lack of memory.",
	    "Memory is short: a smaller batch, fewer programs." },
};

static const char *const causes[][2] = {
	{ "most likely user code trying to access tensor value",
	    "The program needed the value of a tensor in the middle of a step: .item(), print, an if on a "
	    "tensor, "
	    "or an op that is not lowered. That cuts the graph; move it behind torch_xla.sync()." },
	{ "in parallel loader at step end",
	    "The loader ends the step when it hands out the next batch. That is as it should be." },
	{ "exiting a profiler StepTrace region", "A StepTrace ends the step. That is as it should be." },
	{ "dynamo is compiling", "torch.compile makes a program of a graph of FX." },
	{ "dynamo is executing", "A program that torch.compile made runs." },
	{ "dynamo processing input graphs",
	    "What was pending is run before torch.compile takes its inputs." },
	{ "clear the pending graph",
	    "Ops from before the compiled function were pending; they run as a graph of their own. Call "
	    "torch_xla.sync() before it if that is meant." },
	{ "torch_xla.compile", "A function under torch_xla.compile() ends, and its graph runs." },
	{ "user torch_xla.sync", "The program called torch_xla.sync()." },
	{ "user mark_step", "The program called xm.mark_step()." },
};

static const char *text_of(struct slice name, bool advice)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].begins ? slice_begins(name, known[i].name) : slice_is(name, known[i].name))
			return advice ? known[i].advice : known[i].meaning;
	return NULL;
}

const char *ptxla_meaning(struct slice name)
{
	return text_of(name, false);
}

const char *ptxla_advice(struct slice name)
{
	return text_of(name, true);
}

const char *ptxla_cause_meaning(struct slice cause)
{
	for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
		if (slice_find(cause, causes[i][0]))
			return causes[i][1];
	return NULL;
}
