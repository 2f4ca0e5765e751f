/* Fills of memory of the device. */
#include "driver.h"
#include "gpuvm_runtime_api.h"

/* The program does not wait for a fill, as with CUDA, also without the word Async. */
cudaError_t gpuvm_runtime_MemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream)
{
    return bytes == 0 ? cudaSuccess : DRIVER(cuMemsetD8Async, ADDRESS(pointer), (unsigned char)value, bytes, stream);
}

cudaError_t gpuvm_runtime_Memset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
    if (width == 0 || height == 0)
        return cudaSuccess;
    return DRIVER(cuMemsetD2D8Async, ADDRESS(pointer), pitch, (unsigned char)value, width, height, stream);
}

/* Slices without rows between them are filled at once. */
cudaError_t gpuvm_runtime_Memset3DAsync(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent, cudaStream_t stream)
{
    if (extent.depth > 1 && extent.height > pitched.ysize)
        return cudaErrorInvalidValue;
    if (extent.depth <= 1 || extent.height == pitched.ysize)
        return gpuvm_runtime_Memset2DAsync(pitched.ptr, pitched.pitch, value, extent.width, extent.height * extent.depth, stream);
    cudaError_t outcome = cudaSuccess;
    for (size_t i = 0; i < extent.depth && outcome == cudaSuccess; i++) {
        unsigned char *slice = (unsigned char *)pitched.ptr + i * pitched.pitch * pitched.ysize;
        outcome = gpuvm_runtime_Memset2DAsync(slice, pitched.pitch, value, extent.width, extent.height, stream);
    }
    return outcome;
}

cudaError_t gpuvm_runtime_Memset(void *pointer, int value, size_t bytes, cudaStream_t defaultStream)
{
    return gpuvm_runtime_MemsetAsync(pointer, value, bytes, defaultStream);
}

cudaError_t gpuvm_runtime_Memset2D(void *pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t defaultStream)
{
    return gpuvm_runtime_Memset2DAsync(pointer, pitch, value, width, height, defaultStream);
}

cudaError_t gpuvm_runtime_Memset3D(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent, cudaStream_t defaultStream)
{
    return gpuvm_runtime_Memset3DAsync(pitched, value, extent, defaultStream);
}
