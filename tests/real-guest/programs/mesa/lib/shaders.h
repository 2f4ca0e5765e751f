// Cases of gles-compute: each dispatches shaders on data that depends on a seed, and compares every
// result with the processor's on the same data.
#pragma once

#include <stdint.h>

struct shader_case {
    const char *name;
    // Returns the offset of the first wrong byte, or -1.
    int64_t (*run)(uint64_t seed);
};

// In lib/arithmetic.c
int64_t run_integers(uint64_t seed);
int64_t run_floats(uint64_t seed);
int64_t run_conversions(uint64_t seed);

// In lib/groups.c
int64_t run_indices(uint64_t seed);
int64_t run_reduction(uint64_t seed);
int64_t run_transpose(uint64_t seed);
int64_t run_matrix_product(uint64_t seed);
int64_t run_storage_atomics(uint64_t seed);
int64_t run_shared_atomics(uint64_t seed);

// In lib/flow.c
int64_t run_collatz(uint64_t seed);
int64_t run_nested_loops(uint64_t seed);
int64_t run_sort(uint64_t seed);
int64_t run_uniforms(uint64_t seed);
int64_t run_indirect(uint64_t seed);

// Returns the byte offset of the first difference in an array of words, or -1. Reports the
// difference.
int64_t first_wrong_word(const char *what, const uint32_t *actual, const uint32_t *expected,
                         int words);
