/* Tests of streams, events and host functions. */
#define _GNU_SOURCE

#include <stdatomic.h>

#include "api.h"

static void streams_have_properties(void)
{
    CUcontext context = open_context();
    CUcontext owner;
    CUstream stream;
    CUstream other;
    unsigned int flags;
    int priority = 9;
    unsigned long long number;
    unsigned long long number_of_other;
    unsigned int captures;
    CHECK_SUCCESS(cuStreamCreate(&stream, 0));
    CHECK_SUCCESS(cuStreamCreateWithPriority(&other, 1, -5));
    CHECK(stream != other);
    CHECK_SUCCESS(cuStreamGetFlags(stream, &flags));
    CHECK_EQUAL(0, flags);
    CHECK_SUCCESS(cuStreamGetFlags(other, &flags));
    CHECK_EQUAL(1, flags);
    CHECK_SUCCESS(cuStreamGetFlags(NULL, &flags));
    CHECK_EQUAL(0, flags);
    CHECK_SUCCESS(cuStreamGetPriority(other, &priority));
    CHECK_EQUAL(0, priority);
    CHECK_SUCCESS(cuStreamGetId(stream, &number));
    CHECK_SUCCESS(cuStreamGetId(other, &number_of_other));
    CHECK(number != number_of_other);
    CHECK_SUCCESS(cuStreamGetId(NULL, &number));
    CHECK_SUCCESS(cuStreamGetId(CU_STREAM_LEGACY, &number_of_other));
    CHECK_EQUAL(number, number_of_other);
    CHECK_SUCCESS(cuStreamGetId(CU_STREAM_PER_THREAD, &number_of_other));
    CHECK(number != number_of_other);
    CHECK_SUCCESS(cuStreamGetId_ptsz(NULL, &number));
    CHECK_EQUAL(number, number_of_other);
    CHECK_SUCCESS(cuStreamGetCtx(stream, &owner));
    CHECK(owner == context);
    CHECK_SUCCESS(cuStreamGetCtx(NULL, &owner));
    CHECK(owner == context);
    CHECK_SUCCESS(cuStreamIsCapturing(stream, &captures));
    CHECK_EQUAL(0, captures);
    CHECK_STATUS(INVALID_VALUE, cuStreamCreate(&stream, 2));
    CHECK_STATUS(INVALID_VALUE, cuStreamCreate(NULL, 0));
    CHECK_STATUS(INVALID_VALUE, cuStreamGetFlags(other, NULL));
    CHECK_SUCCESS(cuStreamDestroy_v2(stream));
    CHECK_SUCCESS(cuStreamDestroy(other));
    close_context(context);
    CHECK_STATUS(INVALID_CONTEXT, cuStreamCreate(&stream, 0));
    CHECK_STATUS(INVALID_CONTEXT, cuStreamSynchronize(NULL));
    CHECK_STATUS(INVALID_CONTEXT, cuStreamSynchronize_ptsz(NULL));
}

static void stale_streams_are_invalid(void)
{
    CUcontext context = open_context();
    CUstream streams[20];
    CUstream again;
    CUevent event;
    unsigned int flags;
    for (int i = 0; i < 20; i++)
        CHECK_SUCCESS(cuStreamCreate(&streams[i], 0));
    for (int i = 0; i < 20; i++) {
        CHECK_SUCCESS(cuStreamDestroy_v2(streams[i]));
        CHECK_STATUS(INVALID_HANDLE, cuStreamDestroy_v2(streams[i]));
        CHECK_STATUS(INVALID_HANDLE, cuStreamSynchronize(streams[i]));
        CHECK_SUCCESS(cuStreamCreate(&again, 0));
        CHECK_STATUS(INVALID_HANDLE, cuStreamQuery(streams[i]));
        CHECK_STATUS(INVALID_HANDLE, cuStreamGetFlags(streams[i], &flags));
        CHECK_SUCCESS(cuStreamSynchronize(again));
        CHECK_SUCCESS(cuStreamDestroy_v2(again));
    }
    CHECK_STATUS(INVALID_HANDLE, cuStreamDestroy_v2(NULL));
    CHECK_STATUS(INVALID_HANDLE, cuStreamDestroy_v2(CU_STREAM_LEGACY));
    CHECK_STATUS(INVALID_HANDLE, cuStreamDestroy_v2(CU_STREAM_PER_THREAD));
    CHECK_STATUS(INVALID_HANDLE, cuStreamDestroy_v2((CUstream)&context));
    CHECK_STATUS(INVALID_HANDLE, cuStreamSynchronize((CUstream)(uintptr_t)0x123456789));
    CHECK_SUCCESS(cuEventCreate(&event, 0));
    CHECK_STATUS(INVALID_HANDLE, cuStreamSynchronize((CUstream)event));
    CHECK_STATUS(INVALID_HANDLE, cuEventSynchronize((CUevent)again));
    CHECK_SUCCESS(cuEventDestroy_v2(event));
    close_context(context);
}

