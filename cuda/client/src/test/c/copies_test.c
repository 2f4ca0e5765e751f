/* Tests of copies. */
#define _GNU_SOURCE

#include "api.h"

/* More than one copy's pieces of staging memory, which are up to 3 MiB long. */
enum { LARGEST = (13 << 20) + 7 };

static const size_t lengths[] = {1, 5, 4096, 65536, 65537, 200001, (2 << 20) + 1, LARGEST};

#define LENGTHS (sizeof lengths / sizeof lengths[0])

/* Host memory of the tests: pageable, or page-locked. */
struct host {
    unsigned char *from;
    unsigned char *to;
    bool is_pinned;
};

static struct host host_memory(bool is_pinned)
{
    struct host host = {.is_pinned = is_pinned};
    if (is_pinned) {
        CHECK_SUCCESS(cuMemAllocHost_v2((void **)&host.from, LARGEST + 16));
        CHECK_SUCCESS(cuMemAllocHost_v2((void **)&host.to, LARGEST + 16));
    } else {
        host.from = malloc(LARGEST + 16);
        host.to = malloc(LARGEST + 16);
    }
    return host;
}

static void release(const struct host *host)
{
    if (host->is_pinned) {
        CHECK_SUCCESS(cuMemFreeHost(host->from));
        CHECK_SUCCESS(cuMemFreeHost(host->to));
    } else {
        free(host->from);
        free(host->to);
    }
}

/* Copies to the GPU, there to another place, and back; the program overwrites the source at once. */
static void copy_around(bool is_pinned)
{
    CUcontext context = open_context();
    struct host host = host_memory(is_pinned);
    CUdeviceptr first;
    CUdeviceptr second;
    CHECK_SUCCESS(cuMemAlloc_v2(&first, LARGEST + 16));
    CHECK_SUCCESS(cuMemAlloc_v2(&second, LARGEST + 16));
    for (size_t i = 0; i < LENGTHS; i++) {
        size_t offset = i % 3;
        size_t length = lengths[i];
        fill_pattern(host.from + offset, length, (unsigned int)i);
        memset(host.to, 0, LARGEST + 16);
        CHECK_SUCCESS(cuMemcpyHtoD_v2(first + offset, host.from + offset, length));
        memset(host.from, 0xff, LARGEST + 16);
        CHECK_SUCCESS(cuMemcpyDtoD_v2(second + 1, first + offset, length));
        CHECK_SUCCESS(cuMemcpyDtoH_v2(host.to + offset, second + 1, length));
        check_pattern(host.to + offset, length, (unsigned int)i);
        CHECK_EQUAL(0, host.to[offset + length]);
    }
    release(&host);
    CHECK_SUCCESS(cuMemFree_v2(first));
    CHECK_SUCCESS(cuMemFree_v2(second));
    close_context(context);
}

static void pageable_memory_is_copied(void)
{
    copy_around(false);
}

static void pinned_memory_is_copied(void)
{
    copy_around(true);
}

static void copy_in_stream(bool is_pinned)
{
    CUcontext context = open_context();
    struct host host = host_memory(is_pinned);
    CUdeviceptr first;
    CUdeviceptr second;
    CUstream stream;
    CHECK_SUCCESS(cuMemAlloc_v2(&first, LARGEST + 16));
    CHECK_SUCCESS(cuMemAlloc_v2(&second, LARGEST + 16));
    CHECK_SUCCESS(cuStreamCreate(&stream, 1));
    for (size_t i = 0; i < LENGTHS; i++) {
        size_t length = lengths[i];
        fill_pattern(host.from, length, (unsigned int)i);
        CHECK_SUCCESS(cuMemcpyHtoDAsync_v2(first, host.from, length, stream));
        CHECK_SUCCESS(cuMemcpyDtoDAsync_v2(second, first, length, stream));
        CHECK_SUCCESS(cuMemcpyDtoHAsync_v2(host.to, second, length, stream));
        /* Pageable memory is complete when the function returns. */
        if (is_pinned)
            CHECK_SUCCESS(cuStreamSynchronize(stream));
        check_pattern(host.to, length, (unsigned int)i);
    }
    release(&host);
    CHECK_SUCCESS(cuStreamDestroy_v2(stream));
    close_context(context);
}

