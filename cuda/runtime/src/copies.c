#include "copies.h"

#include "gpuvm_runtime_api.h"

/* The driver's function for a default stream. */
#define ON_DEFAULT(stream, name, ...) \
    ((stream) == cudaStreamPerThread ? DRIVER(name##_ptds, __VA_ARGS__) : DRIVER(name, __VA_ARGS__))

cudaError_t gpuvm_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    if (bytes == 0)
        return cudaSuccess;
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return ON_DEFAULT(stream, cuMemcpyHtoD_v2, ADDRESS(to), from, bytes);
    case cudaMemcpyDeviceToHost:
        return ON_DEFAULT(stream, cuMemcpyDtoH_v2, to, ADDRESS(from), bytes);
    case cudaMemcpyDeviceToDevice:
        return ON_DEFAULT(stream, cuMemcpyDtoD_v2, ADDRESS(to), ADDRESS(from), bytes);
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault:
        return ON_DEFAULT(stream, cuMemcpy, ADDRESS(to), ADDRESS(from), bytes);
    default:
        return cudaErrorInvalidMemcpyDirection;
    }
}

cudaError_t gpuvm_copy_async(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    if (bytes == 0)
        return cudaSuccess;
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return DRIVER(cuMemcpyHtoDAsync_v2, ADDRESS(to), from, bytes, stream);
    case cudaMemcpyDeviceToHost:
        return DRIVER(cuMemcpyDtoHAsync_v2, to, ADDRESS(from), bytes, stream);
    case cudaMemcpyDeviceToDevice:
        return DRIVER(cuMemcpyDtoDAsync_v2, ADDRESS(to), ADDRESS(from), bytes, stream);
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault:
        return DRIVER(cuMemcpyAsync, ADDRESS(to), ADDRESS(from), bytes, stream);
    default:
        return cudaErrorInvalidMemcpyDirection;
    }
}

cudaError_t gpuvm_runtime_Memcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t defaultStream)
{
    return gpuvm_copy(to, from, bytes, kind, defaultStream);
}

cudaError_t gpuvm_runtime_MemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return gpuvm_copy_async(to, from, bytes, kind, stream);
}

/* Copies in two or three dimensions. */

/* Kinds of memory that a direction names. */
static cudaError_t memory_types(enum cudaMemcpyKind kind, CUmemorytype *from, CUmemorytype *to)
{
    *from = kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    *to = kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    if (kind == cudaMemcpyDefault)
        *from = *to = CU_MEMORYTYPE_UNIFIED;
    return (unsigned int)kind <= cudaMemcpyDefault ? cudaSuccess : cudaErrorInvalidMemcpyDirection;
}

/* The box starts at a position inside memory with a pitch and a height. */
static cudaError_t describe(
    CUDA_MEMCPY3D *box, struct cudaPitchedPtr to, struct cudaPos toPosition, struct cudaPitchedPtr from, struct cudaPos fromPosition,
    struct cudaExtent extent, enum cudaMemcpyKind kind)
{
    *box = (CUDA_MEMCPY3D){
        .srcXInBytes = fromPosition.x,
        .srcY = fromPosition.y,
        .srcZ = fromPosition.z,
        .srcHost = from.ptr,
        .srcDevice = ADDRESS(from.ptr),
        .srcPitch = from.pitch,
        .srcHeight = from.ysize,
        .dstXInBytes = toPosition.x,
        .dstY = toPosition.y,
        .dstZ = toPosition.z,
        .dstHost = to.ptr,
        .dstDevice = ADDRESS(to.ptr),
        .dstPitch = to.pitch,
        .dstHeight = to.ysize,
        .WidthInBytes = extent.width,
        .Height = extent.height,
        .Depth = extent.depth,
    };
    return memory_types(kind, &box->srcMemoryType, &box->dstMemoryType);
}

static int is_empty(struct cudaExtent extent)
{
    return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

static cudaError_t describe_rows(
    CUDA_MEMCPY3D *box, void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
    enum cudaMemcpyKind kind)
{
    if (width > toPitch || width > fromPitch)
        return cudaErrorInvalidPitchValue;
    const struct cudaPos start = {0, 0, 0};
    const struct cudaPitchedPtr target = {to, toPitch, width, height};
    const struct cudaPitchedPtr source = {(void *)(uintptr_t)from, fromPitch, width, height};
    return describe(box, target, start, source, start, (struct cudaExtent){width, height, 1}, kind);
}

cudaError_t gpuvm_runtime_Memcpy2D(
    void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, enum cudaMemcpyKind kind,
    cudaStream_t defaultStream)
{
    CUDA_MEMCPY3D box;
    cudaError_t outcome = describe_rows(&box, to, toPitch, from, fromPitch, width, height, kind);
    if (outcome != cudaSuccess || width == 0 || height == 0)
        return outcome;
    return ON_DEFAULT(defaultStream, cuMemcpy3D_v2, &box);
}

cudaError_t gpuvm_runtime_Memcpy2DAsync(
    void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, enum cudaMemcpyKind kind,
    cudaStream_t stream)
{
    CUDA_MEMCPY3D box;
    cudaError_t outcome = describe_rows(&box, to, toPitch, from, fromPitch, width, height, kind);
    if (outcome != cudaSuccess || width == 0 || height == 0)
        return outcome;
    return DRIVER(cuMemcpy3DAsync_v2, &box, stream);
}

static cudaError_t describe_copy(CUDA_MEMCPY3D *box, const struct cudaMemcpy3DParms *copy)
{
    if (copy->srcArray != NULL || copy->dstArray != NULL)
        return cudaErrorNotSupported;
    return describe(box, copy->dstPtr, copy->dstPos, copy->srcPtr, copy->srcPos, copy->extent, copy->kind);
}

cudaError_t gpuvm_runtime_Memcpy3D(const struct cudaMemcpy3DParms *copy, cudaStream_t defaultStream)
{
    CUDA_MEMCPY3D box;
    cudaError_t outcome = describe_copy(&box, copy);
    return outcome != cudaSuccess || is_empty(copy->extent) ? outcome : ON_DEFAULT(defaultStream, cuMemcpy3D_v2, &box);
}

cudaError_t gpuvm_runtime_Memcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream)
{
    CUDA_MEMCPY3D box;
    cudaError_t outcome = describe_copy(&box, copy);
    return outcome != cudaSuccess || is_empty(copy->extent) ? outcome : DRIVER(cuMemcpy3DAsync_v2, &box, stream);
}
