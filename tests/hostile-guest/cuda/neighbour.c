/*
 * CUDA program that verifies its results all the time: neighbour FOLDER SEED [negative]
 *
 * It keeps a canary in memory of the GPU, which it checks in each round, and computes in other memory of random size. After each round it
 * prints "verified". The exit status is 1 after a wrong result, or an error of a call. With "negative", a kernel does not run in each round,
 * so that the verification fails.
 */
#include "clients.h"

#include <string.h>

enum { CANARY_WORDS = 64 * 1024, MOST_BLOCKS = 256 };

static uint32_t canary(uint32_t index)
{
    return index * 2246822519u + 374761393u;
}

int main(int count, char **arguments)
{
    static uint32_t kept[CANARY_WORDS];
    static uint32_t host[MOST_BLOCKS * THREADS];
    if (count < 3)
        fail("arguments=%d, expected FOLDER SEED [negative]", count - 1);
    uint64_t random = strtoull(arguments[2], NULL, 10) | 1;
    int negative = count > 3 && strcmp(arguments[3], "negative") == 0;
    struct device device = open_with_module(arguments[1]);
    CUdeviceptr canaries;
    CALL(cuMemAlloc(&canaries, sizeof kept));
    for (uint32_t i = 0; i < CANARY_WORDS; i++)
        kept[i] = canary(i);
    CALL(cuMemcpyHtoD(canaries, kept, sizeof kept));
    for (;;) {
        unsigned int words = (1 + next_random(&random) % MOST_BLOCKS) * THREADS;
        CUdeviceptr memory;
        CALL(cuMemAlloc(&memory, words * sizeof *host));
        unsigned int wrong = compute(&device, memory, host, words, &random);
        CALL(cuMemFree(memory));
        memset(kept, 0, sizeof kept);
        CALL(cuMemcpyDtoH(kept, canaries, sizeof kept));
        for (uint32_t i = 0; i < CANARY_WORDS; i++)
            wrong += kept[i] != canary(i) + (negative ? 1 : 0);
        if (wrong > 0)
            fail("words=%u, wrong words=%u", words, wrong);
        if (puts("verified") < 0 || fflush(stdout) != 0)
            return EXIT_FAILURE;
    }
}
