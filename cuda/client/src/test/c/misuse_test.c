/* Tests of programs that use the driver API wrongly: they get the error of the function, and nothing else happens. */
#define _GNU_SOURCE

#include <stdatomic.h>

#include "api.h"

enum { BYTES = 100000, PAGE = 4096 };

static CUdeviceptr of(const void *pointer)
{
    return (CUdeviceptr)(uintptr_t)pointer;
}

/* Lengths that begin in memory of the program, and end in other memory. */
static const size_t LENGTHS[] = {(size_t)1 << 32, (size_t)1 << 40, SIZE_MAX / 2, SIZE_MAX};

static void givenLengthBeyondMemory_whenCopied_thenInvalidValue(void)
{
    CUcontext context = open_context();
    CUdeviceptr device;
    CUdeviceptr other;
    char *pinned;
    static char pageable[BYTES];
    CHECK_SUCCESS(cuMemAlloc_v2(&device, BYTES));
    CHECK_SUCCESS(cuMemAlloc_v2(&other, BYTES));
    CHECK_SUCCESS(cuMemAllocHost_v2((void **)&pinned, BYTES));
    for (size_t i = 0; i < sizeof LENGTHS / sizeof LENGTHS[0]; i++) {
        size_t length = LENGTHS[i];
        CHECK_STATUS(INVALID_VALUE, cuMemcpyHtoD_v2(device, pinned, length));
        CHECK_STATUS(INVALID_VALUE, cuMemcpyHtoDAsync_v2(device, pinned, length, NULL));
        CHECK_STATUS(INVALID_VALUE, cuMemcpyDtoH_v2(pinned, device, length));
        CHECK_STATUS(INVALID_VALUE, cuMemcpyDtoHAsync_v2(pinned, device, length, NULL));
        CHECK_STATUS(INVALID_VALUE, cuMemcpyHtoD_v2(device, pageable, length));
        CHECK_STATUS(INVALID_VALUE, cuMemcpyDtoH_v2(pageable, device, length));
        CHECK_STATUS(INVALID_VALUE, cuMemcpy(device, of(pageable), length));
        CHECK_STATUS(INVALID_VALUE, cuMemcpy(of(pageable), device, length));
        CHECK_STATUS(INVALID_VALUE, cuMemcpy(device, other, length));
        CHECK_STATUS(INVALID_VALUE, cuMemcpyAsync(device, of(pinned), length, NULL));
        CHECK_STATUS(INVALID_VALUE, cuMemcpyAsync(of(pinned), of(pageable), length, NULL));
    }
    CHECK_SUCCESS(cuMemFreeHost(pinned));
    close_context(context);
}

static void givenAddressOfGpu_whenUsedAsHostMemory_thenInvalidValue(void)
{
    CUcontext context = open_context();
    CUdeviceptr device;
    CUdeviceptr other;
    CHECK_SUCCESS(cuMemAlloc_v2(&device, BYTES));
    CHECK_SUCCESS(cuMemAlloc_v2(&other, BYTES));
    void *host = (void *)(uintptr_t)other;
    CHECK_STATUS(INVALID_VALUE, cuMemcpyHtoD_v2(device, host, BYTES));
    CHECK_STATUS(INVALID_VALUE, cuMemcpyDtoH_v2(host, device, BYTES));
    CHECK_STATUS(INVALID_VALUE, cuMemcpyHtoDAsync_v2(device, host, BYTES, NULL));
    CHECK_STATUS(INVALID_VALUE, cuMemcpyDtoHAsync_v2(host, device, BYTES, NULL));
    CUDA_MEMCPY2D rectangle = {
        .srcMemoryType = 1,
        .srcHost = host,
        .srcPitch = 100,
        .dstMemoryType = 2,
        .dstDevice = device,
        .dstPitch = 200,
        .WidthInBytes = 100,
        .Height = 10,
    };
    CHECK_STATUS(INVALID_VALUE, cuMemcpy2D_v2(&rectangle));
    close_context(context);
}

