/* Tests that frequent calls allocate no memory of the process. The program replaces the C library's allocator. */
#define _GNU_SOURCE

#include <stdatomic.h>

#include "api.h"

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);

static _Atomic uint64_t allocations;

void *malloc(size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_realloc(memory, bytes);
}

enum { BYTES = 20000, ROUNDS = 200, WARM_UP = 5 };

struct objects {
    CUfunction number;
    CUfunction pack;
    CUstream stream;
    CUevent event;
    CUdeviceptr device;
    CUdeviceptr other;
    unsigned char *pinned;
    unsigned char *pageable;
};

static void run_round(struct objects *o)
{
    unsigned int added = 4;
    unsigned char byte = 1;
    unsigned short half = 2;
    unsigned int pair[4] = {0};
    void *of_number[] = {&o->device, &added};
    void *of_pack[] = {&o->device, &byte, &half, &added, pair};
    CHECK_SUCCESS(cuLaunchKernel(o->number, 1, 1, 1, 32, 1, 1, 0, o->stream, of_number, NULL));
    CHECK_SUCCESS(cuLaunchKernel(o->pack, 1, 1, 1, 1, 1, 1, 0, NULL, of_pack, NULL));
    CHECK_SUCCESS(cuLaunchKernel_ptsz(o->number, 1, 1, 1, 32, 1, 1, 0, NULL, of_number, NULL));
    CHECK_SUCCESS(cuMemcpyHtoDAsync_v2(o->device, o->pinned, BYTES, o->stream));
    CHECK_SUCCESS(cuMemcpyHtoDAsync_v2(o->device, o->pageable, BYTES, o->stream));
    CHECK_SUCCESS(cuMemcpyDtoDAsync_v2(o->other, o->device, BYTES, o->stream));
    CHECK_SUCCESS(cuMemcpyDtoHAsync_v2(o->pinned, o->other, BYTES, o->stream));
    CHECK_SUCCESS(cuMemsetD32Async(o->other, 5, BYTES / 4, o->stream));
    CHECK_SUCCESS(cuEventRecord(o->event, o->stream));
    CHECK_SUCCESS(cuStreamWaitEvent(NULL, o->event, 0));
    CHECK_SUCCESS(cuStreamWaitEvent(CU_STREAM_PER_THREAD, o->event, 0));
    CHECK_SUCCESS(cuMemcpyDtoH_v2(o->pageable, o->device, BYTES));
    CHECK_SUCCESS(cuMemcpyHtoD_v2(o->device, o->pageable, BYTES));
    CHECK_SUCCESS(cuStreamSynchronize(o->stream));
    CHECK_SUCCESS(cuEventSynchronize(o->event));
    CHECK_SUCCESS(cuCtxSynchronize());
}

static void frequent_calls_allocate_nothing(void)
{
    CUcontext context = open_context();
    struct objects o;
    CUmodule module;
    size_t bytes;
    CHECK_SUCCESS(cuModuleLoadData(&module, api_image(&bytes)));
    CHECK_SUCCESS(cuModuleGetFunction(&o.number, module, "number"));
    CHECK_SUCCESS(cuModuleGetFunction(&o.pack, module, "pack"));
    CHECK_SUCCESS(cuStreamCreate(&o.stream, 0));
    CHECK_SUCCESS(cuEventCreate(&o.event, 2));
    CHECK_SUCCESS(cuMemAlloc_v2(&o.device, BYTES));
    CHECK_SUCCESS(cuMemAlloc_v2(&o.other, BYTES));
    CHECK_SUCCESS(cuMemAllocHost_v2((void **)&o.pinned, BYTES));
    o.pageable = malloc(BYTES);
    fill_pattern(o.pageable, BYTES, 1);
    CHECK(allocations > 0);
    for (int i = 0; i < WARM_UP; i++)
        run_round(&o);
    uint64_t before = allocations;
    for (int i = 0; i < ROUNDS; i++)
        run_round(&o);
    CHECK_EQUAL(before, allocations);
    free(o.pageable);
    close_context(context);
}

static const struct test_case cases[] = {
    CASE(frequent_calls_allocate_nothing),
};

int main(int count, char **arguments)
{
    return run_case(count, arguments, cases, sizeof cases / sizeof cases[0]);
}
