#include "streams.h"

#include "current.h"
#include "gpuvm_cuda_senders.h"
#include "session.h"

static struct gpuvm_table streams = GPUVM_TABLE(GPUVM_STREAM_LETTER);
static _Atomic uint64_t latest_number;

CUresult gpuvm_streams_open(uint32_t limit)
{
    return gpuvm_table_open(&streams, sizeof(struct gpuvm_stream_object), limit);
}

struct gpuvm_stream_object *gpuvm_stream_take(uint64_t context, uint32_t flags, bool is_default, uint64_t *handle)
{
    struct gpuvm_stream_object *taken = gpuvm_table_take(&streams, handle);
    if (taken == NULL) {
        gpuvm_explain("streams limit=%u", gpuvm_session_facts()->streams);
        return NULL;
    }
    gpuvm_slot_set_context(taken, context);
    atomic_store(&taken->flags, flags);
    atomic_store(&taken->number, atomic_fetch_add(&latest_number, 1) + 1);
    taken->is_default = is_default;
    return taken;
}

void gpuvm_stream_give(struct gpuvm_stream_object *stream)
{
    gpuvm_table_give(&streams, stream);
}

CUresult gpuvm_stream_start(uint64_t context, uint32_t flags, int32_t priority, bool is_default, uint64_t *handle)
{
    struct gpuvm_stream_object *created = gpuvm_stream_take(context, flags, is_default, handle);
    if (created == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult outcome = gpuvm_send_StreamCreateWithPriority(context, *handle, flags, priority);
    if (outcome != CUDA_SUCCESS) {
        gpuvm_table_give(&streams, created);
        return outcome;
    }
    gpuvm_slot_show(created, *handle);
    return CUDA_SUCCESS;
}

CUresult gpuvm_stream_end(uint64_t handle)
{
    struct gpuvm_stream_object *ended = gpuvm_table_find(&streams, handle);
    if (ended == NULL || !gpuvm_slot_hide(ended, handle))
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult outcome = gpuvm_send_StreamDestroy(handle);
    gpuvm_table_give(&streams, ended);
    return outcome;
}

void gpuvm_streams_forget(uint64_t context)
{
    gpuvm_table_forget(&streams, context, NULL);
}

/* Handles of a default stream of the current context, and of this context. */
static CUresult find_default_stream(CUstream stream, uint64_t *handle, uint64_t *context)
{
    struct gpuvm_context_state *state;
    CUresult outcome = gpuvm_current_active(&state, context);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    if (stream == CU_STREAM_PER_THREAD)
        return gpuvm_thread_stream(state, *context, handle);
    *handle = atomic_load_explicit(&state->stream, memory_order_relaxed);
    return CUDA_SUCCESS;
}

CUresult gpuvm_stream_and_context(CUstream stream, uint64_t *handle, uint64_t *context)
{
    if (stream == NULL || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD)
        return find_default_stream(stream, handle, context);
    *handle = (uint64_t)(uintptr_t)stream;
    const struct gpuvm_stream_object *found = gpuvm_table_find(&streams, *handle);
    if (found == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    *context = gpuvm_slot_context(found);
    return CUDA_SUCCESS;
}

CUresult gpuvm_wire_stream(CUstream stream, uint64_t *handle)
{
    uint64_t context;
    return gpuvm_stream_and_context(stream, handle, &context);
}

static CUresult find(CUstream stream, struct gpuvm_stream_object **found)
{
    uint64_t handle;
    CUresult outcome = gpuvm_wire_stream(stream, &handle);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    *found = gpuvm_table_find(&streams, handle);
    return *found != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* Creates a stream of the program. There is one priority, 0, to which CUDA limits other values. */
CUresult gpuvm_hand_StreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
    (void)priority;
    uint64_t context;
    CUresult outcome = gpuvm_current_context(&context);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    uint64_t handle;
    outcome = gpuvm_stream_start(context, flags, 0, false, &handle);
    if (outcome == CUDA_SUCCESS)
        *stream = (CUstream)(uintptr_t)handle;
    return outcome;
}

CUresult gpuvm_hand_StreamCreate(CUstream *stream, unsigned int flags)
{
    return gpuvm_hand_StreamCreateWithPriority(stream, flags, 0);
}

CUresult gpuvm_hand_StreamDestroy(CUstream stream)
{
    uint64_t handle = (uint64_t)(uintptr_t)stream;
    const struct gpuvm_stream_object *destroyed = gpuvm_table_find(&streams, handle);
    if (destroyed == NULL || destroyed->is_default)
        return CUDA_ERROR_INVALID_HANDLE;
    return gpuvm_stream_end(handle);
}

CUresult gpuvm_local_StreamGetFlags(CUstream stream, unsigned int *flags)
{
    struct gpuvm_stream_object *found;
    CUresult outcome = find(stream, &found);
    if (outcome == CUDA_SUCCESS)
        *flags = atomic_load(&found->flags);
    return outcome;
}

CUresult gpuvm_local_StreamGetPriority(CUstream stream, int *priority)
{
    struct gpuvm_stream_object *found;
    CUresult outcome = find(stream, &found);
    if (outcome == CUDA_SUCCESS)
        *priority = 0;
    return outcome;
}

CUresult gpuvm_local_StreamGetCtx(CUstream stream, CUcontext *context)
{
    struct gpuvm_stream_object *found;
    CUresult outcome = find(stream, &found);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    const struct gpuvm_context_state *state = gpuvm_context_with_handle(gpuvm_slot_context(found));
    if (state == NULL)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    *context = gpuvm_context_address(state);
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_StreamGetId(CUstream stream, unsigned long long *number)
{
    struct gpuvm_stream_object *found;
    CUresult outcome = find(stream, &found);
    if (outcome == CUDA_SUCCESS)
        *number = atomic_load(&found->number);
    return outcome;
}

/* Streams are never captured. */
CUresult gpuvm_local_StreamIsCapturing(CUstream stream, CUstreamCaptureStatus *captureStatus)
{
    struct gpuvm_stream_object *found;
    CUresult outcome = find(stream, &found);
    if (outcome == CUDA_SUCCESS)
        *captureStatus = 0;
    return outcome;
}

CUresult gpuvm_local_ThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    /* CU_STREAM_CAPTURE_MODE_RELAXED is the greatest. */
    const CUstreamCaptureMode last_mode = 2;
    if (*mode > last_mode)
        return CUDA_ERROR_INVALID_VALUE;
    CUstreamCaptureMode previous = gpuvm_calling_thread.capture_mode;
    gpuvm_calling_thread.capture_mode = *mode;
    *mode = previous;
    return CUDA_SUCCESS;
}
