/* Copies of boxes: of bytes, rows and slices between memory of the GPU, the data area, and pageable memory of the program. */
#ifndef GPUVM_BOXES_H
#define GPUVM_BOXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpuvm_cuda_types.h"

enum gpuvm_place {
    GPUVM_ON_DEVICE,
    GPUVM_IN_AREA,
    GPUVM_PAGEABLE
};

/* Source or destination. Addresses in the data area are those of the processor, which are those of the GPU, too. */
struct gpuvm_side {
    enum gpuvm_place place;
    uint64_t start;      /* address of the first byte */
    uint64_t pitch;      /* bytes from a row to the next one */
    uint64_t slice_rows; /* rows from a slice to the next one */
};

struct gpuvm_box {
    struct gpuvm_side to;
    struct gpuvm_side from;
    uint64_t width; /* bytes of a row */
    uint64_t height; /* rows of a slice */
    uint64_t depth; /* slices */
};

/* Place of memory whose kind the program leaves to its address. The first byte determines it, whatever the length of the copy is. */
enum gpuvm_place gpuvm_place_of(uint64_t address);

/* Place of memory of the program: the data area if it is page-locked, otherwise pageable. */
enum gpuvm_place gpuvm_place_of_host(const void *pointer);

/*
 * Copies in the order of a stream. A copy that is not asynchronous returns when the program may use its memory: after a copy from or to
 * page-locked memory, and after one to pageable memory. An asynchronous copy waits for pageable destinations only.
 */
CUresult gpuvm_copy_box(const struct gpuvm_box *box, CUstream stream, bool is_async);

#endif
