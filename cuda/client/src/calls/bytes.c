#include "bytes.h"

#include <string.h>

#ifdef __x86_64__

#include <cpuid.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Least length of a copy with REP MOVSB. The instruction knows the length beforehand, does not read the lines that it replaces, and prefers
 * the caches or memory as the processor's model requires. The C library uses it only up to a part of the last cache. Measured on a processor
 * with a last cache of 480 MiB: copies of 64 MiB are 1.3 times as fast as those of the C library, and 1.7 times as fast as those with stores
 * past the caches.
 */
#define STRING_BYTES ((size_t)1 << 16)

#define LINE_BYTES 64 /* of a cache */

/* Leaf of CPUID with the extended features, and its bit ERMS, enhanced REP MOVSB and STOSB (Intel SDM, volume 2A, CPUID). */
#define FEATURES_LEAF 7
#define EBX_ERMS (1u << 9)

static bool find_fast_strings(void)
{
    unsigned int eax, ebx, ecx, edx;
    return __get_cpuid_count(FEATURES_LEAF, 0, &eax, &ebx, &ecx, &edx) && (ebx & EBX_ERMS) != 0;
}

/* Returns whether the processor has ERMS. The answer is kept: in a virtual machine, CPUID leaves to the hypervisor. */
static bool has_fast_strings(void)
{
    enum { UNKNOWN, ABSENT, PRESENT };
    static _Atomic(int) known = UNKNOWN;
    int answer = atomic_load_explicit(&known, memory_order_relaxed);
    if (answer == UNKNOWN) {
        answer = find_fast_strings() ? PRESENT : ABSENT;
        atomic_store_explicit(&known, answer, memory_order_relaxed);
    }
    return answer == PRESENT;
}

static bool overlap(const unsigned char *to, const unsigned char *from, size_t bytes)
{
    return (uintptr_t)to - (uintptr_t)from < bytes || (uintptr_t)from - (uintptr_t)to < bytes;
}

/* Copies between ranges that do not overlap. The instruction is fast only if it starts at a line of the target. */
static void copy_string(unsigned char *to, const unsigned char *from, size_t bytes)
{
    size_t head = -(uintptr_t)to % LINE_BYTES;
    memcpy(to, from, head);
    to += head;
    from += head;
    bytes -= head;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

void gpuvm_copy_bytes(void *to, const void *from, size_t bytes)
{
    if (bytes >= STRING_BYTES && !overlap(to, from, bytes) && has_fast_strings())
        copy_string(to, from, bytes);
    else
        memmove(to, from, bytes);
}

#else

void gpuvm_copy_bytes(void *to, const void *from, size_t bytes)
{
    memmove(to, from, bytes);
}

#endif
