/* Tests of calls by several threads, mainly for ThreadSanitizer. */
#define _GNU_SOURCE

#include <sched.h>
#include <stdatomic.h>

#include "api.h"

enum { THREADS = 6, ROUNDS = 60, BYTES = 70000 };

static CUcontext context;
static CUfunction number;
static CUlibrary library;
static CUkernel kernel;
static _Atomic int ready;

/* Starts all threads, lets them begin together, and waits for their end. */
static void run_threads(void *(*run)(void *))
{
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        CHECK_EQUAL(0, pthread_create(&threads[i], NULL, run, (void *)i));
    for (int i = 0; i < THREADS; i++)
        CHECK_EQUAL(0, pthread_join(threads[i], NULL));
}

static void meet(void)
{
    atomic_fetch_add(&ready, 1);
    while (ready < THREADS)
        sched_yield();
}

static void use_objects(unsigned int seed)
{
    CUstream stream;
    CUevent event;
    CUdeviceptr memory;
    unsigned int flags;
    void *pinned;
    unsigned char *pageable = malloc(BYTES);
    CHECK_SUCCESS(cuStreamCreate(&stream, 1));
    CHECK_SUCCESS(cuEventCreate(&event, 2));
    CHECK_SUCCESS(cuMemAlloc_v2(&memory, BYTES));
    CHECK_SUCCESS(cuMemHostAlloc(&pinned, BYTES, 0));
    fill_pattern(pageable, BYTES, seed);
    CHECK_SUCCESS(cuMemcpyHtoDAsync_v2(memory, pageable, BYTES, stream));
    CHECK_SUCCESS(cuMemcpyDtoHAsync_v2(pinned, memory, BYTES, stream));
    CHECK_SUCCESS(cuEventRecord(event, stream));
    CHECK_SUCCESS(cuEventSynchronize(event));
    check_pattern(pinned, BYTES, seed);
    CHECK_SUCCESS(cuStreamSynchronize(CU_STREAM_PER_THREAD));
    CHECK_SUCCESS(cuPointerGetAttribute(&flags, 2, memory));
    CHECK_SUCCESS(cuMemHostGetFlags(&flags, pinned));
    memset(pageable, 0, BYTES);
    CHECK_SUCCESS(cuMemcpyDtoH_v2(pageable, memory, BYTES));
    check_pattern(pageable, BYTES, seed);
    CHECK_SUCCESS(cuMemFree_v2(memory));
    CHECK_SUCCESS(cuMemFreeHost(pinned));
    CHECK_SUCCESS(cuEventDestroy_v2(event));
    CHECK_SUCCESS(cuStreamDestroy_v2(stream));
    CHECK_STATUS(INVALID_HANDLE, cuStreamQuery(stream));
    free(pageable);
}

static void *use_shared_context(void *data)
{
    CHECK_SUCCESS(cuCtxSetCurrent(context));
    meet();
    for (unsigned int i = 0; i < ROUNDS; i++)
        use_objects((unsigned int)(uintptr_t)data * ROUNDS + i);
    return NULL;
}

static void threads_share_context(void)
{
    context = open_context();
    run_threads(use_shared_context);
    close_context(context);
}

static void *use_own_context(void *data)
{
    CUcontext own;
    meet();
    for (unsigned int i = 0; i < ROUNDS / 10; i++) {
        CUresult outcome;
        while ((outcome = cuCtxCreate_v2(&own, 0, 0)) == CUDA_ERROR_OUT_OF_MEMORY)
            usleep(1000);
        CHECK_SUCCESS(outcome);
        use_objects((unsigned int)(uintptr_t)data * ROUNDS + i);
        CHECK_SUCCESS(cuCtxDestroy_v2(own));
    }
    return NULL;
}

static void threads_have_contexts(void)
{
    CHECK_SUCCESS(cuInit(0));
    run_threads(use_own_context);
    check_rules();
}

static void *use_primary_context(void *data)
{
    CUcontext primary;
    meet();
    for (unsigned int i = 0; i < ROUNDS / 10; i++) {
        CHECK_SUCCESS(cuDevicePrimaryCtxRetain(&primary, 0));
        CHECK_SUCCESS(cuCtxSetCurrent(primary));
        use_objects((unsigned int)(uintptr_t)data * ROUNDS + i);
        CHECK_SUCCESS(cuDevicePrimaryCtxRelease_v2(0));
    }
    return NULL;
}

