/*
 * Parts of the CUDA programs that run beside hostile clients, or are killed (docs/hostile-guests.md). Their module has the kernels
 * add(address, added), which adds to consecutive 32-bit words, one for each thread, and spin(address), which waits until a word is not 0.
 */
#ifndef HOSTILE_CLIENTS_H
#define HOSTILE_CLIENTS_H

/* Before all other headers: pause, vfork and clock_gettime. */
#define _DEFAULT_SOURCE

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"

CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuLaunchHostFunc(CUstream stream, void (*function)(void *data), void *data);

/* Threads of a block. */
#define THREADS 64

#define NANOSECONDS 1000000000ll

/* Opened context, with the kernels of the module. */
struct device {
    CUcontext context;
    CUmodule module;
    CUfunction add;
    CUfunction spin;
};

static inline uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static inline long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * NANOSECONDS + now.tv_nsec;
}

/* Opens the device, and loads FOLDER/hostile.cubin. */
static inline struct device open_with_module(const char *folder)
{
    struct device device = {.context = open_device()};
    device.module = load_module(folder, "hostile");
    CALL(cuModuleGetFunction(&device.add, device.module, "add"));
    CALL(cuModuleGetFunction(&device.spin, device.module, "spin"));
    return device;
}

static inline CUresult launch_add(const struct device *device, CUdeviceptr words, unsigned int count, uint32_t added, CUstream stream)
{
    void *parameters[] = {&words, &added};
    return cuLaunchKernel(device->add, count / THREADS, 1, 1, THREADS, 1, 1, 0, stream, parameters, NULL);
}

static inline CUresult launch_spin(const struct device *device, CUdeviceptr flag, CUstream stream)
{
    void *parameters[] = {&flag};
    return cuLaunchKernel(device->spin, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL);
}

/*
 * Copies numbers to the GPU, adds to them there, copies them back, and verifies each. Returns the number of wrong ones.
 *
 * words: memory of count words on the GPU, host: as many in this process
 */
static inline unsigned int compute(const struct device *device, CUdeviceptr words, uint32_t *host, unsigned int count, uint64_t *random)
{
    uint32_t seed = (uint32_t)next_random(random);
    uint32_t added = (uint32_t)next_random(random);
    for (unsigned int i = 0; i < count; i++)
        host[i] = seed + i * 2654435761u;
    CALL(cuMemcpyHtoD(words, host, count * sizeof *host));
    CALL(launch_add(device, words, count, added, NULL));
    CALL(launch_add(device, words, count, 1, NULL));
    for (unsigned int i = 0; i < count; i++)
        host[i] = 0;
    CALL(cuMemcpyDtoH(host, words, count * sizeof *host));
    unsigned int wrong = 0;
    for (unsigned int i = 0; i < count; i++)
        wrong += host[i] != seed + i * 2654435761u + added + 1;
    return wrong;
}

#endif
