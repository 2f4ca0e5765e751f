/* Intrinsic functions of sm_30: cuda_runtime.h declares them. */
#ifndef GPUVM_SM_30_INTRINSICS_H
#define GPUVM_SM_30_INTRINSICS_H
#include "cuda_runtime.h"
#endif
