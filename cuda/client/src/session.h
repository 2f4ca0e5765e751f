/*
 * Interface of the library's transport half to its other half, which gives calls their meaning (devices, contexts, streams, modules, memory,
 * copies, launches). gpuvm_calls.h is the rest of this interface: begin, submit, complete, enter, leave.
 *
 * All functions may be called by any thread, also in destructors after main, unless stated otherwise. After a fork, functions that return a
 * status answer CUDA_ERROR_NOT_INITIALIZED in the child. After the loss of the backend, they answer GPUVM_LOST.
 */
#ifndef GPUVM_SESSION_H
#define GPUVM_SESSION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpuvm_cuda_api.h"

/* Answer of each call after the backend ended the session, or died. */
#define GPUVM_LOST CUDA_ERROR_DEVICE_UNAVAILABLE

/* Session and facts */

#define GPUVM_FACTS_ATTRIBUTES 256
#define GPUVM_FACTS_NAME_BYTES 65
#define GPUVM_FACTS_BUS_ID_BYTES 17

/* Device facts of the backend (docs/cuda-protocol.md), checked. Names end with a zero. */
struct gpuvm_facts {
    uint32_t driver_version; /* 1000 * major + 10 * minor */
    uint32_t devices;
    uint64_t vram_bytes;
    /* Limits of the indexes in handles: indexes are 1 to the limit. */
    uint32_t contexts;
    uint32_t modules;
    uint32_t streams;
    uint32_t events;
    uint32_t texture_references;
    uint8_t uuid[16];
    char name[GPUVM_FACTS_NAME_BYTES];
    char bus_id[GPUVM_FACTS_BUS_ID_BYTES];
    uint32_t attributes; /* number of valid elements of attribute */
    int32_t attribute[GPUVM_FACTS_ATTRIBUTES];
};

/*
 * Opens the process's session: connects to the backend that GPUVM_CUDA names, maps the area, reserves addresses, and gets the facts. Then
 * calls `prepare` once, before the session is open for other threads; its error is the answer. For cuInit. Further calls, also of other threads,
 * return the answer of the first one that was successful; after a failure, the next call tries again. CUDA_ERROR_NO_DEVICE: no backend; CUDA_ERROR_DEVICE_UNAVAILABLE: the backend refused the session, for example because all sessions
 * are in use; CUDA_ERROR_SYSTEM_DRIVER_MISMATCH: the backend has other calls; CUDA_ERROR_OPERATING_SYSTEM: no addresses or no memory.
 */
CUresult gpuvm_session_open(CUresult (*prepare)(const struct gpuvm_facts *facts));

/* Returns the facts, which do not change. Null while gpuvm_session_open has not been successful, also in `prepare`. */
const struct gpuvm_facts *gpuvm_session_facts(void);

/*
 * Returns whether the range is inside the addresses that the backend uses for allocations on the GPU. No memory of the program is there.
 */
bool gpuvm_is_device_range(uint64_t address, size_t bytes);

/* Calls */

/*
 * Call whose completion is pending, or has arrived. It belongs to the caller, usually on its stack, and must not move before gpuvm_await
 * returned. Only results, status and sequence are for the caller, and only after gpuvm_await.
 */
struct gpuvm_wait {
    uint64_t sequence; /* number of the call */
    CUresult status;   /* the call's own status */
    uint64_t results[GPUVM_RESULTS];
    /* Of the core. */
    _Atomic uint32_t state;
    uint32_t kind;
    uint64_t failed;
    struct gpuvm_wait *next;     /* with the same hash */
    struct gpuvm_wait *sleeper;  /* the next thread that sleeps */
};

/*
 * Publishes the entry of a call that has a completion, and returns without waiting: gpuvm_complete is gpuvm_publish and gpuvm_await. Several
 * calls of one thread may be pending. If the answer is CUDA_SUCCESS, the caller must call gpuvm_await, whatever happens in between.
 */
CUresult gpuvm_publish(struct gpuvm_message *message, struct gpuvm_wait *wait);

/* Waits for the completion. Returns the call's status, or the first error of earlier calls without reply, as gpuvm_complete does. */
CUresult gpuvm_await(struct gpuvm_wait *wait);

