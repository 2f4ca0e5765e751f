#ifndef GPUVM_EVENTS_H
#define GPUVM_EVENTS_H

#include "gpuvm_cuda_types.h"

CUresult gpuvm_events_open(uint32_t limit);

/* Forgets all events of a context that has ended. */
void gpuvm_events_forget(uint64_t context);

#endif
