/* Completion ring, and the threads that wait for completions. */
#ifndef GPUVM_COMPLETIONS_H
#define GPUVM_COMPLETIONS_H

#include <stdbool.h>

#include "session.h"

enum gpuvm_wait_kind {
    GPUVM_WAIT_CALL, /* a thread waits */
    GPUVM_WAIT_HOST, /* a host function runs: gpuvm_host_reached */
};

void gpuvm_completions_open(void);

/* Returns whether one more call with a completion may be published. The caller holds the lock of the submission ring. */
bool gpuvm_completions_has_room(void);

/* Registers a call that is about to be published. The caller holds the lock of the submission ring. */
void gpuvm_completions_add(struct gpuvm_wait *wait, uint64_t sequence, enum gpuvm_wait_kind kind);

/* Takes completions that have arrived, unless another thread does so at this moment. Returns whether there were any. */
bool gpuvm_completions_take(void);

/* Completes all pending calls with GPUVM_LOST. The state of the session is GPUVM_BROKEN. */
void gpuvm_completions_fail(void);

/* Waits until a wait that is not registered is done: see gpuvm_wait_finish. */
void gpuvm_wait_until_done(struct gpuvm_wait *wait);

/* Makes a wait that is not registered pending, or done. The thread in gpuvm_wait_until_done continues. */
void gpuvm_wait_begin(struct gpuvm_wait *wait);
void gpuvm_wait_finish(struct gpuvm_wait *wait);

/* Sends a call without effect, and waits for its completion. A failure that the completion describes is kept. */
void gpuvm_completions_ask(void);

/* Publishes a call, and waits for its completion. A failure that the completion describes is kept. */
void gpuvm_complete_aside(struct gpuvm_message *message, struct gpuvm_wait *wait);

/* Keeps a word `failed call` for the next call that returns a status. The first one remains. */
void gpuvm_keep_failure(uint64_t failed);

#endif
