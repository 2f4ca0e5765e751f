/* Submission ring, and the ring of arguments in the data area. gpuvm_begin, gpuvm_submit and gpuvm_complete are in gpuvm_calls.h. */
#ifndef GPUVM_RING_OF_CALLS_H
#define GPUVM_RING_OF_CALLS_H

#include <stdint.h>

#include "session.h"

/* Prepares the rings of the session, whose area is mapped. Allocates the arguments from the data area. */
CUresult gpuvm_ring_open(void);

/* Releases what gpuvm_ring_open allocated. */
void gpuvm_ring_close(void);

/* Publishes the entry of a call that begins with gpuvm_begin, whatever GPUVM_CUDA_SYNC says. The call has no completion. */
void gpuvm_ring_post(struct gpuvm_message *message);

/* Publishes the entry of a call whose wait, of this kind, is registered. */
void gpuvm_ring_publish(struct gpuvm_message *message, struct gpuvm_wait *wait, uint32_t kind);

#endif
