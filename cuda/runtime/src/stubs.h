/*
 * Interface between the generated stubs and the library. A stub prepares the call, calls the part by hand (gpuvm_runtime_NAME), and returns
 * what gpuvm_runtime_leave answers.
 */
#ifndef GPUVM_STUBS_H
#define GPUVM_STUBS_H

#include "cuda_runtime_api.h"
#include "refusals.h"

/* The libraries also have the name without version, for structures of CUDA 11 and earlier. */
#undef cudaGetDeviceProperties

/* Opens the driver library, if that has not happened. */
cudaError_t gpuvm_runtime_enter_driver(void);

/* As gpuvm_runtime_enter_driver, and makes a context current in the calling thread, if it has none. */
cudaError_t gpuvm_runtime_enter_context(void);

/* Records an error as the thread's last one. Returns its number in the library's version of CUDA. */
cudaError_t gpuvm_runtime_leave(cudaError_t outcome);

#endif
