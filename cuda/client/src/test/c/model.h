/*
 * Transport half of the library without a backend: it executes each call at once, in the calling thread, on memory of the process. It
 * checks that handles on the wire obey docs/cuda-protocol.md. Kernels do not run: the model retains the last launch.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpuvm_cuda_api.h"

/* Launch as the backend sees it. */
struct model_launch {
    uint64_t module;
    uint32_t kernel;
    uint32_t flags;
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t dynamic_shared_bytes;
    uint64_t stream;
    size_t parameter_bytes;
    unsigned char parameters[4352];
};

/* Kernel of an image of the model. */
struct model_kernel {
    const char *name;
    uint32_t parameter_bytes;
    uint32_t parameter_count;
    uint32_t offsets[8];
    uint32_t lengths[8];
    uint32_t max_threads;
    uint32_t shared_bytes;
    uint32_t registers;
};

struct model_state {
    _Atomic uint64_t violations;   /* calls that do not obey the protocol */
    _Atomic uint64_t calls;
    _Atomic uint64_t images_sent;  /* loads with the bytes of the image */
    _Atomic uint64_t objects;      /* that exist: contexts, streams, events, modules, references of textures */
    _Atomic uint64_t allocations;  /* that exist on the GPU */
    _Atomic uint64_t data_ranges;  /* allocated ranges of the data area */
    _Atomic uint64_t pieces;       /* taken pieces of staging memory */
    _Atomic uint64_t waits;        /* published calls that nobody has awaited */
    _Atomic uint32_t fail_opcode;  /* the next call with this opcode fails with fail_status */
    _Atomic uint32_t fail_status;
    _Atomic uint32_t earlier;      /* the next completion of a call that succeeds brings this error of an earlier call */
    struct model_launch launch;    /* last one; tests with several threads do not use it */
    _Atomic uint64_t stream;       /* handle of the stream of the last call that has one */
};

extern struct model_state model;

/* Kernels of the images that are loaded from now on, and the variable "variable" of 64 bytes. */
void model_set_kernels(const struct model_kernel *kernels, uint32_t count);

#endif
