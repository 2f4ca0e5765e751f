#include "current.h"

#include <stdlib.h>
#include <string.h>

#include "session.h"
#include "streams.h"

_Thread_local struct gpuvm_thread_contexts gpuvm_calling_thread;

static pthread_key_t end_of_thread;

/* Destroys the per-thread default streams of a thread that ends. */
static void end_streams(struct gpuvm_thread_contexts *thread)
{
    for (uint32_t i = 0; i < gpuvm_context_states(); i++) {
        const struct gpuvm_thread_stream *owned = &thread->streams[i];
        if (owned->context != 0 && gpuvm_context_handle(gpuvm_context_state(i)) == owned->context)
            gpuvm_stream_end(owned->stream);
    }
}

static void end(void *value)
{
    struct gpuvm_thread_contexts *thread = value;
    if (thread->streams != NULL && gpuvm_session_facts() != NULL)
        end_streams(thread);
    free(thread->streams);
    free(thread->stack);
    memset(thread, 0, sizeof *thread);
}

CUresult gpuvm_current_open(void)
{
    return pthread_key_create(&end_of_thread, end) == 0 ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}

static CUresult grow(struct gpuvm_thread_contexts *thread)
{
    uint32_t capacity = 2 * (thread->stack != NULL ? thread->capacity : GPUVM_BINDINGS_INSIDE);
    struct gpuvm_binding *stack = realloc(thread->stack, capacity * sizeof *stack);
    if (stack == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (thread->stack == NULL)
        memcpy(stack, thread->inside, sizeof thread->inside);
    thread->stack = stack;
    thread->capacity = capacity;
    pthread_setspecific(end_of_thread, thread);
    return CUDA_SUCCESS;
}

CUresult gpuvm_current_push(struct gpuvm_context_state *state)
{
    struct gpuvm_thread_contexts *thread = &gpuvm_calling_thread;
    if (thread->depth == (thread->stack != NULL ? thread->capacity : GPUVM_BINDINGS_INSIDE)) {
        CUresult outcome = grow(thread);
        if (outcome != CUDA_SUCCESS)
            return outcome;
    }
    thread->depth++;
    *gpuvm_current_binding() = (struct gpuvm_binding){state, gpuvm_context_number(state)};
    return CUDA_SUCCESS;
}

CUresult gpuvm_current_pop(struct gpuvm_binding *popped)
{
    const struct gpuvm_binding *binding = gpuvm_current_binding();
    if (binding == NULL)
        return CUDA_ERROR_INVALID_CONTEXT;
    *popped = *binding;
    gpuvm_calling_thread.depth--;
    return CUDA_SUCCESS;
}

/* Finds or creates the calling thread's stream for a context. */
static CUresult find_stream(
    struct gpuvm_thread_contexts *thread, const struct gpuvm_context_state *state, uint64_t context, struct gpuvm_thread_stream **found)
{
    if (thread->streams == NULL) {
        thread->streams = calloc(gpuvm_context_states(), sizeof *thread->streams);
        if (thread->streams == NULL)
            return CUDA_ERROR_OUT_OF_MEMORY;
        pthread_setspecific(end_of_thread, thread);
    }
    struct gpuvm_thread_stream *own = &thread->streams[gpuvm_context_index(state)];
    *found = own;
    if (own->context == context)
        return CUDA_SUCCESS;
    uint64_t stream;
    CUresult outcome = gpuvm_stream_start(context, 0, 0, true, &stream);
    if (outcome == CUDA_SUCCESS)
        *own = (struct gpuvm_thread_stream){context, stream};
    return outcome;
}

CUresult gpuvm_thread_stream(struct gpuvm_context_state *state, uint64_t context, uint64_t *stream)
{
    struct gpuvm_thread_contexts *thread = &gpuvm_calling_thread;
    if (thread->latest.context != context) {
        struct gpuvm_thread_stream *found;
        CUresult outcome = find_stream(thread, state, context, &found);
        if (outcome != CUDA_SUCCESS)
            return outcome;
        thread->latest = *found;
    }
    *stream = thread->latest.stream;
    return CUDA_SUCCESS;
}