static void objects_end_with_context(void)
{
    CUcontext context = open_context();
    CUcontext other;
    CUstream stream;
    CUevent event;
    CHECK_SUCCESS(cuCtxCreate_v2(&other, 0, 0));
    CHECK_SUCCESS(cuStreamCreate(&stream, 0));
    CHECK_SUCCESS(cuEventCreate(&event, 0));
    CHECK_SUCCESS(cuStreamSynchronize_ptsz(NULL));
    CHECK_SUCCESS(cuCtxDestroy_v2(other));
    CHECK_STATUS(INVALID_HANDLE, cuStreamSynchronize(stream));
    CHECK_STATUS(INVALID_HANDLE, cuStreamDestroy_v2(stream));
    CHECK_STATUS(INVALID_HANDLE, cuEventQuery(event));
    CHECK_STATUS(INVALID_HANDLE, cuEventDestroy_v2(event));
    CHECK_SUCCESS(cuStreamCreate(&stream, 0));
    CHECK_SUCCESS(cuEventCreate(&event, 2));
    CHECK_SUCCESS(cuEventRecord(event, stream));
    CHECK_SUCCESS(cuEventSynchronize(event));
    close_context(context);
}

static void events_are_recorded(void)
{
    CUcontext context = open_context();
    CUstream stream;
    CUevent first;
    CUevent last;
    CUevent untimed;
    CUdeviceptr device;
    float ms = -1;
    CHECK_SUCCESS(cuStreamCreate(&stream, 0));
    CHECK_SUCCESS(cuMemAlloc_v2(&device, 1 << 20));
    CHECK_SUCCESS(cuEventCreate(&first, 0));
    CHECK_SUCCESS(cuEventCreate(&last, 1));
    CHECK_SUCCESS(cuEventCreate(&untimed, 2));
    CHECK_STATUS(INVALID_VALUE, cuEventCreate(&untimed, 8));
    CHECK_STATUS(INVALID_VALUE, cuEventCreate(&untimed, 4));
    CHECK_STATUS(INVALID_VALUE, cuEventCreate(NULL, 0));
    CHECK_SUCCESS(cuEventQuery(first));
    CHECK_SUCCESS(cuEventSynchronize(first));
    CHECK_SUCCESS(cuEventRecord(first, stream));
    CHECK_SUCCESS(cuMemsetD8Async(device, 1, 1 << 20, stream));
    CHECK_SUCCESS(cuEventRecordWithFlags(last, stream, 0));
    CHECK_SUCCESS(cuEventRecord(untimed, stream));
    CHECK_SUCCESS(cuStreamWaitEvent(NULL, untimed, 0));
    CHECK_STATUS(INVALID_VALUE, cuStreamWaitEvent(NULL, untimed, 2));
    CHECK_SUCCESS(cuEventSynchronize(last));
    CHECK_SUCCESS(cuEventQuery(last));
    CHECK_SUCCESS(cuStreamSynchronize(stream));
    CHECK_SUCCESS(cuStreamQuery(stream));
    CHECK_SUCCESS(cuEventElapsedTime(&ms, first, last));
    CHECK(ms > 0); /* the fill is between the events */
    float negative = 0;
    CHECK_SUCCESS(cuEventElapsedTime(&negative, last, first));
    CHECK(is_real ? negative == -ms : negative > 0);
    if (is_real) {
        CUevent fresh;
        CHECK_STATUS(INVALID_HANDLE, cuEventElapsedTime(&ms, first, untimed));
        CHECK_SUCCESS(cuEventCreate(&fresh, 0));
        CHECK_STATUS(INVALID_HANDLE, cuEventElapsedTime(&ms, first, fresh));
    }
    CHECK_STATUS(INVALID_VALUE, cuEventElapsedTime(NULL, first, last));
    CHECK_STATUS(INVALID_HANDLE, cuEventRecord(NULL, stream));
    CHECK_SUCCESS(cuEventDestroy_v2(first));
    CHECK_STATUS(INVALID_HANDLE, cuEventDestroy_v2(first));
    CHECK_STATUS(INVALID_HANDLE, cuEventRecord(first, stream));
    CHECK_STATUS(INVALID_HANDLE, cuStreamWaitEvent(stream, first, 0));
    CHECK_SUCCESS(cuEventDestroy(last));
    CHECK_SUCCESS(cuEventRecord_ptsz(untimed, NULL));
    CHECK_SUCCESS(cuEventSynchronize(untimed));
    CHECK_SUCCESS(cuEventDestroy_v2(untimed));
    close_context(context);
}

/* Observations of host functions, in their order. */
static _Atomic int observed;
static int order[16];
static CUstream stream_of_callback;
static CUresult status_of_callback = CUDA_ERROR_UNKNOWN;
static CUresult status_in_function = CUDA_SUCCESS;

static void observe(void *data)
{
    order[observed] = *(int *)data;
    CUdeviceptr address;
    status_in_function = cuMemAlloc_v2(&address, 4096);
    atomic_fetch_add(&observed, 1);
}

static void observe_callback(CUstream stream, CUresult status, void *data)
{
    stream_of_callback = stream;
    status_of_callback = status;
    observe(data);
}

