/* Allocations on the GPU. */
#include "memory.h"

#include <stdlib.h>

#include "exchange.h"
#include "gpuvm_cuda_senders.h"
#include "streams.h"

/* Rows of pitched memory start at multiples of the texture alignment of sm_20. */
#define PITCH_UNIT ((size_t)512)

struct gpuvm_ranges gpuvm_device_memory = GPUVM_RANGES;

/* Makes memory known that the backend has allocated. */
static CUresult add(struct gpuvm_range *range, uint64_t context, uint64_t address, size_t bytes)
{
    *range = (struct gpuvm_range){.start = address, .bytes = bytes, .context = context};
    if (gpuvm_is_device_range(address, bytes) && gpuvm_ranges_add(&gpuvm_device_memory, range))
        return CUDA_SUCCESS;
    gpuvm_explain("allocation at address=%#llx, bytes=%zu, expected free addresses of the session", (unsigned long long)address, bytes);
    return CUDA_ERROR_UNKNOWN;
}

static CUresult allocate(uint64_t context, size_t bytes, CUdeviceptr *address)
{
    struct gpuvm_range *range = malloc(sizeof *range);
    if (range == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct gpuvm_message message;
    struct gpuvm_wait wait;
    CUresult filled = gpuvm_fill_MemAlloc(&message, context, bytes);
    CUresult outcome = gpuvm_exchange(filled, &message, &wait);
    if (wait.status != CUDA_SUCCESS) {
        free(range);
        return outcome;
    }
    uint64_t start = wait.results[0];
    if (outcome == CUDA_SUCCESS)
        outcome = add(range, context, start, bytes);
    if (outcome != CUDA_SUCCESS) {
        free(range);
        gpuvm_send_MemFree(start);
        return outcome;
    }
    *address = start;
    return CUDA_SUCCESS;
}

CUresult gpuvm_hand_MemAlloc(CUdeviceptr *address, size_t bytes)
{
    uint64_t context;
    CUresult outcome = gpuvm_current_context(&context);
    return outcome == CUDA_SUCCESS ? allocate(context, bytes, address) : outcome;
}

CUresult gpuvm_hand_MemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned int elementBytes)
{
    if (elementBytes != 4 && elementBytes != 8 && elementBytes != 16)
        return CUDA_ERROR_INVALID_VALUE;
    size_t row;
    size_t bytes;
    if (__builtin_add_overflow(width, PITCH_UNIT - 1, &row))
        return CUDA_ERROR_INVALID_VALUE;
    row -= row % PITCH_UNIT;
    if (__builtin_mul_overflow(row, height, &bytes))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult outcome = gpuvm_hand_MemAlloc(address, bytes);
    if (outcome == CUDA_SUCCESS)
        *pitch = row;
    return outcome;
}

/* The memory is allocated at once: streams need not wait for it. */
CUresult gpuvm_hand_MemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream)
{
    uint64_t handle;
    uint64_t context;
    CUresult outcome = gpuvm_stream_and_context(stream, &handle, &context);
    return outcome == CUDA_SUCCESS ? allocate(context, bytes, address) : outcome;
}

/* Forgets the allocation that starts at an address. */
static CUresult forget(CUdeviceptr address)
{
    struct gpuvm_range found;
    if (!gpuvm_ranges_find(&gpuvm_device_memory, address, &found) || found.start != address || found.is_variable)
        return CUDA_ERROR_INVALID_VALUE;
    struct gpuvm_range *removed = gpuvm_ranges_remove(&gpuvm_device_memory, address);
    free(removed);
    return removed != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult gpuvm_hand_MemFree(CUdeviceptr address)
{
    CUresult outcome = forget(address);
    return outcome == CUDA_SUCCESS ? gpuvm_send_MemFree(address) : outcome;
}

CUresult gpuvm_hand_MemFreeAsync(CUdeviceptr address, CUstream stream)
{
    uint64_t handle;
    CUresult outcome = gpuvm_wire_stream(stream, &handle);
    if (outcome == CUDA_SUCCESS)
        outcome = forget(address);
    return outcome == CUDA_SUCCESS ? gpuvm_send_MemFreeAsync(address, handle) : outcome;
}

CUresult gpuvm_local_MemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr address)
{
    struct gpuvm_range found;
    if (!gpuvm_ranges_find(&gpuvm_device_memory, address, &found) &&
        !gpuvm_ranges_find(&gpuvm_pinned_memory, address, &found))
        return CUDA_ERROR_NOT_FOUND;
    if (base != NULL)
        *base = found.start;
    if (bytes != NULL)
        *bytes = found.bytes;
    return CUDA_SUCCESS;
}

bool gpuvm_is_gpu_range(uint64_t address, uint64_t bytes, bool is_async)
{
    const void *pointer = (const void *)(uintptr_t)address;
    if (gpuvm_is_data_range(pointer, 1))
        return is_async ? gpuvm_is_data_range(pointer, bytes) : gpuvm_ranges_contain(&gpuvm_pinned_memory, address, bytes);
    return is_async ? gpuvm_is_device_range(address, bytes) : gpuvm_ranges_contain(&gpuvm_device_memory, address, bytes);
}

CUresult gpuvm_memory_forget(uint64_t context)
{
    struct gpuvm_range *range = gpuvm_ranges_remove_all(&gpuvm_device_memory, context);
    while (range != NULL) {
        struct gpuvm_range *next = range->right;
        free(range);
        range = next;
    }
    return gpuvm_pinned_forget(context);
}
