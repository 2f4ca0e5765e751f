/* Streams, events, and functions of the program that run in a stream's order. */
#include <stdlib.h>

#include "driver.h"
#include "errors.h"
#include "gpuvm_runtime_api.h"

/* Priority of a stream that is created without one. */
#define DEFAULT_PRIORITY 0

cudaError_t gpuvm_runtime_StreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    CUstream created;
    if ((flags & ~(unsigned int)cudaStreamNonBlocking) != 0)
        return cudaErrorInvalidValue;
    cudaError_t outcome = DRIVER(cuStreamCreateWithPriority, &created, flags, priority);
    if (outcome == cudaSuccess)
        *stream = (cudaStream_t)created;
    return outcome;
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
    return DRIVER(cuStreamDestroy_v2, STREAM(stream));
}

cudaError_t gpuvm_runtime_StreamSynchronize(cudaStream_t stream)
{
    return DRIVER(cuStreamSynchronize, STREAM(stream));
}

cudaError_t gpuvm_runtime_StreamQuery(cudaStream_t stream)
{
    return DRIVER(cuStreamQuery, STREAM(stream));
}

cudaError_t gpuvm_runtime_StreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    return DRIVER(cuStreamWaitEvent, STREAM(stream), EVENT(event), flags);
}

cudaError_t gpuvm_runtime_StreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    return DRIVER(cuStreamGetFlags, STREAM(stream), flags);
}

cudaError_t gpuvm_runtime_StreamGetPriority(cudaStream_t stream, int *priority)
{
    return DRIVER(cuStreamGetPriority, STREAM(stream), priority);
}

cudaError_t gpuvm_runtime_StreamGetId(cudaStream_t stream, unsigned long long *number)
{
    return DRIVER(cuStreamGetId, STREAM(stream), number);
}

cudaError_t gpuvm_runtime_StreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    CUstreamCaptureStatus found = 0;
    cudaError_t outcome = DRIVER(cuStreamIsCapturing, STREAM(stream), &found);
    *status = (enum cudaStreamCaptureStatus)found;
    return outcome;
}

cudaError_t gpuvm_runtime_ThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    CUstreamCaptureMode exchanged = *mode;
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
    callback.function((cudaStream_t)stream, gpuvm_error_number(gpuvm_error_of(status)), callback.user_data);
}

cudaError_t gpuvm_runtime_StreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData, unsigned int flags)
{
    if (flags != 0)
        return cudaErrorInvalidValue;
    struct callback *added = malloc(sizeof *added);
    if (added == NULL)
        return cudaErrorMemoryAllocation;
    *added = (struct callback){callback, userData};
    cudaError_t outcome = DRIVER(cuStreamAddCallback, STREAM(stream), run_callback, added, flags);
    if (outcome != cudaSuccess)
        free(added);
    return outcome;
}

cudaError_t gpuvm_runtime_LaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *userData)
{
    return DRIVER(cuLaunchHostFunc, STREAM(stream), function, userData);
}

cudaError_t gpuvm_runtime_EventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    CUevent created;
    cudaError_t outcome = DRIVER(cuEventCreate, &created, flags);
    if (outcome == cudaSuccess)
        *event = (cudaEvent_t)created;
    return outcome;
}

cudaError_t gpuvm_runtime_EventCreate(cudaEvent_t *event)
{
    return gpuvm_runtime_EventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t gpuvm_runtime_EventDestroy(cudaEvent_t event)
{
    return DRIVER(cuEventDestroy_v2, EVENT(event));
}

cudaError_t gpuvm_runtime_EventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return DRIVER(cuEventRecord, EVENT(event), STREAM(stream));
}

cudaError_t gpuvm_runtime_EventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    return DRIVER(cuEventRecordWithFlags, EVENT(event), STREAM(stream), flags);
}

cudaError_t gpuvm_runtime_EventSynchronize(cudaEvent_t event)
{
    return DRIVER(cuEventSynchronize, EVENT(event));
}

cudaError_t gpuvm_runtime_EventQuery(cudaEvent_t event)
{
    return DRIVER(cuEventQuery, EVENT(event));
}

cudaError_t gpuvm_runtime_EventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    return DRIVER(cuEventElapsedTime, milliseconds, EVENT(start), EVENT(end));
}
