/*
 * Library for LD_PRELOAD that appends all memory that a CUDA program copies from its device to the file in the environment variable
 * RECORD. It also adds memory before and after each allocation, because some of Rodinia's kernels read beyond their arrays.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "include/cuda.h"

#define MARGIN_BYTES (64 << 10)

CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes)
{
    CUresult (*allocate)(CUdeviceptr *, size_t) = (CUresult (*)(CUdeviceptr *, size_t))dlsym(RTLD_NEXT, "cuMemAlloc_v2");
    CUresult result = allocate(address, bytes + 2 * MARGIN_BYTES);
    *address += MARGIN_BYTES;
    return result;
}

CUresult cuMemFree(CUdeviceptr address)
{
    CUresult (*release)(CUdeviceptr) = (CUresult (*)(CUdeviceptr))dlsym(RTLD_NEXT, "cuMemFree_v2");
    return release(address - MARGIN_BYTES);
}

CUresult cuMemcpyDtoH(void *destination, CUdeviceptr source, size_t bytes)
{
    typedef CUresult (*Copy)(void *, CUdeviceptr, size_t);
    Copy copy = (Copy)dlsym(RTLD_NEXT, "cuMemcpyDtoH_v2");
    CUresult result = copy(destination, source, bytes);
    FILE *file = fopen(getenv("RECORD"), "ab");
    if (result != CUDA_SUCCESS || !file || fwrite(destination, 1, bytes, file) != bytes || fclose(file)) {
        fprintf(stderr, "record: copy of %zu bytes failed: result=%d\n", bytes, result);
        _Exit(1);
    }
    return result;
}
