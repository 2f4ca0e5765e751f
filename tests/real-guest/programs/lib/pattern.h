// Bytes that depend on a seed and their position, so that misplaced data is detected.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Returns the word at an index of the pattern.
uint64_t pattern_word(uint64_t seed, uint64_t index);

void pattern_fill(void *memory, size_t bytes, uint64_t seed);

// Returns the offset of the first byte that differs from the pattern, or -1. The memory must be
// aligned to 8 bytes.
int64_t pattern_first_difference(const void *memory, size_t bytes, uint64_t seed);

// Returns the offset of the first byte in which two areas differ, or -1.
int64_t first_difference(const void *a, const void *b, size_t bytes);

// Same as first_difference, but reads the first area with loads of 1, 2, 4 and 8 bytes in turn, for
// memory behind a PCI BAR. The area must be aligned to 8 bytes.
int64_t first_difference_by_width(const void *a, const void *b, size_t bytes);
