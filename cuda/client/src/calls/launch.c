#include "launch.h"

#include <stdbool.h>
#include <string.h>

#include "gpuvm_cuda_senders.h"
#include "modules.h"
#include "streams.h"

/* Flag of a launch whose blocks all run at the same time. */
#define COOPERATIVE 1u

/* Keys of the list `extra` of cuLaunchKernel. */
#define EXTRA_END ((void *)0)
#define EXTRA_BUFFER_POINTER ((void *)1)
#define EXTRA_BUFFER_BYTES ((void *)2)

/* Attributes of a launch (CUlaunchAttributeID). */
enum {
    LAUNCH_COOPERATIVE = 2,
    LAUNCH_CLUSTER_DIMENSION = 4,
    LAUNCH_PROGRAMMATIC_EVENT = 7,
    LAUNCH_COMPLETION_EVENT = 12,
    LAUNCH_DEVICE_UPDATABLE = 13
};

struct gpuvm_launch_limits gpuvm_launch_limits;

void gpuvm_launch_open(const struct gpuvm_facts *facts)
{
    const int32_t *attribute = facts->attribute;
    gpuvm_launch_limits = (struct gpuvm_launch_limits){
        .grid =
            {(uint32_t)attribute[CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X], (uint32_t)attribute[CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y],
             (uint32_t)attribute[CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z]},
        .block =
            {(uint32_t)attribute[CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X], (uint32_t)attribute[CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y],
             (uint32_t)attribute[CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z]},
        .block_threads = (uint32_t)attribute[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK],
        .shared_bytes = (uint32_t)attribute[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK],
    };
}

