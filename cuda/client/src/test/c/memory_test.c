/* Tests of memory: allocations, page-locked and registered memory, pointers, fills. */
#define _GNU_SOURCE

#include "api.h"

enum { PAGE = 4096 };

static void allocations_are_freed(void)
{
    CUcontext context = open_context();
    CUdeviceptr first;
    CUdeviceptr second;
    size_t free_bytes;
    size_t total_bytes;
    size_t later;
    CHECK_SUCCESS(cuMemGetInfo_v2(&free_bytes, &total_bytes));
    CHECK(free_bytes <= total_bytes);
    CHECK_SUCCESS(cuMemGetInfo_v2(NULL, &total_bytes));
    CHECK_SUCCESS(cuMemGetInfo_v2(&free_bytes, NULL));
    CHECK_SUCCESS(cuMemGetInfo_v2(NULL, NULL));
    CHECK_SUCCESS(cuMemAlloc_v2(&first, 3 * PAGE));
    CHECK_SUCCESS(cuMemAlloc_v2(&second, 1));
    CHECK_EQUAL(0, first % 256);
    CHECK_EQUAL(0, second % 256);
    CHECK(first + 3 * PAGE <= second || second + 1 <= first);
    CHECK_STATUS(INVALID_VALUE, cuMemAlloc_v2(&second, 0));
    CHECK_STATUS(INVALID_VALUE, cuMemAlloc_v2(NULL, 1));
    CHECK_STATUS(INVALID_VALUE, cuMemFree_v2(first + 256));
    CHECK_STATUS(INVALID_VALUE, cuMemFree_v2(0));
    CHECK_STATUS(INVALID_VALUE, cuMemFree_v2((CUdeviceptr)(uintptr_t)&first));
    CHECK_STATUS(OUT_OF_MEMORY, cuMemAlloc_v2(&first, (size_t)1 << 36));
    CHECK_SUCCESS(cuMemFree_v2(first));
    CHECK_STATUS(INVALID_VALUE, cuMemFree_v2(first));
    CHECK_SUCCESS(cuMemFree_v2(second));
    CHECK_SUCCESS(cuMemGetInfo_v2(&later, &total_bytes));
    CHECK_EQUAL(free_bytes, later);
    close_context(context);
}

static void context_frees_its_memory(void)
{
    CUcontext keeper = open_context();
    CUcontext context;
    CUdeviceptr address;
    CUdeviceptr base;
    size_t before;
    size_t after;
    CHECK_SUCCESS(cuMemGetInfo_v2(&before, NULL));
    CHECK_SUCCESS(cuCtxCreate_v2(&context, 0, 0));
    for (int i = 0; i < 10; i++)
        CHECK_SUCCESS(cuMemAlloc_v2(&address, 10 * PAGE));
    CHECK_SUCCESS(cuCtxDestroy_v2(context));
    CHECK_STATUS(NOT_FOUND, cuMemGetAddressRange_v2(&base, NULL, address));
    CHECK_STATUS(INVALID_VALUE, cuMemFree_v2(address));
    CHECK_SUCCESS(cuCtxSynchronize());
    for (int i = 0; i < 2000; i++) {
        CHECK_SUCCESS(cuMemGetInfo_v2(&after, NULL));
        if (after == before)
            break;
        usleep(1000);
    }
    CHECK_EQUAL(before, after);
    close_context(keeper);
}

static void rows_of_pitched_memory_are_aligned(void)
{
    CUcontext context = open_context();
    CUdeviceptr address;
    size_t pitch;
    CHECK_SUCCESS(cuMemAllocPitch_v2(&address, &pitch, 1000, 10, 4));
    CHECK_EQUAL(1024, pitch);
    CHECK_SUCCESS(cuMemsetD8_v2(address, 1, pitch * 10));
    CHECK_SUCCESS(cuCtxSynchronize());
    CHECK_SUCCESS(cuMemFree_v2(address));
    CHECK_SUCCESS(cuMemAllocPitch_v2(&address, &pitch, 512, 1, 16));
    CHECK_EQUAL(512, pitch);
    CHECK_SUCCESS(cuMemFree_v2(address));
    CHECK_STATUS(INVALID_VALUE, cuMemAllocPitch_v2(&address, &pitch, 512, 1, 5));
    CHECK_STATUS(INVALID_VALUE, cuMemAllocPitch_v2(&address, &pitch, 0, 1, 4));
    CHECK_STATUS(INVALID_VALUE, cuMemAllocPitch_v2(&address, &pitch, SIZE_MAX, 2, 4));
    CHECK_STATUS(INVALID_VALUE, cuMemAllocPitch_v2(&address, &pitch, (size_t)1 << 40, (size_t)1 << 40, 4));
    CHECK_STATUS(INVALID_VALUE, cuMemAllocPitch_v2(&address, NULL, 512, 1, 4));
    close_context(context);
}