static void pageable_memory_is_copied_in_stream(void)
{
    copy_in_stream(false);
}

static void pinned_memory_is_copied_in_stream(void)
{
    copy_in_stream(true);
}

static CUdeviceptr of(const void *pointer)
{
    return (CUdeviceptr)(uintptr_t)pointer;
}

static void addresses_determine_direction(void)
{
    enum { BYTES = 150000 };
    CUcontext context = open_context();
    unsigned char *pageable = malloc(BYTES);
    unsigned char *other = malloc(BYTES);
    unsigned char *pinned;
    unsigned char *other_pinned;
    CUdeviceptr device;
    CUdeviceptr other_device;
    CUstream stream;
    CHECK_SUCCESS(cuMemAllocHost_v2((void **)&pinned, BYTES));
    CHECK_SUCCESS(cuMemAllocHost_v2((void **)&other_pinned, BYTES));
    CHECK_SUCCESS(cuMemAlloc_v2(&device, BYTES));
    CHECK_SUCCESS(cuMemAlloc_v2(&other_device, BYTES));
    CHECK_SUCCESS(cuStreamCreate(&stream, 0));
    fill_pattern(pageable, BYTES, 8);
    CHECK_SUCCESS(cuMemcpy(device, of(pageable), BYTES));
    CHECK_SUCCESS(cuMemcpy(other_device, device, BYTES));
    CHECK_SUCCESS(cuMemcpy(of(pinned), other_device, BYTES));
    check_pattern(pinned, BYTES, 8);
    CHECK_SUCCESS(cuMemcpy(of(other_pinned), of(pinned), BYTES));
    check_pattern(other_pinned, BYTES, 8);
    CHECK_SUCCESS(cuMemcpy(of(other), of(other_pinned), BYTES));
    check_pattern(other, BYTES, 8);
    memset(other, 0, BYTES);
    CHECK_SUCCESS(cuMemcpy(of(other), of(pageable), BYTES));
    check_pattern(other, BYTES, 8);
    CHECK_SUCCESS(cuMemcpy(of(other), device, BYTES));
    check_pattern(other, BYTES, 8);

    fill_pattern(pageable, BYTES, 9);
    CHECK_SUCCESS(cuMemcpyAsync(device, of(pageable), BYTES, stream));
    memset(pageable, 0, BYTES);
    CHECK_SUCCESS(cuMemcpyAsync(other_device, device, BYTES, stream));
    CHECK_SUCCESS(cuMemcpyAsync(of(pinned), other_device, BYTES, stream));
    CHECK_SUCCESS(cuMemcpyAsync(of(other_pinned), of(pinned), BYTES, stream));
    CHECK_SUCCESS(cuMemcpyAsync(of(other), of(other_pinned), BYTES, stream));
    check_pattern(other, BYTES, 9);
    CHECK_SUCCESS(cuMemcpyAsync(device, of(other_pinned), BYTES, stream));
    CHECK_SUCCESS(cuMemcpyAsync(of(pageable), device, BYTES, stream));
    check_pattern(pageable, BYTES, 9);
    CHECK_SUCCESS(cuStreamSynchronize(stream));
    check_pattern(other_pinned, BYTES, 9);

    /* Functions of a direction accept page-locked memory as memory of the GPU. */
    memset(pinned, 0, BYTES);
    CHECK_SUCCESS(cuMemcpyHtoD_v2(of(pinned), pageable, BYTES));
    check_pattern(pinned, BYTES, 9);
    CHECK_SUCCESS(cuMemcpyDtoD_v2(other_device, of(pinned), BYTES));
    CHECK_SUCCESS(cuMemcpyDtoH_v2(pageable, of(pinned), BYTES));
    CHECK_SUCCESS(cuMemcpy_ptds(of(other), other_device, BYTES));
    CHECK_SUCCESS(cuMemcpyAsync_ptsz(of(other), other_device, BYTES, NULL));
    check_pattern(other, BYTES, 9);
    free(pageable);
    free(other);
    CHECK_SUCCESS(cuMemFreeHost(pinned));
    CHECK_SUCCESS(cuMemFreeHost(other_pinned));
    CHECK_SUCCESS(cuMemFree_v2(device));
    CHECK_SUCCESS(cuMemFree_v2(other_device));
    close_context(context);
}

