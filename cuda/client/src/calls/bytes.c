#include "bytes.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__

#include <emmintrin.h>

/*
 * Least length of a copy past the processor's caches. Such a copy does not read the lines that it replaces, and leaves the caches to the
 * program and to the GPU. Measured with bench-cuda: half a MiB is not faster, 1 MiB is. The C library does so only if a copy fills most of the
 * last cache.
 */
#define STREAMED_BYTES ((size_t)1 << 20)

#define LINE_BYTES (4 * sizeof(__m128i)) /* of a cache */
#define PREFETCHED_BYTES 512 /* distance from the bytes that are copied to those that are loaded */

static bool overlap(const unsigned char *to, const unsigned char *from, size_t bytes)
{
    return (uintptr_t)to - (uintptr_t)from < bytes || (uintptr_t)from - (uintptr_t)to < bytes;
}

/* Copies a line with four registers. A loop over an array would store the line on the stack first. */
static inline void copy_line(__m128i *to, const __m128i *from)
{
    __m128i first = _mm_loadu_si128(from);
    __m128i second = _mm_loadu_si128(from + 1);
    __m128i third = _mm_loadu_si128(from + 2);
    __m128i fourth = _mm_loadu_si128(from + 3);
    _mm_stream_si128(to, first);
    _mm_stream_si128(to + 1, second);
    _mm_stream_si128(to + 2, third);
    _mm_stream_si128(to + 3, fourth);
}

/* Copies past the caches, between ranges that do not overlap. */
static void stream(unsigned char *to, const unsigned char *from, size_t bytes)
{
    size_t head = -(uintptr_t)to % LINE_BYTES;
    memcpy(to, from, head);
    size_t done = head;
    for (; bytes - done >= LINE_BYTES; done += LINE_BYTES) {
        _mm_prefetch((const char *)((uintptr_t)from + done + PREFETCHED_BYTES), _MM_HINT_NTA);
        copy_line((__m128i *)(to + done), (const __m128i *)(from + done));
    }
    memcpy(to + done, from + done, bytes - done);
    /* Streamed stores are unordered: those after the copy, which publish it, come after them. */
    _mm_sfence();
}

void gpuvm_copy_bytes(void *to, const void *from, size_t bytes)
{
    if (bytes < STREAMED_BYTES || overlap(to, from, bytes))
        memmove(to, from, bytes);
    else
        stream(to, from, bytes);
}

#else

void gpuvm_copy_bytes(void *to, const void *from, size_t bytes)
{
    memmove(to, from, bytes);
}

#endif
