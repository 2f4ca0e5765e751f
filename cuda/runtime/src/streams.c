/* Streams, events, and functions of the program that run in a stream's order. */
#include <stdlib.h>

#include "driver.h"
#include "errors.h"
#include "gpuvm_runtime_api.h"

/* Priority of a stream that is created without one. */
#define DEFAULT_PRIORITY 0

cudaError_t gpuvm_runtime_StreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    if ((flags & ~(unsigned int)cudaStreamNonBlocking) != 0)
        return cudaErrorInvalidValue;
    return DRIVER(cuStreamCreateWithPriority, stream, flags, priority);
}

cudaError_t gpuvm_runtime_StreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return gpuvm_runtime_StreamCreateWithPriority(stream, flags, DEFAULT_PRIORITY);
}

cudaError_t gpuvm_runtime_StreamCreate(cudaStream_t *stream)
{
    return gpuvm_runtime_StreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t gpuvm_runtime_StreamDestroy(cudaStream_t stream)
{
    if (stream == NULL || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
        return cudaErrorInvalidResourceHandle;
    return DRIVER(cuStreamDestroy_v2, stream);
}

cudaError_t gpuvm_runtime_StreamSynchronize(cudaStream_t stream)
{
    return DRIVER(cuStreamSynchronize, stream);
}

cudaError_t gpuvm_runtime_StreamQuery(cudaStream_t stream)
{
    return DRIVER(cuStreamQuery, stream);
}

cudaError_t gpuvm_runtime_StreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    return DRIVER(cuStreamWaitEvent, stream, event, flags);
}

cudaError_t gpuvm_runtime_StreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    return DRIVER(cuStreamGetFlags, stream, flags);
}

cudaError_t gpuvm_runtime_StreamGetPriority(cudaStream_t stream, int *priority)
{
    return DRIVER(cuStreamGetPriority, stream, priority);
}

cudaError_t gpuvm_runtime_StreamGetId(cudaStream_t stream, unsigned long long *number)
{
    return DRIVER(cuStreamGetId, stream, number);
}

cudaError_t gpuvm_runtime_StreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    CUstreamCaptureStatus found = CU_STREAM_CAPTURE_STATUS_NONE;
    cudaError_t outcome = DRIVER(cuStreamIsCapturing, stream, &found);
    *status = (enum cudaStreamCaptureStatus)found;
    return outcome;
}

cudaError_t gpuvm_runtime_ThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    CUstreamCaptureMode exchanged = (CUstreamCaptureMode)*mode;
    cudaError_t outcome = DRIVER(cuThreadExchangeStreamCaptureMode, &exchanged);
    *mode = (enum cudaStreamCaptureMode)exchanged;
    return outcome;
}

/* Callback of the program, which gets errors with the library's numbers. */
struct callback {
    cudaStreamCallback_t function;
    void *user_data;
};

static void run_callback(CUstream stream, CUresult status, void *data)
{
    struct callback callback = *(struct callback *)data;
    free(data);
    callback.function(stream, gpuvm_error_number(gpuvm_error_of(status)), callback.user_data);
}

cudaError_t gpuvm_runtime_StreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData, unsigned int flags)
{
    if (flags != 0)
        return cudaErrorInvalidValue;
    struct callback *added = malloc(sizeof *added);
    if (added == NULL)
        return cudaErrorMemoryAllocation;
    *added = (struct callback){callback, userData};
    cudaError_t outcome = DRIVER(cuStreamAddCallback, stream, run_callback, added, flags);
    if (outcome != cudaSuccess)
        free(added);
    return outcome;
}

cudaError_t gpuvm_runtime_LaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *userData)
{
    return DRIVER(cuLaunchHostFunc, stream, function, userData);
}

cudaError_t gpuvm_runtime_EventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    return DRIVER(cuEventCreate, event, flags);
}

cudaError_t gpuvm_runtime_EventCreate(cudaEvent_t *event)
{
    return gpuvm_runtime_EventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t gpuvm_runtime_EventDestroy(cudaEvent_t event)
{
    return DRIVER(cuEventDestroy_v2, event);
}

cudaError_t gpuvm_runtime_EventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return DRIVER(cuEventRecord, event, stream);
}

cudaError_t gpuvm_runtime_EventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    return DRIVER(cuEventRecordWithFlags, event, stream, flags);
}

cudaError_t gpuvm_runtime_EventSynchronize(cudaEvent_t event)
{
    return DRIVER(cuEventSynchronize, event);
}

cudaError_t gpuvm_runtime_EventQuery(cudaEvent_t event)
{
    return DRIVER(cuEventQuery, event);
}

cudaError_t gpuvm_runtime_EventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    return DRIVER(cuEventElapsedTime, milliseconds, start, end);
}
