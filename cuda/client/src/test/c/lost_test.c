/* Programs whose backend is killed. Each prints a line when that may happen. */
#define _GNU_SOURCE

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api.h"

enum { THREADS = 4 };

static void announce(void)
{
    puts("ready");
    fflush(stdout);
}

static void never_return(void *unused)
{
    (void)unused;
    for (;;)
        pause();
}

/* Blocks the default stream. */
static CUcontext open_blocked(void)
{
    CUcontext context = open_context();
    CHECK_SUCCESS(cuLaunchHostFunc(NULL, never_return, NULL));
    return context;
}

static void expect_lost(void)
{
    CUdeviceptr address;
    int count;
    const char *name;
    CHECK_STATUS(DEVICE_UNAVAILABLE, cuMemAlloc_v2(&address, 4096));
    CHECK_STATUS(DEVICE_UNAVAILABLE, cuDeviceGetCount(&count));
    CHECK_STATUS(DEVICE_UNAVAILABLE, cuInit(0));
    CHECK_SUCCESS(cuGetErrorName(CUDA_ERROR_DEVICE_UNAVAILABLE, &name));
    CHECK(strcmp(name, "CUDA_ERROR_DEVICE_UNAVAILABLE") == 0);
}

static void *synchronize(void *context)
{
    CHECK_SUCCESS(cuCtxSetCurrent(context));
    CHECK_STATUS(DEVICE_UNAVAILABLE, cuCtxSynchronize());
    return NULL;
}

static void waiting_threads_get_error(void)
{
    CUcontext context = open_blocked();
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        CHECK_EQUAL(0, pthread_create(&threads[i], NULL, synchronize, context));
    announce();
    for (int i = 0; i < THREADS; i++)
        CHECK_EQUAL(0, pthread_join(threads[i], NULL));
    expect_lost();
}

static void functions_without_calls_get_error(void)
{
    int count;
    CHECK_SUCCESS(cuInit(0));
    announce();
    AWAIT(cuDeviceGetCount(&count) == CUDA_ERROR_DEVICE_UNAVAILABLE);
    expect_lost();
}

static void calls_without_reply_get_error(void)
{
    CUdeviceptr address;
    CUresult outcome;
    open_context();
    CHECK_SUCCESS(cuMemAlloc_v2(&address, 4096));
    announce();
    do
        outcome = cuMemsetD8Async(address, 1, 4096, NULL);
    while (outcome == CUDA_SUCCESS);
    CHECK_STATUS(DEVICE_UNAVAILABLE, outcome);
    expect_lost();
}


static void child_is_uninitialized_before_and_after(void)
{
    int ends[2];
    int count;
    char byte;
    open_context();
    CHECK_EQUAL(0, pipe(ends));
    pid_t child = fork();
    if (child == 0) {
        CHECK_STATUS(NOT_INITIALIZED, cuInit(0));
        CHECK_STATUS(NOT_INITIALIZED, cuDeviceGetCount(&count));
        close(ends[1]);
        CHECK_EQUAL(0, read(ends[0], &byte, 1)); /* until the parent has lost its backend */
        CHECK_STATUS(NOT_INITIALIZED, cuDeviceGetCount(&count));
        _exit(0);
    }
    CHECK_SUCCESS(cuCtxSynchronize());
    announce();
    AWAIT(cuDeviceGetCount(&count) == CUDA_ERROR_DEVICE_UNAVAILABLE);
    close(ends[1]);
    int status;
    CHECK_EQUAL(child, waitpid(child, &status, 0));
    CHECK_EQUAL(0, status);
}

static const struct test_case cases[] = {
    CASE(waiting_threads_get_error),
    CASE(functions_without_calls_get_error),
    CASE(calls_without_reply_get_error),
    CASE(child_is_uninitialized_before_and_after),
};

int main(int count, char **arguments)
{
    return run_case(count, arguments, cases, sizeof cases / sizeof cases[0]);
}