static void givenPinnedMemory_whenCopyLeavesAllocationOrFollowsFree_thenInvalidValue(void)
{
    CUcontext context = open_context();
    CUdeviceptr device;
    unsigned char *pinned;
    CHECK_SUCCESS(cuMemAlloc_v2(&device, 2 * BYTES));
    CHECK_SUCCESS(cuMemAllocHost_v2((void **)&pinned, BYTES));
    CHECK_SUCCESS(cuMemcpyHtoD_v2(device, pinned + 1, BYTES - 1));
    CHECK_STATUS(INVALID_VALUE, cuMemcpyHtoD_v2(device, pinned + 1, BYTES));
    CHECK_STATUS(INVALID_VALUE, cuMemcpyDtoH_v2(pinned + 1, device, BYTES));
    CHECK_STATUS(INVALID_VALUE, cuMemcpy(of(pinned + 1), device, BYTES));
    CHECK_SUCCESS(cuMemFreeHost(pinned));
    CHECK_STATUS(INVALID_VALUE, cuMemcpyHtoD_v2(device, pinned, 1));
    CHECK_STATUS(INVALID_VALUE, cuMemcpyDtoH_v2(pinned, device, 1));
    CHECK_STATUS(INVALID_VALUE, cuMemcpy(device, of(pinned), 1));
    CHECK_SUCCESS(cuCtxSynchronize());
    close_context(context);
}

static void givenOneRow_whenPitchIsSmallerThanWidth_thenPitchHasNoEffect(void)
{
    CUcontext context = open_context();
    CUdeviceptr device;
    unsigned char *pinned;
    static unsigned char pageable[BYTES];
    unsigned char *sources[2];
    CHECK_SUCCESS(cuMemAlloc_v2(&device, BYTES));
    CHECK_SUCCESS(cuMemAllocHost_v2((void **)&pinned, BYTES));
    sources[0] = pinned;
    sources[1] = pageable;
    for (unsigned int i = 0; i < 2; i++) {
        fill_pattern(sources[i], BYTES, i);
        CUDA_MEMCPY2D rectangle = {
            .srcMemoryType = 1,
            .srcHost = sources[i],
            .srcPitch = 1,
            .dstMemoryType = 2,
            .dstDevice = device,
            .dstPitch = 3,
            .WidthInBytes = BYTES,
            .Height = 1,
        };
        CHECK_SUCCESS(cuMemsetD8_v2(device, 0, BYTES));
        CHECK_SUCCESS(cuMemcpy2D_v2(&rectangle));
        memset(sources[i], 0, BYTES);
        CHECK_SUCCESS(cuMemcpyDtoH_v2(sources[i], device, BYTES));
        check_pattern(sources[i], BYTES, i);
    }
    CHECK_SUCCESS(cuMemFreeHost(pinned));
    close_context(context);
}

static void givenLengthZero_whenCopiedOrFilled_thenNothingFailsLater(void)
{
    CUcontext context = open_context();
    CUdeviceptr device;
    CHECK_SUCCESS(cuMemAlloc_v2(&device, PAGE));
    CHECK_SUCCESS(cuMemcpyDtoD_v2(device, device, 0));
    CHECK_SUCCESS(cuMemcpyDtoDAsync_v2(device, device, 0, NULL));
    CHECK_SUCCESS(cuMemsetD8_v2(device, 1, 0));
    CHECK_SUCCESS(cuMemsetD16_v2(device, 1, 0));
    CHECK_SUCCESS(cuMemsetD32Async(device, 1, 0, NULL));
    CHECK_SUCCESS(cuMemsetD2D8_v2(device, 8, 1, 0, 5));
    CHECK_SUCCESS(cuMemsetD2D32_v2(device, 8, 1, 1, 0));
    CHECK_SUCCESS(cuCtxSynchronize());
    close_context(context);
}

