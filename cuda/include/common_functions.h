/* Functions of the C library for the device: cuda_runtime.h declares them. */
#ifndef GPUVM_COMMON_FUNCTIONS_H
#define GPUVM_COMMON_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
