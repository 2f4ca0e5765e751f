/* Variables threadIdx, blockIdx, blockDim, gridDim and warpSize: cuda_runtime.h declares them. */
#ifndef GPUVM_DEVICE_LAUNCH_PARAMETERS_H
#define GPUVM_DEVICE_LAUNCH_PARAMETERS_H
#include "cuda_runtime.h"
#endif