static void givenAddressWithoutMemory_whenFilled_thenInvalidValueAtOnce(void)
{
    CUcontext context = open_context();
    CUdeviceptr device;
    static unsigned char pageable[64];
    CHECK_SUCCESS(cuMemAlloc_v2(&device, PAGE));
    const CUdeviceptr addresses[] = {0, of(pageable), device + PAGE};
    for (size_t i = 0; i < 3; i++) {
        CHECK_STATUS(INVALID_VALUE, cuMemsetD8_v2(addresses[i], 1, 64));
        CHECK_STATUS(INVALID_VALUE, cuMemsetD16_v2(addresses[i], 1, 32));
        CHECK_STATUS(INVALID_VALUE, cuMemsetD32_v2(addresses[i], 1, 16));
        CHECK_STATUS(INVALID_VALUE, cuMemsetD2D8_v2(addresses[i], 8, 1, 4, 8));
        CHECK_STATUS(INVALID_VALUE, cuMemsetD2D16_v2(addresses[i], 8, 1, 4, 8));
        CHECK_STATUS(INVALID_VALUE, cuMemsetD2D32_v2(addresses[i], 8, 1, 2, 8));
        CHECK_STATUS(INVALID_VALUE, cuMemcpyDtoD_v2(addresses[i], device, 64));
        CHECK_STATUS(INVALID_VALUE, cuMemcpyDtoD_v2(device, addresses[i], 64));
    }
    for (size_t i = 0; i < 2; i++) {
        CHECK_STATUS(INVALID_VALUE, cuMemsetD8Async(addresses[i], 1, 64, NULL));
        CHECK_STATUS(INVALID_VALUE, cuMemsetD2D32Async(addresses[i], 8, 1, 2, 8, NULL));
        CHECK_STATUS(INVALID_VALUE, cuMemcpyDtoDAsync_v2(addresses[i], device, 64, NULL));
        CHECK_STATUS(INVALID_VALUE, cuMemcpyDtoDAsync_v2(device, addresses[i], 64, NULL));
    }
    CHECK_STATUS(INVALID_VALUE, cuMemsetD8_v2(device + 1, 1, PAGE));
    CHECK_STATUS(INVALID_VALUE, cuMemsetD32_v2(device, 1, PAGE / 4 + 1));
    CHECK_STATUS(INVALID_VALUE, cuMemsetD32_v2(device, 1, SIZE_MAX / 4 + 2));
    CHECK_STATUS(INVALID_VALUE, cuMemsetD2D8_v2(device, 64, 1, 65, 2));
    CHECK_STATUS(INVALID_VALUE, cuMemsetD2D32_v2(device, 64, 1, 16, PAGE / 64 + 1));
    CHECK_STATUS(INVALID_VALUE, cuMemsetD2D32_v2(device, (size_t)1 << 62, 1, 16, 5));
    CHECK_STATUS(INVALID_VALUE, cuMemcpyDtoD_v2(device, device + 1, PAGE));
    CHECK_SUCCESS(cuMemsetD2D8_v2(device, 1, 1, 64, 1));
    CHECK_SUCCESS(cuCtxSynchronize());
    close_context(context);
}

static volatile unsigned int *flag;

static void *set_flag(void *unused)
{
    (void)unused;
    usleep(50000);
    *flag = 1;
    return NULL;
}

/* Starts a kernel that waits for a flag, and then one that writes 1024 words to page-locked memory. */
static void write_later(CUmodule module, CUdeviceptr written)
{
    CUfunction spin;
    CUfunction number;
    CUdeviceptr flag_address = of((const void *)flag);
    unsigned int added = 7;
    void *of_spin[] = {&flag_address};
    void *of_number[] = {&written, &added};
    CHECK_SUCCESS(cuModuleGetFunction(&spin, module, "spin"));
    CHECK_SUCCESS(cuModuleGetFunction(&number, module, "number"));
    *flag = 0;
    CHECK_SUCCESS(cuLaunchKernel(spin, 1, 1, 1, 1, 1, 1, 0, NULL, of_spin, NULL));
    CHECK_SUCCESS(cuLaunchKernel(number, 1, 1, 1, 1024, 1, 1, 0, NULL, of_number, NULL));
    CHECK_EQUAL(is_real ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS, cuStreamQuery(NULL));
}

