#include "fake_driver.h"

#include <stdint.h>
#include <string.h>

int fake_loads;
int fake_unloads;
CUfunction fake_launched;
CUresult fake_status;

static char contexts[FAKE_CONTEXTS];
static char modules[4096];
static int activations; /* of the primary context */
static int is_active;
static _Thread_local CUcontext current;
static _Thread_local CUcontext pushed;

CUcontext fake_context(int index)
{
    return (CUcontext)(void *)&contexts[index];
}

CUresult cuInit(unsigned int flags)
{
    return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDriverGetVersion(int *version)
{
    *version = 12040;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    *count = 1;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = current;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    current = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext context)
{
    pushed = current;
    current = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
    *context = current;
    current = pushed;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext context, unsigned long long *number)
{
    CUcontext found = context != NULL ? context : current;
    if (found == NULL)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (found == fake_context(0) && !is_active)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    unsigned int index = (unsigned int)((char *)(void *)found - contexts);
    *number = index != 0 ? index : FAKE_CONTEXTS + (unsigned int)activations;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)
{
    *flags = 0;
    *active = is_active;
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    *context = fake_context(0);
    activations += !is_active;
    is_active = 1;
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    is_active = 0;
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuCtxSynchronize(void)
{
    return fake_status;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    if (strcmp(image, "broken") == 0)
        return CUDA_ERROR_INVALID_IMAGE;
    *module = (CUmodule)(void *)&modules[fake_loads++];
    return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module)
{
    fake_unloads++;
    return module != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* The function of a module is the module; names do not matter, except one. */
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    *function = (CUfunction)(void *)module;
    return strcmp(name, "missing") == 0 ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ, unsigned int blockX,
    unsigned int blockY, unsigned int blockZ, unsigned int sharedBytes, CUstream stream, void **parameters, void **extra)
{
    (void)gridY;
    (void)gridZ;
    (void)blockX;
    (void)blockY;
    (void)blockZ;
    (void)sharedBytes;
    (void)stream;
    (void)parameters;
    (void)extra;
    fake_launched = function;
    return gridX != 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
