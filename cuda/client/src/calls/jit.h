/* Compilation and linking of modules by the backend. */
#ifndef GPUVM_JIT_H
#define GPUVM_JIT_H

#include <stddef.h>

#include "jit_options.h"

/* Image to compile or link: PTX, a cubin or a fatbin. */
struct gpuvm_jit_input {
    const char *name; /* for messages */
    const unsigned char *bytes;
    size_t length;
};

/* Result, in memory of the library. */
struct gpuvm_jit_output {
    unsigned char *cubin; /* null if there is none */
    size_t length;        /* of the cubin */
    char *info;           /* null if there is none */
    char *errors;         /* null if there are none */
    float milliseconds;
};

/* Compiles and links images. Sets the output, also after a failure; the caller frees it. */
CUresult gpuvm_jit_link(
    uint64_t context, const struct gpuvm_jit_options *options, const struct gpuvm_jit_input *inputs, size_t count,
    struct gpuvm_jit_output *output);

/* Returns the log of a result, which refers to the result's memory. */
struct gpuvm_jit_log gpuvm_jit_log_of(const struct gpuvm_jit_output *output);

/* Frees the memory of a result, which is then empty. */
void gpuvm_jit_output_free(struct gpuvm_jit_output *output);

#endif
