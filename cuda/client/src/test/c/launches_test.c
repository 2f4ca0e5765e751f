/* Tests of launches. */
#define _GNU_SOURCE

#include "api.h"

static CUmodule module;
static CUdeviceptr out;

enum { WORDS = 4096 };

static unsigned int words[WORDS];

/* Makes a context current, loads the module, and allocates WORDS words with all bits set. */
static CUcontext begin_launches(void)
{
    size_t bytes;
    CUcontext context = open_context();
    CHECK_SUCCESS(cuModuleLoadData(&module, api_image(&bytes)));
    CHECK_SUCCESS(cuMemAlloc_v2(&out, sizeof words));
    CHECK_SUCCESS(cuMemsetD8_v2(out, 0xff, sizeof words));
    return context;
}

static CUfunction function(const char *name)
{
    CUfunction found;
    CHECK_SUCCESS(cuModuleGetFunction(&found, module, name));
    return found;
}

/* Reads the first words, and sets all bits again. */
static void read_words(size_t count)
{
    CHECK_SUCCESS(cuMemcpyDtoH_v2(words, out, count * sizeof words[0]));
    CHECK_SUCCESS(cuMemsetD8_v2(out, 0xff, sizeof words));
    /* Streams that do not wait for the default stream follow. */
    CHECK_SUCCESS(cuCtxSynchronize());
}

static void check_numbers(unsigned int first, unsigned int count)
{
    read_words(count + 1);
    for (unsigned int i = 0; i < count && is_real; i++)
        CHECK_EQUAL(first + i, words[i]);
    CHECK_EQUAL(0xffffffff, words[count]);
}

