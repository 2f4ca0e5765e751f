/* Launches as in CUDA 3: the function retains shape and parameters. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "gpuvm_cuda_api.h"
#include "launch.h"
#include "modules.h"

struct gpuvm_classic_launch {
    struct gpuvm_launch_shape shape;
    uint32_t parameter_bytes;
    unsigned char parameters[GPUVM_MAX_PARAMETER_BYTES];
};

/* Creation of the state of functions. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* State of a function, which is created at its first use. Null without memory. */
static struct gpuvm_classic_launch *state_of(struct gpuvm_kernel_entry *kernel)
{
    pthread_mutex_lock(&lock);
    struct gpuvm_classic_launch *state = atomic_load(&kernel->classic);
    if (state == NULL) {
        state = calloc(1, sizeof *state);
        if (state != NULL)
            state->shape = (struct gpuvm_launch_shape){{1, 1, 1}, {1, 1, 1}, 0};
        atomic_store(&kernel->classic, state);
    }
    pthread_mutex_unlock(&lock);
    return state;
}

static CUresult find(CUfunction function, struct gpuvm_kernel_entry **kernel, struct gpuvm_classic_launch **state)
{
    CUresult outcome = CUDA_SUCCESS;
    *kernel = gpuvm_function_find(function, &outcome);
    if (*kernel == NULL)
        return outcome;
    *state = state_of(*kernel);
    return *state != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult gpuvm_local_FuncSetBlockShape(CUfunction function, int x, int y, int z)
{
    struct gpuvm_kernel_entry *kernel;
    struct gpuvm_classic_launch *state;
    CUresult outcome = find(function, &kernel, &state);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    state->shape.block[0] = (uint32_t)x;
    state->shape.block[1] = (uint32_t)y;
    state->shape.block[2] = (uint32_t)z;
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_FuncSetSharedSize(CUfunction function, unsigned int bytes)
{
    struct gpuvm_kernel_entry *kernel;
    struct gpuvm_classic_launch *state;
    CUresult outcome = find(function, &kernel, &state);
    if (outcome == CUDA_SUCCESS)
        state->shape.dynamic_shared_bytes = bytes;
    return outcome;
}

CUresult gpuvm_local_ParamSetSize(CUfunction function, unsigned int bytes)
{
    struct gpuvm_kernel_entry *kernel;
    struct gpuvm_classic_launch *state;
    CUresult outcome = find(function, &kernel, &state);
    if (outcome == CUDA_SUCCESS)
        state->parameter_bytes = bytes;
    return outcome;
}

static CUresult set(CUfunction function, int offset, const void *value, size_t bytes)
{
    struct gpuvm_kernel_entry *kernel;
    struct gpuvm_classic_launch *state;
    CUresult outcome = find(function, &kernel, &state);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    if ((size_t)offset + bytes > sizeof state->parameters)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(state->parameters + offset, value, bytes);
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_ParamSeti(CUfunction function, int offset, unsigned int value)
{
    return set(function, offset, &value, sizeof value);
}

CUresult gpuvm_local_ParamSetf(CUfunction function, int offset, float value)
{
    return set(function, offset, &value, sizeof value);
}

CUresult gpuvm_local_ParamSetv(CUfunction function, int offset, void *pointer, unsigned int bytes)
{
    return set(function, offset, pointer, bytes);
}

CUresult gpuvm_hand_LaunchGridAsync(CUfunction function, int gridX, int gridY, CUstream stream)
{
    struct gpuvm_kernel_entry *kernel;
    struct gpuvm_classic_launch *state;
    CUresult outcome = find(function, &kernel, &state);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    if (state->parameter_bytes < kernel->parameter_bytes) {
        gpuvm_explain("kernel=%s, bytes of the parameters=%u, expected %u", kernel->name, state->parameter_bytes,
            kernel->parameter_bytes);
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct gpuvm_launch_shape shape = state->shape;
    shape.grid[0] = (uint32_t)gridX;
    shape.grid[1] = (uint32_t)gridY;
    return gpuvm_launch(kernel, &shape, 0, stream, state->parameters, NULL);
}

CUresult gpuvm_hand_LaunchGrid(CUfunction function, int gridX, int gridY)
{
    return gpuvm_hand_LaunchGridAsync(function, gridX, gridY, CU_STREAM_LEGACY);
}

CUresult gpuvm_hand_Launch(CUfunction function)
{
    return gpuvm_hand_LaunchGrid(function, 1, 1);
}
