/* Functions of doubles: cuda_runtime.h declares them. */
#ifndef GPUVM_MATH_FUNCTIONS_DBL_PTX3_H
#define GPUVM_MATH_FUNCTIONS_DBL_PTX3_H
#include "cuda_runtime.h"
#endif
