/*
 * Calls whose own status matters besides the answer to the program, which may be an earlier call's error: what such a call created must
 * then be released again.
 */
#ifndef GPUVM_EXCHANGE_H
#define GPUVM_EXCHANGE_H

#include "session.h"

/*
 * Publishes a call and waits for its completion. `filled` is the answer of the function that filled the message. Returns the answer to
 * the program; sets wait->status to the call's own status, also if the call could not be published.
 */
static inline CUresult gpuvm_exchange(CUresult filled, struct gpuvm_message *message, struct gpuvm_wait *wait)
{
    CUresult outcome = filled == CUDA_SUCCESS ? gpuvm_publish(message, wait) : filled;
    if (outcome == CUDA_SUCCESS)
        return gpuvm_await(wait);
    wait->status = outcome;
    return outcome;
}

#endif
