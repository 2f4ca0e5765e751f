/*
 * Contexts. A CUcontext is the address of memory that contains zeros, because runtimes have looked into contexts; the library's own
 * state is elsewhere. The primary context always has the same address, also while it is not active.
 */
#ifndef GPUVM_CONTEXTS_H
#define GPUVM_CONTEXTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "gpuvm_cuda_types.h"
#include "storage.h"

#define GPUVM_CONTEXT_BYTES 1024

struct gpuvm_context {
    unsigned char zeros[GPUVM_CONTEXT_BYTES];
};

struct gpuvm_context_state {
    _Atomic uint64_t handle; /* on the wire; 0: the context is not active */
    _Atomic uint64_t stream; /* handle of the legacy default stream */
    _Atomic uint64_t number; /* unique number of the context; 0: the memory is no context's */
    _Atomic uint64_t uses;   /* of cuCtxAttach and cuCtxDetach, at least 1 while the context is active */
    _Atomic unsigned int flags;
    _Atomic unsigned int cache_config;
    _Atomic size_t stack_bytes;
    struct gpuvm_storage storage;
};

/* Ordinal of the only device. */
#define GPUVM_DEVICE 0

/* Prepares the memory of up to `limit` contexts and of the primary context. */
CUresult gpuvm_contexts_open(uint32_t limit);

/* Number of the states, at least 1; they have indexes from 0. */
uint32_t gpuvm_context_states(void);

struct gpuvm_context_state *gpuvm_context_state(uint32_t index);
uint32_t gpuvm_context_index(const struct gpuvm_context_state *state);

/* Returns the state of a context, active or primary, or null. */
struct gpuvm_context_state *gpuvm_context_find(CUcontext context);

/* Returns the state of the context with this handle, or null. */
struct gpuvm_context_state *gpuvm_context_with_handle(uint64_t handle);

CUcontext gpuvm_context_address(const struct gpuvm_context_state *state);

/* State of the device's primary context. */
struct gpuvm_context_state *gpuvm_context_primary(void);

/* Takes a state for a new context, which is not active. Null if there is none. */
struct gpuvm_context_state *gpuvm_context_take(void);

/* Gives a state back whose context is not active. */
void gpuvm_context_give(struct gpuvm_context_state *state);

/*
 * Creates the context in the backend, as cuCtxCreate or as the primary context. One call for a state at a time. Makes the context
 * active if the answer is CUDA_SUCCESS.
 */
CUresult gpuvm_context_activate(struct gpuvm_context_state *state, unsigned int flags);

/* Kind of the call that ends a context. */
enum gpuvm_context_end {
    GPUVM_CONTEXT_DESTROY,
    GPUVM_CONTEXT_RELEASE,
    GPUVM_CONTEXT_RESET
};

/*
 * Ends an active context and its objects. Returns whether this call did it: of several calls, one. Sets *outcome to the answer of the
 * function that called it. The caller has cleared the context's storage.
 */
bool gpuvm_context_deactivate(struct gpuvm_context_state *state, enum gpuvm_context_end end, CUresult *outcome);

/* Returns whether flags of a context choose at most one way to wait. */
static inline bool gpuvm_context_flags_are_valid(unsigned int flags)
{
    /* CU_CTX_SCHED_SPIN, CU_CTX_SCHED_YIELD and CU_CTX_SCHED_BLOCKING_SYNC */
    unsigned int scheduling = flags & 0x7u;
    return (scheduling & (scheduling - 1)) == 0;
}

static inline uint64_t gpuvm_context_handle(const struct gpuvm_context_state *state)
{
    return atomic_load_explicit(&state->handle, memory_order_acquire);
}

static inline uint64_t gpuvm_context_number(const struct gpuvm_context_state *state)
{
    return atomic_load_explicit(&state->number, memory_order_acquire);
}

#endif
