/* Copies between the program and the device. */
#ifndef GPUVM_COPIES_H
#define GPUVM_COPIES_H

#include "driver.h"

/* Copies, and waits as CUDA does: until the program may use both ranges. The stream is a default stream. */
cudaError_t gpuvm_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream);

/* Copies in the order of a stream. */
cudaError_t gpuvm_copy_async(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream);

#endif
