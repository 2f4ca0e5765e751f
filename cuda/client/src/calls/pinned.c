/* Page-locked memory, which lies in the data area: the GPU has it at the same addresses, in all contexts. */
#include <stdlib.h>

#include "contexts.h"
#include "exchange.h"
#include "gpuvm_cuda_senders.h"
#include "memory.h"

/* Flags of cuMemHostRegister. */
#define REGISTER_DEVICEMAP 0x2u
#define REGISTER_IOMEMORY 0x4u

struct gpuvm_ranges gpuvm_pinned_memory = GPUVM_RANGES;
struct gpuvm_ranges gpuvm_registered_memory = GPUVM_RANGES;

static uint64_t address_of(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

CUresult gpuvm_local_MemHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
    uint64_t context;
    CUresult outcome = gpuvm_current_context(&context);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    struct gpuvm_range *range = malloc(sizeof *range);
    void *allocated = range != NULL ? gpuvm_data_allocate(bytes) : NULL;
    if (allocated == NULL) {
        free(range);
        gpuvm_explain("page-locked bytes=%zu, expected at most the free bytes of the data area", bytes);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *range = (struct gpuvm_range){.start = address_of(allocated), .bytes = bytes, .context = context, .flags = flags};
    gpuvm_ranges_add(&gpuvm_pinned_memory, range);
    *pointer = allocated;
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_MemAllocHost(void **pointer, size_t bytes)
{
    return gpuvm_local_MemHostAlloc(pointer, bytes, 0);
}

/*
 * Waits for the work of a context, because its kernels may use page-locked memory that is released next. Returns an error of an earlier call;
 * the kernels of a context that has failed do not run.
 */
static CUresult await_work(uint64_t context)
{
    if (gpuvm_context_with_handle(context) == NULL)
        return CUDA_SUCCESS;
    struct gpuvm_message message;
    struct gpuvm_wait wait;
    CUresult filled = gpuvm_fill_CtxSynchronize(&message, context);
    CUresult outcome = gpuvm_exchange(filled, &message, &wait);
    return wait.status == CUDA_SUCCESS ? outcome : CUDA_SUCCESS;
}

CUresult gpuvm_hand_MemFreeHost(void *pointer)
{
    struct gpuvm_range *removed = gpuvm_ranges_remove(&gpuvm_pinned_memory, address_of(pointer));
    if (removed == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult outcome = await_work(removed->context);
    free(removed);
    gpuvm_data_free(pointer);
    return outcome;
}

CUresult gpuvm_local_MemHostGetDevicePointer(CUdeviceptr *address, void *pointer, unsigned int flags)
{
    (void)flags;
    struct gpuvm_range found;
    if (!gpuvm_ranges_find(&gpuvm_pinned_memory, address_of(pointer), &found)) {
        gpuvm_explain("pointer=%p, expected page-locked memory that CUDA allocated", pointer);
        return CUDA_ERROR_INVALID_VALUE;
    }
    *address = address_of(pointer);
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_MemHostGetFlags(unsigned int *flags, void *pointer)
{
    struct gpuvm_range found;
    if (!gpuvm_ranges_find(&gpuvm_pinned_memory, address_of(pointer), &found) &&
        !gpuvm_ranges_find(&gpuvm_registered_memory, address_of(pointer), &found))
        return CUDA_ERROR_INVALID_VALUE;
    *flags = found.flags;
    return CUDA_SUCCESS;
}

/* Registers pages of the program, which the GPU cannot address. */
CUresult gpuvm_local_MemHostRegister(void *pointer, size_t bytes, unsigned int flags)
{
    if ((flags & (REGISTER_DEVICEMAP | REGISTER_IOMEMORY)) != 0) {
        gpuvm_explain("cuMemHostRegister flags=%#x, expected none of %#x", flags, REGISTER_DEVICEMAP | REGISTER_IOMEMORY);
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    uint64_t start = address_of(pointer);
    if (bytes > UINT64_MAX - start)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t context;
    CUresult outcome = gpuvm_current_context(&context);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    if (gpuvm_is_data_range(pointer, 1))
        return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    struct gpuvm_range *range = malloc(sizeof *range);
    if (range == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *range = (struct gpuvm_range){.start = start, .bytes = bytes, .context = context, .flags = flags};
    if (gpuvm_ranges_add(&gpuvm_registered_memory, range))
        return CUDA_SUCCESS;
    free(range);
    return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
}

CUresult gpuvm_local_MemHostUnregister(void *pointer)
{
    struct gpuvm_range *removed = gpuvm_ranges_remove(&gpuvm_registered_memory, address_of(pointer));
    if (removed == NULL)
        return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    free(removed);
    return CUDA_SUCCESS;
}

CUresult gpuvm_pinned_forget(uint64_t context)
{
    struct gpuvm_range *range = gpuvm_ranges_remove_all(&gpuvm_pinned_memory, context);
    CUresult outcome = range != NULL ? await_work(context) : CUDA_SUCCESS;
    while (range != NULL) {
        struct gpuvm_range *next = range->right;
        gpuvm_data_free((void *)(uintptr_t)range->start);
        free(range);
        range = next;
    }
    range = gpuvm_ranges_remove_all(&gpuvm_registered_memory, context);
    while (range != NULL) {
        struct gpuvm_range *next = range->right;
        free(range);
        range = next;
    }
    return outcome;
}
