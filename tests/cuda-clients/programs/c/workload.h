/*
 * Workloads of `gpuvm run` in C, against the CUDA driver API: the same kernels, launches, copies and phases as in the Java module
 * `workloads`, so that their times can be compared.
 */
#ifndef CUDA_CLIENTS_WORKLOAD_H
#define CUDA_CLIENTS_WORKLOAD_H

#include <stdint.h>

#include "check.h"

/* Byte that, repeated four times, is NaN as a float and an unlikely integer. */
#define WIPED 0xff

/* Rows and columns of a tile, and of a block of threads. */
#define TILE 16

/* Amount of work of a run. */
struct work {
    uint64_t bytes_in, bytes_out;  /* bytes that copy_in and copy_out copy */
    uint64_t launches, operations; /* of the phase launch */
    const char *unit;              /* of the operations */
};

/*
 * A workload of one size. The phases are called in the order of their declarations, and again for each further run; each phase is complete
 * when it returns. Input and expected result are computed once.
 */
struct workload {
    const char *name;
    unsigned smallest, largest;       /* permitted sizes */
    void (*prepare)(unsigned size, uint64_t seed); /* generates the input; not timed */
    void (*initialize)(const char *folder);
    void (*wipe)(void);               /* overwrites the GPU's memory; not timed */
    void (*copy_in)(void);
    void (*launch)(void);
    void (*copy_out)(void);
    void (*verify)(void);             /* fails unless the result is right; not timed */
    void (*close)(void);
    struct work (*work)(void);        /* of a run of the prepared size */
};

extern const struct workload mmul, lud, cpy, pincpy, nop, delay;

/* Next word of a sequence of pseudorandom numbers. */
static inline uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

static inline void do_nothing(void) {}

/* Fails at the first word that differs. */
static inline void require_equal(const char *what, const uint32_t *found, const uint32_t *expected, size_t words)
{
    for (size_t i = 0; i < words; i++)
        if (found[i] != expected[i])
            fail("%s[%zu]=0x%x, expected 0x%x", what, i, found[i], expected[i]);
}

/* Launches a grid of blocks of 16 by 16 threads on the default stream. */
static inline void launch_squares(CUfunction kernel, unsigned x, unsigned y, void **parameters)
{
    CALL(cuLaunchKernel(kernel, x, y, 1, TILE, TILE, 1, 0, NULL, parameters, NULL));
}

#endif
