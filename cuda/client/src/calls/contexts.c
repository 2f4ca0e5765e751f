#define _GNU_SOURCE

#include "contexts.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "current.h"
#include "events.h"
#include "exchange.h"
#include "gpuvm_cuda_senders.h"
#include "handles.h"
#include "memory.h"
#include "modules.h"
#include "streams.h"
#include "textures.h"

#define PRIMARY 0 /* index of the state */
#define DEFAULT_STACK_BYTES 1024

/* Slot for the handle of an active context. */
struct context_slot {
    struct gpuvm_slot slot;
    struct gpuvm_context_state *_Atomic state;
};

static struct gpuvm_table handles = GPUVM_TABLE(GPUVM_CONTEXT_LETTER);
static struct gpuvm_context *memory;
static struct gpuvm_context_state *states;
static _Atomic uint32_t state_count;

/* States of contexts that are not primary. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t latest_state;

static _Atomic uint64_t latest_number;

static uint64_t new_number(void)
{
    return atomic_fetch_add(&latest_number, 1) + 1;
}

CUresult gpuvm_contexts_open(uint32_t limit)
{
    CUresult outcome = gpuvm_table_open(&handles, sizeof(struct context_slot), limit);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    uint32_t count = limit + 1;
    memory = mmap(NULL, count * sizeof *memory, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    states = calloc(count, sizeof *states);
    if (memory == MAP_FAILED || states == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        gpuvm_storage_open(&states[i].storage);
    atomic_store(&states[PRIMARY].number, new_number());
    atomic_store_explicit(&state_count, count, memory_order_release);
    return CUDA_SUCCESS;
}

uint32_t gpuvm_context_states(void)
{
    return atomic_load_explicit(&state_count, memory_order_acquire);
}

struct gpuvm_context_state *gpuvm_context_state(uint32_t index)
{
    return &states[index];
}

uint32_t gpuvm_context_index(const struct gpuvm_context_state *state)
{
    return (uint32_t)(state - states);
}

struct gpuvm_context_state *gpuvm_context_find(CUcontext context)
{
    uintptr_t distance = (uintptr_t)context - (uintptr_t)memory;
    uintptr_t index = distance / sizeof *memory;
    if (distance % sizeof *memory != 0 || index >= gpuvm_context_states() ||
        gpuvm_context_number(&states[index]) == 0)
        return NULL;
    return &states[index];
}

struct gpuvm_context_state *gpuvm_context_with_handle(uint64_t handle)
{
    struct context_slot *slot = gpuvm_table_find(&handles, handle);
    return slot != NULL ? atomic_load(&slot->state) : NULL;
}

CUcontext gpuvm_context_address(const struct gpuvm_context_state *state)
{
    return memory + gpuvm_context_index(state);
}

struct gpuvm_context_state *gpuvm_context_primary(void)
{
    return &states[PRIMARY];
}

/* The memory of destroyed contexts is used again as late as possible. */
struct gpuvm_context_state *gpuvm_context_take(void)
{
    struct gpuvm_context_state *taken = NULL;
    uint32_t last = gpuvm_context_states() - 1;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < last && taken == NULL; i++) {
        latest_state = latest_state % last + 1;
        if (gpuvm_context_number(&states[latest_state]) == 0)
            taken = &states[latest_state];
    }
    if (taken != NULL)
        atomic_store_explicit(&taken->number, new_number(), memory_order_release);
    pthread_mutex_unlock(&lock);
    return taken;
}

void gpuvm_context_give(struct gpuvm_context_state *state)
{
    atomic_store_explicit(&state->number, 0, memory_order_release);
}

static CUresult send_creation(
    const struct gpuvm_context_state *state, unsigned int flags, uint64_t context, uint64_t stream, struct gpuvm_wait *wait)
{
    struct gpuvm_message message;
    CUresult filled = state == gpuvm_context_primary()
        ? gpuvm_fill_DevicePrimaryCtxRetain(&message, context, GPUVM_DEVICE, flags, stream)
        : gpuvm_fill_CtxCreate(&message, context, flags, GPUVM_DEVICE, stream);
    return gpuvm_exchange(filled, &message, wait);
}

static void show(
    struct gpuvm_context_state *state, unsigned int flags, struct context_slot *slot, uint64_t context, uint64_t stream)
{
    atomic_store(&slot->state, state);
    gpuvm_slot_show(slot, context);
    atomic_store(&state->uses, 1);
    atomic_store(&state->flags, flags);
    atomic_store(&state->cache_config, 0);
    atomic_store(&state->stack_bytes, DEFAULT_STACK_BYTES);
    atomic_store(&state->stream, stream);
    atomic_store_explicit(&state->handle, context, memory_order_release);
}

CUresult gpuvm_context_activate(struct gpuvm_context_state *state, unsigned int flags)
{
    uint64_t context;
    struct context_slot *slot = gpuvm_table_take(&handles, &context);
    if (slot == NULL) {
        gpuvm_explain("contexts limit=%u", gpuvm_session_facts()->contexts);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    uint64_t stream;
    struct gpuvm_stream_object *legacy = gpuvm_stream_take(context, 0, true, &stream);
    if (legacy == NULL) {
        gpuvm_table_give(&handles, slot);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    struct gpuvm_wait wait;
    CUresult outcome = send_creation(state, flags, context, stream, &wait);
    if (wait.status != CUDA_SUCCESS) {
        gpuvm_stream_give(legacy);
        gpuvm_table_give(&handles, slot);
        return outcome;
    }
    gpuvm_slot_show(legacy, stream);
    show(state, flags, slot, context, stream);
    if (outcome != CUDA_SUCCESS) {
        bool is_primary = state == gpuvm_context_primary();
        CUresult ignored;
        gpuvm_context_deactivate(state, is_primary ? GPUVM_CONTEXT_RELEASE : GPUVM_CONTEXT_DESTROY, &ignored);
    }
    return outcome;
}

static CUresult send_end(uint64_t context, enum gpuvm_context_end end)
{
    switch (end) {
    case GPUVM_CONTEXT_RELEASE:
        return gpuvm_send_DevicePrimaryCtxRelease(context);
    case GPUVM_CONTEXT_RESET:
        return gpuvm_send_DevicePrimaryCtxReset(context);
    default:
        return gpuvm_send_CtxDestroy(context);
    }
}

bool gpuvm_context_deactivate(struct gpuvm_context_state *state, enum gpuvm_context_end end, CUresult *outcome)
{
    uint64_t context = atomic_exchange(&state->handle, 0);
    if (context == 0) {
        *outcome = CUDA_ERROR_INVALID_CONTEXT;
        return false;
    }
    /* Other contexts may get the addresses as soon as the call is published, but the handles not before. */
    CUresult earlier = gpuvm_memory_forget(context);
    *outcome = send_end(context, end);
    if (*outcome == CUDA_SUCCESS)
        *outcome = earlier;
    gpuvm_textures_forget(context);
    gpuvm_modules_forget(context);
    gpuvm_events_forget(context);
    gpuvm_streams_forget(context);
    struct context_slot *slot = gpuvm_table_slot(&handles, (uint32_t)context);
    gpuvm_slot_hide(slot, context);
    gpuvm_table_give(&handles, slot);
    return true;
}

CUresult gpuvm_current_context(uint64_t *handle)
{
    struct gpuvm_context_state *state;
    return gpuvm_current_active(&state, handle);
}

CUresult gpuvm_wire_context(CUcontext context, uint64_t *handle)
{
    const struct gpuvm_context_state *state = gpuvm_context_find(context);
    *handle = state != NULL ? gpuvm_context_handle(state) : 0;
    return *handle != 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
