/*
 * CUDA program whose backend is killed: survivor FOLDER SEED
 *
 * It prints "ready", and makes calls until one fails. Then each call must fail, within a second, and the program must end without a signal.
 * It prints the longest time of a failing call in milliseconds, in the form "longest N". The exit status is 1 if a call succeeds
 * afterwards, and 2 if the backend did not die: the program gives up after a minute.
 */
#include "clients.h"

#include <pthread.h>
#include <unistd.h>

enum { STILL_ALIVE = 2, WORDS = 256 * THREADS, PATIENCE_S = 60, KERNEL_US = 300000 };

static long long longest;

/* Result of the first call that failed. */
static CUresult first;

static void at_host(void *data)
{
    (void)data;
}

/* Ends kernels that wait for a flag, before the backend's limit of their time does. */
static void *end_kernels(void *flag)
{
    for (;;) {
        usleep(KERNEL_US);
        *(volatile uint32_t *)flag = 1;
    }
    return NULL;
}

static void must_fail(CUresult result, const char *call, long long start)
{
    long long took = now_ns() - start;
    if (result == CUDA_SUCCESS)
        fail("%s: succeeded after a call that failed with %d", call, (int)first);
    if (took > longest)
        longest = took;
}

#define LOST(call)                        \
    do {                                  \
        long long start = now_ns();       \
        must_fail(call, #call, start);    \
    } while (0)

int main(int count, char **arguments)
{
    static uint32_t host[WORDS];
    if (count != 3)
        fail("arguments=%d, expected FOLDER SEED", count - 1);
    uint64_t random = strtoull(arguments[2], NULL, 10) | 1;
    struct device device = open_with_module(arguments[1]);
    CUdeviceptr memory;
    CUdeviceptr other;
    CUstream stream;
    CUevent event;
    CUcontext context;
    void *pinned;
    size_t available;
    size_t total;
    CALL(cuMemAlloc(&memory, sizeof host));
    CALL(cuStreamCreate(&stream, 0));
    CALL(cuEventCreate(&event, 0));
    CALL(cuMemAllocHost(&pinned, sizeof host));
    pthread_t thread;
    if (pthread_create(&thread, NULL, end_kernels, pinned) != 0)
        fail("no thread can be created");
    int mode = (int)(next_random(&random) % 4);
    if (puts("ready") < 0 || fflush(stdout) != 0)
        return EXIT_FAILURE;
    long long begun = now_ns();
    CUresult result = CUDA_SUCCESS;
    while (result == CUDA_SUCCESS && now_ns() - begun < PATIENCE_S * NANOSECONDS) {
        switch (mode) {
        case 0: /* waits for the GPU */
            *(volatile uint32_t *)pinned = 0;
            result = launch_spin(&device, (CUdeviceptr)(uintptr_t)pinned, stream);
            if (result == CUDA_SUCCESS)
                result = cuStreamSynchronize(stream);
            break;
        case 1: /* only calls without reply */
            result = launch_add(&device, memory, WORDS, 1, stream);
            break;
        case 2: /* copies */
            result = cuMemcpyHtoD(memory, host, sizeof host);
            if (result == CUDA_SUCCESS)
                result = cuMemcpyDtoH(host, memory, sizeof host);
            break;
        default: /* round trips and host functions */
            result = cuMemGetInfo(&available, &total);
            if (result == CUDA_SUCCESS)
                result = cuLaunchHostFunc(stream, at_host, NULL);
            break;
        }
    }
    if (result == CUDA_SUCCESS)
        return STILL_ALIVE;
    first = result;
    for (int i = 0; i < 3; i++) {
        LOST(cuMemAlloc(&other, 1 << 20));
        LOST(cuMemcpyHtoD(memory, host, sizeof host));
        LOST(cuMemcpyDtoH(host, memory, sizeof host));
        LOST(launch_add(&device, memory, WORDS, 1, stream));
        LOST(cuStreamSynchronize(stream));
        LOST(cuCtxSynchronize());
        LOST(cuMemGetInfo(&available, &total));
        LOST(cuEventRecord(event, stream));
        LOST(cuLaunchHostFunc(stream, at_host, NULL));
        LOST(cuCtxCreate(&context, 0, 0));
        LOST(cuMemsetD8(memory, 1, sizeof host));
    }
    printf("longest %lld\n", longest / 1000000);
    return EXIT_SUCCESS;
}
