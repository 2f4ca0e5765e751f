/* Launches of kernels. */
#ifndef GPUVM_LAUNCH_H
#define GPUVM_LAUNCH_H

#include "content.h"
#include "session.h"

/* Limits of the device. */
struct gpuvm_launch_limits {
    uint32_t grid[3];  /* blocks of each dimension */
    uint32_t block[3]; /* threads of each dimension */
    uint32_t block_threads;
    uint32_t shared_bytes; /* of a block */
};

/* Constant after initialization. */
extern struct gpuvm_launch_limits gpuvm_launch_limits;

void gpuvm_launch_open(const struct gpuvm_facts *facts);

struct gpuvm_launch_shape {
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t dynamic_shared_bytes;
};

/*
 * Launches a kernel. With null parameters, the program has stored the parameters' addresses in `pointers`; otherwise the parameters are
 * as the kernel expects them, of the kernel's length.
 */
CUresult gpuvm_launch(
    const struct gpuvm_kernel_entry *kernel, const struct gpuvm_launch_shape *shape, uint32_t flags, CUstream stream,
    const void *parameters, void *const *pointers);

#endif