static void streams_allocate(void)
{
    CUcontext context = open_context();
    CUstream stream;
    CUdeviceptr address;
    CUdeviceptr base;
    unsigned char byte = 0;
    CHECK_SUCCESS(cuStreamCreate(&stream, 1));
    CHECK_SUCCESS(cuMemAllocAsync(&address, PAGE, stream));
    CHECK_SUCCESS(cuMemsetD8Async(address, 0x5a, PAGE, stream));
    CHECK_SUCCESS(cuMemcpyDtoHAsync_v2(&byte, address + PAGE - 1, 1, stream));
    CHECK_EQUAL(0x5a, byte);
    CHECK_SUCCESS(cuMemFreeAsync(address, stream));
    CHECK_STATUS(NOT_FOUND, cuMemGetAddressRange_v2(&base, NULL, address));
    CHECK_STATUS(INVALID_VALUE, cuMemFreeAsync(address, stream));
    CHECK_SUCCESS(cuStreamSynchronize(stream));
    CHECK_SUCCESS(cuMemAllocAsync_ptsz(&address, PAGE, NULL));
    CHECK_SUCCESS(cuMemFree_v2(address));
    CHECK_STATUS(INVALID_HANDLE, cuMemAllocAsync(&address, PAGE, (CUstream)&address));
    CHECK_SUCCESS(cuStreamDestroy_v2(stream));
    CHECK_STATUS(INVALID_HANDLE, cuMemAllocAsync(&address, PAGE, stream));
    close_context(context);
}

static void ranges_are_found(void)
{
    enum { MANY = 200 };
    CUcontext context = open_context();
    CUdeviceptr addresses[MANY];
    CUdeviceptr base;
    size_t bytes;
    for (int i = 0; i < MANY; i++)
        CHECK_SUCCESS(cuMemAlloc_v2(&addresses[i], 100 + (size_t)i));
    for (int i = 0; i < MANY; i++) {
        CHECK_SUCCESS(cuMemGetAddressRange_v2(&base, &bytes, addresses[i] + 99 + (CUdeviceptr)i));
        CHECK_EQUAL(addresses[i], base);
        CHECK_EQUAL(100 + i, bytes);
        /* The next byte is in another allocation, or in none. */
        CUresult outcome = cuMemGetAddressRange_v2(&base, &bytes, addresses[i] + 100 + (CUdeviceptr)i);
        CHECK(outcome == CUDA_SUCCESS ? base != addresses[i] : outcome == CUDA_ERROR_NOT_FOUND);
    }
    for (int i = 0; i < MANY; i += 2)
        CHECK_SUCCESS(cuMemFree_v2(addresses[i]));
    for (int i = 0; i < MANY; i++) {
        CUresult expected = i % 2 == 0 ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
        CHECK_EQUAL(expected, cuMemGetAddressRange_v2(NULL, NULL, addresses[i]));
    }
    for (int i = 1; i < MANY; i += 2)
        CHECK_SUCCESS(cuMemFree_v2(addresses[i]));
    close_context(context);
}