static void parameters_are_packed(void)
{
    CUcontext context = begin_launches();
    unsigned char byte = 0x12;
    unsigned short half = 0x3456;
    unsigned int word = 0x789abcde;
    unsigned int pair[4] = {1, 2, 3, 4};
    void *parameters[] = {&out, &byte, &half, &word, pair};
    CHECK_SUCCESS(cuLaunchKernel(function("pack"), 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    read_words(6);
    if (is_real) {
        CHECK_EQUAL(0x34560012, words[0]);
        CHECK_EQUAL(0x789abcde, words[1]);
        CHECK_EQUAL(0, memcmp(words + 2, pair, sizeof pair));
    }
    unsigned char buffer[40] = {0};
    size_t bytes = 32;
    memcpy(buffer, &out, 8);
    buffer[8] = 0x99;
    memcpy(buffer + 12, &word, 4);
    memcpy(buffer + 16, pair, 16);
    void *extra[] = {(void *)1, buffer, (void *)2, &bytes, NULL};
    CHECK_SUCCESS(cuLaunchKernel(function("pack"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    memset(buffer, 0, sizeof buffer);
    read_words(6);
    if (is_real)
        CHECK_EQUAL(0x00000099, words[0]);
    bytes = 40;
    memcpy(buffer, &out, 8);
    CHECK_SUCCESS(cuLaunchKernel(function("pack"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    bytes = 31;
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernel(function("pack"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    extra[0] = (void *)7;
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernel(function("pack"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernel(function("pack"), 1, 1, 1, 1, 1, 1, 0, NULL, parameters, extra));
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernel(function("pack"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    parameters[3] = NULL;
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernel(function("pack"), 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    CHECK_SUCCESS(cuCtxSynchronize());
    close_context(context);
}

static void shapes_arrive(void)
{
    static const unsigned int shapes[][6] = {{1, 1, 1, 1, 1, 1}, {5, 1, 1, 32, 1, 1}, {3, 4, 5, 2, 6, 7}, {65535, 1, 1, 1, 1, 1}, {1, 1, 1, 4, 4, 64}};
    CUcontext context = begin_launches();
    void *parameters[] = {&out};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const unsigned int *s = shapes[i];
        CHECK_SUCCESS(cuLaunchKernel(function("shape"), s[0], s[1], s[2], s[3], s[4], s[5], 0, NULL, parameters, NULL));
        read_words(6);
        for (int j = 0; j < 3 && is_real; j++) {
            CHECK_EQUAL(s[3 + j], words[j]);
            CHECK_EQUAL(s[j], words[3 + j]);
        }
    }
    close_context(context);
}

static void limits_are_checked(void)
{
    CUcontext context = begin_launches();
    CUfunction number = function("number");
    CUfunction shared = function("shared");
    CUfunction scale = function("scale");
    unsigned int added = 0;
    void *parameters[] = {&out, &added};
    CHECK_SUCCESS(cuLaunchKernel(number, 1, 1, 1, 1024, 1, 1, 0, NULL, parameters, NULL));
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernel(number, 1, 1, 1, 1025, 1, 1, 0, NULL, parameters, NULL));
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernel(number, 1, 1, 1, 33, 32, 1, 0, NULL, parameters, NULL));
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernel(number, 1, 1, 1, 1, 1, 65, 0, NULL, parameters, NULL));
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernel(number, 65536, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernel(number, 1, 65536, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernel(number, 1, 1, 65536, 1, 1, 1, 0, NULL, parameters, NULL));
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernel(number, 0, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernel(number, 1, 1, 1, 1, 0, 1, 0, NULL, parameters, NULL));
    CHECK_STATUS(LAUNCH_OUT_OF_RESOURCES, cuLaunchKernel(scale, 1, 1, 1, 513, 1, 1, 0, NULL, parameters, NULL));
    CHECK_SUCCESS(cuLaunchKernel(shared, 1, 1, 1, 32, 1, 1, 47 << 10, NULL, parameters, NULL));
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernel(shared, 1, 1, 1, 32, 1, 1, (47 << 10) + 1, NULL, parameters, NULL));
    CHECK_STATUS(INVALID_HANDLE, cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    CHECK_STATUS(INVALID_HANDLE, cuLaunchKernel((CUfunction)module, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    CHECK_STATUS(INVALID_HANDLE, cuLaunchKernel(number, 1, 1, 1, 1, 1, 1, 0, (CUstream)number, parameters, NULL));
    CHECK_SUCCESS(cuCtxPopCurrent_v2(NULL));
    CHECK_STATUS(INVALID_CONTEXT, cuLaunchKernel(number, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    CHECK_SUCCESS(cuCtxPushCurrent_v2(context));
    close_context(context);
}

static void kernel_and_stream_have_one_context(void)
{
    CUcontext context = begin_launches();
    CUfunction number = function("number");
    CUcontext other;
    CUstream stream;
    CUstream stream_of_other;
    unsigned int added = 3;
    void *parameters[] = {&out, &added};
    CHECK_SUCCESS(cuStreamCreate(&stream, 0));
    CHECK_SUCCESS(cuCtxCreate_v2(&other, 0, 0));
    CHECK_SUCCESS(cuStreamCreate(&stream_of_other, 0));
    CHECK_STATUS(INVALID_HANDLE, cuLaunchKernel(number, 1, 1, 1, 8, 1, 1, 0, NULL, parameters, NULL));
    CHECK_STATUS(INVALID_HANDLE, cuLaunchKernel(number, 1, 1, 1, 8, 1, 1, 0, CU_STREAM_PER_THREAD, parameters, NULL));
    CHECK_STATUS(INVALID_HANDLE, cuLaunchKernel(number, 1, 1, 1, 8, 1, 1, 0, stream_of_other, parameters, NULL));
    /* A stream of the kernel's context needs no current context. */
    CHECK_SUCCESS(cuLaunchKernel(number, 1, 1, 1, 8, 1, 1, 0, stream, parameters, NULL));
    CHECK_SUCCESS(cuStreamSynchronize(stream));
    CHECK_SUCCESS(cuCtxDestroy_v2(other));
    check_numbers(3, 8);
    close_context(context);
}

static void shared_memory_is_passed(void)
{
    CUcontext context = begin_launches();
    void *parameters[] = {&out};
    CHECK_SUCCESS(cuLaunchKernel(function("shared"), 4, 1, 1, 96, 1, 1, 16, NULL, parameters, NULL));
    read_words(4);
    for (int i = 0; i < 4 && is_real; i++)
        CHECK_EQUAL(192, words[i]);
    close_context(context);
}

static void givenSmallerLimitOfSharedMemory_whenLaunched_thenItApplies(void)
{
    CUcontext context = begin_launches();
    CUfunction shared = function("shared");
    void *parameters[] = {&out};
    CHECK_SUCCESS(cuFuncSetAttribute(shared, 8, 2048));
    CHECK_SUCCESS(cuLaunchKernel(shared, 1, 1, 1, 32, 1, 1, 2048, NULL, parameters, NULL));
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernel(shared, 1, 1, 1, 32, 1, 1, 2049, NULL, parameters, NULL));
    CHECK_SUCCESS(cuFuncSetAttribute(shared, 8, 4096));
    CHECK_SUCCESS(cuLaunchKernel(shared, 1, 1, 1, 32, 1, 1, 2049, NULL, parameters, NULL));
    close_context(context);
}

static void streams_order_launches(void)
{
    CUcontext context = begin_launches();
    CUfunction number = function("number");
    CUfunction add = function("add");
    CUstream first;
    CUstream second;
    CUevent event;
    unsigned int added = 0;
    unsigned int one = 1;
    void *of_number[] = {&out, &added};
    void *of_add[] = {&out, &one};
    CHECK_SUCCESS(cuStreamCreate(&first, 1));
    CHECK_SUCCESS(cuStreamCreate(&second, 1));
    CHECK_SUCCESS(cuEventCreate(&event, 2));
    for (unsigned int round = 0; round < 20; round++) {
        added = 100 * round;
        CHECK_SUCCESS(cuLaunchKernel(number, 8, 1, 1, 64, 1, 1, 0, first, of_number, NULL));
        for (int i = 0; i < 5; i++)
            CHECK_SUCCESS(cuLaunchKernel(add, 8, 1, 1, 64, 1, 1, 0, first, of_add, NULL));
        CHECK_SUCCESS(cuEventRecord(event, first));
        CHECK_SUCCESS(cuStreamWaitEvent(second, event, 0));
        CHECK_SUCCESS(cuLaunchKernel(add, 8, 1, 1, 64, 1, 1, 0, second, of_add, NULL));
        CHECK_SUCCESS(cuStreamSynchronize(second));
        check_numbers(100 * round + 6, 512);
    }
    CHECK_SUCCESS(cuStreamDestroy_v2(first));
    CHECK_SUCCESS(cuStreamDestroy_v2(second));
    CHECK_SUCCESS(cuEventDestroy_v2(event));
    close_context(context);
}

static void other_functions_launch(void)
{
    CUcontext context = begin_launches();
    CUfunction number = function("number");
    unsigned int added = 5;
    void *parameters[] = {&out, &added};
    CHECK_SUCCESS(cuLaunchKernel_ptsz(number, 1, 1, 1, 8, 1, 1, 0, NULL, parameters, NULL));
    CHECK_SUCCESS(cuStreamSynchronize_ptsz(NULL));
    check_numbers(5, 8);
    added = 6;
    CHECK_SUCCESS(cuLaunchCooperativeKernel(number, 2, 1, 1, 8, 1, 1, 0, NULL, parameters));
    check_numbers(6, 16);
    added = 7;
    CUlaunchAttribute attributes[] = {{.id = 8, .value = {1}}, {.id = 4, .value = {0x100000001, 1}}, {.id = 2, .value = {1}}};
    CUlaunchConfig config = {.gridDimX = 3, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 4, .blockDimY = 1, .blockDimZ = 1};
    CHECK_SUCCESS(cuLaunchKernelEx(&config, number, parameters, NULL));
    check_numbers(7, 12);
    added = 8;
    config.attrs = attributes;
    config.numAttrs = 3;
    CHECK_SUCCESS(cuLaunchKernelEx_ptsz(&config, number, parameters, NULL));
    CHECK_SUCCESS(cuStreamSynchronize_ptsz(NULL));
    check_numbers(8, 12);
    attributes[1].value[0] = 2;
    CHECK_STATUS(INVALID_CLUSTER_SIZE, cuLaunchKernelEx(&config, number, parameters, NULL));
    attributes[1].id = 7;
    CHECK_STATUS(NOT_SUPPORTED, cuLaunchKernelEx(&config, number, parameters, NULL));
    config.attrs = NULL;
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernelEx(&config, number, parameters, NULL));
    config.numAttrs = 0;
    config.gridDimZ = 0;
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernelEx(&config, number, parameters, NULL));
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernelEx(NULL, number, parameters, NULL));
    if (is_real) {
        CHECK_SUCCESS(cuLaunchCooperativeKernel(number, 60000, 1, 1, 32, 1, 1, 0, NULL, parameters));
        CHECK_STATUS(COOPERATIVE_LAUNCH_TOO_LARGE, cuCtxSynchronize());
    }
    close_context(context);
}

static void functions_retain_shape_as_in_cuda_3(void)
{
    CUcontext context = begin_launches();
    CUfunction number = function("number");
    CUfunction pack = function("pack");
    CUstream stream;
    CHECK_SUCCESS(cuStreamCreate(&stream, 0));
    CHECK_SUCCESS(cuFuncSetBlockShape(number, 16, 1, 1));
    CHECK_SUCCESS(cuFuncSetSharedSize(number, 64));
    CHECK_SUCCESS(cuParamSetv(number, 0, &out, 8));
    CHECK_SUCCESS(cuParamSeti(number, 8, 77));
    CHECK_STATUS(INVALID_VALUE, cuLaunch(number));
    CHECK_SUCCESS(cuParamSetSize(number, 12));
    CHECK_SUCCESS(cuLaunch(number));
    check_numbers(77, 16);
    CHECK_SUCCESS(cuParamSeti(number, 8, 78));
    CHECK_SUCCESS(cuLaunchGrid(number, 3, 2));
    read_words(64);
    for (unsigned int i = 0; i < 48 && is_real; i++)
        CHECK_EQUAL(78 + i, words[i]);
    CHECK_SUCCESS(cuParamSeti(number, 8, 79));
    CHECK_SUCCESS(cuLaunchGridAsync(number, 2, 1, stream));
    CHECK_SUCCESS(cuStreamSynchronize(stream));
    check_numbers(79, 32);
    CHECK_SUCCESS(cuParamSetv(pack, 0, &out, 8));
    CHECK_SUCCESS(cuParamSetf(pack, 12, 1.0f));
    CHECK_SUCCESS(cuParamSetSize(pack, 32));
    CHECK_SUCCESS(cuLaunch(pack));
    read_words(6);
    if (is_real)
        CHECK_EQUAL(0x3f800000, words[1]);
    CHECK_STATUS(INVALID_VALUE, cuFuncSetBlockShape(number, 0, 1, 1));
    CHECK_STATUS(INVALID_VALUE, cuFuncSetBlockShape(number, 1, 1, 65));
    CHECK_STATUS(INVALID_VALUE, cuParamSetSize(number, 5000));
    CHECK_STATUS(INVALID_VALUE, cuParamSeti(number, 4350, 0));
    CHECK_STATUS(INVALID_VALUE, cuParamSetv(number, 4300, words, 100));
    CHECK_STATUS(INVALID_VALUE, cuParamSetv(number, -1, words, 1));
    CHECK_STATUS(INVALID_VALUE, cuLaunchGrid(number, 0, 1));
    CHECK_STATUS(INVALID_HANDLE, cuLaunch(NULL));
    close_context(context);
}

static void kernels_use_pinned_memory(void)
{
    CUcontext context = begin_launches();
    unsigned int *pinned;
    CUdeviceptr address;
    unsigned int added = 500;
    void *parameters[] = {&address, &added};
    CHECK_SUCCESS(cuMemHostAlloc((void **)&pinned, 4096, 2));
    memset(pinned, 0xff, 4096);
    CHECK_SUCCESS(cuMemHostGetDevicePointer_v2(&address, pinned, 0));
    CHECK_SUCCESS(cuLaunchKernel(function("number"), 2, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL));
    CHECK_SUCCESS(cuCtxSynchronize());
    for (unsigned int i = 0; i < 64 && is_real; i++)
        CHECK_EQUAL(500 + i, pinned[i]);
    CHECK_EQUAL(0xffffffff, pinned[64]);
    close_context(context);
}

/* Cases for a backend: kernels must run. */

static void running_kernel_is_pending(void)
{
    CUcontext context = begin_launches();
    volatile unsigned int *flag;
    CUdeviceptr address;
    CUstream stream;
    CUstream other;
    CUevent event;
    void *parameters[] = {&address};
    CHECK_SUCCESS(cuMemAllocHost_v2((void **)&flag, 4096));
    *flag = 0;
    CHECK_SUCCESS(cuMemHostGetDevicePointer_v2(&address, (void *)flag, 0));
    CHECK_SUCCESS(cuStreamCreate(&stream, 1));
    CHECK_SUCCESS(cuStreamCreate(&other, 1));
    CHECK_SUCCESS(cuEventCreate(&event, 2));
    CHECK_SUCCESS(cuLaunchKernel(function("spin"), 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
    CHECK_SUCCESS(cuEventRecord(event, stream));
    CHECK_STATUS(NOT_READY, cuStreamQuery(stream));
    CHECK_STATUS(NOT_READY, cuEventQuery(event));
    CHECK_SUCCESS(cuStreamQuery(other));
    CHECK_SUCCESS(cuStreamSynchronize(other));
    *flag = 1;
    CHECK_SUCCESS(cuEventSynchronize(event));
    CHECK_SUCCESS(cuStreamSynchronize(stream));
    CHECK_SUCCESS(cuStreamQuery(stream));
    CHECK_SUCCESS(cuEventQuery(event));
    close_context(context);
}

static void legacy_stream_waits_for_blocking_streams(void)
{
    CUcontext context = begin_launches();
    volatile unsigned int *flag;
    CUdeviceptr address;
    CUstream blocking;
    void *parameters[] = {&address};
    CHECK_SUCCESS(cuMemAllocHost_v2((void **)&flag, 4096));
    *flag = 0;
    CHECK_SUCCESS(cuMemHostGetDevicePointer_v2(&address, (void *)flag, 0));
    CHECK_SUCCESS(cuStreamCreate(&blocking, 0));
    CHECK_SUCCESS(cuLaunchKernel(function("spin"), 1, 1, 1, 1, 1, 1, 0, blocking, parameters, NULL));
    CHECK_SUCCESS(cuMemsetD32Async(out, 3, 1, NULL));
    CHECK_STATUS(NOT_READY, cuStreamQuery(NULL));
    CHECK_STATUS(NOT_READY, cuStreamQuery(blocking));
    *flag = 1;
    CHECK_SUCCESS(cuStreamSynchronize(NULL));
    CHECK_SUCCESS(cuStreamQuery(blocking));
    close_context(context);
}

static void failure_of_kernel_remains(void)
{
    CUcontext context = begin_launches();
    CUcontext other;
    CUdeviceptr nowhere = (CUdeviceptr)1 << 38;
    CUdeviceptr address;
    void *parameters[] = {&nowhere};
    CHECK_SUCCESS(cuLaunchKernel(function("poke"), 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    CHECK_STATUS(ILLEGAL_ADDRESS, cuCtxSynchronize());
    CHECK_STATUS(ILLEGAL_ADDRESS, cuMemAlloc_v2(&address, 4096));
    CHECK_STATUS(ILLEGAL_ADDRESS, cuStreamSynchronize(NULL));
    CHECK_STATUS(ILLEGAL_ADDRESS, cuMemcpyDtoH_v2(words, out, 4));
    CHECK_SUCCESS(cuCtxCreate_v2(&other, 0, 0));
    CHECK_SUCCESS(cuMemAlloc_v2(&address, 4096));
    CHECK_SUCCESS(cuMemsetD8_v2(address, 1, 4096));
    CHECK_SUCCESS(cuCtxSynchronize());
    CHECK_SUCCESS(cuCtxDestroy_v2(other));
    CHECK_SUCCESS(cuCtxDestroy_v2(context));
}

static const struct test_case cases[] = {
    CASE(parameters_are_packed),
    CASE(shapes_arrive),
    CASE(limits_are_checked),
    CASE(kernel_and_stream_have_one_context),
    CASE(shared_memory_is_passed),
    CASE(givenSmallerLimitOfSharedMemory_whenLaunched_thenItApplies),
    CASE(streams_order_launches),
    CASE(other_functions_launch),
    CASE(functions_retain_shape_as_in_cuda_3),
    CASE(kernels_use_pinned_memory),
    CASE(running_kernel_is_pending),
    CASE(legacy_stream_waits_for_blocking_streams),
    CASE(failure_of_kernel_remains),
};

/* Number of the last cases, which need a backend. */
#define BACKEND_CASES 3

int main(int count, char **arguments)
{
    return run_case(count, arguments, cases, sizeof cases / sizeof cases[0] - (is_real ? 0 : BACKEND_CASES));
}
