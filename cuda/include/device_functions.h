/* Functions of CUDA C for the device: cuda_runtime.h declares them. */
#ifndef GPUVM_DEVICE_FUNCTIONS_H
#define GPUVM_DEVICE_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