static void host_functions_run_in_order(void)
{
    static int numbers[] = {10, 11, 12, 13, 14};
    CUcontext context = open_context();
    CUstream stream;
    unsigned char *pinned;
    CUdeviceptr device;
    CHECK_SUCCESS(cuStreamCreate(&stream, 0));
    CHECK_SUCCESS(cuMemAllocHost_v2((void **)&pinned, 4096));
    CHECK_SUCCESS(cuMemAlloc_v2(&device, 4096));
    CHECK_SUCCESS(cuMemsetD8Async(device, 5, 4096, stream));
    CHECK_SUCCESS(cuLaunchHostFunc(stream, observe, &numbers[0]));
    CHECK_SUCCESS(cuStreamAddCallback(stream, observe_callback, &numbers[1], 0));
    CHECK_SUCCESS(cuMemcpyDtoHAsync_v2(pinned, device, 4096, stream));
    CHECK_SUCCESS(cuLaunchHostFunc(stream, observe, &numbers[2]));
    CHECK_SUCCESS(cuStreamSynchronize(stream));
    CHECK_EQUAL(3, observed);
    for (int i = 0; i < 3; i++)
        CHECK_EQUAL(numbers[i], order[i]);
    CHECK(stream_of_callback == stream);
    CHECK_SUCCESS(status_of_callback);
    CHECK_STATUS(NOT_PERMITTED, status_in_function);
    CHECK_EQUAL(5, pinned[4095]);
    CHECK_SUCCESS(cuStreamAddCallback(NULL, observe_callback, &numbers[3], 0));
    CHECK_SUCCESS(cuCtxSynchronize());
    CHECK_EQUAL(4, observed);
    CHECK(stream_of_callback == NULL);
    CHECK_SUCCESS(cuLaunchHostFunc_ptsz(NULL, observe, &numbers[4]));
    CHECK_SUCCESS(cuStreamSynchronize_ptsz(NULL));
    CHECK_EQUAL(5, observed);
    CHECK_STATUS(INVALID_VALUE, cuLaunchHostFunc(stream, NULL, NULL));
    CHECK_STATUS(INVALID_VALUE, cuStreamAddCallback(stream, observe_callback, NULL, 1));
    CHECK_SUCCESS(cuStreamDestroy_v2(stream));
    CHECK_STATUS(INVALID_HANDLE, cuLaunchHostFunc(stream, observe, &numbers[0]));
    CHECK_SUCCESS(cuMemFreeHost(pinned));
    close_context(context);
}

static CUcontext context_of_threads;
static unsigned long long numbers_of_threads[2];

static void *use_own_stream(void *data)
{
    unsigned long long *number = data;
    CHECK_SUCCESS(cuCtxSetCurrent(context_of_threads));
    CHECK_SUCCESS(cuStreamGetId(CU_STREAM_PER_THREAD, number));
    CHECK_SUCCESS(cuStreamSynchronize(CU_STREAM_PER_THREAD));
    return NULL;
}

static void threads_have_default_streams(void)
{
    unsigned long long number;
    unsigned long long again;
    CUcontext other;
    context_of_threads = open_context();
    run_in_thread(use_own_stream, &numbers_of_threads[0]);
    run_in_thread(use_own_stream, &numbers_of_threads[1]);
    CHECK(numbers_of_threads[0] != numbers_of_threads[1]);
    CHECK_SUCCESS(cuStreamGetId(CU_STREAM_PER_THREAD, &number));
    CHECK(number != numbers_of_threads[0] && number != numbers_of_threads[1]);
    CHECK_SUCCESS(cuCtxCreate_v2(&other, 0, 0));
    CHECK_SUCCESS(cuStreamGetId(CU_STREAM_PER_THREAD, &again));
    CHECK(number != again);
    CHECK_SUCCESS(cuCtxPopCurrent_v2(NULL));
    CHECK_SUCCESS(cuStreamGetId(CU_STREAM_PER_THREAD, &again));
    CHECK_EQUAL(number, again);
    /* More threads than streams, one after the other. */
    for (int i = 0; i < 100; i++)
        run_in_thread(use_own_stream, &again);
    CHECK_SUCCESS(cuCtxDestroy_v2(other));
    close_context(context_of_threads);
}

static void threads_have_capture_modes(void)
{
    CUcontext context = open_context();
    unsigned int mode = 2;
    CHECK_SUCCESS(cuThreadExchangeStreamCaptureMode(&mode));
    CHECK_EQUAL(0, mode);
    CHECK_SUCCESS(cuThreadExchangeStreamCaptureMode(&mode));
    CHECK_EQUAL(2, mode);
    mode = 3;
    CHECK_STATUS(INVALID_VALUE, cuThreadExchangeStreamCaptureMode(&mode));
    close_context(context);
}

static const struct test_case cases[] = {
    CASE(streams_have_properties),
    CASE(stale_streams_are_invalid),
    CASE(objects_end_with_context),
    CASE(events_are_recorded),
    CASE(host_functions_run_in_order),
    CASE(threads_have_default_streams),
    CASE(threads_have_capture_modes),
};

int main(int count, char **arguments)
{
    return run_case(count, arguments, cases, sizeof cases / sizeof cases[0]);
}
