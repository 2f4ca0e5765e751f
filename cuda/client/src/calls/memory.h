/* Memory that programs allocate: of the GPU, and page-locked memory of the processor. */
#ifndef GPUVM_MEMORY_H
#define GPUVM_MEMORY_H

#include "gpuvm_cuda_types.h"
#include "ranges.h"

/* Memory of the GPU, by its address: allocations, and variables of modules. */
extern struct gpuvm_ranges gpuvm_device_memory;

/* Page-locked memory, which lies in the data area. */
extern struct gpuvm_ranges gpuvm_pinned_memory;

/* Memory that the program has registered. It is not in the data area, so that copies stage it. */
extern struct gpuvm_ranges gpuvm_registered_memory;

/*
 * Returns whether a copy or a fill may use a range as memory of the GPU: addresses of allocations on the GPU, or of page-locked memory. Only
 * calls that are not asynchronous look for the allocation.
 */
bool gpuvm_is_gpu_range(uint64_t address, uint64_t bytes, bool is_async);

/*
 * Releases or forgets all memory of a context that ends. Waits for the context's work if there is page-locked memory. Returns an error of an
 * earlier call that the wait brought.
 */
CUresult gpuvm_memory_forget(uint64_t context);

/* As gpuvm_memory_forget, for page-locked and registered memory. */
CUresult gpuvm_pinned_forget(uint64_t context);


#endif