static void threads_use_primary_context(void)
{
    unsigned int flags;
    int is_active;
    CHECK_SUCCESS(cuInit(0));
    run_threads(use_primary_context);
    CHECK_SUCCESS(cuDevicePrimaryCtxGetState(0, &flags, &is_active));
    CHECK_EQUAL(0, is_active);
    check_rules();
}

static void *load_and_launch(void *data)
{
    CUdeviceptr out;
    unsigned int added = (unsigned int)(uintptr_t)data;
    unsigned int words[64];
    void *parameters[] = {&out, &added};
    CUmodule module;
    CUfunction own;
    size_t bytes;
    CHECK_SUCCESS(cuCtxSetCurrent(context));
    CHECK_SUCCESS(cuMemAlloc_v2(&out, sizeof words));
    meet();
    for (int i = 0; i < ROUNDS / 3; i++) {
        CHECK_SUCCESS(cuModuleLoadData(&module, api_image(&bytes)));
        CHECK_SUCCESS(cuModuleGetFunction(&own, module, "number"));
        CUfunction used[] = {number, own, (CUfunction)kernel};
        CHECK_SUCCESS(cuMemsetD8_v2(out, 0xff, sizeof words));
        CHECK_SUCCESS(cuLaunchKernel(used[i % 3], 2, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL));
        CHECK_SUCCESS(cuMemcpyDtoH_v2(words, out, sizeof words));
        for (unsigned int j = 0; j < 64 && is_real; j++)
            CHECK_EQUAL(added + j, words[j]);
        CHECK_SUCCESS(cuModuleUnload(module));
    }
    CHECK_SUCCESS(cuMemFree_v2(out));
    return NULL;
}

static void threads_load_modules(void)
{
    CUmodule module;
    size_t bytes;
    context = open_context();
    CHECK_SUCCESS(cuModuleLoadData(&module, api_image(&bytes)));
    CHECK_SUCCESS(cuModuleGetFunction(&number, module, "number"));
    CHECK_SUCCESS(cuLibraryLoadData(&library, api_image(&bytes), NULL, NULL, 0, NULL, NULL, 0));
    CHECK_SUCCESS(cuLibraryGetKernel(&kernel, library, "number"));
    run_threads(load_and_launch);
    CHECK_SUCCESS(cuLibraryUnload(library));
    close_context(context);
}

static void *initialize(void *data)
{
    CUcontext own;
    (void)data;
    meet();
    CHECK_SUCCESS(cuInit(0));
    CHECK_SUCCESS(cuCtxCreate_v2(&own, 0, 0));
    CHECK_SUCCESS(cuCtxDestroy_v2(own));
    return NULL;
}

static void threads_initialize(void)
{
    run_threads(initialize);
    check_rules();
}

static _Atomic(CUlinkState) shared_link;
static _Atomic int added;

/* Uses a link until another thread has destroyed it. */
static void *use_link(void *data)
{
    static char ptx[] = ".version 3.0\n.target sm_20\n.address_size 64\n";
    enum { DESTROYING, COMPLETING };
    void *cubin;
    size_t bytes;
    CHECK_SUCCESS(cuCtxSetCurrent(context));
    if ((uintptr_t)data == DESTROYING) {
        AWAIT(added > 2 * THREADS);
        CHECK_SUCCESS(cuLinkDestroy(shared_link));
        return NULL;
    }
    CUresult outcome = CUDA_SUCCESS;
    while (outcome != CUDA_ERROR_INVALID_HANDLE) {
        outcome = (uintptr_t)data == COMPLETING
            ? cuLinkComplete(shared_link, &cubin, &bytes)
            : cuLinkAddData_v2(shared_link, 1, ptx, sizeof ptx, "part", 0, NULL, NULL);
        atomic_fetch_add(&added, 1);
    }
    return NULL;
}

static void threads_use_link_that_is_destroyed(void)
{
    context = open_context();
    for (int i = 0; i < ROUNDS; i++) {
        CUlinkState created;
        CHECK_SUCCESS(cuLinkCreate_v2(0, NULL, NULL, &created));
        shared_link = created;
        added = 0;
        run_threads(use_link);
    }
    close_context(context);
}

static const struct test_case cases[] = {
    CASE(threads_use_link_that_is_destroyed),
    CASE(threads_share_context),
    CASE(threads_have_contexts),
    CASE(threads_use_primary_context),
    CASE(threads_load_modules),
    CASE(threads_initialize),
};

int main(int count, char **arguments)
{
    return run_case(count, arguments, cases, sizeof cases / sizeof cases[0]);
}