static CUresult check_shape(const struct gpuvm_kernel_entry *kernel, const struct gpuvm_launch_shape *shape)
{
    for (int i = 0; i < 3; i++) {
        if (shape->grid[i] - 1 >= gpuvm_launch_limits.grid[i]) {
            gpuvm_explain("kernel=%s, blocks=%u, expected 1 to %u", kernel->name, shape->grid[i], gpuvm_launch_limits.grid[i]);
            return CUDA_ERROR_INVALID_VALUE;
        }
        if (shape->block[i] - 1 >= gpuvm_launch_limits.block[i]) {
            gpuvm_explain("kernel=%s, threads=%u, expected 1 to %u", kernel->name, shape->block[i], gpuvm_launch_limits.block[i]);
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    uint64_t threads = (uint64_t)shape->block[0] * shape->block[1] * shape->block[2];
    if (threads > gpuvm_launch_limits.block_threads) {
        gpuvm_explain("kernel=%s, threads of a block=%llu, limit=%u", kernel->name, (unsigned long long)threads,
            gpuvm_launch_limits.block_threads);
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (threads > kernel->max_threads) {
        gpuvm_explain("kernel=%s, threads of a block=%llu, limit=%u", kernel->name, (unsigned long long)threads, kernel->max_threads);
        return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    }
    uint32_t dynamic_limit = (uint32_t)atomic_load_explicit(&kernel->max_dynamic_shared_bytes, memory_order_relaxed);
    if (shape->dynamic_shared_bytes > dynamic_limit) {
        gpuvm_explain("kernel=%s, dynamic shared bytes=%u, limit=%u", kernel->name, shape->dynamic_shared_bytes, dynamic_limit);
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

/* Checks that each parameter has an address, and that the kernel's parameters are known. */
static CUresult check_pointers(const struct gpuvm_kernel_entry *kernel, void *const *pointers)
{
    if (kernel->parameter_bytes == 0 && kernel->parameter_count == 0)
        return CUDA_SUCCESS;
    if (pointers == NULL || kernel->parameter_count == 0) {
        gpuvm_explain("kernel=%s, parameters=%u, expected their addresses", kernel->name, kernel->parameter_count);
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        if (pointers[i] == NULL) {
            gpuvm_explain("kernel=%s, parameter %u=null, expected its address", kernel->name, i);
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    return CUDA_SUCCESS;
}

/* Stores the parameters' values at their places. Bytes between them are zero. */
static void pack(const struct gpuvm_kernel_entry *kernel, void *const *pointers, unsigned char *packed)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        const struct gpuvm_parameter *parameter = &kernel->parameters[i];
        if (parameter->offset > end)
            memset(packed + end, 0, parameter->offset - end);
        memcpy(packed + parameter->offset, pointers[i], parameter->bytes);
        if (parameter->offset + parameter->bytes > end)
            end = parameter->offset + parameter->bytes;
    }
    if (end < kernel->parameter_bytes)
        memset(packed + end, 0, kernel->parameter_bytes - end);
}

CUresult gpuvm_launch(
    const struct gpuvm_kernel_entry *kernel, const struct gpuvm_launch_shape *shape, uint32_t flags, CUstream stream,
    const void *parameters, void *const *pointers)
{
    CUresult outcome = check_shape(kernel, shape);
    if (outcome == CUDA_SUCCESS && parameters == NULL)
        outcome = check_pointers(kernel, pointers);
    uint64_t handle;
    uint64_t context;
    if (outcome == CUDA_SUCCESS)
        outcome = gpuvm_stream_and_context(stream, &handle, &context);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    if (context != kernel->context) {
        gpuvm_explain("kernel=%s is of another context, expected a kernel of the stream's context", kernel->name);
        return CUDA_ERROR_INVALID_HANDLE;
    }
    struct gpuvm_message message;
    outcome = gpuvm_fill_LaunchKernel(&message, kernel->module, kernel->index, flags, shape->grid[0], shape->grid[1], shape->grid[2],
        shape->block[0], shape->block[1], shape->block[2], shape->dynamic_shared_bytes, handle, parameters, kernel->parameter_bytes);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    if (parameters == NULL)
        pack(kernel, pointers, message.bytes);
    return gpuvm_submit(&message);
}

/* Finds the parameters in a list of keys and values. */
static CUresult read_extra(const struct gpuvm_kernel_entry *kernel, void *const *extra, const void **parameters)
{
    const void *buffer = NULL;
    const size_t *bytes = NULL;
    for (; extra[0] != EXTRA_END; extra += 2) {
        if (extra[0] == EXTRA_BUFFER_POINTER)
            buffer = extra[1];
        else if (extra[0] == EXTRA_BUFFER_BYTES)
            bytes = extra[1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    if (kernel->parameter_bytes == 0)
        return CUDA_SUCCESS;
    if (buffer == NULL || bytes == NULL || *bytes < kernel->parameter_bytes) {
        gpuvm_explain("kernel=%s, bytes of the parameters=%zu, expected %u", kernel->name, bytes != NULL ? *bytes : 0,
            kernel->parameter_bytes);
        return CUDA_ERROR_INVALID_VALUE;
    }
    *parameters = buffer;
    return CUDA_SUCCESS;
}

/* Launches with the program's parameters in one of two forms. */
static CUresult launch(
    CUfunction function, const struct gpuvm_launch_shape *shape, uint32_t flags, CUstream stream, void *const *pointers,
    void *const *extra)
{
    CUresult outcome = CUDA_SUCCESS;
    const struct gpuvm_kernel_entry *kernel = gpuvm_function_find(function, &outcome);
    if (kernel == NULL)
        return outcome;
    const void *parameters = NULL;
    if (extra != NULL) {
        if (pointers != NULL)
            return CUDA_ERROR_INVALID_VALUE;
        outcome = read_extra(kernel, extra, &parameters);
        if (outcome != CUDA_SUCCESS)
            return outcome;
    }
    return gpuvm_launch(kernel, shape, flags, stream, parameters, pointers);
}

CUresult gpuvm_hand_LaunchKernel(
    CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ, unsigned int blockX, unsigned int blockY,
    unsigned int blockZ, unsigned int dynamicSharedBytes, CUstream stream, void **parameterPointers, void **extra)
{
    const struct gpuvm_launch_shape shape = {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, dynamicSharedBytes};
    return launch(function, &shape, 0, stream, parameterPointers, extra);
}

CUresult gpuvm_hand_LaunchCooperativeKernel(
    CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ, unsigned int blockX, unsigned int blockY,
    unsigned int blockZ, unsigned int dynamicSharedBytes, CUstream stream, void **parameterPointers)
{
    const struct gpuvm_launch_shape shape = {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, dynamicSharedBytes};
    return launch(function, &shape, COOPERATIVE, stream, parameterPointers, NULL);
}

/* Reads the attributes of a launch that are not hints. */
static CUresult read_attributes(const CUlaunchConfig *config, uint32_t *flags)
{
    *flags = 0;
    if (config->numAttrs != 0 && config->attrs == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned int i = 0; i < config->numAttrs; i++) {
        const CUlaunchAttribute *attribute = &config->attrs[i];
        unsigned int words[3];
        memcpy(words, attribute->value, sizeof words);
        switch (attribute->id) {
        case LAUNCH_COOPERATIVE:
            if (words[0] != 0)
                *flags |= COOPERATIVE;
            break;
        case LAUNCH_CLUSTER_DIMENSION:
            if (words[0] > 1 || words[1] > 1 || words[2] > 1)
                return CUDA_ERROR_INVALID_CLUSTER_SIZE;
            break;
        case LAUNCH_PROGRAMMATIC_EVENT:
        case LAUNCH_COMPLETION_EVENT:
        case LAUNCH_DEVICE_UPDATABLE:
            return CUDA_ERROR_NOT_SUPPORTED;
        default:
            break;
        }
    }
    return CUDA_SUCCESS;
}

CUresult gpuvm_hand_LaunchKernelEx(
    const CUlaunchConfig *config, CUfunction function, void **parameterPointers, void **extra, CUstream defaultStream)
{
    uint32_t flags;
    CUresult outcome = read_attributes(config, &flags);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    const struct gpuvm_launch_shape shape = {
        {config->gridDimX, config->gridDimY, config->gridDimZ},
        {config->blockDimX, config->blockDimY, config->blockDimZ},
        config->sharedMemBytes,
    };
    return launch(function, &shape, flags, config->hStream == NULL ? defaultStream : config->hStream, parameterPointers, extra);
}
