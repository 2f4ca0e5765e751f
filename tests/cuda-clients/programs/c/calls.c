/*
 * Measures the cost of calls of the CUDA driver API.
 *
 *   calls FOLDER      FOLDER contains clients.cubin
 *
 * For each line "CALL COUNT" of the input, the program makes COUNT calls and prints their time in nanoseconds:
 *
 *   reply      cuMemGetInfo, which waits for an answer, but not for the GPU
 *   idle       cuCtxSynchronize without pending work
 *   local      cuDeviceGetAttribute, which the library answers
 *   enqueue    cuLaunchKernel with four parameters, without a wait; the wait that follows is not measured
 *   record     cuEventRecord, without a wait
 */
#include <inttypes.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "check.h"

#define NS_PER_SECOND 1000000000u

static CUdevice device;
static CUfunction kernel;
static CUdeviceptr memory;
static CUevent event;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * NS_PER_SECOND + (uint64_t)time.tv_nsec;
}

static void reply(void)
{
    size_t available, total;
    CALL(cuMemGetInfo(&available, &total));
}

static void idle(void)
{
    CALL(cuCtxSynchronize());
}

static void local(void)
{
    int value;
    CALL(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
}

static void enqueue(void)
{
    unsigned elements = 0;
    void *parameters[] = {&memory, &memory, &memory, &elements};
    CALL(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
}

static void record(void)
{
    CALL(cuEventRecord(event, NULL));
}

static const struct {
    const char *name;
    void (*call)(void);
} calls[] = {{"reply", reply}, {"idle", idle}, {"local", local}, {"enqueue", enqueue}, {"record", record}};

static void measure(const char *name, unsigned count)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, name) == 0) {
            CALL(cuCtxSynchronize()); /* the backend is awake */
            uint64_t start = now();
            for (unsigned n = 0; n < count; n++)
                calls[i].call();
            uint64_t ns = now() - start;
            CALL(cuCtxSynchronize());
            printf("%" PRIu64 "\n", ns);
            fflush(stdout);
            return;
        }
    fail("call=%s, expected reply, idle, local, enqueue or record", name);
}

int main(int count, char **arguments)
{
    char name[NAME_BYTES];
    unsigned number;
    if (count != 2) {
        fputs("usage: calls FOLDER\n", stderr);
        return 2;
    }
    CUcontext context = open_device();
    CUmodule module = load_module(arguments[1], "clients");
    CALL(cuModuleGetFunction(&kernel, module, "vadd"));
    CALL(cuDeviceGet(&device, 0));
    CALL(cuMemAlloc(&memory, sizeof(float)));
    CALL(cuEventCreate(&event, 0));
    while (scanf("%127s %u", name, &number) == 2)
        measure(name, number);
    CALL(cuCtxDestroy(context));
    return EXIT_SUCCESS;
}