/*
 * Returns the number of the latest published call of any thread; 0 if there is none. A call is published by gpuvm_submit, gpuvm_complete or
 * gpuvm_publish.
 */
uint64_t gpuvm_latest_call(void);

/* Returns whether this call and all earlier ones no longer read or write the data area. One load; no waiting. */
bool gpuvm_has_retired(uint64_t sequence);

/* Waits until gpuvm_has_retired. */
CUresult gpuvm_await_retired(uint64_t sequence);

/*
 * Writes a line about a refused or failed call, if the program's user asked for such lines (GPUVM_CUDA_DEBUG=1). Format as printf, without a
 * newline; name the value and the limit.
 */
void gpuvm_explain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Data area */

/*
 * The data area is memory that the program shares with the GPU. A pointer into it is also a GPU address in all contexts; on the wire, most
 * calls name offsets in it (operands of kind area).
 */

/*
 * Allocates a range of the data area: page-locked memory of the program, images and descriptions of modules. The range begins at a multiple
 * of 4096 bytes; its content is undefined. Waits for ranges that were released, and returns null if there is no space
 * (CUDA_ERROR_OUT_OF_MEMORY) or the backend is lost.
 */
void *gpuvm_data_allocate(size_t bytes);

/* Releases a range, by its first address. The space is reused when this call and all earlier ones have retired. 0: at once. */
void gpuvm_data_release(void *first, uint64_t sequence);

/* Releases a range, which is reused when all calls published so far have retired. */
void gpuvm_data_free(void *first);

/* Returns whether the range is inside the data area, whether allocated or not. */
bool gpuvm_is_data_range(const void *address, size_t bytes);

/* Returns the offset in the data area of an address in it. */
uint64_t gpuvm_data_offset(const void *address);

/* Staging */

/*
 * Largest piece of staging memory. A software GPU copies it past the processor's caches, as it does from 2.5 MiB on, which is nearly twice as
 * fast for bytes that no cache contains.
 */
#define GPUVM_STAGING_MAX_BYTES ((size_t)3 << 20)

/* Piece of the data area through which bytes of pageable memory travel. */
struct gpuvm_staging {
    uint8_t *bytes;
    uint64_t offset; /* in the data area */
    size_t length;   /* at most what the caller wanted, at least 1 */
    uint32_t piece;  /* of the core */
};

/*
 * Takes a piece for up to `wanted` bytes, at least 1. May give less: at most GPUVM_STAGING_MAX_BYTES, or what is there. Waits, if needed,
 * until a call that used a piece has retired. A thread may hold several pieces, but must not wait for another piece while it holds pieces
 * whose calls it has not published: it gives them first (gpuvm_staging_give), with the numbers of their calls. Does not allocate memory.
 */
CUresult gpuvm_staging_take(struct gpuvm_staging *staging, size_t wanted);

/* As gpuvm_staging_take, but answers CUDA_ERROR_NOT_READY instead of waiting. */
CUresult gpuvm_staging_try(struct gpuvm_staging *staging, size_t wanted);

/*
 * Gives a piece back. It is used again when this call has retired: `sequence` of the message after gpuvm_submit, or 0 if no pending call
 * uses the piece, for example after gpuvm_await of a copy from the GPU, and after the caller has read the bytes.
 */
void gpuvm_staging_give(const struct gpuvm_staging *staging, uint64_t sequence);

/* Host functions */

/*
 * Function that the library's own thread runs when a stream reaches it. The status is CUDA_SUCCESS, or the error of the stream or of the
 * backend. Functions of exported symbols answer CUDA_ERROR_NOT_PERMITTED in it.
 */
typedef void (*gpuvm_host_function)(void *data, CUresult status);

/*
 * Sends cuLaunchHostFunc for a stream (its handle on the wire), and has the function run once when its completion arrives, also if it is an
 * error. The stream continues when the function has returned. If the answer is not CUDA_SUCCESS, the function does not run. May wait if very
 * many functions are pending.
 */
CUresult gpuvm_launch_host_function(uint64_t stream, gpuvm_host_function function, void *data);

#endif
