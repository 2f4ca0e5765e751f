/* Launches: with the addresses of parameters, and with parameters that were pushed one by one before. */
#include <stdatomic.h>
#include <string.h>

#include "devices.h"
#include "gpuvm_runtime_api.h"
#include "images.h"

GPUVM_EXPORT unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes, struct CUstream_st *stream);
GPUVM_EXPORT cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *sharedBytes, void *stream);

enum {
    MAX_NESTED = 64,          /* launches in the arguments of launches */
    MAX_PARAMETER_BYTES = 4096 /* of devices before compute capability 7.0 */
};

struct shape {
    dim3 grid;
    dim3 block;
    size_t shared_bytes;
    cudaStream_t stream;
};

/* Launches of a thread that have a configuration but have not happened, and parameters of the next one. */
static _Thread_local struct {
    struct shape shapes[MAX_NESTED];
    unsigned int count;
    size_t parameter_bytes;
    _Alignas(16) unsigned char parameters[MAX_PARAMETER_BYTES];
} pending;

static cudaError_t push(const struct shape *shape)
{
    if (pending.count == MAX_NESTED)
        return cudaErrorMemoryAllocation;
    pending.shapes[pending.count++] = *shape;
    pending.parameter_bytes = 0;
    return cudaSuccess;
}

static cudaError_t pop(struct shape *shape)
{
    if (pending.count == 0)
        return cudaErrorMissingConfiguration;
    *shape = pending.shapes[--pending.count];
    return cudaSuccess;
}

/* Returns whether a length is outside the range from 1 to an attribute's value. */
static int is_outside(unsigned int length, CUdevice_attribute limit)
{
    return length == 0 || length > (unsigned int)gpuvm_device_attribute(limit);
}

/* The driver answers an invalid value for a shape outside the device's limits, as for other errors. */
static cudaError_t explain_invalid_value(const struct shape *shape)
{
    uint64_t threads = (uint64_t)shape->block.x * shape->block.y * shape->block.z;
    int is_invalid = is_outside(shape->grid.x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X) ||
        is_outside(shape->grid.y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y) || is_outside(shape->grid.z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z) ||
        is_outside(shape->block.x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X) ||
        is_outside(shape->block.y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y) ||
        is_outside(shape->block.z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z) ||
        threads > (uint64_t)gpuvm_device_attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    return is_invalid ? cudaErrorInvalidConfiguration : cudaErrorInvalidValue;
}

static cudaError_t launch(const void *host, const struct shape *shape, void **parameters, void **extra)
{
    CUfunction function;
    cudaError_t outcome = gpuvm_kernel_of(host, &function);
    if (outcome != cudaSuccess)
        return outcome;
    if (shape->shared_bytes > UINT32_MAX)
        return cudaErrorInvalidValue;
    const dim3 *grid = &shape->grid;
    const dim3 *block = &shape->block;
    outcome = DRIVER(cuLaunchKernel, function, grid->x, grid->y, grid->z, block->x, block->y, block->z, (unsigned int)shape->shared_bytes,
        shape->stream, parameters, extra);
    return outcome == cudaErrorInvalidValue ? explain_invalid_value(shape) : outcome;
}

cudaError_t gpuvm_runtime_LaunchKernel(
    const void *function, dim3 grid, dim3 block, void **parameters, size_t sharedBytes, cudaStream_t stream)
{
    const struct shape shape = {grid, block, sharedBytes, stream};
    return launch(function, &shape, parameters, NULL);
}

cudaError_t gpuvm_runtime_LaunchCooperativeKernel(
    const void *function, dim3 grid, dim3 block, void **parameters, size_t sharedBytes, cudaStream_t stream)
{
    const struct shape shape = {grid, block, sharedBytes, stream};
    CUfunction kernel;
    cudaError_t outcome = gpuvm_kernel_of(function, &kernel);
    if (outcome != cudaSuccess)
        return outcome;
    if (sharedBytes > UINT32_MAX)
        return cudaErrorInvalidValue;
    outcome = DRIVER(cuLaunchCooperativeKernel, kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, (unsigned int)sharedBytes,
        stream, parameters);
    return outcome == cudaErrorInvalidValue ? explain_invalid_value(&shape) : outcome;
}

_Static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute), "the driver's attributes have the same layout");

cudaError_t gpuvm_runtime_LaunchKernelExC(
    const cudaLaunchConfig_t *config, const void *function, void **parameters, cudaStream_t defaultStream)
{
    const struct shape shape = {
        config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream != NULL ? config->stream : defaultStream};
    CUfunction kernel;
    cudaError_t outcome = gpuvm_kernel_of(function, &kernel);
    if (outcome != cudaSuccess)
        return outcome;
    if (shape.shared_bytes > UINT32_MAX)
        return cudaErrorInvalidValue;
    CUlaunchConfig launched = {
        .gridDimX = shape.grid.x,
        .gridDimY = shape.grid.y,
        .gridDimZ = shape.grid.z,
        .blockDimX = shape.block.x,
        .blockDimY = shape.block.y,
        .blockDimZ = shape.block.z,
        .sharedMemBytes = (unsigned int)shape.shared_bytes,
        .hStream = shape.stream,
        .attrs = (CUlaunchAttribute *)(void *)config->attrs,
        .numAttrs = config->numAttrs,
    };
    outcome = DRIVER(cuLaunchKernelEx, &launched, kernel, parameters, NULL);
    return outcome == cudaErrorInvalidValue ? explain_invalid_value(&shape) : outcome;
}

/* A value other than 0 makes the program's code skip the launch; the error is the thread's last one. */
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes, struct CUstream_st *stream)
{
    const struct shape shape = {grid, block, sharedBytes, stream};
    return gpuvm_runtime_leave(push(&shape));
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *sharedBytes, void *stream)
{
    struct shape shape;
    cudaError_t outcome = pop(&shape);
    if (outcome == cudaSuccess) {
        *grid = shape.grid;
        *block = shape.block;
        *sharedBytes = shape.shared_bytes;
        *(cudaStream_t *)stream = shape.stream;
    }
    return gpuvm_runtime_leave(outcome);
}

cudaError_t gpuvm_runtime_ConfigureCall(dim3 grid, dim3 block, size_t sharedBytes, cudaStream_t stream)
{
    const struct shape shape = {grid, block, sharedBytes, stream};
    return push(&shape);
}

cudaError_t gpuvm_runtime_SetupArgument(const void *argument, size_t bytes, size_t offset)
{
    if (pending.count == 0)
        return cudaErrorMissingConfiguration;
    if (offset > MAX_PARAMETER_BYTES || bytes > MAX_PARAMETER_BYTES - offset)
        return cudaErrorInvalidValue;
    memcpy(pending.parameters + offset, argument, bytes);
    if (offset + bytes > pending.parameter_bytes)
        pending.parameter_bytes = offset + bytes;
    return cudaSuccess;
}

cudaError_t gpuvm_runtime_Launch(const void *function, cudaStream_t defaultStream)
{
    struct shape shape;
    cudaError_t outcome = pop(&shape);
    if (outcome != cudaSuccess)
        return outcome;
    if (shape.stream == NULL)
        shape.stream = defaultStream;
    size_t bytes = pending.parameter_bytes;
    pending.parameter_bytes = 0;
    outcome = gpuvm_runtime_enter_context();
    if (outcome != cudaSuccess)
        return outcome;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, pending.parameters, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    return launch(function, &shape, NULL, extra);
}
