/* Calls for contexts and for the calling thread's current context. */
#include "current.h"
#include "gpuvm_cuda_senders.h"
#include "session.h"

/* Version of the interface of contexts, of cuCtxCreate_v2 and later. */
#define CONTEXT_API_VERSION 3020

/* Limits of CUDA. */
#define LIMIT_STACK_SIZE 0
#define LIMIT_COUNT 7

/* Greatest local memory of a thread on sm_20: CUDA C Programming Guide, compute capabilities. */
#define MAX_STACK_BYTES ((size_t)512 << 10)

/* Banks of shared memory have 4 bytes on this device. */
#define FOUR_BYTE_BANKS 1

CUresult gpuvm_hand_CtxCreate(CUcontext *context, unsigned int flags, CUdevice device)
{
    if (device != GPUVM_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!gpuvm_context_flags_are_valid(flags))
        return CUDA_ERROR_INVALID_VALUE;
    struct gpuvm_context_state *created = gpuvm_context_take();
    if (created == NULL) {
        gpuvm_explain("contexts limit=%u", gpuvm_session_facts()->contexts);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    CUresult outcome = gpuvm_context_activate(created, flags);
    if (outcome == CUDA_SUCCESS) {
        outcome = gpuvm_current_push(created);
        CUresult ignored;
        if (outcome != CUDA_SUCCESS)
            gpuvm_context_deactivate(created, GPUVM_CONTEXT_DESTROY, &ignored);
    }
    if (outcome != CUDA_SUCCESS) {
        gpuvm_context_give(created);
        return outcome;
    }
    *context = gpuvm_context_address(created);
    return CUDA_SUCCESS;
}

/* The context remains on the stacks of other threads, where it is a destroyed context. */
CUresult gpuvm_hand_CtxDestroy(CUcontext context)
{
    struct gpuvm_context_state *destroyed = gpuvm_context_find(context);
    if (destroyed == NULL || destroyed == gpuvm_context_primary())
        return CUDA_ERROR_INVALID_CONTEXT;
    uint64_t number = gpuvm_context_number(destroyed);
    gpuvm_storage_clear(&destroyed->storage, context);
    CUresult outcome;
    if (!gpuvm_context_deactivate(destroyed, GPUVM_CONTEXT_DESTROY, &outcome))
        return outcome;
    gpuvm_context_give(destroyed);
    const struct gpuvm_binding *current = gpuvm_current_binding();
    if (current != NULL && current->state == destroyed && current->number == number)
        gpuvm_calling_thread.depth--;
    return outcome;
}

CUresult gpuvm_local_CtxAttach(CUcontext *context, unsigned int flags)
{
    (void)flags;
    struct gpuvm_context_state *state;
    uint64_t handle;
    CUresult outcome = gpuvm_current_active(&state, &handle);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    if (state == gpuvm_context_primary())
        return CUDA_ERROR_INVALID_CONTEXT;
    atomic_fetch_add(&state->uses, 1);
    *context = gpuvm_context_address(state);
    return CUDA_SUCCESS;
}

CUresult gpuvm_hand_CtxDetach(CUcontext context)
{
    struct gpuvm_context_state *state = gpuvm_context_find(context);
    if (state == NULL || state == gpuvm_context_primary() || gpuvm_context_handle(state) == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    uint64_t uses = atomic_load(&state->uses);
    while (uses > 1) {
        if (atomic_compare_exchange_weak(&state->uses, &uses, uses - 1))
            return CUDA_SUCCESS;
    }
    return gpuvm_hand_CtxDestroy(context);
}

CUresult gpuvm_local_CtxGetCurrent(CUcontext *context)
{
    const struct gpuvm_binding *current = gpuvm_current_binding();
    *context = current != NULL ? gpuvm_context_address(current->state) : NULL;
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_CtxSetCurrent(CUcontext context)
{
    struct gpuvm_binding *current = gpuvm_current_binding();
    if (context == NULL) {
        if (current != NULL)
            gpuvm_calling_thread.depth--;
        return CUDA_SUCCESS;
    }
    struct gpuvm_context_state *state = gpuvm_context_find(context);
    if (state == NULL)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (current == NULL)
        return gpuvm_current_push(state);
    *current = (struct gpuvm_binding){state, gpuvm_context_number(state)};
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_CtxPushCurrent(CUcontext context)
{
    struct gpuvm_context_state *state = gpuvm_context_find(context);
    return state != NULL ? gpuvm_current_push(state) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult gpuvm_local_CtxPopCurrent(CUcontext *context)
{
    struct gpuvm_binding popped;
    CUresult outcome = gpuvm_current_pop(&popped);
    if (outcome == CUDA_SUCCESS && context != NULL)
        *context = gpuvm_context_address(popped.state);
    return outcome;
}

CUresult gpuvm_local_CtxGetDevice(CUdevice *device)
{
    struct gpuvm_context_state *state;
    CUresult outcome = gpuvm_current_state(&state);
    if (outcome == CUDA_SUCCESS)
        *device = GPUVM_DEVICE;
    return outcome;
}

CUresult gpuvm_hand_CtxSetLimit(CUlimit limit, size_t value)
{
    struct gpuvm_context_state *state;
    uint64_t context;
    CUresult outcome = gpuvm_current_active(&state, &context);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    if (limit != LIMIT_STACK_SIZE)
        return limit < LIMIT_COUNT ? CUDA_ERROR_UNSUPPORTED_LIMIT : CUDA_ERROR_INVALID_VALUE;
    if (value > MAX_STACK_BYTES) {
        gpuvm_explain("stack bytes=%zu, limit=%zu", value, MAX_STACK_BYTES);
        return CUDA_ERROR_INVALID_VALUE;
    }
    outcome = gpuvm_send_CtxSetLimit(context, limit, value);
    if (outcome == CUDA_SUCCESS)
        atomic_store(&state->stack_bytes, value);
    return outcome;
}

CUresult gpuvm_local_CtxGetLimit(size_t *value, CUlimit limit)
{
    struct gpuvm_context_state *state;
    uint64_t context;
    CUresult outcome = gpuvm_current_active(&state, &context);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    if (limit != LIMIT_STACK_SIZE)
        return limit < LIMIT_COUNT ? CUDA_ERROR_UNSUPPORTED_LIMIT : CUDA_ERROR_INVALID_VALUE;
    *value = atomic_load(&state->stack_bytes);
    return CUDA_SUCCESS;
}

/* Context of a call whose context may be null for the current one. */
static CUresult find_or_current(CUcontext context, struct gpuvm_context_state **state)
{
    if (context == NULL)
        return gpuvm_current_state(state);
    *state = gpuvm_context_find(context);
    return *state != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult gpuvm_local_CtxGetApiVersion(CUcontext context, unsigned int *version)
{
    struct gpuvm_context_state *state;
    CUresult outcome = find_or_current(context, &state);
    if (outcome == CUDA_SUCCESS)
        *version = CONTEXT_API_VERSION;
    return outcome;
}

/* The number is that of the active context: the primary context has another one after a reset. */
CUresult gpuvm_local_CtxGetId(CUcontext context, unsigned long long *number)
{
    struct gpuvm_context_state *state;
    CUresult outcome = find_or_current(context, &state);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    uint64_t handle = gpuvm_context_handle(state);
    if (handle == 0)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    *number = handle;
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_CtxGetFlags(unsigned int *flags)
{
    struct gpuvm_context_state *state;
    CUresult outcome = gpuvm_current_state(&state);
    if (outcome == CUDA_SUCCESS)
        *flags = atomic_load(&state->flags);
    return outcome;
}

CUresult gpuvm_local_CtxGetCacheConfig(CUfunc_cache *config)
{
    struct gpuvm_context_state *state;
    CUresult outcome = gpuvm_current_state(&state);
    if (outcome == CUDA_SUCCESS)
        *config = atomic_load(&state->cache_config);
    return outcome;
}

/* A preference, which has no effect: all launches have 48 KiB of shared memory. */
CUresult gpuvm_local_CtxSetCacheConfig(CUfunc_cache config)
{
    struct gpuvm_context_state *state;
    CUresult outcome = gpuvm_current_state(&state);
    if (outcome == CUDA_SUCCESS)
        atomic_store(&state->cache_config, config);
    return outcome;
}

CUresult gpuvm_local_CtxGetSharedMemConfig(CUsharedconfig *config)
{
    struct gpuvm_context_state *state;
    CUresult outcome = gpuvm_current_state(&state);
    if (outcome == CUDA_SUCCESS)
        *config = FOUR_BYTE_BANKS;
    return outcome;
}

/* Has no effect, as on all devices with fixed banks. */
CUresult gpuvm_local_CtxSetSharedMemConfig(CUsharedconfig config)
{
    (void)config;
    struct gpuvm_context_state *state;
    return gpuvm_current_state(&state);
}

CUresult gpuvm_local_CtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
    struct gpuvm_context_state *state;
    CUresult outcome = gpuvm_current_state(&state);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    if (leastPriority != NULL)
        *leastPriority = 0;
    if (greatestPriority != NULL)
        *greatestPriority = 0;
    return CUDA_SUCCESS;
}

/* There is no profiler; programs mark ranges for one. */
CUresult gpuvm_local_ProfilerStart(void)
{
    struct gpuvm_context_state *state;
    return gpuvm_current_state(&state);
}

CUresult gpuvm_local_ProfilerStop(void)
{
    struct gpuvm_context_state *state;
    return gpuvm_current_state(&state);
}
