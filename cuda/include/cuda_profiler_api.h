/* Control of the profiler: cuda_runtime_api.h declares it. */
#ifndef GPUVM_CUDA_PROFILER_API_H
#define GPUVM_CUDA_PROFILER_API_H
#include "cuda_runtime_api.h"
#endif
