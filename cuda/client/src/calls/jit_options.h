/* Options of a load or a link for the compiler of PTX (CUjit_option). */
#ifndef GPUVM_JIT_OPTIONS_H
#define GPUVM_JIT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "gpuvm_cuda_types.h"

/* Options of a program, checked. The arrays are the program's, and receive what options return. */
struct gpuvm_jit_options {
    unsigned int count;
    const CUjit_option *options;
    void **values;
    uint32_t registers;    /* greatest number of registers of a thread; 0: no limit */
    uint32_t optimization; /* 0 to 4 */
    bool is_verbose;       /* whether the information log has the resources of functions */
};

/* What the compiler returns. */
struct gpuvm_jit_log {
    const char *info;   /* null: empty */
    const char *errors; /* null: empty */
    float milliseconds;
};

/*
 * Reads the options of a program. CUDA_ERROR_INVALID_VALUE if the arrays are missing, or for an unknown option or value;
 * CUDA_ERROR_NOT_SUPPORTED for options that gpuvm does not support; CUDA_ERROR_NO_BINARY_FOR_GPU for another target than the device.
 */
CUresult gpuvm_jit_options_read(unsigned int count, const CUjit_option *options, void **values, struct gpuvm_jit_options *read);

/* Sets the options that return something: logs and the time. A null log is that of a call that compiled nothing. */
void gpuvm_jit_options_finish(const struct gpuvm_jit_options *options, const struct gpuvm_jit_log *log, CUresult outcome);

#endif
