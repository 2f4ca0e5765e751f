/*
 * Primary context. Programs and runtimes count their uses of it; the first use creates it, and the last one destroys it. A reset
 * destroys it whatever the count is, and leaves the count; the next use creates it again.
 */
#include "contexts.h"
#include "gpuvm_cuda_api.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t uses;
static unsigned int creation_flags;

CUresult gpuvm_hand_DevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    if (device != GPUVM_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    struct gpuvm_context_state *primary = gpuvm_context_primary();
    CUresult outcome = CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    if (gpuvm_context_handle(primary) == 0)
        outcome = gpuvm_context_activate(primary, creation_flags);
    if (outcome == CUDA_SUCCESS)
        uses++;
    pthread_mutex_unlock(&lock);
    if (outcome == CUDA_SUCCESS)
        *context = gpuvm_context_address(primary);
    return outcome;
}

/* Number of uses. */
static uint64_t count_uses(void)
{
    pthread_mutex_lock(&lock);
    uint64_t count = uses;
    pthread_mutex_unlock(&lock);
    return count;
}

/* Destructors of the context's storage may call functions for the primary context: they run without the lock. */
static void clear_storage(void)
{
    struct gpuvm_context_state *primary = gpuvm_context_primary();
    gpuvm_storage_clear(&primary->storage, gpuvm_context_address(primary));
}

CUresult gpuvm_hand_DevicePrimaryCtxRelease(CUdevice device)
{
    if (device != GPUVM_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    if (count_uses() == 1)
        clear_storage();
    CUresult outcome = CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    if (uses == 0)
        outcome = CUDA_ERROR_INVALID_CONTEXT;
    else if (--uses == 0 && gpuvm_context_handle(gpuvm_context_primary()) != 0)
        gpuvm_context_deactivate(gpuvm_context_primary(), GPUVM_CONTEXT_RELEASE, &outcome);
    pthread_mutex_unlock(&lock);
    return outcome;
}

CUresult gpuvm_hand_DevicePrimaryCtxReset(CUdevice device)
{
    if (device != GPUVM_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    clear_storage();
    CUresult outcome = CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    if (gpuvm_context_handle(gpuvm_context_primary()) != 0)
        gpuvm_context_deactivate(gpuvm_context_primary(), GPUVM_CONTEXT_RESET, &outcome);
    pthread_mutex_unlock(&lock);
    return outcome;
}

CUresult gpuvm_local_DevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)
{
    if (device != GPUVM_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    pthread_mutex_lock(&lock);
    *flags = creation_flags;
    *active = gpuvm_context_handle(gpuvm_context_primary()) != 0;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_DevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags)
{
    if (device != GPUVM_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!gpuvm_context_flags_are_valid(flags))
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    creation_flags = flags;
    atomic_store(&gpuvm_context_primary()->flags, flags);
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}