static void pinned_memory_has_gpu_address(void)
{
    CUcontext context = open_context();
    void *pinned;
    void *flagged;
    CUdeviceptr address;
    CUdeviceptr base;
    size_t bytes;
    unsigned int flags;
    int local;
    CHECK_SUCCESS(cuMemAllocHost_v2(&pinned, 10000));
    CHECK_SUCCESS(cuMemHostAlloc(&flagged, 1, 0x1 | 0x2 | 0x4));
    fill_pattern(pinned, 10000, 1);
    CHECK_SUCCESS(cuMemHostGetDevicePointer_v2(&address, pinned, 0));
    CHECK_EQUAL((uintptr_t)pinned, address);
    CHECK_SUCCESS(cuMemHostGetDevicePointer_v2(&address, (char *)pinned + 100, 0));
    CHECK_EQUAL((uintptr_t)pinned + 100, address);
    CHECK_STATUS(INVALID_VALUE, cuMemHostGetDevicePointer_v2(&address, &local, 0));
    CHECK_STATUS(INVALID_VALUE, cuMemHostGetDevicePointer_v2(&address, pinned, 1));
    CHECK_SUCCESS(cuMemHostGetFlags(&flags, flagged));
    CHECK_EQUAL(7, flags);
    CHECK_SUCCESS(cuMemHostGetFlags(&flags, pinned));
    CHECK_EQUAL(0, flags);
    CHECK_STATUS(INVALID_VALUE, cuMemHostGetFlags(&flags, &local));
    CHECK_SUCCESS(cuMemGetAddressRange_v2(&base, &bytes, (uintptr_t)pinned + 9999));
    CHECK_EQUAL((uintptr_t)pinned, base);
    CHECK_EQUAL(10000, bytes);
    CHECK_STATUS(INVALID_VALUE, cuMemHostAlloc(&flagged, 1, 0x8));
    CHECK_STATUS(INVALID_VALUE, cuMemAllocHost_v2(&flagged, 0));
    CHECK_STATUS(OUT_OF_MEMORY, cuMemAllocHost_v2(&flagged, (size_t)1 << 44));
    CHECK_STATUS(INVALID_VALUE, cuMemFreeHost((char *)pinned + 1));
    CHECK_STATUS(INVALID_VALUE, cuMemFreeHost(&local));
    check_pattern(pinned, 10000, 1);
    CHECK_SUCCESS(cuMemFreeHost(pinned));
    CHECK_STATUS(INVALID_VALUE, cuMemFreeHost(pinned));
    /* The context frees the other memory. */
    close_context(context);
    CHECK_STATUS(INVALID_CONTEXT, cuMemAllocHost_v2(&pinned, 1));
}

static void fills_write_pinned_memory(void)
{
    CUcontext context = open_context();
    unsigned char *pinned;
    CHECK_SUCCESS(cuMemHostAlloc((void **)&pinned, PAGE, 0x2));
    memset(pinned, 1, PAGE);
    CHECK_SUCCESS(cuMemsetD8_v2((CUdeviceptr)(uintptr_t)pinned + 8, 0xee, 16));
    CHECK_SUCCESS(cuCtxSynchronize());
    CHECK_EQUAL(1, pinned[7]);
    CHECK_EQUAL(0xee, pinned[8]);
    CHECK_EQUAL(0xee, pinned[23]);
    CHECK_EQUAL(1, pinned[24]);
    CHECK_SUCCESS(cuMemFreeHost(pinned));
    close_context(context);
}

static void programs_register_memory(void)
{
    static unsigned char memory[4 * PAGE];
    static unsigned char copied[4 * PAGE];
    CUcontext context = open_context();
    CUdeviceptr address;
    unsigned int flags;
    CHECK_SUCCESS(cuMemHostRegister_v2(memory, sizeof memory, 0x1));
    CHECK_STATUS(HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister_v2(memory + PAGE, PAGE, 0));
    CHECK_SUCCESS(cuMemHostGetFlags(&flags, memory + 1));
    CHECK_EQUAL(1, flags);
    CHECK_STATUS(INVALID_VALUE, cuMemHostGetDevicePointer_v2(&address, memory, 0));
    CHECK_STATUS(NOT_SUPPORTED, cuMemHostRegister_v2(copied, PAGE, 0x2));
    CHECK_STATUS(NOT_SUPPORTED, cuMemHostRegister_v2(copied, PAGE, 0x4));
    CHECK_STATUS(INVALID_VALUE, cuMemHostRegister_v2(copied, 0, 0));
    fill_pattern(memory, sizeof memory, 3);
    CHECK_SUCCESS(cuMemAlloc_v2(&address, sizeof memory));
    CHECK_SUCCESS(cuMemcpyHtoDAsync_v2(address, memory, sizeof memory, NULL));
    CHECK_SUCCESS(cuMemcpyDtoHAsync_v2(copied, address, sizeof memory, NULL));
    CHECK_SUCCESS(cuStreamSynchronize(NULL));
    check_pattern(copied, sizeof memory, 3);
    CHECK_SUCCESS(cuMemHostUnregister(memory));
    CHECK_STATUS(HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(memory));
    CHECK_SUCCESS(cuMemHostRegister(memory, PAGE, 0));
    CHECK_SUCCESS(cuMemHostUnregister(memory));
    CHECK_SUCCESS(cuMemFree_v2(address));
    close_context(context);
}