static void givenKernelThatWritesPinnedMemory_whenFreed_thenKernelDoesNotWriteNextAllocation(void)
{
    CUcontext context = open_context();
    CUmodule module;
    size_t bytes;
    unsigned char *pinned[2];
    pthread_t thread;
    CHECK_SUCCESS(cuModuleLoadData(&module, api_image(&bytes)));
    CHECK_SUCCESS(cuMemAllocHost_v2((void **)&flag, PAGE));
    CHECK_SUCCESS(cuMemAllocHost_v2((void **)&pinned[0], PAGE));
    write_later(module, of(pinned[0]));
    CHECK_EQUAL(0, pthread_create(&thread, NULL, set_flag, NULL));
    CHECK_SUCCESS(cuMemFreeHost(pinned[0]));
    for (int i = 0; i < 2; i++) {
        CHECK_SUCCESS(cuMemAllocHost_v2((void **)&pinned[i], PAGE));
        fill_pattern(pinned[i], PAGE, 3);
    }
    CHECK_EQUAL(0, pthread_join(thread, NULL));
    CHECK_SUCCESS(cuCtxSynchronize());
    for (int i = 0; i < 2; i++)
        check_pattern(pinned[i], PAGE, 3);
    close_context(context);
}

static void givenKernelThatWritesPinnedMemory_whenContextIsDestroyed_thenKernelDoesNotWriteNextAllocation(void)
{
    CUcontext keeper = open_context();
    CUcontext context;
    CUmodule module;
    size_t bytes;
    unsigned char *pinned[4];
    pthread_t thread;
    CHECK_SUCCESS(cuMemAllocHost_v2((void **)&flag, PAGE));
    CHECK_SUCCESS(cuCtxCreate_v2(&context, 0, 0));
    CHECK_SUCCESS(cuModuleLoadData(&module, api_image(&bytes)));
    CHECK_SUCCESS(cuMemAllocHost_v2((void **)&pinned[0], PAGE));
    write_later(module, of(pinned[0]));
    CHECK_EQUAL(0, pthread_create(&thread, NULL, set_flag, NULL));
    CHECK_SUCCESS(cuCtxDestroy_v2(context));
    for (int i = 0; i < 4; i++) {
        CHECK_SUCCESS(cuMemAllocHost_v2((void **)&pinned[i], PAGE));
        fill_pattern(pinned[i], PAGE, 3);
    }
    CHECK_EQUAL(0, pthread_join(thread, NULL));
    CHECK_SUCCESS(cuCtxSynchronize());
    usleep(50000); /* the destroyed context's kernels, if they still run */
    for (int i = 0; i < 4; i++)
        check_pattern(pinned[i], PAGE, 3);
    close_context(keeper);
}

static const struct test_case cases[] = {
    CASE(givenLengthBeyondMemory_whenCopied_thenInvalidValue),
    CASE(givenAddressOfGpu_whenUsedAsHostMemory_thenInvalidValue),
    CASE(givenPinnedMemory_whenCopyLeavesAllocationOrFollowsFree_thenInvalidValue),
    CASE(givenOneRow_whenPitchIsSmallerThanWidth_thenPitchHasNoEffect),
    CASE(givenLengthZero_whenCopiedOrFilled_thenNothingFailsLater),
    CASE(givenAddressWithoutMemory_whenFilled_thenInvalidValueAtOnce),
    CASE(givenKernelThatWritesPinnedMemory_whenFreed_thenKernelDoesNotWriteNextAllocation),
    CASE(givenKernelThatWritesPinnedMemory_whenContextIsDestroyed_thenKernelDoesNotWriteNextAllocation),
};

int main(int count, char **arguments)
{
    return run_case(count, arguments, cases, sizeof cases / sizeof cases[0]);
}
