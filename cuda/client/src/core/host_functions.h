/* Thread that runs host functions; see gpuvm_launch_host_function in session.h. */
#ifndef GPUVM_HOST_FUNCTIONS_H
#define GPUVM_HOST_FUNCTIONS_H

#include "session.h"

/* Queues the function of a call whose completion has arrived. The caller holds the lock of the waits. */
void gpuvm_host_reached(struct gpuvm_wait *wait);

#endif
