#define _GNU_SOURCE

#include "api.h"

#include <sys/mman.h>

static unsigned char pattern(size_t index, unsigned int seed)
{
    return (unsigned char)((index * 2654435761u + seed * 97u + (index >> 8)) >> 3);
}

void fill_pattern(void *bytes, size_t count, unsigned int seed)
{
    unsigned char *byte = bytes;
    for (size_t i = 0; i < count; i++)
        byte[i] = pattern(i, seed);
}

void check_pattern(const void *bytes, size_t count, unsigned int seed)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; i++) {
        if (byte[i] != pattern(i, seed)) {
            fprintf(stderr, "byte %zu of %zu: expected %d, but was %d\n", i, count, pattern(i, seed), byte[i]);
            _exit(1);
        }
    }
}

void run_in_thread(void *(*run)(void *), void *data)
{
    pthread_t thread;
    CHECK_EQUAL(0, pthread_create(&thread, NULL, run, data));
    CHECK_EQUAL(0, pthread_join(thread, NULL));
}

CUcontext open_context(void)
{
    CUcontext context;
    CUdevice device;
    CHECK_SUCCESS(cuInit(0));
    CHECK_SUCCESS(cuDeviceGet(&device, 0));
    CHECK_SUCCESS(cuCtxCreate_v2(&context, 0, device));
    return context;
}
