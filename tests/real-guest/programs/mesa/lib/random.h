// Random numbers that depend on a seed (splitmix64).
#pragma once

#include <stdint.h>

static inline uint64_t random_next(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline uint32_t random_word(uint64_t *state) { return (uint32_t)(random_next(state) >> 32); }

// Returns a number uniformly distributed between two limits.
static inline float random_float(uint64_t *state, float from, float to) {
    return from + (to - from) * ((float)(random_word(state) >> 8) / 16777216.0f);
}
