#include "events.h"

#include "gpuvm_cuda_senders.h"
#include "handles.h"
#include "session.h"

#define DISABLE_TIMING 0x2u
#define INTERPROCESS 0x4u

static struct gpuvm_table events = GPUVM_TABLE(GPUVM_EVENT_LETTER);

CUresult gpuvm_events_open(uint32_t limit)
{
    return gpuvm_table_open(&events, sizeof(struct gpuvm_slot), limit);
}

void gpuvm_events_forget(uint64_t context)
{
    gpuvm_table_forget(&events, context, NULL);
}

CUresult gpuvm_wire_event(CUevent event, uint64_t *handle)
{
    *handle = (uint64_t)(uintptr_t)event;
    return gpuvm_table_find(&events, *handle) != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult gpuvm_hand_EventCreate(CUevent *event, unsigned int flags)
{
    if ((flags & INTERPROCESS) != 0 && (flags & DISABLE_TIMING) == 0)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t context;
    CUresult outcome = gpuvm_current_context(&context);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    uint64_t handle;
    struct gpuvm_slot *created = gpuvm_table_take(&events, &handle);
    if (created == NULL) {
        gpuvm_explain("events limit=%u", gpuvm_session_facts()->events);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    gpuvm_slot_set_context(created, context);
    outcome = gpuvm_send_EventCreate(context, handle, flags);
    if (outcome != CUDA_SUCCESS) {
        gpuvm_table_give(&events, created);
        return outcome;
    }
    gpuvm_slot_show(created, handle);
    *event = (CUevent)(uintptr_t)handle;
    return CUDA_SUCCESS;
}

CUresult gpuvm_hand_EventDestroy(CUevent event)
{
    uint64_t handle = (uint64_t)(uintptr_t)event;
    struct gpuvm_slot *destroyed = gpuvm_table_find(&events, handle);
    if (destroyed == NULL || !gpuvm_slot_hide(destroyed, handle))
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult outcome = gpuvm_send_EventDestroy(handle);
    gpuvm_table_give(&events, destroyed);
    return outcome;
}