static void invalid_ranges_are_refused(void)
{
    CUcontext context = open_context();
    CUdeviceptr device;
    char bytes[64] = {0};
    CHECK_SUCCESS(cuMemAlloc_v2(&device, 4096));
    CHECK_SUCCESS(cuMemcpyHtoD_v2(device, bytes, 0));
    CHECK_SUCCESS(cuMemcpyDtoH_v2(NULL, device, 0));
    CHECK_STATUS(INVALID_VALUE, cuMemcpyHtoD_v2(device, NULL, 1));
    CHECK_STATUS(INVALID_VALUE, cuMemcpyDtoH_v2(NULL, device, 1));
    CHECK_STATUS(INVALID_VALUE, cuMemcpyHtoD_v2(device + 4090, bytes, 64));
    CHECK_STATUS(INVALID_VALUE, cuMemcpyHtoD_v2(0, bytes, 64));
    CHECK_STATUS(INVALID_VALUE, cuMemcpyHtoD_v2(of(bytes), bytes, 64));
    CHECK_STATUS(INVALID_VALUE, cuMemcpyDtoH_v2(bytes, device + 4095, 2));
    CHECK_STATUS(INVALID_VALUE, cuMemcpyHtoDAsync_v2(of(bytes), bytes, 64, NULL));
    CHECK_SUCCESS(cuMemFree_v2(device));
    CHECK_STATUS(INVALID_VALUE, cuMemcpyHtoD_v2(device, bytes, 64));
    CHECK_STATUS(INVALID_VALUE, cuMemcpyDtoH_v2(bytes, device, 64));
    /* The error of a copy that waits for nothing comes with a later call. */
    CHECK_SUCCESS(cuMemcpyHtoDAsync_v2(device, bytes, 64, NULL));
    CHECK_STATUS(INVALID_VALUE, cuCtxSynchronize());
    CHECK_SUCCESS(cuCtxSynchronize());
    CHECK_SUCCESS(cuCtxPopCurrent_v2(NULL));
    CHECK_STATUS(INVALID_CONTEXT, cuMemcpyHtoD_v2(device, bytes, 64));
    CHECK_SUCCESS(cuCtxPushCurrent_v2(context));
    close_context(context);
}

/* Rectangles of host memory, as the processor copies them. */
static void copy_rows(unsigned char *to, size_t to_pitch, const unsigned char *from, size_t from_pitch, size_t width, size_t height)
{
    for (size_t y = 0; y < height; y++)
        memcpy(to + y * to_pitch, from + y * from_pitch, width);
}

enum { MEMORY_HOST = 1, MEMORY_DEVICE = 2, MEMORY_ARRAY = 3, MEMORY_UNIFIED = 4 };

typedef CUresult (*copy_function)(const CUDA_MEMCPY2D *rectangle);

static CUresult copy_async(const CUDA_MEMCPY2D *rectangle)
{
    CUresult outcome = cuMemcpy2DAsync_v2(rectangle, NULL);
    return outcome == CUDA_SUCCESS ? cuStreamSynchronize(NULL) : outcome;
}

static CUresult copy_of_thread(const CUDA_MEMCPY2D *rectangle)
{
    CUresult outcome = cuMemcpy2DAsync_v2_ptsz(rectangle, NULL);
    return outcome == CUDA_SUCCESS ? cuStreamSynchronize_ptsz(NULL) : outcome;
}

