#ifndef GPUVM_STREAMS_H
#define GPUVM_STREAMS_H

#include "handles.h"

#define GPUVM_STREAM_NON_BLOCKING 1u

struct gpuvm_stream_object {
    struct gpuvm_slot slot;
    _Atomic uint64_t number; /* unique number of the stream */
    _Atomic uint32_t flags;
    bool is_default; /* legacy or per-thread default stream, which the program does not destroy */
};

CUresult gpuvm_streams_open(uint32_t limit);

/* Takes a stream that is not visible, and its handle. Null if all are in use. */
struct gpuvm_stream_object *gpuvm_stream_take(uint64_t context, uint32_t flags, bool is_default, uint64_t *handle);

/* Gives a stream back that is not visible. */
void gpuvm_stream_give(struct gpuvm_stream_object *stream);

/* Creates a stream in the backend and makes it visible. */
CUresult gpuvm_stream_start(uint64_t context, uint32_t flags, int32_t priority, bool is_default, uint64_t *handle);

/* Destroys a stream. CUDA_ERROR_INVALID_HANDLE if there is none with this handle. */
CUresult gpuvm_stream_end(uint64_t handle);

/* Handles of a stream of the program, or a default stream, and of its context. */
CUresult gpuvm_stream_and_context(CUstream stream, uint64_t *handle, uint64_t *context);

/* Forgets all streams of a context that has ended. */
void gpuvm_streams_forget(uint64_t context);

#endif
