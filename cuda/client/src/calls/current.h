/*
 * Contexts of the calling thread: its stack of current contexts, and its per-thread default streams.
 */
#ifndef GPUVM_CURRENT_H
#define GPUVM_CURRENT_H

#include <stdint.h>

#include "contexts.h"

/* Context on a stack; the context has been destroyed if the state has another number. */
struct gpuvm_binding {
    struct gpuvm_context_state *state;
    uint64_t number;
};

#define GPUVM_BINDINGS_INSIDE 6

/* Per-thread default stream for one context. */
struct gpuvm_thread_stream {
    uint64_t context; /* handle; 0: there is no stream */
    uint64_t stream;  /* handle */
};

struct gpuvm_thread_contexts {
    struct gpuvm_binding *stack; /* null: `inside` */
    uint32_t depth;
    uint32_t capacity;
    struct gpuvm_binding inside[GPUVM_BINDINGS_INSIDE];
    struct gpuvm_thread_stream latest;   /* per-thread default stream that was used last */
    struct gpuvm_thread_stream *streams; /* by index of the context's state; null before the first use */
    CUstreamCaptureMode capture_mode;
};

extern _Thread_local struct gpuvm_thread_contexts gpuvm_calling_thread;

/* Prepares the release of what threads own when they end. */
CUresult gpuvm_current_open(void);

/* Makes a context current, above the thread's others. */
CUresult gpuvm_current_push(struct gpuvm_context_state *state);

/* Removes the current context; CUDA_ERROR_INVALID_CONTEXT without one. */
CUresult gpuvm_current_pop(struct gpuvm_binding *popped);

/* Current context, or null. */
static inline struct gpuvm_binding *gpuvm_current_binding(void)
{
    struct gpuvm_thread_contexts *thread = &gpuvm_calling_thread;
    if (thread->depth == 0)
        return NULL;
    return (thread->stack != NULL ? thread->stack : thread->inside) + thread->depth - 1;
}

/* Current context, which is active or primary. */
static inline CUresult gpuvm_current_state(struct gpuvm_context_state **state)
{
    const struct gpuvm_binding *binding = gpuvm_current_binding();
    if (binding == NULL)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (gpuvm_context_number(binding->state) != binding->number)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    *state = binding->state;
    return CUDA_SUCCESS;
}

/* Current context, which is active. */
static inline CUresult gpuvm_current_active(struct gpuvm_context_state **state, uint64_t *handle)
{
    CUresult outcome = gpuvm_current_state(state);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    *handle = gpuvm_context_handle(*state);
    return *handle != 0 ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

/* Handle of the calling thread's default stream for an active context; creates the stream at the first use. */
CUresult gpuvm_thread_stream(struct gpuvm_context_state *state, uint64_t context, uint64_t *stream);

#endif
