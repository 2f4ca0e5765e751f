/* Tests of the functions with the suffixes _ptsz and _ptds, whose default stream is the calling thread's own. */
#define _GNU_SOURCE

#include "api.h"
#include "model.h"

enum { BYTES = 64 };

static CUdeviceptr device;
static CUdeviceptr other;
static void *pinned;
static CUevent event;
static CUfunction function;
static uint64_t legacy;
static uint64_t own;

static void ignore(void *data)
{
    (void)data;
}

static void ignore_callback(CUstream stream, CUresult status, void *data)
{
    (void)stream;
    (void)status;
    (void)data;
}

static CUcontext prepare(void)
{
    CUmodule module;
    size_t bytes;
    CUcontext context = open_context();
    CHECK_SUCCESS(cuModuleLoadData(&module, api_image(&bytes)));
    CHECK_SUCCESS(cuModuleGetFunction(&function, module, "spin"));
    CHECK_SUCCESS(cuMemAlloc_v2(&device, BYTES));
    CHECK_SUCCESS(cuMemAlloc_v2(&other, BYTES));
    CHECK_SUCCESS(cuMemAllocHost_v2(&pinned, BYTES));
    CHECK_SUCCESS(cuEventCreate(&event, 0));
    CHECK_SUCCESS(cuStreamSynchronize(CU_STREAM_LEGACY));
    legacy = model.stream;
    CHECK_SUCCESS(cuStreamSynchronize(CU_STREAM_PER_THREAD));
    own = model.stream;
    CHECK(legacy != own);
    return context;
}