static void copy_rectangle(bool is_pinned, bool is_unified, copy_function copy, size_t width, size_t height, unsigned int seed)
{
    size_t host_pitch = width + 13;
    size_t device_pitch = (width + 40) / 16 * 16 + 16;
    size_t host_bytes = host_pitch * (height + 3);
    size_t device_bytes = device_pitch * (height + 4);
    struct host host = host_memory(is_pinned);
    unsigned char *expected = calloc(1, host_bytes);
    CUdeviceptr device;
    CHECK(host_bytes <= LARGEST && device_bytes <= (size_t)1 << 27);
    CHECK_SUCCESS(cuMemAlloc_v2(&device, device_bytes));
    CHECK_SUCCESS(cuMemsetD8_v2(device, 0xa5, device_bytes));
    fill_pattern(host.from, host_bytes, seed);
    memset(host.to, 0, host_bytes);
    CUDA_MEMCPY2D to_device = {
        .srcXInBytes = 3,
        .srcY = 1,
        .srcMemoryType = is_unified ? MEMORY_UNIFIED : MEMORY_HOST,
        .srcHost = is_unified ? NULL : host.from,
        .srcDevice = is_unified ? of(host.from) : 0,
        .srcPitch = host_pitch,
        .dstXInBytes = 8,
        .dstY = 2,
        .dstMemoryType = is_unified ? MEMORY_UNIFIED : MEMORY_DEVICE,
        .dstDevice = device,
        .dstPitch = device_pitch,
        .WidthInBytes = width,
        .Height = height,
    };
    CHECK_SUCCESS(copy(&to_device));
    CUDA_MEMCPY2D to_host = {
        .srcXInBytes = 8,
        .srcY = 2,
        .srcMemoryType = is_unified ? MEMORY_UNIFIED : MEMORY_DEVICE,
        .srcDevice = device,
        .srcPitch = device_pitch,
        .dstXInBytes = 1,
        .dstY = 2,
        .dstMemoryType = is_unified ? MEMORY_UNIFIED : MEMORY_HOST,
        .dstHost = is_unified ? NULL : host.to,
        .dstDevice = is_unified ? of(host.to) : 0,
        .dstPitch = host_pitch,
        .WidthInBytes = width,
        .Height = height,
    };
    CHECK_SUCCESS(copy(&to_host));
    copy_rows(expected + 2 * host_pitch + 1, host_pitch, host.from + host_pitch + 3, host_pitch, width, height);
    CHECK_EQUAL(0, memcmp(expected, host.to, host_bytes));
    unsigned char edge[8];
    CHECK_SUCCESS(cuMemcpyDtoH_v2(edge, device + 2 * device_pitch, 8));
    CHECK_EQUAL(0, memcmp(edge, "\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5", 8));
    CHECK_SUCCESS(cuMemcpyDtoH_v2(edge, device + 2 * device_pitch + 8 + width, 1));
    CHECK_EQUAL(0xa5, edge[0]);
    free(expected);
    release(&host);
    CHECK_SUCCESS(cuMemFree_v2(device));
}

static void rectangles_are_copied(void)
{
    static const copy_function functions[] = {
        cuMemcpy2D_v2, cuMemcpy2DUnaligned_v2, cuMemcpy2D_v2_ptds, cuMemcpy2DUnaligned_v2_ptds, copy_async, copy_of_thread};
    CUcontext context = open_context();
    for (unsigned int i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        for (int variant = 0; variant < 4; variant++) {
            copy_rectangle(variant & 1, variant & 2, functions[i], 100, 37, i);
            copy_rectangle(variant & 1, variant & 2, functions[i], 70000, 3, i);
            copy_rectangle(variant & 1, variant & 2, functions[i], 1, 500, i);
            copy_rectangle(variant & 1, variant & 2, functions[i], 333, 1, i);
        }
    }
    copy_rectangle(false, false, cuMemcpy2D_v2, 1100000, 2, 1);
    close_context(context);
}

