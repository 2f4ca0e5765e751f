/* Atomic operations of sm_12: cuda_runtime.h declares them. */
#ifndef GPUVM_SM_12_ATOMIC_FUNCTIONS_H
#define GPUVM_SM_12_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
