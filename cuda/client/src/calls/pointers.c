/* Attributes of pointers. */
#include <string.h>

#include "contexts.h"
#include "gpuvm_cuda_api.h"
#include "memory.h"

/* Attributes of CUDA (CUpointer_attribute). */
enum {
    POINTER_CONTEXT = 1,
    POINTER_MEMORY_TYPE = 2,
    POINTER_DEVICE_POINTER = 3,
    POINTER_HOST_POINTER = 4,
    POINTER_SYNC_MEMOPS = 6,
    POINTER_BUFFER_ID = 7,
    POINTER_IS_MANAGED = 8,
    POINTER_DEVICE_ORDINAL = 9,
    POINTER_IS_LEGACY_IPC_CAPABLE = 10,
    POINTER_RANGE_START = 11,
    POINTER_RANGE_SIZE = 12,
    POINTER_MAPPED = 13,
    POINTER_ALLOWED_HANDLE_TYPES = 14,
    POINTER_IS_RDMA_CAPABLE = 15,
    POINTER_ACCESS_FLAGS = 16,
    POINTER_MEMPOOL = 17,
    POINTER_MAPPING_SIZE = 18,
    POINTER_MAPPING_BASE = 19,
    POINTER_MEMORY_BLOCK_ID = 20
};

/* CU_MEMORYTYPE_HOST and CU_MEMORYTYPE_DEVICE */
enum { MEMORY_HOST = 1, MEMORY_DEVICE = 2 };

/* CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE */
#define ACCESS_READ_WRITE 3

/* CU_DEVICE_INVALID: ordinal of memory that CUDA does not know */
#define NO_DEVICE ((uint32_t)-2)

enum memory_kind { UNKNOWN_MEMORY, DEVICE_MEMORY, PINNED_MEMORY, REGISTERED_MEMORY };

struct pointed {
    enum memory_kind kind;
    uint64_t address;
    struct gpuvm_range range;
};

/* Length of an attribute's value in bytes; 0 if there is no such attribute. */
static size_t length_of(CUpointer_attribute attribute)
{
    switch (attribute) {
    case POINTER_MEMORY_TYPE:
    case POINTER_SYNC_MEMOPS:
    case POINTER_IS_MANAGED:
    case POINTER_DEVICE_ORDINAL:
    case POINTER_IS_LEGACY_IPC_CAPABLE:
    case POINTER_MAPPED:
    case POINTER_IS_RDMA_CAPABLE:
    case POINTER_ACCESS_FLAGS:
        return sizeof(uint32_t);
    case POINTER_CONTEXT:
    case POINTER_DEVICE_POINTER:
    case POINTER_HOST_POINTER:
    case POINTER_BUFFER_ID:
    case POINTER_RANGE_START:
    case POINTER_RANGE_SIZE:
    case POINTER_ALLOWED_HANDLE_TYPES:
    case POINTER_MEMPOOL:
    case POINTER_MAPPING_SIZE:
    case POINTER_MAPPING_BASE:
    case POINTER_MEMORY_BLOCK_ID:
        return sizeof(uint64_t);
    default:
        return 0;
    }
}

static struct pointed find(CUdeviceptr address)
{
    struct pointed pointed = {.kind = UNKNOWN_MEMORY, .address = address};
    if (gpuvm_ranges_find(&gpuvm_device_memory, address, &pointed.range))
        pointed.kind = DEVICE_MEMORY;
    else if (gpuvm_ranges_find(&gpuvm_pinned_memory, address, &pointed.range))
        pointed.kind = PINNED_MEMORY;
    else if (gpuvm_ranges_find(&gpuvm_registered_memory, address, &pointed.range))
        pointed.kind = REGISTERED_MEMORY;
    return pointed;
}

static uint64_t context_of(const struct pointed *pointed)
{
    const struct gpuvm_context_state *state = gpuvm_context_with_handle(pointed->range.context);
    return state != NULL ? (uint64_t)(uintptr_t)gpuvm_context_address(state) : 0;
}

/* Finds an attribute's value. Returns whether memory of this kind has the attribute. */
static bool find_value(const struct pointed *pointed, CUpointer_attribute attribute, uint64_t *value)
{
    *value = 0;
    switch (attribute) {
    case POINTER_CONTEXT:
        *value = context_of(pointed);
        return true;
    case POINTER_MEMORY_TYPE:
        *value = pointed->kind == DEVICE_MEMORY ? MEMORY_DEVICE : MEMORY_HOST;
        return true;
    case POINTER_DEVICE_POINTER:
        *value = pointed->kind == REGISTERED_MEMORY ? 0 : pointed->address;
        return *value != 0;
    case POINTER_HOST_POINTER:
        *value = pointed->kind == DEVICE_MEMORY ? 0 : pointed->address;
        return *value != 0;
    case POINTER_BUFFER_ID:
    case POINTER_MEMORY_BLOCK_ID:
        *value = pointed->range.number;
        return true;
    case POINTER_DEVICE_ORDINAL:
        *value = GPUVM_DEVICE;
        return true;
    case POINTER_RANGE_START:
    case POINTER_MAPPING_BASE:
        *value = pointed->range.start;
        return true;
    case POINTER_RANGE_SIZE:
    case POINTER_MAPPING_SIZE:
        *value = pointed->range.bytes;
        return true;
    case POINTER_MAPPED:
        *value = pointed->kind != REGISTERED_MEMORY;
        return true;
    case POINTER_ACCESS_FLAGS:
        *value = ACCESS_READ_WRITE;
        return true;
    default:
        return true;
    }
}

CUresult gpuvm_local_PointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr address)
{
    size_t length = length_of(attribute);
    struct pointed pointed = find(address);
    uint64_t found;
    if (length == 0 || pointed.kind == UNKNOWN_MEMORY || !find_value(&pointed, attribute, &found))
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(value, &found, length);
    return CUDA_SUCCESS;
}

/* Attributes that the memory does not have, and those of unknown memory, are 0. */
CUresult gpuvm_local_PointerGetAttributes(unsigned int count, CUpointer_attribute *attributes, void **values, CUdeviceptr address)
{
    struct pointed pointed = find(address);
    for (unsigned int i = 0; i < count; i++) {
        if (length_of(attributes[i]) == 0 || values[i] == NULL)
            return CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned int i = 0; i < count; i++) {
        uint64_t found = attributes[i] == POINTER_DEVICE_ORDINAL ? NO_DEVICE : 0;
        if (pointed.kind != UNKNOWN_MEMORY)
            find_value(&pointed, attributes[i], &found);
        memcpy(values[i], &found, length_of(attributes[i]));
    }
    return CUDA_SUCCESS;
}
