/* Content of a module: what the backend's description says about its kernels and variables. Constant, but for attributes of kernels. */
#ifndef GPUVM_CONTENT_H
#define GPUVM_CONTENT_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "gpuvm_cuda_types.h"

/* Greatest length of the parameters of a kernel, on the wire. */
#define GPUVM_MAX_PARAMETER_BYTES 4352

/* Parameter of a kernel, as in the description. */
struct gpuvm_parameter {
    uint32_t offset;
    uint32_t bytes;
};

struct gpuvm_classic_launch;

struct gpuvm_kernel_entry {
    uint64_t module;  /* handle */
    uint64_t context; /* handle of the module's context */
    const struct gpuvm_parameter *parameters;
    uint32_t index;
    uint32_t parameter_count;
    uint32_t parameter_bytes;
    uint32_t max_threads;
    uint32_t shared_bytes;
    uint32_t constant_bytes;
    uint32_t local_bytes;
    uint32_t registers;
    uint32_t ptx_version;
    uint32_t binary_version;
    _Atomic int max_dynamic_shared_bytes;
    _Atomic int carveout;
    const char *name;
    struct gpuvm_classic_launch *_Atomic classic; /* of the launch functions of CUDA 3; null before their first use */
};

struct gpuvm_variable {
    const char *name;
    uint64_t address;
    uint64_t bytes;
};

struct gpuvm_content {
    uint32_t kernel_count;
    uint32_t variable_count;
    struct gpuvm_kernel_entry *kernels;
    struct gpuvm_kernel_entry **by_name; /* kernels in the order of their names */
    struct gpuvm_variable *variables;
};

/*
 * Reads a description of `length` bytes, of a module and its context, into memory of its own. Null without memory, or if the description is not valid; the outcome
 * says which.
 */
struct gpuvm_content *gpuvm_content_read(
    const uint8_t *description, size_t length, uint64_t module, uint64_t context, CUresult *outcome);

void gpuvm_content_free(struct gpuvm_content *content);

/* Returns the kernel with a name, or null. */
struct gpuvm_kernel_entry *gpuvm_content_find(const struct gpuvm_content *content, const char *name);

#endif
