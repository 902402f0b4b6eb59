/* What kind of device an input is about, so that advice and the reasons why something is not known fit it: the
 * device planes of a capture say it, threads of XLA's client for CPUs, or the names of the compiler's dumps.  An
 * input that does not say it is taken for one of a TPU.  The dump is only read.  Any thread. */
#ifndef ANALYZE_DEVICE_TARGET_H
#define ANALYZE_DEVICE_TARGET_H

#include "model/dump.h"

enum target { TARGET_TPU, TARGET_GPU, TARGET_CPU };

/* d NULL: TARGET_TPU */
enum target target_of(const struct dump *d);
bool target_ran_on_cpu(const struct dump *); /* as threads say */
/* Kernels of a GPU and what PyTorch calls its events, in JSON: what knows the names of XLA finds none. */
bool target_is_pytorch(const struct dump *);
/* Returns the words that paragraphs of advice may ask for with "<word>" (result/rules.h): "gpu pytorch". */
const char *target_words(const struct dump *);

#endif
