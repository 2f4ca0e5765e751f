/* Macros of the CUDA samples that programs in files with kernels use. */
#ifndef HELPER_CUDA_H
#define HELPER_CUDA_H
#include <stdio.h>
#define checkCudaErrors(call) ((void)(call))
#define getLastCudaError(text) ((void)(text))
#endif
