/* Functions that gpuvm does not support. Their source does not know their prototypes, because it ignores the parameters. */
#ifndef GPUVM_REFUSALS_H
#define GPUVM_REFUSALS_H

#include "driver_types.h"

#ifndef GPUVM_EXPORT
#define GPUVM_EXPORT __attribute__((visibility("default")))
#endif

/* Answer of a function that gpuvm does not support. */
cudaError_t gpuvm_runtime_refuse(const char *name);

#endif
