#include "pattern.h"

#include <string.h>

// Finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
uint64_t pattern_word(uint64_t seed, uint64_t index) {
    uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

void pattern_fill(void *memory, size_t bytes, uint64_t seed) {
    size_t whole_words = bytes / sizeof(uint64_t);
    for (size_t i = 0; i < whole_words; i++) {
        ((uint64_t *)memory)[i] = pattern_word(seed, i);
    }
    uint64_t last = pattern_word(seed, whole_words);
    memcpy((uint64_t *)memory + whole_words, &last, bytes % sizeof last);
}

int64_t pattern_first_difference(const void *memory, size_t bytes, uint64_t seed) {
    const uint64_t *words = memory;
    size_t whole_words = bytes / sizeof *words;
    for (size_t i = 0; i < whole_words; i++) {
        uint64_t expected = pattern_word(seed, i);
        if (words[i] != expected) {
            return (int64_t)(i * sizeof expected) +
                   first_difference(&words[i], &expected, sizeof expected);
        }
    }
    uint64_t last = pattern_word(seed, whole_words);
    int64_t wrong = first_difference(words + whole_words, &last, bytes % sizeof last);
    return wrong < 0 ? wrong : (int64_t)(whole_words * sizeof last) + wrong;
}

int64_t first_difference(const void *a, const void *b, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        if (((const uint8_t *)a)[i] != ((const uint8_t *)b)[i]) {
            return (int64_t)i;
        }
    }
    return -1;
}

int64_t first_difference_by_width(const void *a, const void *b, size_t bytes) {
    for (size_t i = 0; i + 16 <= bytes; i += 16) {
        const volatile uint8_t *from = (const volatile uint8_t *)a + i;
        uint64_t first = *(const volatile uint64_t *)from;
        uint32_t second = *(const volatile uint32_t *)(from + 8);
        uint16_t third = *(const volatile uint16_t *)(from + 12);
        uint8_t read[16];
        memcpy(read, &first, sizeof first);
        memcpy(read + 8, &second, sizeof second);
        memcpy(read + 12, &third, sizeof third);
        read[14] = from[14];
        read[15] = from[15];
        int64_t wrong = first_difference(read, (const uint8_t *)b + i, sizeof read);
        if (wrong >= 0) {
            return (int64_t)i + wrong;
        }
    }
    return -1;
}