static void rows_without_gaps_are_one_row(void)
{
    enum { WIDTH = 1000, HEIGHT = 50 };
    CUcontext context = open_context();
    struct host host = host_memory(false);
    CUdeviceptr device;
    CHECK_SUCCESS(cuMemAlloc_v2(&device, WIDTH * HEIGHT));
    fill_pattern(host.from, WIDTH * HEIGHT, 5);
    CUDA_MEMCPY2D rectangle = {
        .srcMemoryType = MEMORY_HOST,
        .srcHost = host.from,
        .srcPitch = WIDTH,
        .dstMemoryType = MEMORY_DEVICE,
        .dstDevice = device,
        .dstPitch = WIDTH,
        .WidthInBytes = WIDTH,
        .Height = HEIGHT,
    };
    CHECK_SUCCESS(cuMemcpy2D_v2(&rectangle));
    CHECK_SUCCESS(cuMemcpyDtoH_v2(host.to, device, WIDTH * HEIGHT));
    check_pattern(host.to, WIDTH * HEIGHT, 5);
    release(&host);
    close_context(context);
}

static void invalid_rectangles_are_refused(void)
{
    CUcontext context = open_context();
    CUdeviceptr device;
    char bytes[4096];
    CHECK_SUCCESS(cuMemAlloc_v2(&device, sizeof bytes));
    const CUDA_MEMCPY2D valid = {
        .srcMemoryType = MEMORY_HOST,
        .srcHost = bytes,
        .srcPitch = 64,
        .dstMemoryType = MEMORY_DEVICE,
        .dstDevice = device,
        .dstPitch = 64,
        .WidthInBytes = 64,
        .Height = 64,
    };
    CUDA_MEMCPY2D changed = valid;
    CHECK_SUCCESS(cuMemcpy2D_v2(&changed));
    CHECK_STATUS(INVALID_VALUE, cuMemcpy2D_v2(NULL));
    changed.srcPitch = 63;
    CHECK_STATUS(INVALID_VALUE, cuMemcpy2D_v2(&changed));
    changed = valid;
    changed.dstXInBytes = 1;
    CHECK_STATUS(INVALID_VALUE, cuMemcpy2D_v2(&changed));
    changed = valid;
    changed.dstY = 1;
    CHECK_STATUS(INVALID_VALUE, cuMemcpy2D_v2(&changed));
    changed = valid;
    changed.srcMemoryType = MEMORY_ARRAY;
    CHECK_STATUS(NOT_SUPPORTED, cuMemcpy2D_v2(&changed));
    changed.srcMemoryType = 0;
    CHECK_STATUS(INVALID_VALUE, cuMemcpy2D_v2(&changed));
    changed = valid;
    changed.srcHost = NULL;
    CHECK_STATUS(INVALID_VALUE, cuMemcpy2D_v2(&changed));
    changed = valid;
    changed.dstPitch = (size_t)1 << 40;
    CHECK_STATUS(INVALID_VALUE, cuMemcpy2D_v2(&changed));
    changed = valid;
    changed.Height = 0;
    changed.srcHost = NULL;
    CHECK_SUCCESS(cuMemcpy2D_v2(&changed));
    changed = valid;
    changed.dstY = SIZE_MAX / 2;
    CHECK_STATUS(INVALID_VALUE, cuMemcpy2DUnaligned_v2(&changed));
    changed = valid;
    changed.Height = (size_t)1 << 62;
    CHECK_STATUS(INVALID_VALUE, cuMemcpy2DUnaligned_v2(&changed));
    close_context(context);
}

static size_t place(size_t x, size_t y, size_t z, size_t pitch, size_t rows)
{
    return (z * rows + y) * pitch + x;
}

