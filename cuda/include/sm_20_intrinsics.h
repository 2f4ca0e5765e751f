/* Intrinsic functions of sm_20: cuda_runtime.h declares them. */
#ifndef GPUVM_SM_20_INTRINSICS_H
#define GPUVM_SM_20_INTRINSICS_H
#include "cuda_runtime.h"
#endif
