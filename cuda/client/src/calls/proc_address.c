/* Addresses of functions by name and version. */
#include "gpuvm_cuda_api.h"

/* CU_GET_PROC_ADDRESS_LEGACY_STREAM: the default, but excludes the other flag. */
#define LEGACY_STREAM 1u

static CUresult find(
    const char *symbol, void **function, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *symbolStatus)
{
    if (flags != 0 && flags != LEGACY_STREAM && flags != GPUVM_PROC_PER_THREAD)
        return CUDA_ERROR_INVALID_VALUE;
    return gpuvm_find_symbol(symbol, version, flags, function, symbolStatus);
}

CUresult gpuvm_local_GetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags)
{
    return find(symbol, function, version, flags, NULL);
}

CUresult gpuvm_local_GetProcAddress_v2(
    const char *symbol, void **function, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *symbolStatus)
{
    return find(symbol, function, version, flags, symbolStatus);
}
