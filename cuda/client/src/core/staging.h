/* Pieces of the data area for bytes that travel; see session.h. */
#ifndef GPUVM_STAGING_H
#define GPUVM_STAGING_H

#include <stdbool.h>

#include "gpuvm_cuda_types.h"

CUresult gpuvm_staging_open(void);

/* Returns pieces that no call uses to the allocator of the data area. Returns whether there were any. */
bool gpuvm_staging_shrink(void);

#endif
