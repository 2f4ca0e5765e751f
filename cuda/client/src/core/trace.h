/* Trace of calls: a line for each call of an exported function, in the file that GPUVM_CUDA_TRACE names. */
#ifndef GPUVM_TRACE_H
#define GPUVM_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "clock.h"
#include "core.h"

/* Whether calls are traced. Does not change after the library was loaded. */
extern bool gpuvm_is_tracing;

/* Opens the file. When the library is loaded. */
void gpuvm_trace_open(void);

void gpuvm_trace_call(uint32_t opcode, CUresult status);
void gpuvm_trace_unsupported(const char *symbol);

static inline void gpuvm_trace_enter(void)
{
    if (GPUVM_UNLIKELY(gpuvm_is_tracing)) {
        gpuvm_thread.sequence = 0;
        gpuvm_thread.entered = gpuvm_now();
    }
}

static inline void gpuvm_trace_leave(uint32_t opcode, CUresult status)
{
    if (GPUVM_UNLIKELY(gpuvm_is_tracing))
        gpuvm_trace_call(opcode, status);
}

#endif
