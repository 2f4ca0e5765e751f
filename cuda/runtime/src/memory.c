/* Memory of the device, and page-locked memory of the host. */
#include <stdbool.h>
#include <string.h>

#include "driver.h"
#include "gpuvm_runtime_api.h"
#include "level.h"

/* Greatest element that kernels access at once; rows of pitched memory are aligned for all elements up to this size. */
#define PITCH_ELEMENT_BYTES 16

/* Structure before CUDA 10.0; CUDA 11.0 replaced it. */
struct old_pointer_attributes {
    enum cudaMemoryType memory_type;
    int device;
    void *device_pointer;
    void *host_pointer;
    int is_managed;
};

static void *pointer_of(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

/* Memory of no bytes is a null pointer. */
cudaError_t gpuvm_runtime_Malloc(void **pointer, size_t bytes)
{
    CUdeviceptr address = 0;
    cudaError_t outcome = bytes == 0 ? cudaSuccess : DRIVER(cuMemAlloc_v2, &address, bytes);
    if (outcome == cudaSuccess)
        *pointer = pointer_of(address);
    return outcome;
}

cudaError_t gpuvm_runtime_MallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    CUdeviceptr address = 0;
    size_t found = 0;
    cudaError_t outcome = cudaSuccess;
    if (width != 0 && height != 0)
        outcome = DRIVER(cuMemAllocPitch_v2, &address, &found, width, height, PITCH_ELEMENT_BYTES);
    if (outcome == cudaSuccess) {
        *pointer = pointer_of(address);
        *pitch = found;
    }
    return outcome;
}

cudaError_t gpuvm_runtime_Malloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent)
{
    void *pointer;
    size_t pitch;
    size_t rows;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
        return cudaErrorInvalidValue;
    cudaError_t outcome = gpuvm_runtime_MallocPitch(&pointer, &pitch, extent.width, rows);
    if (outcome == cudaSuccess)
        *pitched = (struct cudaPitchedPtr){pointer, pitch, extent.width, extent.height};
    return outcome;
}

cudaError_t gpuvm_runtime_MallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
    CUdeviceptr address = 0;
    cudaError_t outcome = bytes == 0 ? cudaSuccess : DRIVER(cuMemAllocAsync, &address, bytes, stream);
    if (outcome == cudaSuccess)
        *pointer = pointer_of(address);
    return outcome;
}

/* Error for a pointer that is not the start of an allocation. */
static cudaError_t error_of_free(cudaError_t outcome)
{
    return outcome == cudaErrorInvalidValue && gpuvm_level < LEVEL_NEW_ERRORS ? cudaErrorInvalidDevicePointer : outcome;
}

cudaError_t gpuvm_runtime_Free(void *pointer)
{
    return pointer == NULL ? cudaSuccess : error_of_free(DRIVER(cuMemFree_v2, ADDRESS(pointer)));
}

cudaError_t gpuvm_runtime_FreeAsync(void *pointer, cudaStream_t stream)
{
    return pointer == NULL ? cudaSuccess : error_of_free(DRIVER(cuMemFreeAsync, ADDRESS(pointer), stream));
}

cudaError_t gpuvm_runtime_HostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
    void *allocated = NULL;
    cudaError_t outcome = bytes == 0 ? cudaSuccess : DRIVER(cuMemHostAlloc, &allocated, bytes, flags);
    if (outcome == cudaSuccess)
        *pointer = allocated;
    return outcome;
}

cudaError_t gpuvm_runtime_MallocHost(void **pointer, size_t bytes)
{
    return gpuvm_runtime_HostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t gpuvm_runtime_FreeHost(void *pointer)
{
    if (pointer == NULL)
        return cudaSuccess;
    cudaError_t outcome = DRIVER(cuMemFreeHost, pointer);
    return outcome == cudaErrorInvalidValue && gpuvm_level < LEVEL_NEW_ERRORS ? cudaErrorInvalidHostPointer : outcome;
}

cudaError_t gpuvm_runtime_HostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    CUdeviceptr address;
    cudaError_t outcome = DRIVER(cuMemHostGetDevicePointer_v2, &address, host, flags);
    if (outcome == cudaSuccess)
        *device = pointer_of(address);
    return outcome;
}

cudaError_t gpuvm_runtime_HostGetFlags(unsigned int *flags, void *host)
{
    return DRIVER(cuMemHostGetFlags, flags, host);
}

cudaError_t gpuvm_runtime_HostRegister(void *host, size_t bytes, unsigned int flags)
{
    if (host == NULL || bytes == 0)
        return cudaErrorInvalidValue;
    return DRIVER(cuMemHostRegister_v2, host, bytes, flags);
}

cudaError_t gpuvm_runtime_HostUnregister(void *host)
{
    return host == NULL ? cudaErrorInvalidValue : DRIVER(cuMemHostUnregister, host);
}

cudaError_t gpuvm_runtime_MemGetInfo(size_t *freeBytes, size_t *totalBytes)
{
    size_t free_found;
    size_t total_found;
    cudaError_t outcome = DRIVER(cuMemGetInfo_v2, &free_found, &total_found);
    if (outcome == cudaSuccess && freeBytes != NULL)
        *freeBytes = free_found;
    if (outcome == cudaSuccess && totalBytes != NULL)
        *totalBytes = total_found;
    return outcome;
}

/* Before CUDA 11.0, memory that CUDA does not know is an error. */
cudaError_t gpuvm_runtime_PointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    unsigned int type = cudaMemoryTypeUnregistered;
    unsigned int is_managed = 0;
    int device = cudaInvalidDeviceId;
    CUdeviceptr device_address = 0;
    void *host = NULL;
    CUpointer_attribute wanted[] = {
        CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, CU_POINTER_ATTRIBUTE_HOST_POINTER,
        CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    void *places[] = {&type, &device_address, &host, &is_managed, &device};
    cudaError_t outcome = DRIVER(cuPointerGetAttributes, sizeof wanted / sizeof wanted[0], wanted, places, ADDRESS(pointer));
    if (outcome != cudaSuccess)
        return outcome;
    if (gpuvm_level >= LEVEL_MEMORY_TYPES) {
        bool is_known = type != cudaMemoryTypeUnregistered;
        *attributes = (struct cudaPointerAttributes){
            .type = is_managed != 0 ? cudaMemoryTypeManaged : (enum cudaMemoryType)type,
            .device = device,
            .devicePointer = pointer_of(device_address),
            .hostPointer = is_known ? host : (void *)(uintptr_t)pointer,
        };
        return cudaSuccess;
    }
    if (type == cudaMemoryTypeUnregistered)
        return cudaErrorInvalidValue;
    const struct old_pointer_attributes found = {
        (enum cudaMemoryType)type, device, pointer_of(device_address), host, (int)is_managed};
    memcpy(attributes, &found, sizeof found);
    return cudaSuccess;
}
