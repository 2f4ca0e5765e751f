#define _GNU_SOURCE

#include "addresses.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "cuda_wire.h"
#include "session.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { LINE_BYTES = 512, NAME_BYTES = 256 };

/* Addresses to try, in this order. */
static const struct {
    uint64_t start;
    uint64_t end;
} WINDOWS[] = {
    /* Programs rarely have mappings here, and the tools that map much of the address space (ThreadSanitizer) leave these addresses free. */
    {UINT64_C(0x4100000000), UINT64_C(0x8000000000)},
    {UINT64_C(0x8000000000), GPUVM_LAST_ADDRESS},
    {GPUVM_FIRST_ADDRESS, UINT64_C(0x4100000000)},
};

/* Mapping of the process. */
struct mapping {
    uint64_t start;
    uint64_t end;
    char name[NAME_BYTES];
};

static uint64_t reserve_at(uint64_t address, uint64_t bytes)
{
    void *wanted = (void *)(uintptr_t)address;
    void *map = mmap(wanted, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (map == MAP_FAILED)
        return 0;
    if (map != wanted) { /* a kernel that does not know the flag */
        munmap(map, bytes);
        errno = EEXIST;
        return 0;
    }
    madvise(map, bytes, MADV_DONTFORK);
    return address;
}

static bool next_mapping(FILE *maps, struct mapping *mapping)
{
    char line[LINE_BYTES];
    if (fgets(line, sizeof line, maps) == NULL)
        return false;
    bool is_whole = strchr(line, '\n') != NULL;
    mapping->name[0] = '\0';
    int fields =
        sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %255[^\n]", &mapping->start, &mapping->end, mapping->name);
    while (!is_whole && fgets(line, sizeof line, maps) != NULL)
        is_whole = strchr(line, '\n') != NULL;
    return fields >= 2;
}

static uint64_t round_up(uint64_t address)
{
    return (address + GPUVM_ADDRESS_UNIT - 1) & ~(GPUVM_ADDRESS_UNIT - 1);
}

/*
 * Reserves addresses in the first gap between mappings that is large enough. Sets *largest to the largest mapping in the window, which is in
 * the way if there is no such gap.
 */
static uint64_t reserve_in(uint64_t start, uint64_t end, uint64_t bytes, struct mapping *largest)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL)
        return reserve_at(start, bytes);
    uint64_t reserved = 0;
    uint64_t gap = start;
    struct mapping mapping = {0};
    while (reserved == 0 && gap <= end && bytes <= end - gap) {
        bool is_mapping = next_mapping(maps, &mapping);
        uint64_t gap_end = !is_mapping || mapping.start > end ? end : mapping.start;
        if (gap_end >= gap && bytes <= gap_end - gap)
            reserved = reserve_at(gap, bytes);
        if (!is_mapping)
            break;
        if (mapping.end > start && mapping.start < end && mapping.end - mapping.start > largest->end - largest->start)
            *largest = mapping;
        if (mapping.end > gap)
            gap = round_up(mapping.end);
    }
    fclose(maps);
    return reserved;
}

uint64_t gpuvm_reserve(uint64_t bytes)
{
    uint64_t reserved = reserve_at(WINDOWS[0].start, bytes);
    if (reserved != 0)
        return reserved;
    int error = errno;
    struct mapping largest = {0};
    for (size_t i = 0; i < sizeof WINDOWS / sizeof *WINDOWS && reserved == 0; i++)
        reserved = reserve_in(WINDOWS[i].start, WINDOWS[i].end, bytes, &largest);
    if (reserved != 0)
        return reserved;
    if (largest.end != 0)
        gpuvm_explain("addresses for the GPU: bytes=%" PRIu64 ", no free range below %#" PRIx64 "; largest mapping there: %#" PRIx64
                      "-%#" PRIx64 " %s",
            bytes, GPUVM_LAST_ADDRESS, largest.start, largest.end, largest.name[0] == '\0' ? "(anonymous)" : largest.name);
    else
        gpuvm_explain("addresses for the GPU: bytes=%" PRIu64 ": %s", bytes, strerror(error));
    return 0;
}

void gpuvm_unreserve(uint64_t address, uint64_t bytes)
{
    munmap((void *)(uintptr_t)address, bytes);
}
