/* Parts of the session that its files share. */
#ifndef GPUVM_CORE_H
#define GPUVM_CORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpuvm_ring.h"
#include "link.h"
#include "session.h"

#define GPUVM_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define GPUVM_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* Time for which a thread that waits looks at memory before it sleeps, in nanoseconds. */
#define GPUVM_SPIN_NS UINT64_C(20000)

enum gpuvm_state {
    GPUVM_CLOSED, /* also in a forked child */
    GPUVM_CONNECTING,
    GPUVM_OPEN,
    GPUVM_BROKEN
};

/* The process's session. Its fields do not change while it is open. */
struct gpuvm_core {
    struct gpuvm_link link;
    struct pv_layout layout;
    uint8_t *area; /* header, notification words, rings */
    uint64_t mapped_bytes; /* of the area */
    _Atomic uint32_t *backend_sleeps;
    _Atomic uint32_t *client_sleeps;
    _Atomic uint64_t *submission_head;
    _Atomic uint64_t *completion_head;
    _Atomic uint64_t *retired;
    struct pv_entry *submissions;
    struct pv_entry *completions;
    uint8_t *data; /* data area, at its GPU address */
    uint64_t data_bytes;
    uint64_t device_start; /* addresses of allocations on the GPU */
    uint64_t device_bytes;
    bool is_synchronous; /* GPUVM_CUDA_SYNC */
    struct gpuvm_facts facts;
};

extern struct gpuvm_core gpuvm_core;

/* State of the calling thread; zero in a new thread. */
struct gpuvm_thread {
    bool is_in_host_function;
    uint64_t entered;  /* time of the latest gpuvm_enter, if calls are traced */
    uint64_t sequence; /* number of the latest call that this thread published */
};

extern _Thread_local struct gpuvm_thread gpuvm_thread __attribute__((tls_model("initial-exec")));

enum gpuvm_state gpuvm_session_state(void);

/* Returns whether calls can be published; otherwise gpuvm_closed_status is the answer. */
bool gpuvm_is_usable(void);
CUresult gpuvm_closed_status(void);

/*
 * Ends the session because the backend is gone: pending calls complete with GPUVM_LOST, and so does every later call. Must be called without
 * locks. Further calls have no effect.
 */
void gpuvm_break(const char *reason);

/* Longest time that gpuvm_pause sleeps, in nanoseconds. */
#define GPUVM_LONGEST_NAP_NS UINT64_C(500000)

/* Wait of a thread for something that has no completion: room in a ring, or retired calls. */
struct gpuvm_pause {
    uint64_t spin_end;
    uint64_t nap;
    uint32_t spins;
};

/*
 * Waits a moment: in the first microseconds by spinning, then by sleeping for growing times of at most half a millisecond. Takes completions
 * that arrived, so that the backend can continue. Must be called without locks. Returns whether the session is usable.
 */
bool gpuvm_pause(struct gpuvm_pause *pause);

#endif
