/* Copies to the GPU and back to other memory: `cpy` from and to pageable memory, `pincpy` from and to page-locked memory. */
#include <string.h>

#include "workload.h"

static unsigned size;
static unsigned char *input, *result;
static void *source, *target; /* page-locked */
static CUdeviceptr memory;

static void prepare(unsigned wanted, uint64_t seed)
{
    uint64_t state = seed;
    free(input);
    free(result);
    size = wanted;
    input = allocate(size);
    result = allocate(size);
    memset(result, 0, size);
    for (size_t i = 0; i < size; i++)
        input[i] = (unsigned char)next_random(&state);
}

static void initialize_pageable(const char *folder)
{
    (void)folder;
    CALL(cuMemAlloc(&memory, size));
}

static void initialize_pinned(const char *folder)
{
    (void)folder;
    CALL(cuMemAllocHost(&source, size));
    CALL(cuMemAllocHost(&target, size));
    CALL(cuMemAlloc(&memory, size));
    memcpy(source, input, size);
    memset(target, 0, size);
}

static void wipe(void)
{
    CALL(cuMemsetD8(memory, WIPED, size));
    CALL(cuCtxSynchronize());
}

static void copy_in_pageable(void)
{
    CALL(cuMemcpyHtoD(memory, input, size));
    CALL(cuCtxSynchronize());
}

static void copy_in_pinned(void)
{
    CALL(cuMemcpyHtoDAsync(memory, source, size, NULL));
    CALL(cuCtxSynchronize());
}

static void copy_out_pageable(void)
{
    CALL(cuMemcpyDtoH(result, memory, size));
}

static void copy_out_pinned(void)
{
    CALL(cuMemcpyDtoHAsync(target, memory, size, NULL));
    CALL(cuCtxSynchronize());
}

static void require_copy(const unsigned char *found)
{
    for (size_t i = 0; i < size; i++)
        if (found[i] != input[i])
            fail("copy[%zu]=0x%x, expected 0x%x", i, found[i], input[i]);
}

static void verify_pageable(void)
{
    require_copy(result);
    memset(result, 0, size);
}

static void verify_pinned(void)
{
    require_copy(target);
}

static void close_pageable(void)
{
    CALL(cuMemFree(memory));
}

static void close_pinned(void)
{
    CALL(cuMemFree(memory));
    CALL(cuMemFreeHost(target));
    CALL(cuMemFreeHost(source));
}

static struct work work(void)
{
    return (struct work){size, size, 0, 0, "op"};
}

const struct workload cpy = {
    "cpy",      1,          1u << 30,          prepare,         initialize_pageable, wipe, copy_in_pageable,
    do_nothing, copy_out_pageable, verify_pageable, close_pageable, work,
};

const struct workload pincpy = {
    "pincpy",   1,          1u << 30,        prepare,       initialize_pinned, wipe, copy_in_pinned,
    do_nothing, copy_out_pinned, verify_pinned, close_pinned, work,
};
