/* Time. */
#ifndef GPUVM_CLOCK_H
#define GPUVM_CLOCK_H

#include <stdint.h>
#include <time.h>

#define GPUVM_NS_PER_US UINT64_C(1000)
#define GPUVM_NS_PER_MS UINT64_C(1000000)
#define GPUVM_NS_PER_S UINT64_C(1000000000)

static inline uint64_t gpuvm_time(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * GPUVM_NS_PER_S + (uint64_t)now.tv_nsec;
}

/* Returns nanoseconds of a clock that only advances. No system call. */
static inline uint64_t gpuvm_now(void)
{
    return gpuvm_time(CLOCK_MONOTONIC);
}

static inline struct timespec gpuvm_timespec(uint64_t nanoseconds)
{
    return (struct timespec){(time_t)(nanoseconds / GPUVM_NS_PER_S), (long)(nanoseconds % GPUVM_NS_PER_S)};
}

/* Tells the processor that the thread waits for another one in a loop. */
static inline void gpuvm_spin(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    __asm__ __volatile__("" ::: "memory");
#endif
}

#endif