static void copy_box(bool is_pinned, bool is_async, size_t width, size_t height, size_t depth)
{
    size_t host_pitch = width + 5;
    size_t host_rows = height + 2;
    size_t device_pitch = width + 64;
    size_t device_rows = height + 1;
    size_t host_bytes = host_pitch * host_rows * (depth + 2);
    size_t device_bytes = device_pitch * device_rows * (depth + 1);
    struct host host = host_memory(is_pinned);
    unsigned char *expected = calloc(1, host_bytes);
    CUdeviceptr device;
    CHECK(host_bytes <= LARGEST);
    CHECK_SUCCESS(cuMemAlloc_v2(&device, device_bytes));
    fill_pattern(host.from, host_bytes, (unsigned int)width);
    memset(host.to, 0, host_bytes);
    CUDA_MEMCPY3D box = {
        .srcXInBytes = 2,
        .srcY = 1,
        .srcZ = 1,
        .srcMemoryType = MEMORY_HOST,
        .srcHost = host.from,
        .srcPitch = host_pitch,
        .srcHeight = host_rows,
        .dstXInBytes = 16,
        .dstZ = 1,
        .dstY = 1,
        .dstMemoryType = MEMORY_UNIFIED,
        .dstDevice = device,
        .dstPitch = device_pitch,
        .dstHeight = device_rows,
        .WidthInBytes = width,
        .Height = height,
        .Depth = depth,
    };
    CHECK_SUCCESS(is_async ? cuMemcpy3DAsync_v2(&box, NULL) : cuMemcpy3D_v2(&box));
    box = (CUDA_MEMCPY3D){
        .srcXInBytes = 16,
        .srcY = 1,
        .srcZ = 1,
        .srcMemoryType = MEMORY_DEVICE,
        .srcDevice = device,
        .srcPitch = device_pitch,
        .srcHeight = device_rows,
        .dstXInBytes = 1,
        .dstY = 2,
        .dstZ = 1,
        .dstMemoryType = MEMORY_HOST,
        .dstHost = host.to,
        .dstPitch = host_pitch,
        .dstHeight = host_rows,
        .WidthInBytes = width,
        .Height = height,
        .Depth = depth,
    };
    CHECK_SUCCESS(is_async ? cuMemcpy3DAsync_v2(&box, NULL) : cuMemcpy3D_v2_ptds(&box));
    CHECK_SUCCESS(cuStreamSynchronize(NULL));
    for (size_t z = 0; z < depth; z++)
        for (size_t y = 0; y < height; y++)
            memcpy(expected + place(1, y + 2, z + 1, host_pitch, host_rows),
                host.from + place(2, y + 1, z + 1, host_pitch, host_rows), width);
    CHECK_EQUAL(0, memcmp(expected, host.to, host_bytes));
    free(expected);
    release(&host);
    CHECK_SUCCESS(cuMemFree_v2(device));
}

static void boxes_are_copied(void)
{
    CUcontext context = open_context();
    for (int variant = 0; variant < 4; variant++) {
        copy_box(variant & 1, variant & 2, 7, 5, 3);
        copy_box(variant & 1, variant & 2, 1000, 20, 20);
        copy_box(variant & 1, variant & 2, 40000, 3, 4);
        copy_box(variant & 1, variant & 2, 16, 1, 9);
    }
    CUDA_MEMCPY3D box = {.srcLOD = 1};
    CHECK_STATUS(INVALID_VALUE, cuMemcpy3D_v2(&box));
    close_context(context);
}

static const struct test_case cases[] = {
    CASE(pageable_memory_is_copied),
    CASE(pinned_memory_is_copied),
    CASE(pageable_memory_is_copied_in_stream),
    CASE(pinned_memory_is_copied_in_stream),
    CASE(addresses_determine_direction),
    CASE(invalid_ranges_are_refused),
    CASE(rectangles_are_copied),
    CASE(rows_without_gaps_are_one_row),
    CASE(invalid_rectangles_are_refused),
    CASE(boxes_are_copied),
};

int main(int count, char **arguments)
{
    return run_case(count, arguments, cases, sizeof cases / sizeof cases[0]);
}
