/* Atomic operations of sm_20: cuda_runtime.h declares them. */
#ifndef GPUVM_SM_20_ATOMIC_FUNCTIONS_H
#define GPUVM_SM_20_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