/* Calls a function, and its twin, and checks the stream that each of them uses. */
#define CHECK_TWINS(name, suffix, ...) \
    do { \
        model.stream = 0; \
        CHECK_SUCCESS(name(__VA_ARGS__)); \
        CHECK_EQUAL(legacy, model.stream); \
        model.stream = 0; \
        CHECK_SUCCESS(name##suffix(__VA_ARGS__)); \
        CHECK_EQUAL(own, model.stream); \
    } while (0)

static void givenFills_whenTwinsAreCalled_thenTheyUseStreamOfThread(void)
{
    CUcontext context = prepare();
    CHECK_TWINS(cuMemsetD8_v2, _ptds, device, 1, 4);
    CHECK_TWINS(cuMemsetD8Async, _ptsz, device, 1, 4, NULL);
    CHECK_TWINS(cuMemsetD16_v2, _ptds, device, 1, 4);
    CHECK_TWINS(cuMemsetD16Async, _ptsz, device, 1, 4, NULL);
    CHECK_TWINS(cuMemsetD32_v2, _ptds, device, 1, 4);
    CHECK_TWINS(cuMemsetD32Async, _ptsz, device, 1, 4, NULL);
    CHECK_TWINS(cuMemsetD2D8_v2, _ptds, device, 8, 1, 4, 2);
    CHECK_TWINS(cuMemsetD2D8Async, _ptsz, device, 8, 1, 4, 2, NULL);
    CHECK_TWINS(cuMemsetD2D16_v2, _ptds, device, 8, 1, 2, 2);
    CHECK_TWINS(cuMemsetD2D16Async, _ptsz, device, 8, 1, 2, 2, NULL);
    CHECK_TWINS(cuMemsetD2D32_v2, _ptds, device, 8, 1, 2, 2);
    CHECK_TWINS(cuMemsetD2D32Async, _ptsz, device, 8, 1, 2, 2, NULL);
    close_context(context);
}

static void givenCopies_whenTwinsAreCalled_thenTheyUseStreamOfThread(void)
{
    CUcontext context = prepare();
    char bytes[BYTES];
    const CUDA_MEMCPY2D rectangle = {
        .srcMemoryType = 2, .srcDevice = device, .srcPitch = 8, .dstMemoryType = 2, .dstDevice = other, .dstPitch = 16, .WidthInBytes = 8, .Height = 2};
    const CUDA_MEMCPY3D box = {
        .srcMemoryType = 2, .srcDevice = device, .srcPitch = 8, .dstMemoryType = 2, .dstDevice = other, .dstPitch = 16, .WidthInBytes = 8, .Height = 2, .Depth = 1};
    CHECK_TWINS(cuMemcpyHtoD_v2, _ptds, device, bytes, BYTES);
    CHECK_TWINS(cuMemcpyHtoDAsync_v2, _ptsz, device, pinned, BYTES, NULL);
    CHECK_TWINS(cuMemcpyDtoH_v2, _ptds, bytes, device, BYTES);
    CHECK_TWINS(cuMemcpyDtoHAsync_v2, _ptsz, pinned, device, BYTES, NULL);
    CHECK_TWINS(cuMemcpyDtoD_v2, _ptds, other, device, BYTES);
    CHECK_TWINS(cuMemcpyDtoDAsync_v2, _ptsz, other, device, BYTES, NULL);
    CHECK_TWINS(cuMemcpy, _ptds, other, device, BYTES);
    CHECK_TWINS(cuMemcpyAsync, _ptsz, other, device, BYTES, NULL);
    CHECK_TWINS(cuMemcpy2D_v2, _ptds, &rectangle);
    CHECK_TWINS(cuMemcpy2DUnaligned_v2, _ptds, &rectangle);
    CHECK_TWINS(cuMemcpy2DAsync_v2, _ptsz, &rectangle, NULL);
    CHECK_TWINS(cuMemcpy3D_v2, _ptds, &box);
    CHECK_TWINS(cuMemcpy3DAsync_v2, _ptsz, &box, NULL);
    close_context(context);
}

static void givenStreamsAndLaunches_whenTwinsAreCalled_thenTheyUseStreamOfThread(void)
{
    CUcontext context = prepare();
    void *parameters[] = {&device};
    const CUlaunchConfig config = {.gridDimX = 1, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1, .blockDimY = 1, .blockDimZ = 1};
    CHECK_TWINS(cuLaunchKernel, _ptsz, function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL);
    CHECK_TWINS(cuLaunchCooperativeKernel, _ptsz, function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters);
    CHECK_TWINS(cuLaunchKernelEx, _ptsz, &config, function, parameters, NULL);
    CHECK_TWINS(cuLaunchHostFunc, _ptsz, NULL, ignore, NULL);
    CHECK_TWINS(cuStreamAddCallback, _ptsz, NULL, ignore_callback, NULL, 0);
    CHECK_TWINS(cuEventRecord, _ptsz, event, NULL);
    CHECK_TWINS(cuEventRecordWithFlags, _ptsz, event, NULL, 0);
    CHECK_TWINS(cuStreamWaitEvent, _ptsz, NULL, event, 0);
    CHECK_TWINS(cuStreamQuery, _ptsz, NULL);
    CHECK_TWINS(cuStreamSynchronize, _ptsz, NULL);
    CUdeviceptr allocated;
    CHECK_SUCCESS(cuMemAllocAsync_ptsz(&allocated, BYTES, NULL));
    model.stream = 0;
    CHECK_SUCCESS(cuMemFreeAsync_ptsz(allocated, NULL));
    CHECK_EQUAL(own, model.stream);
    close_context(context);
}

static void givenQuestionsAboutStreams_whenTwinsAreCalled_thenTheyAnswerForStreamOfThread(void)
{
    CUcontext prepared = prepare();
    unsigned long long numbers[3];
    unsigned int flags = 9;
    unsigned int captures = 9;
    int priority = 9;
    CUcontext context;
    CHECK_SUCCESS(cuStreamGetId(NULL, &numbers[0]));
    CHECK_SUCCESS(cuStreamGetId(CU_STREAM_PER_THREAD, &numbers[1]));
    CHECK_SUCCESS(cuStreamGetId_ptsz(NULL, &numbers[2]));
    CHECK(numbers[0] != numbers[1]);
    CHECK_EQUAL(numbers[1], numbers[2]);
    CHECK_SUCCESS(cuStreamGetFlags_ptsz(NULL, &flags));
    CHECK_EQUAL(0, flags);
    CHECK_SUCCESS(cuStreamGetPriority_ptsz(NULL, &priority));
    CHECK_EQUAL(0, priority);
    CHECK_SUCCESS(cuStreamIsCapturing_ptsz(NULL, &captures));
    CHECK_EQUAL(0, captures);
    CHECK_SUCCESS(cuStreamGetCtx_ptsz(NULL, &context));
    CHECK(context == prepared);
    close_context(prepared);
}

static const struct test_case cases[] = {
    CASE(givenFills_whenTwinsAreCalled_thenTheyUseStreamOfThread),
    CASE(givenCopies_whenTwinsAreCalled_thenTheyUseStreamOfThread),
    CASE(givenStreamsAndLaunches_whenTwinsAreCalled_thenTheyUseStreamOfThread),
    CASE(givenQuestionsAboutStreams_whenTwinsAreCalled_thenTheyAnswerForStreamOfThread),
};

int main(int count, char **arguments)
{
    return run_case(count, arguments, cases, sizeof cases / sizeof cases[0]);
}