static void pointers_have_attributes(void)
{
    CUcontext context = open_context();
    CUdeviceptr address;
    void *pinned;
    int local;
    CUcontext owner;
    CUdeviceptr pointer;
    void *host;
    int number;
    unsigned int flag;
    size_t bytes;
    unsigned long long identifier;
    unsigned long long other;
    CHECK_SUCCESS(cuMemAlloc_v2(&address, 1000));
    CHECK_SUCCESS(cuMemHostAlloc(&pinned, 2000, 0));
    CHECK_SUCCESS(cuPointerGetAttribute(&owner, 1, address + 10));
    CHECK(owner == context);
    CHECK_SUCCESS(cuPointerGetAttribute(&flag, 2, address));
    CHECK_EQUAL(2, flag);
    CHECK_SUCCESS(cuPointerGetAttribute(&flag, 2, (uintptr_t)pinned));
    CHECK_EQUAL(1, flag);
    CHECK_SUCCESS(cuPointerGetAttribute(&pointer, 3, address + 10));
    CHECK_EQUAL(address + 10, pointer);
    CHECK_SUCCESS(cuPointerGetAttribute(&pointer, 3, (uintptr_t)pinned + 1));
    CHECK_EQUAL((uintptr_t)pinned + 1, pointer);
    CHECK_STATUS(INVALID_VALUE, cuPointerGetAttribute(&host, 4, address));
    CHECK_SUCCESS(cuPointerGetAttribute(&host, 4, (uintptr_t)pinned));
    CHECK(host == pinned);
    CHECK_SUCCESS(cuPointerGetAttribute(&identifier, 7, address));
    CHECK_SUCCESS(cuPointerGetAttribute(&other, 7, (uintptr_t)pinned));
    CHECK(identifier != other);
    CHECK_SUCCESS(cuPointerGetAttribute(&flag, 8, address));
    CHECK_EQUAL(0, flag);
    CHECK_SUCCESS(cuPointerGetAttribute(&number, 9, address));
    CHECK_EQUAL(0, number);
    CHECK_SUCCESS(cuPointerGetAttribute(&pointer, 11, address + 999));
    CHECK_EQUAL(address, pointer);
    CHECK_SUCCESS(cuPointerGetAttribute(&bytes, 12, address));
    CHECK_EQUAL(1000, bytes);
    CHECK_SUCCESS(cuPointerGetAttribute(&flag, 13, address));
    CHECK_EQUAL(1, flag);
    CHECK_STATUS(INVALID_VALUE, cuPointerGetAttribute(&flag, 2, (uintptr_t)&local));
    CHECK_STATUS(INVALID_VALUE, cuPointerGetAttribute(&flag, 999, address));
    CHECK_STATUS(INVALID_VALUE, cuPointerGetAttribute(NULL, 2, address));

    CUpointer_attribute attributes[] = {1, 2, 3, 4, 8, 9};
    void *values[] = {&owner, &flag, &pointer, &host, &identifier, &number};
    identifier = 0;
    CHECK_SUCCESS(cuPointerGetAttributes(6, attributes, values, address));
    CHECK(owner == context);
    CHECK_EQUAL(2, flag);
    CHECK_EQUAL(address, pointer);
    CHECK(host == NULL);
    CHECK_EQUAL(0, number);
    CHECK_SUCCESS(cuPointerGetAttributes(6, attributes, values, (uintptr_t)&local));
    CHECK(owner == NULL);
    CHECK_EQUAL(0, flag);
    CHECK_EQUAL(0, pointer);
    CHECK_EQUAL(-2, number);
    CHECK_STATUS(INVALID_VALUE, cuPointerGetAttributes(0, attributes, values, address));
    CHECK_STATUS(INVALID_VALUE, cuPointerGetAttributes(1, NULL, values, address));
    close_context(context);
}

/* Fills 64 bytes of device memory that were 1, and returns them. */
static const unsigned char *after(CUdeviceptr address)
{
    static unsigned char bytes[64];
    CHECK_SUCCESS(cuMemcpyDtoH_v2(bytes, address, sizeof bytes));
    CHECK_SUCCESS(cuMemsetD8_v2(address, 1, sizeof bytes));
    return bytes;
}

