/*
 * Detects lost, repeated and reordered calls.
 *
 *   sequence FOLDER SECONDS [SEED]      FOLDER contains clients.cubin
 *
 * Each launch replaces each number x of a vector by x * factor + n, where n is the number of the launch: the result depends on each launch, and
 * on their order. Copies of pageable and of page-locked memory, in two streams, are interleaved with the launches. Each round, with lengths
 * chosen by the seed, ends with a comparison of all bytes with those that the processor has calculated.
 *
 * Exit status: 0 if all results are right. The program ends after the given time, and prints the number of launches.
 */
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "check.h"

#define ELEMENTS 1024u
#define THREADS 256u
#define VECTOR_BYTES (ELEMENTS * sizeof(uint32_t))
#define MOST_LAUNCHES 64u
#define MOST_BYTES (1u << 20)

/* Value of the module's variable `factor`. It is odd: with an even one, later launches would shift the results of earlier ones out. */
#define FACTOR 1664525u

static uint64_t random_state;

/* SplitMix64. */
static uint64_t next_random(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void fill(uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(next_random() >> 56);
}

static void compare(const char *what, const void *found, const void *expected, size_t bytes, unsigned launches)
{
    const uint8_t *a = found, *b = expected;
    for (size_t i = 0; i < bytes; i++)
        if (a[i] != b[i])
            fail("%s: byte %zu of %zu is %u, expected %u, after %u launches", what, i, bytes, a[i], b[i], launches);
}

/* A vector that launches of a stream change, and what it should contain. */
struct vector {
    CUdeviceptr memory;
    CUstream stream;
    uint32_t *found;
    uint32_t expected[ELEMENTS];
    unsigned launches;
};

static void launch(CUfunction scale, struct vector *vector)
{
    unsigned elements = ELEMENTS, added = ++vector->launches;
    void *parameters[] = {&vector->memory, &elements, &added};
    CALL(cuLaunchKernel(scale, ELEMENTS / THREADS, 1, 1, THREADS, 1, 1, 0, vector->stream, parameters, NULL));
    for (unsigned i = 0; i < ELEMENTS; i++)
        vector->expected[i] = vector->expected[i] * FACTOR + added;
}

static void open_vector(struct vector *vector, unsigned seed)
{
    for (unsigned i = 0; i < ELEMENTS; i++)
        vector->expected[i] = i + seed;
    CALL(cuStreamCreate(&vector->stream, 0));
    CALL(cuMemAlloc(&vector->memory, VECTOR_BYTES));
    CALL(cuMemAllocHost((void **)&vector->found, VECTOR_BYTES));
    CALL(cuMemcpyHtoD(vector->memory, vector->expected, VECTOR_BYTES));
}

/* Copies bytes to the GPU and back, through pageable memory. */
static void copy_pageable(CUdeviceptr memory, uint8_t *from, uint8_t *to, unsigned launches)
{
    size_t bytes = 1 + next_random() % MOST_BYTES;
    fill(from, bytes);
    CALL(cuMemcpyHtoD(memory, from, bytes));
    memset(to, 0, bytes);
    CALL(cuMemcpyDtoH(to, memory, bytes));
    compare("pageable copy", to, from, bytes, launches);
}

int main(int count, char **arguments)
{
    if (count != 3 && count != 4) {
        fputs("usage: sequence FOLDER SECONDS [SEED]\n", stderr);
        return 2;
    }
    time_t end = time(NULL) + atoi(arguments[2]);
    random_state = count == 4 ? strtoull(arguments[3], NULL, 10) : 1;
    open_device();
    CUmodule module = load_module(arguments[1], "clients");
    CUfunction scale;
    CALL(cuModuleGetFunction(&scale, module, "scale"));
    uint32_t factor = FACTOR;
    CUdeviceptr variable;
    size_t variable_bytes;
    CALL(cuModuleGetGlobal(&variable, &variable_bytes, module, "factor"));
    CALL(cuMemcpyHtoD(variable, &factor, sizeof factor));

    static struct vector vectors[2];
    for (unsigned i = 0; i < 2; i++)
        open_vector(&vectors[i], i);
    CUdeviceptr memory, pinned_memory;
    uint8_t *from = allocate(MOST_BYTES), *to = allocate(MOST_BYTES), *pinned_from, *pinned_to;
    CALL(cuMemAlloc(&memory, MOST_BYTES));
    CALL(cuMemAlloc(&pinned_memory, MOST_BYTES));
    CALL(cuMemAllocHost((void **)&pinned_from, MOST_BYTES));
    CALL(cuMemAllocHost((void **)&pinned_to, MOST_BYTES));

    unsigned rounds = 0;
    do {
        size_t bytes = 1 + next_random() % MOST_BYTES;
        fill(pinned_from, bytes);
        CALL(cuMemcpyHtoDAsync(pinned_memory, pinned_from, bytes, vectors[1].stream));
        for (unsigned i = 0, launches = 1 + (unsigned)(next_random() % MOST_LAUNCHES); i < launches; i++)
            launch(scale, &vectors[next_random() % 2]);
        CALL(cuMemcpyDtoHAsync(pinned_to, pinned_memory, bytes, vectors[1].stream));
        if (next_random() % 2 == 0)
            copy_pageable(memory, from, to, vectors[0].launches);
        for (unsigned i = 0; i < 2; i++)
            CALL(cuMemcpyDtoHAsync(vectors[i].found, vectors[i].memory, VECTOR_BYTES, vectors[i].stream));
        for (unsigned i = 0; i < 2; i++) {
            CALL(cuStreamSynchronize(vectors[i].stream));
            compare("vector", vectors[i].found, vectors[i].expected, VECTOR_BYTES, vectors[i].launches);
        }
        compare("page-locked copy", pinned_to, pinned_from, bytes, vectors[1].launches);
        rounds++;
    } while (time(NULL) < end);
    printf("passed: rounds=%u, launches=%u\n", rounds, vectors[0].launches + vectors[1].launches);
    return EXIT_SUCCESS;
}
