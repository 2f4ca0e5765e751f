#define _GNU_SOURCE

#include "errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "level.h"

static _Thread_local cudaError_t last_error;

static const struct gpuvm_error *find(int number, int is_old)
{
    for (size_t i = 0; i < gpuvm_error_count; i++) {
        if ((is_old ? gpuvm_errors[i].old_value : gpuvm_errors[i].value) == number)
            return &gpuvm_errors[i];
    }
    return NULL;
}

cudaError_t gpuvm_error_number(cudaError_t error)
{
    if (gpuvm_level >= LEVEL_NEW_ERRORS || error == cudaSuccess)
        return error;
    const struct gpuvm_error *found = find(error, 0);
    if (found == NULL || found->old_value < 0)
        found = find(cudaErrorUnknown, 0);
    return (cudaError_t)found->old_value;
}

cudaError_t gpuvm_runtime_leave(cudaError_t outcome)
{
    if (outcome != cudaSuccess)
        last_error = outcome;
    return gpuvm_error_number(outcome);
}

cudaError_t gpuvm_runtime_refuse(const char *name)
{
    const char *debug = secure_getenv("GPUVM_CUDA_DEBUG");
    if (debug != NULL && debug[0] != '\0' && strcmp(debug, "0") != 0)
        dprintf(STDERR_FILENO, "libcudart (gpuvm), process %d: %s is not supported\n", (int)getpid(), name);
    return gpuvm_runtime_leave(cudaErrorNotSupported);
}

/* The error of a call stays until the program takes it; a context that has failed makes the next calls fail again. */
GPUVM_EXPORT cudaError_t cudaGetLastError(void)
{
    cudaError_t taken = last_error;
    last_error = cudaSuccess;
    return gpuvm_error_number(taken);
}

GPUVM_EXPORT cudaError_t cudaPeekAtLastError(void)
{
    return gpuvm_error_number(last_error);
}

GPUVM_EXPORT const char *cudaGetErrorName(cudaError_t error)
{
    const struct gpuvm_error *found = find(error, gpuvm_level < LEVEL_NEW_ERRORS);
    return found != NULL ? found->name : "unrecognized error code";
}

GPUVM_EXPORT const char *cudaGetErrorString(cudaError_t error)
{
    const struct gpuvm_error *found = find(error, gpuvm_level < LEVEL_NEW_ERRORS);
    return found != NULL ? found->text : "unrecognized error code";
}