static void fills_write_elements(void)
{
    CUcontext context = open_context();
    CUdeviceptr address;
    CUstream stream;
    const unsigned char *bytes;
    CHECK_SUCCESS(cuMemAlloc_v2(&address, 64));
    CHECK_SUCCESS(cuStreamCreate(&stream, 0));
    CHECK_SUCCESS(cuMemsetD8_v2(address, 1, 64));
    CHECK_SUCCESS(cuMemsetD8_v2(address + 1, 0xab, 3));
    bytes = after(address);
    CHECK_EQUAL(0, memcmp(bytes, "\1\xab\xab\xab\1", 5));
    CHECK_SUCCESS(cuMemsetD16_v2(address + 2, 0x1234, 2));
    bytes = after(address);
    CHECK_EQUAL(0, memcmp(bytes, "\1\1\x34\x12\x34\x12\1", 7));
    CHECK_SUCCESS(cuMemsetD32_v2(address + 4, 0x12345678, 1));
    bytes = after(address);
    CHECK_EQUAL(0, memcmp(bytes, "\1\1\1\1\x78\x56\x34\x12\1", 9));
    CHECK_SUCCESS(cuMemsetD2D8_v2(address, 8, 0xcd, 2, 3));
    bytes = after(address);
    CHECK_EQUAL(0, memcmp(bytes, "\xcd\xcd\1\1\1\1\1\1\xcd\xcd\1\1\1\1\1\1\xcd\xcd\1\1\1\1\1\1\1\1", 26));
    CHECK_SUCCESS(cuMemsetD2D16_v2(address, 8, 0x4321, 2, 2));
    bytes = after(address);
    CHECK_EQUAL(0, memcmp(bytes, "\x21\x43\x21\x43\1\1\1\1\x21\x43\x21\x43\1\1\1\1\1", 17));
    CHECK_SUCCESS(cuMemsetD2D32_v2(address, 8, 0x01020304, 1, 2));
    bytes = after(address);
    CHECK_EQUAL(0, memcmp(bytes, "\4\3\2\1\1\1\1\1\4\3\2\1\1\1\1\1\1", 17));
    CHECK_SUCCESS(cuMemsetD8Async(address, 0x11, 1, stream));
    CHECK_SUCCESS(cuMemsetD16Async(address + 2, 0x2222, 1, stream));
    CHECK_SUCCESS(cuMemsetD32Async(address + 4, 0x33333333, 1, stream));
    CHECK_SUCCESS(cuMemsetD2D8Async(address + 8, 4, 0x44, 1, 2, stream));
    CHECK_SUCCESS(cuMemsetD2D16Async(address + 16, 4, 0x5555, 1, 2, stream));
    CHECK_SUCCESS(cuMemsetD2D32Async(address + 24, 8, 0x66666666, 1, 2, stream));
    bytes = after(address);
    CHECK_EQUAL(0, memcmp(bytes, "\x11\1\x22\x22\x33\x33\x33\x33\x44\1\1\1\x44\1\1\1\x55\x55\1\1\x55\x55\1\1ffff\1\1\1\1ffff\1", 37));
    CHECK_STATUS(INVALID_VALUE, cuMemsetD16_v2(address + 1, 0, 1));
    CHECK_STATUS(INVALID_VALUE, cuMemsetD32_v2(address + 2, 0, 1));
    CHECK_STATUS(INVALID_VALUE, cuMemsetD2D32_v2(address, 6, 0, 1, 1));
    CHECK_SUCCESS(cuMemsetD8_v2_ptds(address, 0x77, 1));
    CHECK_SUCCESS(cuMemsetD8Async_ptsz(address + 1, 0x88, 1, NULL));
    CHECK_SUCCESS(cuStreamSynchronize_ptsz(NULL));
    CHECK_EQUAL(0, memcmp(after(address), "\x77\x88\1", 3));
    CHECK_SUCCESS(cuMemFree_v2(address));
    close_context(context);
}

static const struct test_case cases[] = {
    CASE(allocations_are_freed),
    CASE(context_frees_its_memory),
    CASE(rows_of_pitched_memory_are_aligned),
    CASE(streams_allocate),
    CASE(ranges_are_found),
    CASE(pinned_memory_has_gpu_address),
    CASE(fills_write_pinned_memory),
    CASE(programs_register_memory),
    CASE(pointers_have_attributes),
    CASE(fills_write_elements),
};

int main(int count, char **arguments)
{
    return run_case(count, arguments, cases, sizeof cases / sizeof cases[0]);
}
