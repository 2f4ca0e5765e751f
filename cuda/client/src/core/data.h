/* Allocator of the data area; see session.h. */
#ifndef GPUVM_DATA_H
#define GPUVM_DATA_H

#include <stddef.h>

#include "gpuvm_cuda_types.h"

/* Prepares the allocator for the session's data area, which is mapped. */
CUresult gpuvm_data_open(void);

/* Releases the allocator's own memory. */
void gpuvm_data_close(void);

/* As gpuvm_data_allocate, but does not wait. */
void *gpuvm_data_try(size_t bytes);

#endif
