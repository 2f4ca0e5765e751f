/* Functions of mathematics for host and device: cuda_runtime.h declares them. */
#ifndef GPUVM_MATH_FUNCTIONS_H
#define GPUVM_MATH_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
