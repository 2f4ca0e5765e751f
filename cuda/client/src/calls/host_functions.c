/* Functions of the program that run in the order of a stream, on the library's own thread. */
#include <stdlib.h>

#include "gpuvm_cuda_api.h"
#include "session.h"

struct pending {
    CUhostFn function;         /* of cuLaunchHostFunc; does not run after an error */
    CUstreamCallback callback; /* of cuStreamAddCallback; null for a function */
    CUstream stream;
    void *user_data;
};

static void run(void *data, CUresult status)
{
    struct pending pending = *(struct pending *)data;
    free(data);
    if (pending.callback != NULL)
        pending.callback(pending.stream, status, pending.user_data);
    else if (status == CUDA_SUCCESS)
        pending.function(pending.user_data);
}

static CUresult add(const struct pending *added)
{
    uint64_t handle;
    CUresult outcome = gpuvm_wire_stream(added->stream, &handle);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    struct pending *pending = malloc(sizeof *pending);
    if (pending == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *pending = *added;
    /* The program's name of the stub's default stream. */
    if (pending->stream == CU_STREAM_LEGACY)
        pending->stream = NULL;
    outcome = gpuvm_launch_host_function(handle, run, pending);
    if (outcome != CUDA_SUCCESS)
        free(pending);
    return outcome;
}

CUresult gpuvm_hand_LaunchHostFunc(CUstream stream, CUhostFn function, void *userData)
{
    return add(&(struct pending){.function = function, .stream = stream, .user_data = userData});
}

CUresult gpuvm_hand_StreamAddCallback(CUstream stream, CUstreamCallback callback, void *userData, unsigned int flags)
{
    (void)flags;
    return add(&(struct pending){.callback = callback, .stream = stream, .user_data = userData});
}
